-- What a post says in a sentence or two, in its writers' words: lists, feeds, the page's description and the widget show it in place of the
-- excerpt, which is cut from the text. It is kept with each version.

alter table public.posts add column summary text constraint posts_summary_length check (char_length(summary) between 1 and 300);
alter table public.post_revisions add column summary text;
grant insert (summary), update (summary) on public.posts to authenticated;

create or replace view public.post_summaries with (security_invoker = true) as
select
  p.id, p.workspace_id, p.title, p.slug, coalesce(p.summary, p.excerpt) as excerpt, p.status, p.tags, p.publish_at, p.published_at,
  p.created_at, p.updated_at, p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, p.summary
from public.posts p;

create or replace view public.post_details with (security_invoker = true) as
select
  p.id, p.workspace_id, p.title, p.slug, coalesce(p.summary, p.excerpt) as excerpt, p.status, p.tags, p.publish_at, p.published_at,
  p.created_at, p.updated_at, p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, p.content_raw, p.updated_by_name,
  private.author_of(p.created_by) as author,
  (select w.public_changelog_enabled from public.workspaces w where w.id = p.workspace_id) as public_changelog_enabled, p.summary
from public.posts p;

create or replace view private.visible_posts with (security_invoker = true) as
select
  p.id, p.workspace_id, p.slug, p.title, coalesce(p.summary, p.excerpt) as excerpt, p.tags, p.content_raw, p.author_name, p.version,
  coalesce(p.published_at, p.publish_at) as published_at,
  -- That of the content, and no earlier than the publication: publishing is a reader's first version. It is the same before and after the
  -- publisher has been by.
  greatest(p.content_updated_at, coalesce(p.published_at, p.publish_at)) as updated_at
from public.posts p join public.workspaces w on w.id = p.workspace_id
where w.public_changelog_enabled
  and p.status in ('published', 'scheduled')
  and (p.status = 'published' or p.publish_at <= now());

create or replace function private.tidy_post() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  wrong jsonb := '{}';
begin
  if tg_op = 'INSERT' or new.title is distinct from old.title then
    new.title := private.clean_line(new.title);
    if coalesce(new.title, '') = '' then wrong := wrong || '{"title": "Title is required"}';
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

  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  if tg_op = 'INSERT' or (new.title, new.tags, new.content_raw) is distinct from (old.title, old.tags, old.content_raw) then
    new.search_text := private.search_words(new.title || ' ' || array_to_string(new.tags, ' ') || ' ' || left(private.blocks_text(new.content_raw), 100000));
  end if;
  return new;
end $$;

create or replace function private.decide_post_state() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  grace constant interval := '1 minute'; -- a time picked to the minute may just have passed when it arrives
  was public.post_status := 'draft';
  had timestamptz; -- the time it was scheduled for
begin
  if tg_op = 'INSERT' or new.publish_at is distinct from old.publish_at then
    new.publish_at := date_trunc('milliseconds', new.publish_at); -- clients know no finer time, and send back what they got
  end if;
  if tg_op = 'UPDATE' then
    was := old.status;
    had := old.publish_at;
    new.published_at := old.published_at; -- set once, below
    if was = 'scheduled' and had <= moment then
      was := 'published';
      new.published_at := coalesce(old.published_at, had);
      if new.status = 'scheduled' and new.publish_at = had then new.status := 'published'; end if;
    end if;
  end if;

  if was = 'published' then
    if new.status in ('draft', 'scheduled') or new.publish_at is distinct from had and new.publish_at is not null then
      perform private.refuse('published_post_locked');
    end if;
    new.publish_at := had; -- when it was scheduled for stays on record
  elsif was = 'archived' then
    if new.status = 'draft' then
      new.publish_at := null;
    elsif new.status <> 'archived' or (new.title, new.summary, new.tags, new.content_raw, new.slug, new.publish_at)
      is distinct from (old.title, old.summary, old.tags, old.content_raw, old.slug, old.publish_at) then
      perform private.refuse('archived_post_locked');
    end if;
  elsif new.status = 'archived' then
    if tg_op = 'INSERT' then perform private.refuse('validation_failed', '{"status": "A new post cannot be archived"}'); end if;
    new.publish_at := null;
  elsif new.status = 'published' then
    new.publish_at := null;
    new.published_at := coalesce(new.published_at, moment);
  else
    -- A draft that gets a time is scheduled; a scheduled post that loses it, or is called a draft, is a draft.
    if new.status = 'draft' then
      if was = 'scheduled' then new.publish_at := null; end if;
      if new.publish_at is not null then new.status := 'scheduled'; end if;
    elsif new.publish_at is null and was = 'scheduled' then
      new.status := 'draft';
    end if;
    if new.status = 'scheduled' and (was <> 'scheduled' or new.publish_at is distinct from had) then
      if new.publish_at is null then
        perform private.refuse('validation_failed', '{"publish_at": "Please select a date and time"}');
      elsif new.publish_at <= moment - grace or not isfinite(new.publish_at) then
        perform private.refuse('validation_failed', '{"publish_at": "Please choose a time in the future"}');
      end if;
    end if;
  end if;

  new.archived_at := case when new.status = 'archived' then coalesce(case when was = 'archived' then old.archived_at end, moment) end;

  if new.status in ('scheduled', 'published') and (was not in ('scheduled', 'published') or new.content_raw is distinct from old.content_raw)
    and not private.says_something(new.content_raw) then
    perform private.refuse('validation_failed', '{"content_raw": "Content is required"}');
  end if;
  return new;
end $$;

create or replace function private.date_content() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.content_updated_at := case
    when tg_op = 'INSERT' or (new.title, new.summary, new.content_raw, new.tags) is distinct from (old.title, old.summary, old.content_raw, old.tags)
      then new.updated_at
    else old.content_updated_at end;
  return new;
end $$;

create or replace function private.raise_version() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- Nobody acts when the publisher turns a due post to published.
  on_schedule constant boolean := tg_op = 'UPDATE' and old.status = 'scheduled' and new.status = 'published' and new.publish_at is not null;
begin
  if tg_op = 'INSERT' then
    new.version := 1;
    new.created_at := coalesce(new.created_at, now());
    new.created_by := coalesce(auth.uid(), new.created_by);
    new.created_by_name := coalesce(private.my_name(), new.created_by_name);
    new.author_name := coalesce(new.author_name, new.created_by_name);
    new.updated_at := clock_timestamp();
  elsif (new.title, new.summary, new.content_raw, new.tags, new.publish_at, new.status, new.slug)
    is not distinct from (old.title, old.summary, old.content_raw, old.tags, old.publish_at, old.status, old.slug) then
    new.version := old.version;
    new.updated_at := old.updated_at;
    return new;
  else
    new.version := old.version + 1;
    -- Published on time reads as edited when it appeared, so that feeds say the same before and after the publisher.
    new.updated_at := case when on_schedule and auth.uid() is null then greatest(old.updated_at, new.publish_at) else clock_timestamp() end;
  end if;
  new.updated_by := auth.uid();
  new.updated_by_name := coalesce(private.my_name(), case when on_schedule then 'Scheduled publishing' else new.created_by_name end);
  return new;
end $$;

create or replace function private.record_revision() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.post_revisions
    (post_id, workspace_id, version, status, title, tags, content_raw, publish_at, author_id, author_name, created_at, summary)
  values
    (new.id, new.workspace_id, new.version, new.status, new.title, new.tags, new.content_raw, new.publish_at,
     new.updated_by, new.updated_by_name, new.updated_at, new.summary);
  return null;
end $$;

create or replace function public.save_post(post_id uuid, patch jsonb, expected_version int default null, idempotency_key text default null) returns public.post_details
language plpgsql set search_path = '' as $$
declare
  earlier jsonb;
  saved uuid;
  answer public.post_details;
begin
  earlier := private.claim_request(idempotency_key, jsonb_build_array('save_post', post_id, patch #- '{content_raw,time}', expected_version)::text);
  if earlier is not null then
    perform private.require_role((earlier ->> 'workspace_id')::uuid, '{owner,admin,editor}');
    return jsonb_populate_record(null::public.post_details, earlier);
  end if;
  update public.posts p set
    title = case when patch ? 'title' then patch ->> 'title' else p.title end,
    summary = case when patch ? 'summary' then patch ->> 'summary' else p.summary end,
    content_raw = case when patch ? 'content_raw' then patch -> 'content_raw' else p.content_raw end,
    tags = case when patch ? 'tags' then private.text_array(patch -> 'tags') else p.tags end,
    publish_at = case
      when patch ->> 'status' = 'draft' then null -- a draft asked for by name keeps no time
      when patch ? 'publish_at' then (patch ->> 'publish_at')::timestamptz
      else p.publish_at end,
    status = coalesce((patch ->> 'status')::public.post_status, p.status),
    slug = coalesce(patch ->> 'slug', p.slug)
  where p.id = post_id and (expected_version is null or p.version = expected_version)
  returning p.id into saved;
  if saved is null then perform private.explain_refusal(post_id); end if;
  select d.* into answer from public.post_details d where d.id = saved;
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
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
    jsonb_build_object('title', wanted.title, 'summary', wanted.summary, 'tags', wanted.tags, 'content_raw', wanted.content_raw), expected_version);
end $$;

drop function public.create_post(uuid, text, jsonb, text[], timestamptz, text, text);
create function public.create_post(
  workspace_id uuid, title text, content_raw jsonb, tags text[] default '{}', publish_at timestamptz default null,
  status text default null, idempotency_key text default null, summary text default null
) returns public.post_details
language plpgsql set search_path = '' as $$
declare
  earlier jsonb;
  made uuid;
  answer public.post_details;
begin
  perform private.require_role(workspace_id, '{owner,admin,editor}');
  earlier := private.claim_request(idempotency_key, jsonb_build_array('create_post', workspace_id, title, content_raw - 'time', tags, publish_at, status, summary)::text);
  if earlier is not null then return jsonb_populate_record(null::public.post_details, earlier); end if;
  insert into public.posts (workspace_id, title, content_raw, tags, publish_at, status, summary)
  values (workspace_id, title, content_raw, coalesce(tags, '{}'),
    case when status = 'draft' then null else publish_at end, coalesce(status, 'draft')::public.post_status, summary)
  returning posts.id into made;
  select d.* into answer from public.post_details d where d.id = made;
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
  return answer;
end $$;
revoke all on function public.create_post(uuid, text, jsonb, text[], timestamptz, text, text, text) from public, anon;
grant execute on function public.create_post(uuid, text, jsonb, text[], timestamptz, text, text, text) to authenticated, service_role;
