-- What a writer decides about a post beside its words: a cover image, a date of publication in the past, and whom readers are told as its
-- author. Excerpts are whole sentences of one block.

alter table public.posts
  add column cover_image jsonb constraint posts_cover_image_shape check (cover_image = '"none"' or jsonb_typeof(cover_image -> 'url') = 'string'),
  add column author_id uuid;
alter table public.post_revisions
  add column cover_image jsonb,
  add column published_at timestamptz,
  add column post_author_name text;
grant insert (cover_image, published_at, author_id), update (cover_image, published_at, author_id) on public.posts to authenticated;

create or replace view public.post_details with (security_invoker = true) as
select
  p.id, p.workspace_id, p.title, p.slug, coalesce(p.summary, p.excerpt) as excerpt, p.status, p.tags, p.publish_at, p.published_at,
  p.created_at, p.updated_at, p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, p.content_raw, p.updated_by_name,
  private.author_of(coalesce(p.author_id, p.created_by)) as author,
  private.shows_changelog(p.workspace_id) as public_changelog_enabled, p.summary, p.cover_image, coalesce(p.author_id, p.created_by) as author_id
from public.posts p;

create function private.tidy_cover(cover jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  if cover = '"none"' then return cover; end if;
  if jsonb_typeof(cover -> 'url') is distinct from 'string' then return null; end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'url', cover -> 'url', 'alt', left(coalesce(private.clean_line(cover ->> 'alt'), ''), 300),
    'width', case when jsonb_typeof(cover -> 'width') = 'number' then cover -> 'width' end,
    'height', case when jsonb_typeof(cover -> 'height') = 'number' then cover -> 'height' end));
end $$;

create function private.may_be_cover(cover jsonb, content jsonb, workspace uuid) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  stored constant text := '/storage/v1/object/public/post-images/' || workspace || '/';
begin
  if cover is null or cover = '"none"' then return true; end if;
  return starts_with(cover ->> 'url', stored) and substr(cover ->> 'url', length(stored) + 1) ~ '^[0-9A-Za-z_-]+\.[a-z]+$'
    or jsonb_path_exists(content, '$.blocks[*].data.file ? (@.url == $url)', jsonb_build_object('url', cover -> 'url'));
end $$;

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

create or replace function private.decide_post_state() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  grace constant interval := '1 minute'; -- a time picked to the minute may just have passed when it arrives
  was public.post_status := 'draft';
  had timestamptz; -- the time it was scheduled for
  -- A date of publication that somebody chose, finer than clients know it or not. What the database wrote itself is no choice.
  chosen timestamptz := date_trunc('milliseconds', new.published_at);
begin
  if tg_op = 'INSERT' or new.publish_at is distinct from old.publish_at then
    new.publish_at := date_trunc('milliseconds', new.publish_at); -- clients know no finer time, and send back what they got
  end if;
  if tg_op = 'UPDATE' then
    was := old.status;
    had := old.publish_at;
    if chosen = date_trunc('milliseconds', old.published_at) then chosen := null; end if;
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
    elsif new.status <> 'archived' or chosen is not null or (new.title, new.summary, new.cover_image, new.author_id, new.tags, new.content_raw,
      new.slug, new.publish_at) is distinct from (old.title, old.summary, old.cover_image, old.author_id, old.tags, old.content_raw,
      old.slug, old.publish_at) then
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

  -- News may be dated back to when it was one, never ahead: for that there is the schedule.
  if chosen is not null then
    if new.status <> 'published' then
      perform private.refuse('validation_failed', '{"published_at": "Only a published post has a date of publication"}');
    elsif chosen > moment + grace or chosen < '1970-01-01' or not isfinite(chosen) then
      perform private.refuse('validation_failed', '{"published_at": "Please choose a time in the past"}');
    end if;
    new.published_at := least(chosen, moment);
  end if;

  new.archived_at := case when new.status = 'archived' then coalesce(case when was = 'archived' then old.archived_at end, moment) end;

  if new.status in ('scheduled', 'published') and (was not in ('scheduled', 'published') or new.content_raw is distinct from old.content_raw)
    and not private.says_something(new.content_raw) then
    perform private.refuse('validation_failed', '{"content_raw": "Content is required"}');
  end if;
  return new;
end $$;

create function private.name_author() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.author_id is not distinct from coalesce(old.author_id, old.created_by) then
    new.author_id := old.author_id; -- the same person, said differently
    return new;
  end if;
  if new.author_id is null then
    new.author_name := new.created_by_name;
    return new;
  end if;
  select p.full_name into new.author_name from public.members m join public.profiles p on p.user_id = m.user_id
  where m.workspace_id = new.workspace_id and m.user_id = new.author_id for key share of m;
  if not found then perform private.refuse('validation_failed', '{"author_id": "Please choose a member of this workspace"}'); end if;
  return new;
end $$;
create trigger posts_25_author before update on public.posts
for each row when (new.author_id is distinct from old.author_id) execute function private.name_author();
create trigger posts_25_first_author before insert on public.posts
for each row when (new.author_id is not null) execute function private.name_author();

create or replace function private.date_content() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.content_updated_at := case
    when tg_op = 'INSERT' or (new.title, new.summary, new.cover_image, new.author_id, new.content_raw, new.tags)
      is distinct from (old.title, old.summary, old.cover_image, old.author_id, old.content_raw, old.tags)
      or new.published_at <> old.published_at
      then new.updated_at
    else old.content_updated_at end;
  return new;
end $$;

create function private.first_words(value jsonb, depth int default 1) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  piece record;
  words text;
begin
  if depth > 9 then return ''; end if;
  for piece in
    select i.item, f.name, f.value
    from jsonb_array_elements(private.as_list(value)) with ordinality as i (item, place)
      left join lateral jsonb_each(case when jsonb_typeof(i.item) = 'object' then i.item end) with ordinality as f (name, value, place)
        on f.name not in ('id', 'type', 'meta', 'style', 'kind', 'alignment', 'language', 'service', 'file', 'url', 'source', 'href', 'src')
    order by i.place, (jsonb_typeof(f.value) = 'string') desc, f.place
  loop
    words := private.clean_line(case
      when jsonb_typeof(piece.item) = 'string' then private.plain_text(piece.item #>> '{}')
      when jsonb_typeof(piece.item) = 'array' then private.first_words(piece.item, depth + 1)
      when jsonb_typeof(piece.value) in ('array', 'object') then private.first_words(piece.value, depth + 1)
      when jsonb_typeof(piece.value) <> 'string' then null
      when piece.name = 'code' then piece.value #>> '{}'
      when piece.name in ('text', 'content', 'caption') or piece.value #>> '{}' !~ '^(?:[a-z]+:/)?/\S*$' then private.plain_text(piece.value #>> '{}')
    end);
    if words <> '' then return words; end if;
  end loop;
  return '';
end $$;

create function private.first_text(content jsonb, is_running boolean) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  block jsonb;
  words text := '';
begin
  for block in select b.block from jsonb_array_elements(private.as_list(content -> 'blocks')) as b (block) loop
    if jsonb_typeof(block -> 'data') = 'object' and (not is_running or private.is_running_text(block)) then
      words := private.first_words(block -> 'data');
    end if;
    exit when words <> '';
  end loop;
  return words;
end $$;

create or replace function private.blocks_excerpt(content jsonb) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  words text := private.first_text(content, true);
  cut text;
begin
  if words = '' then words := private.first_text(content, false); end if;
  if char_length(words) <= 160 then return words; end if;
  cut := (regexp_match(left(words, 162), '^(.{39,}(?:[.!?…]["''”’»)\]]*(?= [^a-z])|[。！？]))'))[1];
  if cut is not null then return cut; end if;
  cut := (regexp_match(left(words, 161), '^(.{81,160})\s\S*$'))[1]; -- null: one endless word, cut inside
  return regexp_replace(coalesce(cut, left(words, 160)), '[\s.,;:!?–—-]+$', '') || '…';
end $$;

create or replace function private.says_something(content jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return jsonb_path_exists(content, '$.blocks[*].data ? (@.url != "" || @.file.url != "")') or private.first_text(content, false) <> '';
end $$;

drop function private.first_text(jsonb, boolean, int);

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
  elsif (new.title, new.summary, new.cover_image, new.author_id, new.content_raw, new.tags, new.publish_at, new.published_at, new.status, new.slug)
    is not distinct from
    (old.title, old.summary, old.cover_image, old.author_id, old.content_raw, old.tags, old.publish_at, old.published_at, old.status, old.slug) then
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
    (post_id, workspace_id, version, status, title, tags, content_raw, publish_at, author_id, author_name, created_at, summary,
     cover_image, published_at, post_author_name)
  values
    (new.id, new.workspace_id, new.version, new.status, new.title, new.tags, new.content_raw, new.publish_at,
     new.updated_by, new.updated_by_name, new.updated_at, new.summary, new.cover_image, new.published_at, new.author_name);
  return null;
end $$;

create or replace function private.record_images() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.post_images (post_id, path)
  select new.id, private.image_paths(jsonb_build_array(new.content_raw, new.cover_image), new.workspace_id)
  on conflict on constraint post_images_pkey do nothing;
  return null;
end $$;
drop trigger posts_70_new_images on public.posts;
create trigger posts_70_new_images after update on public.posts
for each row when (old.content_raw is distinct from new.content_raw or old.cover_image is distinct from new.cover_image)
execute function private.record_images();

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
    cover_image = case when patch ? 'cover_image' then nullif(patch -> 'cover_image', 'null') else p.cover_image end,
    content_raw = case when patch ? 'content_raw' then patch -> 'content_raw' else p.content_raw end,
    tags = case when patch ? 'tags' then private.text_array(patch -> 'tags') else p.tags end,
    publish_at = case
      when patch ->> 'status' = 'draft' then null -- a draft asked for by name keeps no time
      when patch ? 'publish_at' then (patch ->> 'publish_at')::timestamptz
      else p.publish_at end,
    status = coalesce((patch ->> 'status')::public.post_status, p.status),
    slug = coalesce(patch ->> 'slug', p.slug),
    published_at = coalesce((patch ->> 'published_at')::timestamptz, p.published_at),
    author_id = case when patch ? 'author_id' then (patch ->> 'author_id')::uuid else p.author_id end
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
    jsonb_build_object('title', wanted.title, 'summary', wanted.summary, 'cover_image', wanted.cover_image, 'tags', wanted.tags,
      'content_raw', wanted.content_raw), expected_version);
end $$;

drop function public.create_post(uuid, text, jsonb, text[], timestamptz, text, text, text);
create function public.create_post(
  workspace_id uuid, title text, content_raw jsonb, tags text[] default '{}', publish_at timestamptz default null,
  status text default null, idempotency_key text default null, summary text default null, cover_image jsonb default null,
  published_at timestamptz default null, author_id uuid default null
) returns public.post_details
language plpgsql set search_path = '' as $$
declare
  earlier jsonb;
  made uuid;
  answer public.post_details;
begin
  perform private.require_role(workspace_id, '{owner,admin,editor}');
  earlier := private.claim_request(idempotency_key, jsonb_build_array('create_post', workspace_id, title, content_raw - 'time', tags, publish_at, status, summary,
    cover_image, published_at, author_id)::text);
  if earlier is not null then return jsonb_populate_record(null::public.post_details, earlier); end if;
  insert into public.posts (workspace_id, title, content_raw, tags, publish_at, status, summary, cover_image, published_at, author_id)
  values (workspace_id, title, content_raw, coalesce(tags, '{}'),
    case when status = 'draft' then null else publish_at end, coalesce(status, 'draft')::public.post_status, summary,
    nullif(cover_image, 'null'), published_at, author_id)
  returning posts.id into made;
  select d.* into answer from public.post_details d where d.id = made;
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
  return answer;
end $$;
revoke all on function public.create_post(uuid, text, jsonb, text[], timestamptz, text, text, text, jsonb, timestamptz, uuid) from public, anon;
grant execute on function public.create_post(uuid, text, jsonb, text[], timestamptz, text, text, text, jsonb, timestamptz, uuid) to authenticated, service_role;

alter table public.activities drop constraint activities_kind_known;
-- squawk-ignore constraint-missing-not-valid
alter table public.activities add constraint activities_kind_known check (kind in (
    'post_created', 'post_updated', 'post_scheduled', 'post_unscheduled', 'post_published', 'post_archived', 'post_restored', 'post_purged',
    'post_date_changed', 'post_author_changed',
    'member_joined', 'member_left', 'member_removed', 'role_changed', 'ownership_handed_over', 'changelog_opened', 'changelog_closed'
  ));

create or replace function private.record_post_activity() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  what text;
begin
  if tg_op = 'DELETE' then
    perform private.record_activity(old.workspace_id, 'post_purged', old.title, old.id);
    return null;
  elsif tg_op = 'INSERT' then
    what := case new.status when 'published' then 'post_published' when 'scheduled' then 'post_scheduled' else 'post_created' end;
  elsif old.version = new.version then
    return null;
  else
    what := case
      when new.status = old.status and new.status = 'scheduled' and new.publish_at <> old.publish_at then 'post_scheduled'
      when new.status = old.status and new.published_at <> old.published_at then 'post_date_changed'
      when new.status = old.status and new.author_id is distinct from old.author_id then 'post_author_changed'
      when new.status = old.status then 'post_updated'
      when new.status = 'published' then 'post_published'
      when new.status = 'scheduled' then 'post_scheduled'
      when new.status = 'archived' then 'post_archived'
      when old.status = 'archived' then 'post_restored'
      else 'post_unscheduled'
    end;
  end if;
  if what = 'post_updated' then
    update public.activities a set created_at = clock_timestamp(), title = new.title
    where a.id = (
      select e.id from public.activities e
      where e.kind = 'post_updated' and e.post_id = new.id and e.actor_id = auth.uid() and e.created_at > now() - interval '1 hour'
      order by e.created_at desc limit 1
    );
    if found then return null; end if;
  end if;
  perform private.record_activity(new.workspace_id, what, new.title, new.id);
  if what = 'post_date_changed' and new.author_id is distinct from old.author_id then
    perform private.record_activity(new.workspace_id, 'post_author_changed', new.title, new.id);
  end if;
  return null;
end $$;

create or replace view private.visible_posts with (security_invoker = true) as
select
  p.id, p.workspace_id, p.slug, p.title, coalesce(p.summary, p.excerpt) as excerpt, p.tags, p.content_raw, p.author_name, p.version,
  coalesce(p.published_at, p.publish_at) as published_at,
  -- That of the content, and no earlier than the publication: publishing is a reader's first version. It is the same before and after the
  -- publisher has been by.
  greatest(p.content_updated_at, coalesce(p.published_at, p.publish_at)) as updated_at,
  p.cover_image
from public.posts p join public.workspaces w on w.id = p.workspace_id
where w.public_changelog_enabled
  and p.status in ('published', 'scheduled')
  and (p.status = 'published' or p.publish_at <= now());

drop function private.list_releases(text, int, int, text);
create function private.list_releases(subdomain text, page int default 1, page_size int default 10, tag text default null) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, total bigint, cover_image jsonb
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  workspace constant uuid := private.open_workspace(list_releases.subdomain);
  size constant int := least(greatest(coalesce(list_releases.page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(list_releases.page, 1), 1)::bigint - 1) * size;
  wanted constant text[] := array[list_releases.tag];
  amount bigint;
begin
  if workspace is null then return; end if;
  select count(*) into amount from private.visible_posts v
  where v.workspace_id = workspace and (list_releases.tag is null or v.tags @> wanted);
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version, amount, v.cover_image
    from private.visible_posts v
    where v.workspace_id = workspace and (list_releases.tag is null or v.tags @> wanted)
    order by v.published_at desc, v.id desc limit size offset skip;
end $$;
grant execute on function private.list_releases(text, int, int, text) to anon, authenticated, service_role;

drop function private.get_release(text, text);
create function private.get_release(subdomain text, address text) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, moved_to text, cover_image jsonb
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version,
      case when v.slug <> s.slug then v.slug end, v.cover_image
    from public.post_slugs s join private.visible_posts v on v.id = s.post_id
    where s.workspace_id = private.open_workspace(get_release.subdomain) and s.slug = lower(address);
end $$;
grant execute on function private.get_release(text, text) to anon, authenticated, service_role;

drop function private.search_releases(text, text, int, int);
create function private.search_releases(subdomain text, term text, page int default 1, page_size int default 10) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, total bigint, cover_image jsonb
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  workspace constant uuid := private.open_workspace(search_releases.subdomain);
  size constant int := least(greatest(coalesce(search_releases.page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(search_releases.page, 1), 1)::bigint - 1) * size;
  patterns constant text[] := private.search_patterns(search_releases.term);
  one constant text := patterns[1];
  two constant text := coalesce(patterns[2], '%');
begin
  if workspace is null or cardinality(patterns) = 0 then return; end if;
  return query
    with matching as materialized ( -- all of them by the index, then the order: never the other way round
      select p.id from public.posts p where p.workspace_id = workspace
        and p.search_text like one and p.search_text like two and p.search_text like all (patterns)
    )
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version, count(*) over (),
      v.cover_image
    from private.visible_posts v
    where v.workspace_id = workspace and v.id in (select m.id from matching m)
    order by v.published_at desc, v.id desc limit size offset skip;
end $$;
grant execute on function private.search_releases(text, text, int, int) to anon, authenticated, service_role;

drop function private.releases_of_month(text, date, int, int);
create function private.releases_of_month(subdomain text, month date, page int default 1, page_size int default 10) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, total bigint, cover_image jsonb
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  workspace constant uuid := private.open_workspace(releases_of_month.subdomain);
  size constant int := least(greatest(coalesce(releases_of_month.page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(releases_of_month.page, 1), 1)::bigint - 1) * size;
  first_day constant timestamp := date_trunc('month', releases_of_month.month::timestamp);
begin
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version, count(*) over (),
      v.cover_image
    from private.visible_posts v
    where v.workspace_id = workspace and v.published_at >= first_day at time zone 'utc'
      and v.published_at < (first_day + interval '1 month') at time zone 'utc'
    order by v.published_at desc, v.id desc limit size offset skip;
end $$;
grant execute on function private.releases_of_month(text, date, int, int) to anon, authenticated, service_role;

-- Of posts as they are; their versions stay.
update public.posts p set excerpt = private.blocks_excerpt(p.content_raw) where p.excerpt <> private.blocks_excerpt(p.content_raw);
