-- Drafts save themselves: such a save may lack a title or text, and a run of them by one person is one revision. Versions are counted as before.

alter table public.posts drop constraint posts_title_length;
alter table public.posts add constraint posts_title_length
  check (char_length(title) between case when status in ('draft', 'archived') then 0 else 1 end and 119) not valid;
-- squawk-ignore constraint-missing-not-valid
alter table public.posts validate constraint posts_title_length; -- no row can fail: it asks less than the one before

alter table public.post_revisions add column autosaves_since timestamptz;

create function private.is_autosave() returns boolean
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return coalesce(current_setting('tidings.autosave', true), '') = 'on';
end $$;
grant execute on function private.is_autosave() to authenticated, service_role;

create or replace function private.tidy_post() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  wrong jsonb := '{}';
begin
  if tg_op = 'INSERT' or new.title is distinct from old.title then
    new.title := private.clean_line(new.title);
    if new.title is null or new.title = '' and not private.is_autosave() then wrong := wrong || '{"title": "Title is required"}';
    elsif char_length(new.title) > 119 then wrong := wrong || '{"title": "The title can have at most 119 characters"}'; end if;
  end if;

  new.summary := nullif(private.clean_line(new.summary), '');
  if char_length(new.summary) > 300 then wrong := wrong || '{"summary": "The summary can have at most 300 characters"}'; end if;

  if tg_op = 'INSERT' or new.tags is distinct from old.tags then
    new.tags := private.clean_tags(new.tags);
    if cardinality(new.tags) > 20 then wrong := wrong || '{"tags": "A post can have at most 20 tags"}';
    elsif exists (select from unnest(new.tags) as t (tag) where char_length(t.tag) > 40) then
      wrong := wrong || '{"tags": "A tag can have at most 40 characters"}'; end if;
  end if;

  if tg_op = 'INSERT' or new.content_raw is distinct from old.content_raw then
    if jsonb_typeof(new.content_raw -> 'blocks') is distinct from 'array' then wrong := wrong || '{"content_raw": "Content is required"}';
    elsif tg_op = 'UPDATE' and private.same_content(new.content_raw, old.content_raw) then new.content_raw := old.content_raw;
    elsif private.is_long_post(new.content_raw) then wrong := wrong || '{"content_raw": "This post is too long"}';
    else
      new.excerpt := private.blocks_excerpt(new.content_raw);
    end if;
  end if;

  if tg_op = 'INSERT' or new.cover_image is distinct from old.cover_image then
    new.cover_image := private.tidy_cover(new.cover_image);
    if not private.may_be_cover(new.cover_image, new.content_raw, new.workspace_id) then
      wrong := wrong || '{"cover_image": "Please choose an image of this post, or add one"}';
    end if;
  end if;

  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  if tg_op = 'INSERT' or (new.title, new.tags, new.content_raw) is distinct from (old.title, old.tags, old.content_raw) then
    new.search_text := private.search_words(new.title || ' ' || array_to_string(new.tags, ' ') || ' ' || left(private.blocks_text(new.content_raw), 100000));
  end if;
  return new;
end $$;

create function private.check_draft() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_autosave() and (new.status <> 'draft' or tg_op = 'UPDATE' and old.status <> 'draft') then
    perform private.refuse('validation_failed', '{"autosave": "Only a draft saves itself"}');
  elsif new.title = '' and new.status not in ('draft', 'archived') then
    perform private.refuse('validation_failed', '{"title": "Title is required"}');
  end if;
  return new;
end $$;
create trigger posts_25_draft before insert or update on public.posts for each row execute function private.check_draft();

create function private.fold_autosaves() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  since timestamptz;
begin
  if not private.is_autosave() then
    if new.version = old.version then -- saved by hand as it stands
      update public.post_revisions r set autosaves_since = null
      where r.post_id = new.id and r.version = new.version and r.autosaves_since is not null;
    end if;
  elsif new.version > old.version then
    delete from public.post_revisions r
    where r.post_id = new.id and r.version = old.version and r.version > 1 and r.author_id = new.updated_by
      and r.autosaves_since > new.updated_at - interval '10 minutes'
    returning r.autosaves_since into since;
    update public.post_revisions r set autosaves_since = coalesce(since, new.updated_at) where r.post_id = new.id and r.version = new.version;
  end if;
  return null;
end $$;
create trigger posts_55_fold_autosaves after update on public.posts for each row execute function private.fold_autosaves();

create or replace function private.claim_request(request_key text, asked text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  print constant text := encode(sha256(convert_to(asked, 'UTF8')), 'hex');
  earlier private.request_keys;
begin
  if request_key is null then return null; end if;
  if private.my_id() is null then perform private.refuse('unauthenticated'); end if;
  delete from private.request_keys k where k.user_id = private.my_id() and k.key = request_key and k.created_at < now() - interval '1 day';
  insert into private.request_keys (user_id, key, fingerprint) values (private.my_id(), request_key, print)
  on conflict on constraint request_keys_pkey do nothing;
  if found then return null; end if;
  select * into earlier from private.request_keys k where k.user_id = private.my_id() and k.key = request_key;
  if earlier.fingerprint is distinct from print then
    perform private.refuse('validation_failed', '{"idempotency_key": "This key was already used for another request"}');
  end if;
  return earlier.answer || coalesce((
    select jsonb_build_object('content_raw', r.content_raw) from public.post_revisions r
    where r.post_id = earlier.post_id and r.version >= (earlier.answer ->> 'version')::int
    order by r.version limit 1 -- a version that saved itself may have been folded into a later one
  ), '{}');
end $$;

create function public.autosave_new_post(
  workspace_id uuid, title text, content_raw jsonb, tags text[] default '{}', idempotency_key text default null, summary text default null,
  cover_image jsonb default null
) returns public.post_details
language plpgsql set search_path = '' as $$
declare
  answer public.post_details;
begin
  perform set_config('tidings.autosave', 'on', true);
  answer := public.create_post(
    workspace_id => workspace_id, title => title, content_raw => content_raw, tags => tags, status => 'draft',
    idempotency_key => idempotency_key, summary => summary,
    cover_image => cover_image
  );
  perform set_config('tidings.autosave', 'off', true);
  return answer;
end $$;

create function public.autosave_post(post_id uuid, patch jsonb, expected_version int default null, idempotency_key text default null)
returns public.post_details
language plpgsql set search_path = '' as $$
declare
  answer public.post_details;
begin
  perform set_config('tidings.autosave', 'on', true);
  answer := public.save_post(post_id, patch, expected_version, idempotency_key);
  perform set_config('tidings.autosave', 'off', true);
  return answer;
end $$;

create or replace function public.restore_revision(post_id uuid, version int, expected_version int default null) returns public.post_details
language plpgsql set search_path = '' as $$
declare
  wanted public.post_revisions;
begin
  select * into wanted from public.post_revisions r where r.post_id = restore_revision.post_id and r.version = restore_revision.version;
  if wanted.post_id is null then perform private.refuse('not_found'); end if;
  return public.save_post(post_id,
    jsonb_build_object('summary', wanted.summary, 'cover_image', wanted.cover_image, 'tags', wanted.tags, 'content_raw', wanted.content_raw)
      || case when wanted.title = '' then '{}' else jsonb_build_object('title', wanted.title) end, expected_version);
end $$;

revoke all on function public.autosave_new_post(uuid, text, jsonb, text[], text, text, jsonb), public.autosave_post(uuid, jsonb, int, text) from public, anon;
grant execute on function public.autosave_new_post(uuid, text, jsonb, text[], text, text, jsonb), public.autosave_post(uuid, jsonb, int, text)
to authenticated, service_role;

create or replace function private.announce_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    if not exists (select from public.workspaces w where w.id = old.workspace_id) then return null; end if; -- it goes itself: its members hear that
    perform private.announce(old.workspace_id, 'post-removed', jsonb_build_object('workspace_id', old.workspace_id, 'post_id', old.id));
  elsif tg_op = 'INSERT' or old.version <> new.version then
    perform private.announce(new.workspace_id, 'post-upserted', jsonb_build_object('workspace_id', new.workspace_id, 'post_id', new.id,
      'version', new.version, 'autosaved', private.is_autosave()));
  end if;
  return null;
end $$;
