-- Posts written by an import (84-imports), its undo or a restored backup (90-restores).

-- Marks the transaction as an import's (private.has_option), or ends that, and announces the workspace that it `changed`.
create function private.set_importing(importing boolean, changed uuid default null) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform set_config('tidings.importing', case when importing then 'on' else '' end, true),
    private.set_notify_subscribers(case when importing then false end);
  if changed is not null then
    perform private.announce(changed, 'posts-imported');
    perform private.raise_public_versions(array[changed]);
  end if;
end $$;

-- Overwrites a post with `wanted` (content, status, publish_at, published_at, author_name), by way of the archive if it is published. Past times
-- schedule nothing. What it publishes isn't sent to subscribers; scheduled posts are, unless `quiet`.
create function private.overwrite_post(wanted public.posts, quiet boolean default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  was public.post_status;
  is_due boolean;
begin
  -- A due post counts as published.
  select p.status = 'scheduled' and p.publish_at <= clock_timestamp() into is_due from public.posts p where p.id = wanted.id;
  select case when is_due then 'published' else p.status end into was from public.posts p where p.id = wanted.id;
  perform private.set_notify_subscribers(case
    when quiet then false
    when wanted.status = 'scheduled' or is_due and wanted.status = 'published' then null
    else false end);
  if was = 'published' and (wanted.status in ('draft', 'scheduled') or wanted.status = 'archived' and wanted.published_at is null) then
    update public.posts p set status = 'archived' where p.id = wanted.id;
    was := 'archived';
  end if;
  if was = 'archived' or was = 'draft' and wanted.status = 'draft' and wanted.published_at is null then
    update public.posts p set status = 'draft', published_at = case when wanted.published_at is not null then p.published_at end where p.id = wanted.id;
  end if;
  update public.posts p set author_name = wanted.author_name where p.id = wanted.id and wanted.author_name <> p.author_name;
  perform public.save_post(wanted.id, private.content_of(to_jsonb(wanted)) || case
    when wanted.status = 'archived' then '{}'
    when wanted.status = 'published' then jsonb_build_object('status', 'published', 'published_at', wanted.published_at, 'publish_at', null)
    when wanted.status = 'scheduled' and wanted.publish_at > clock_timestamp() then
      jsonb_build_object('status', 'scheduled', 'publish_at', wanted.publish_at)
    else '{"status": "draft"}' end);
  if wanted.status = 'archived' then update public.posts p set status = 'archived' where p.id = wanted.id; end if;
end $$;

-- The post with this external id; or by our export's `tidings:` and post id.
create function private.post_by_external_id(workspace uuid, name text) returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  post uuid := (select p.id from public.posts p where p.workspace_id = workspace and p.external_id = name);
begin
  if post is null and name ~ '^tidings:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    select p.id into post from public.posts p where p.id = substr(name, 9)::uuid and p.workspace_id = workspace;
  end if;
  return post;
end $$;

-- Writes one post (importedPost in contract/imports.ts, content_raw instead of blocks), or refuses with a message.
create function private.import_post(workspace uuid, entry jsonb, out outcome text, out post_id uuid, out version int, out before int,
  out was_quiet boolean)
language plpgsql security definer set search_path = '' as $$
declare
  present public.posts;
  wanted public.posts;
  replaces constant int := entry ->> 'replaces';
  status constant text := coalesce(entry ->> 'status', 'draft');
  published_at constant timestamptz := entry ->> 'published_at';
  pictures constant text := '/storage/v1/object/public/post-images/' || workspace || '/';
  slug text;
begin
  -- /api checked it and says why it can't be written.
  if entry ->> 'problem' is not null then
    perform private.refuse('validation_failed', jsonb_build_object('problem', left(entry ->> 'problem', 500)));
  end if;
  if exists (
    select from jsonb_array_elements(private.as_list(entry #> '{content_raw,blocks}')) as b (block)
    where b.block #> '{data,file}' ? 'url' and not starts_with(b.block #>> '{data,file,url}', pictures)
  ) then perform private.refuse('validation_failed', '{"content_raw": "One of its images isn''t stored here"}'); end if;
  if isfinite(published_at) is false or published_at < '1970-01-01' or published_at > clock_timestamp() + interval '1 minute' then
    perform private.refuse('validation_failed', '{"published_at": "Please choose a time in the past"}');
  end if;
  select p.* into present from public.posts p where p.id = (select private.post_by_external_id(workspace, entry ->> 'external_id')) for no key update;

  wanted := jsonb_populate_record(null::public.posts, private.content_of(entry) - 'tags' || '{"requests": []}');
  wanted.tags := array(
    select coalesce(
      (select t.key from private.tags_of(workspace) as t where t.key = private.tag_key(n.name) or private.tag_key(t.label) = private.tag_key(n.name)
        order by t.key <> private.tag_key(n.name) limit 1),
      private.tag_key(n.name))
    from unnest(private.text_array(coalesce(nullif(entry -> 'tags', 'null'), '[]'))) with ordinality as n (name, place) order by n.place
  );
  wanted.status := status::public.post_status;
  wanted.publish_at := case when status = 'scheduled' then (entry ->> 'publish_at')::timestamptz end;
  wanted.published_at := case when status in ('published', 'archived') then published_at end;
  wanted.author_name := left(nullif(private.clean_line(entry ->> 'author'), ''), 100);

  if replaces is not null then
    outcome := 'replaced';
    if present.id is null then perform private.refuse('validation_failed', '{"replaces": "This post no longer exists"}'); end if;
    if present.version <> replaces then perform private.refuse('validation_failed', '{"replaces": "This post has changed since you compared"}'); end if;
    wanted.id := present.id;
    wanted.published_at := coalesce(wanted.published_at, present.published_at);
    -- A published post stays published even if the source calls it a draft.
    if (present.status = 'published' or present.status = 'scheduled' and present.publish_at <= clock_timestamp())
      and wanted.status in ('draft', 'scheduled') then
      wanted.status := 'published';
    end if;
    if present.author_id is not null then wanted.author_name := null; end if;
    before := present.version;
    was_quiet := exists (select from private.events e where e.post_id = present.id and e.quiet);
    perform private.overwrite_post(wanted);
  else
    outcome := 'made';
    if present.id is not null then
      perform private.refuse('validation_failed', '{"external_id": "This post already exists. Compare again to see what differs."}');
    end if;
    wanted.id := gen_random_uuid();
    if nullif(entry ->> 'slug', '') is not null then
      slug := private.free_slug(workspace, private.slugify(entry ->> 'slug'), wanted.id);
      -- The number would exceed the slug's length.
      if char_length(slug) > {{slugMaxLength}} then slug := private.free_slug(workspace, btrim(left(private.slugify(entry ->> 'slug'), 74), '-'), wanted.id); end if;
      perform set_config('tidings.slug', slug, true);
    end if;
    -- Scheduled posts notify when published.
    perform private.set_notify_subscribers(case when wanted.status = 'scheduled' then null else false end);
    wanted.workspace_id := workspace;
    wanted.external_id := entry ->> 'external_id';
    wanted.requests := private.text_array(coalesce(nullif(entry -> 'requests', 'null'), '[]'));
    if status = 'archived' then
      if not private.has_content(wanted.content_raw) then wanted.published_at := null; end if;
      wanted.status := case when wanted.published_at is not null then 'published' else 'draft' end;
    end if;
    insert into public.posts select wanted.*;
    perform set_config('tidings.slug', '', true);
    if status = 'archived' then update public.posts p set status = 'archived' where p.id = wanted.id; end if;
  end if;
  insert into public.post_redirects as r (workspace_id, host, path, post_id)
  select distinct workspace, f.kept[1], f.kept[2], wanted.id
  from unnest((private.text_array(coalesce(nullif(entry -> 'old_urls', 'null'), '[]')))[:{{oldUrlsPerPost}}]) as a (address),
    lateral (select private.redirect_of(a.address) as kept offset 0) as f
  where f.kept is not null
  on conflict on constraint post_redirects_pkey do update set post_id = excluded.post_id where r.post_id <> excluded.post_id;
  post_id := wanted.id;
  select p.version into version from public.posts p where p.id = wanted.id;
end $$;

-- Restores what an import replaced, with its former `was_quiet`, and updates the earlier import's entry.
create function private.restore_replaced_post(post uuid, to_version int, was_quiet boolean) returns text
language plpgsql security definer set search_path = '' as $$
declare
  former public.post_revisions;
  wanted public.posts;
begin
  select r.* into former from public.post_revisions r where r.post_id = post and r.version = to_version;
  if former.post_id is null then return 'left'; end if;
  wanted := jsonb_populate_record(null::public.posts, to_jsonb(former));
  wanted.id := post;
  wanted.status := case when former.status = 'scheduled' and former.publish_at <= clock_timestamp() then 'draft' else former.status end;
  wanted.author_name := former.post_author_name;
  perform private.overwrite_post(wanted, was_quiet and wanted.status = 'scheduled');
  update private.import_entries e set version = p.version from public.posts p
  where p.id = post and e.workspace_id = p.workspace_id and e.external_id in (p.external_id, 'tidings:' || p.id) and e.post_id = post and e.version = to_version;
  return 'restored';
exception when raise_exception then
  return 'left'; -- its former state is no longer valid
end $$;
