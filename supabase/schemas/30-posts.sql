-- The name shown for a post's creator (contract/rules/creator-name.ts; specification, section 5).
create function private.creator_name(author_name text, created_by_name text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return coalesce(nullif(btrim(author_name), ''), nullif(btrim(created_by_name), ''), 'Unknown');
end $$;

-- Stand-in for views, 100 to 4999, stable for an id and title. Only sorts, without the analytics add-on (specification, section 9).
create function private.placeholder_views(id uuid, title text) returns int
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  hash constant bytea := sha256(convert_to(id || ':' || title, 'UTF8'));
begin
  return 100 + (get_byte(hash, 0) * 65536 + get_byte(hash, 1) * 256 + get_byte(hash, 2)) % 4900;
end $$;

-- Issues and pull requests, by URL (contract/rules/request-kind.ts).
create function private.are_requests(urls text[]) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return cardinality(urls) <= {{requestsPerPost}} and not exists (
    select from unnest(urls) as r (url)
    where (char_length(r.url) <= {{requestMaxLength}}
      and r.url ~ '^https://(linear\.app/[^/\s]+/issue/|[a-z0-9-]+\.atlassian\.net/browse/|github\.com/[^/\s]+/[^/\s]+/(issues|pull)/)[^\s/]\S*$') is not true
  );
end $$;

-- Posts. Blocks are the editor's, cleaned, never HTML. The columns granted below are written by people; triggers derive all others
-- (99-post-triggers). Names are stored beside ids, without foreign keys, because a post outlives its author's account.
create table public.posts (
  id uuid constraint posts_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint posts_workspace_id_fkey references public.workspaces (id) on delete cascade,
  -- Drafts can lack a title; posts that readers see can't.
  title text not null constraint posts_title_length check (char_length(title) between case when status in ('draft', 'archived') then 0 else 1 end and {{titleMaxLength}}),
  slug text collate "C" not null
    constraint posts_slug_shape check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 100),
  status public.post_status not null default 'draft',
  tags text[] not null default '{}',
  content_raw jsonb not null default '{"time": 0, "blocks": [], "version": "2.28.2"}'
    constraint posts_content_is_blocks check (jsonb_typeof(content_raw -> 'blocks') = 'array'),
  search_text text not null default '',
  excerpt text not null default '',
  publish_at timestamptz,
  published_at timestamptz,
  archived_at timestamptz,
  version int not null default 1,
  created_by uuid,
  created_by_name text,
  author_name text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid,
  updated_by_name text,
  -- Moves when content, author or date change. updated_at also moves on archiving, scheduling and the like, which feeds mustn't take for edits.
  content_updated_at timestamptz not null default now(),
  summary text constraint posts_summary_length check (char_length(summary) between 1 and {{summaryMaxLength}}), -- shown in place of the excerpt
  -- Null: the first image of the text. "none": no image. Else {"url", "alt", "width", "height"}.
  cover_image jsonb constraint posts_cover_image_shape check (cover_image = '"none"' or jsonb_typeof(cover_image -> 'url') = 'string'),
  author_id uuid, -- shown to readers; null: the creator
  external_id text collate "C" constraint posts_external_id_length check (char_length(external_id) between 1 and {{externalIdMaxLength}}), -- the id in another system
  imported_at timestamptz, -- by an import (84-imports): readers aren't notified
  requests text[] not null default '{}' constraint posts_requests_shape check (private.are_requests(requests)), -- for the team, unversioned
  -- Facts about the product, and where the post is shown (private.clean_details): {"pinned_until", "expires_at", "button", "version",
  -- "component", "breaking", "security", "placement", "audience"}. Null: none.
  details jsonb constraint posts_details_are_fields check (jsonb_typeof(details) = 'object'),
  constraint posts_slug_key unique (workspace_id, slug),
  constraint posts_scheduled_has_time check (status <> 'scheduled' or publish_at is not null),
  constraint posts_draft_has_no_time check (status <> 'draft' or publish_at is null),
  constraint posts_published_has_date check (status <> 'published' or published_at is not null),
  constraint posts_archived_has_date check ((status = 'archived') = (archived_at is not null)),
  -- Later years broke clients' calendars. A check, so that it holds without triggers.
  constraint posts_publish_at_in_reach check (publish_at < '9999-01-01')
);

-- The list of posts, last edited first, and its count. Archived posts are listed only by status.
create index posts_recent on public.posts (workspace_id, updated_at desc, id desc) where status <> 'archived';
create index posts_by_status on public.posts (workspace_id, status, updated_at desc, id desc);
create index posts_public on public.posts (workspace_id, coalesce(published_at, publish_at) desc, id desc)
include (status, publish_at, version) where status in ('published', 'scheduled') and details -> 'audience' is null;
create index posts_for_some on public.posts (workspace_id, coalesce(published_at, publish_at) desc, id desc)
where status in ('published', 'scheduled') and details -> 'audience' is not null;
create index posts_upcoming on public.posts (workspace_id, publish_at) include (id) where status = 'scheduled';
-- Due posts of all workspaces, for the publisher.
create index posts_due on public.posts (publish_at) where status = 'scheduled';
-- Search within a workspace. A small pending list, since every search scans it.
create index posts_search on public.posts
using gin (workspace_id, search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);
create index posts_tags on public.posts (workspace_id, updated_at desc, id desc) include (status, publish_at, tags)
where status <> 'archived' and tags <> '{}';
create index posts_by_creator on public.posts
(workspace_id, lower(private.creator_name(author_name, created_by_name)), updated_at desc, id desc) where status <> 'archived';
create index posts_by_placeholder on public.posts
(workspace_id, private.placeholder_views(id, title) desc, updated_at desc, id desc) where status <> 'archived';

-- Fixed-width UTC times, so text sorts as time. Also read to learn when a page changes without a write (private.public_version).
create index posts_pinned on public.posts (workspace_id, (details ->> 'pinned_until') collate "C") where details ? 'pinned_until';
create index posts_expiring on public.posts (workspace_id, (details ->> 'expires_at') collate "C") where details ? 'expires_at';
create index posts_versioned on public.posts (workspace_id) where details ? 'version';
create index posts_placed on public.posts (workspace_id) where details ? 'placement';

create unique index posts_external_id on public.posts (workspace_id, external_id) where external_id is not null;

create policy "members read their workspace's posts" on public.posts for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "writers add posts to their workspace" on public.posts for insert to authenticated
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));
create policy "writers change their workspace's posts" on public.posts for update to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))))
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));
create policy "writers purge their workspace's posts" on public.posts for delete to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));

grant select, delete on public.posts to authenticated;
grant insert (workspace_id, title, content_raw, tags, publish_at, status, summary, cover_image, published_at, author_id, external_id, details)
  on public.posts to authenticated;
grant update (title, content_raw, tags, publish_at, status, slug, summary, cover_image, published_at, author_id, requests, details) on public.posts to authenticated;

-- Posts as the API returns them (contract/posts.ts): a summary for lists, and details. Both run as the caller. New columns go last.
create view public.post_summaries with (security_invoker = true) as
select
  p.id, p.workspace_id, p.title, p.slug, coalesce(p.summary, p.excerpt) as excerpt, p.status, p.tags, p.publish_at, p.published_at,
  p.created_at, p.updated_at, p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, p.summary
from public.posts p;

-- Runs as owner: the author may have left the team.
create function private.author_of(person uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object('user_id', a.user_id, 'full_name', a.full_name, 'avatar_url', a.avatar_url)
    from public.profiles a where a.user_id = person
  );
end $$;

-- Runs as owner, to save a second check of the reader's memberships.
create function private.is_changelog_public(workspace uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select w.public_changelog_enabled from public.workspaces w where w.id = workspace);
end $$;

create view public.post_details with (security_invoker = true) as
select
  p.id, p.workspace_id, p.title, p.slug, coalesce(p.summary, p.excerpt) as excerpt, p.status, p.tags, p.publish_at, p.published_at,
  p.created_at, p.updated_at, p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, p.content_raw, p.updated_by_name,
  private.author_of(coalesce(p.author_id, p.created_by)) as author,
  private.is_changelog_public(p.workspace_id) as public_changelog_enabled, p.summary, p.cover_image, coalesce(p.author_id, p.created_by) as author_id,
  p.external_id, p.requests, p.details
from public.posts p;

grant select on public.post_summaries, public.post_details to authenticated, service_role;

-- PostContent of a post, revision, proposal or imported post, given as JSON (contract/rules/post-content.ts). Absent details are null, since saves
-- merge them.
create function private.content_of(line jsonb) returns jsonb
language sql immutable parallel safe set search_path = '' as $$
  select jsonb_build_object('title', line -> 'title', 'summary', line -> 'summary', 'cover_image', line -> 'cover_image', 'tags', line -> 'tags',
    'content_raw', line -> 'content_raw', 'details', '{"pinned_until": null, "expires_at": null, "button": null, "version": null, "component": null,
      "breaking": null, "security": null, "placement": null, "audience": null}' || coalesce(nullif(line -> 'details', 'null'), '{}'))
$$;

-- The status that readers without a token notice: that of a post for some readers (details.audience) is draft.
create function private.public_status(post public.posts) returns public.post_status
language sql immutable parallel safe set search_path = '' as $$
  select case when post.details -> 'audience' is null then post.status else 'draft' end
$$;

-- True if readers see a difference apart from status and dates: what keys without posts:write can't change (72-api-keys) and what needs approval
-- (62-reviews). A renamed tag (37-tags) is not a change of the post. tests/database/097-columns-of-posts covers every column.
create function private.is_visible_change(before public.posts, after public.posts) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (before.title, before.summary, before.cover_image, before.details, before.author_id, before.author_name, before.content_raw, before.slug)
      is distinct from (after.title, after.summary, after.cover_image, after.details, after.author_id, after.author_name, after.content_raw, after.slug)
    or before.tags <> after.tags and coalesce(current_setting('tidings.tag_from', true), '') = '';
end $$;

-- True in a transaction with the option `autosave` (of a draft, which can lack a title) or `importing` (an import or its undo, 84-imports: no email,
-- webhook, activity or live event for each post).
create function private.has_option(option text) returns boolean
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return coalesce(current_setting('tidings.' || option, true), '') = 'on';
end $$;

create function private.clean_tags(tags text[]) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select coalesce(array_agg(t.tag order by t.place), '{}')
    from (
      select private.clean_line(given.tag) as tag, min(given.place) as place
      from unnest(tags) with ordinality as given (tag, place)
      where private.clean_line(given.tag) <> '' group by 1
    ) as t
  );
end $$;

-- Normalises a cover image; null for anything invalid.
create function private.clean_cover(cover jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  if cover = '"none"' then return cover; end if;
  if jsonb_typeof(cover -> 'url') is distinct from 'string' then return null; end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'url', cover -> 'url', 'alt', left(coalesce(private.clean_line(cover ->> 'alt'), ''), {{altMaxLength}}),
    'width', case when jsonb_typeof(cover -> 'width') = 'number' then cover -> 'width' end,
    'height', case when jsonb_typeof(cover -> 'height') = 'number' then cover -> 'height' end));
end $$;

-- As JavaScript writes it, so that text sorts as time.
create function private.iso_time(moment timestamptz) returns text
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return to_char(moment at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
end $$;

-- True for uploads of the workspace and images in the text, so that no other URL is shown to readers.
create function private.may_be_cover(cover jsonb, content jsonb, workspace uuid) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  stored constant text := '/storage/v1/object/public/post-images/' || workspace || '/';
begin
  if cover is null or cover = '"none"' then return true; end if;
  return starts_with(cover ->> 'url', stored) and substr(cover ->> 'url', length(stored) + 1) ~ '^[0-9A-Za-z_-]+\.[a-z]+$'
    or jsonb_path_exists(content, '$.blocks[*].data.file ? (@.url == $url)', jsonb_build_object('url', cover -> 'url'));
end $$;

-- Validation errors by field, in the words of the specification (section 5).
create function private.content_faults(title text, summary text, tags text[], content_raw jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  wrong jsonb := '{}';
begin
  if char_length(title) > {{titleMaxLength}} then wrong := '{"title": "The title can have at most {{titleMaxLength}} characters"}'; end if;
  if char_length(summary) > {{summaryMaxLength}} then wrong := wrong || '{"summary": "The summary can have at most {{summaryMaxLength}} characters"}'; end if;
  if cardinality(tags) > {{tagsPerPost}} then wrong := wrong || '{"tags": "A post can have at most {{tagsPerPost}} tags"}';
  elsif exists (select from unnest(tags) as t (tag) where char_length(t.tag) > {{tagMaxLength}}) then
    wrong := wrong || '{"tags": "A tag can have at most {{tagMaxLength}} characters"}'; end if;
  if content_raw is null then return wrong; end if;
  return wrong || case when jsonb_typeof(content_raw -> 'blocks') is distinct from 'array' then '{"content_raw": "Content is required"}'::jsonb
    when private.is_long_post(content_raw) then '{"content_raw": "This post is too long"}' else '{}' end;
end $$;

-- Search covers the first 100,000 characters: more made a save take half a second.
create function private.clean_post() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_new constant boolean := tg_op = 'INSERT';
  is_titled constant boolean := is_new or new.title is distinct from old.title;
  is_tagged constant boolean := is_new or new.tags is distinct from old.tags;
  is_written boolean := is_new or new.content_raw is distinct from old.content_raw;
  wrong jsonb;
begin
  if is_titled then new.title := private.clean_line(new.title); end if;
  new.summary := nullif(private.clean_line(new.summary), '');
  if is_tagged then
    new.tags := private.clean_tags(new.tags);
    if cardinality(new.tags) between 1 and 100 and exists (select from private.former_tags f where f.workspace_id = new.workspace_id) then
      new.tags := private.tags_now(new.workspace_id, new.tags);
    end if;
  end if;
  -- The editor stamps each save with the time, which isn't a change.
  if is_written and not is_new and jsonb_typeof(new.content_raw -> 'blocks') = 'array' and new.content_raw - 'time' = old.content_raw - 'time' then
    new.content_raw := old.content_raw;
    is_written := false;
  end if;

  wrong := private.content_faults(case when is_titled then new.title end, new.summary, case when is_tagged then new.tags end,
    case when is_written then coalesce(new.content_raw, '{}') end);
  if is_titled and (new.title is null or new.title = '' and not private.has_option('autosave')) then wrong := wrong || '{"title": "Title is required"}'; end if;
  if is_written and not wrong ? 'content_raw' then new.excerpt := private.blocks_excerpt(new.content_raw); end if;
  if is_new or new.cover_image is distinct from old.cover_image then
    new.cover_image := private.clean_cover(new.cover_image);
    if not private.may_be_cover(new.cover_image, new.content_raw, new.workspace_id) then
      wrong := wrong || '{"cover_image": "Please choose an image of this post, or add one"}';
    end if;
  end if;

  if is_new or new.details is distinct from old.details then new.details := private.clean_details(new.details); end if;

  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  if is_new or (new.title, new.tags, new.content_raw) is distinct from (old.title, old.tags, old.content_raw) then
    new.search_text := private.search_words(new.title || ' ' || array_to_string(new.tags, ' ') || ' ' || left(private.blocks_text(new.content_raw), 100000));
  end if;
  return new;
end $$;

-- Status rules (specification, section 4; product decisions 4–6): draft ⇄ scheduled → published; any → archived → draft (restored). A scheduled post
-- that is due counts as published even before the publisher ran. Uses the server's clock. contract/rules/post-status has the same rules, tested together.
create function private.apply_status_rules() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  grace constant interval := '1 minute'; -- a time picked to the minute may have just passed
  was public.post_status := 'draft';
  had timestamptz; -- the former publish_at
  -- A publication date chosen by a person; one that only echoes the stored date isn't.
  chosen timestamptz := date_trunc('milliseconds', new.published_at);
begin
  if tg_op = 'INSERT' or new.publish_at is distinct from old.publish_at then
    new.publish_at := date_trunc('milliseconds', new.publish_at); -- the clients' precision
    if isfinite(new.publish_at) and new.publish_at > moment + interval '{{scheduleReachYears}} years' then
      perform private.refuse('validation_failed', '{"publish_at": "Please choose a time within the next ten years"}');
    end if;
  end if;
  if tg_op = 'UPDATE' then
    was := old.status;
    had := old.publish_at;
    if chosen = date_trunc('milliseconds', old.published_at) then chosen := null; end if;
    -- Set once; undoing an import may clear it.
    if new.published_at is not null or not private.has_option('importing') then new.published_at := old.published_at; end if;
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
    new.publish_at := had;
  elsif was = 'archived' then
    if new.status = 'draft' then
      new.publish_at := null;
    elsif new.status <> 'archived' or chosen is not null or (new.title, new.summary, new.cover_image, new.details, new.author_id, new.tags, new.content_raw,
      new.slug, new.publish_at) is distinct from (old.title, old.summary, old.cover_image, old.details, old.author_id, old.tags, old.content_raw,
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
    -- A draft with a time becomes scheduled; a scheduled post without one becomes a draft.
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

  -- Posts can be backdated, never postdated: that is scheduling.
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
    and not private.has_content(new.content_raw) then
    perform private.refuse('validation_failed', '{"content_raw": "Content is required"}');
  end if;

  if tg_op = 'UPDATE' and old.status = 'archived' and coalesce(current_setting('tidings.former_status', true), '') <> '' then -- public.undo_archive
    new.status := current_setting('tidings.former_status')::public.post_status;
    new.publish_at := case new.status when 'draft' then null when 'scheduled' then (
      select r.publish_at from public.post_revisions r where r.post_id = old.id and r.version = old.version - 1
    ) else old.publish_at end;
  end if;

  -- Only drafts autosave, and only drafts and archived posts can lack a title (product decision 23).
  if private.has_option('autosave') and (new.status <> 'draft' or tg_op = 'UPDATE' and old.status <> 'draft') then
    perform private.refuse('validation_failed', '{"autosave": "Only drafts can be autosaved"}');
  elsif new.title = '' and new.status not in ('draft', 'archived') then
    perform private.refuse('validation_failed', '{"title": "Title is required"}');
  end if;
  return new;
end $$;

-- The author is a member; the name is copied. The row lock makes a concurrent removal wait.
create function private.set_author_name() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.author_id is not distinct from old.author_id then return new; end if;
  if tg_op = 'UPDATE' and new.author_id is not distinct from coalesce(old.author_id, old.created_by) then
    new.author_id := old.author_id;
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

grant execute on function private.creator_name, private.are_requests, private.placeholder_views, private.author_of, private.is_changelog_public, private.content_of
  to authenticated, service_role;
