-- Idempotency keys. A call's answer is stored in its own transaction for a day, so a retry gets the same answer. Separate per person and API key.
create table private.request_keys (
  user_id uuid not null constraint request_keys_user_id_fkey references auth.users (id) on delete cascade,
  key text not null constraint request_keys_key_length check (char_length(key) between 1 and 240),
  fingerprint text not null, -- of the request, so that a key can't be reused for another
  answer jsonb,
  created_at timestamptz not null default now(),
  workspace_id uuid constraint request_keys_workspace_id_fkey references public.workspaces (id) on delete cascade,
  post_id uuid constraint request_keys_post_id_fkey references public.posts (id) on delete cascade,
  constraint request_keys_pkey primary key (user_id, key)
);
create index request_keys_by_age on private.request_keys (created_at);
create index request_keys_of_workspace on private.request_keys (workspace_id);
create index request_keys_of_post on private.request_keys (post_id);

-- Null: do the work, then call settle_request. Otherwise the stored answer. Waits for a concurrent call with the same key.
create function private.claim_request(request_key text, asked text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  print constant text := encode(sha256(convert_to(asked, 'UTF8')), 'hex');
  kept constant text := coalesce(private.key_id() || ' ', '') || request_key;
  earlier private.request_keys;
begin
  if request_key is null then return null; end if;
  if private.my_id() is null then perform private.refuse('unauthenticated'); end if;
  delete from private.request_keys k where k.user_id = private.my_id() and k.key = kept and k.created_at < now() - interval '1 day';
  insert into private.request_keys (user_id, key, fingerprint) values (private.my_id(), kept, print)
  on conflict on constraint request_keys_pkey do nothing;
  if found then return null; end if;
  select * into earlier from private.request_keys k where k.user_id = private.my_id() and k.key = kept;
  if earlier.fingerprint is distinct from print then
    perform private.refuse('validation_failed', '{"idempotency_key": "This key was already used for another request"}');
  end if;
  return earlier.answer || coalesce((
    select jsonb_build_object('content_raw', r.content_raw) from public.post_revisions r
    where r.post_id = earlier.post_id and r.version >= (earlier.answer ->> 'version')::int
    order by r.version limit 1 -- an autosaved version may have been folded into a later one
  ), '{}');
end $$;

-- Nothing without a key. The content isn't stored twice: its revision has it.
create function private.settle_request(request_key text, given jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update private.request_keys k set
    answer = given - 'content_raw',
    workspace_id = (select w.id from public.workspaces w where w.id = coalesce(given ->> 'workspace_id', given ->> 'id')::uuid),
    post_id = (select p.id from public.posts p where p.id = (given ->> 'id')::uuid)
  where k.user_id = auth.uid() and k.key = coalesce(private.key_id() || ' ', '') || request_key;
end $$;

grant execute on function private.claim_request, private.settle_request to authenticated, service_role;
