-- What a key remembers goes with the post and the workspace that it is about, and a post's content is not kept a second
-- time: the version that was answered has it.
-- The table holds a day's keys: it is scanned in a moment.
alter table private.request_keys
  -- squawk-ignore adding-foreign-key-constraint
  add column workspace_id uuid constraint request_keys_workspace_id_fkey references public.workspaces (id) on delete cascade,
  -- squawk-ignore adding-foreign-key-constraint
  add column post_id uuid constraint request_keys_post_id_fkey references public.posts (id) on delete cascade;
-- For the two cascades.
-- squawk-ignore require-concurrent-index-creation
create index request_keys_of_workspace on private.request_keys (workspace_id);
-- squawk-ignore require-concurrent-index-creation
create index request_keys_of_post on private.request_keys (post_id);

create or replace function private.settle_request(request_key text, given jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update private.request_keys k set
    answer = given - 'content_raw',
    workspace_id = (select w.id from public.workspaces w where w.id = coalesce(given ->> 'workspace_id', given ->> 'id')::uuid),
    post_id = (select p.id from public.posts p where p.id = (given ->> 'id')::uuid)
  where k.user_id = auth.uid() and k.key = request_key;
end $$;

create or replace function private.claim_request(request_key text, asked text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  print constant text := encode(sha256(convert_to(asked, 'UTF8')), 'hex');
  earlier private.request_keys;
begin
  if request_key is null then return null; end if;
  if auth.uid() is null then perform private.refuse('unauthenticated'); end if;
  delete from private.request_keys k where k.user_id = auth.uid() and k.key = request_key and k.created_at < now() - interval '1 day';
  insert into private.request_keys (user_id, key, fingerprint) values (auth.uid(), request_key, print)
  on conflict on constraint request_keys_pkey do nothing;
  if found then return null; end if;
  select * into earlier from private.request_keys k where k.user_id = auth.uid() and k.key = request_key;
  if earlier.fingerprint is distinct from print then
    perform private.refuse('validation_failed', '{"idempotency_key": "This key was already used for another request"}');
  end if;
  return earlier.answer || coalesce((
    select jsonb_build_object('content_raw', r.content_raw) from public.post_revisions r
    where r.post_id = earlier.post_id and r.version = (earlier.answer ->> 'version')::int
  ), '{}');
end $$;

-- What was kept before is of no use to the two above.
update private.request_keys k set
  workspace_id = (select w.id from public.workspaces w where w.id = coalesce(k.answer ->> 'workspace_id', k.answer ->> 'id')::uuid),
  post_id = (select p.id from public.posts p where p.id = (k.answer ->> 'id')::uuid),
  answer = k.answer - 'content_raw';
delete from private.request_keys k where k.answer ? 'title' and k.post_id is null or k.answer ? 'subdomain' and k.workspace_id is null;
