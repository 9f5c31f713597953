-- What the world may read, decided in one place: the page, the widget, the feeds and the sitemap all stand on this
-- view. The workspace is open, the post is published or scheduled and its time has come, and it is not archived
-- (product decision 4). Nobody holds a right on the view; the functions below read it for anon.
create view private.visible_posts with (security_invoker = true) as
select
  p.id, p.workspace_id, p.slug, p.title, p.excerpt, p.tags, p.content_raw, p.author_name, p.version,
  coalesce(p.published_at, p.publish_at) as published_at,
  -- What the publisher will write when it comes by, so that a feed says the same before and after.
  case when p.status = 'scheduled' then greatest(p.updated_at, p.publish_at) else p.updated_at end as updated_at
from public.posts p join public.workspaces w on w.id = p.workspace_id
where w.public_changelog_enabled
  and p.status in ('published', 'scheduled')
  and (p.status = 'published' or p.publish_at <= now());

-- The id behind a subdomain, only while the workspace is open.
create function private.open_workspace(label text) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  return (
    select w.id from public.workspaces w where w.subdomain operator (extensions.=) label::extensions.citext and w.public_changelog_enabled
  );
end $$;

-- An open workspace, or no row. version_tag changes with anything a reader can see of it.
create function private.find_workspace(label text) returns table (
  id uuid, name text, subdomain text, origin text, logo_url text, allowed_origins text[], settings jsonb, version_tag text
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  found_id constant uuid := private.open_workspace(label);
begin
  return query
    select w.id, w.name, w.subdomain::text, w.origin, w.logo_url, w.allowed_origins, coalesce(s.settings, '{}'),
      md5(concat_ws('/', extract(epoch from w.updated_at), extract(epoch from s.updated_at), shown.tag))
    from public.workspaces w
    left join public.widget_settings s on s.workspace_id = w.id,
    lateral (
      select concat_ws('/', count(*), sum(hashtextextended(v.id::text, v.version))) as tag
      from private.visible_posts v where v.workspace_id = found_id
    ) as shown
    where w.id = found_id;
end $$;

-- One page of an open workspace's releases, newest first, with the number of all. page ≥ 1, page_size 1–100; a page
-- behind the last one has no rows. tag null = any.
create function private.list_releases(subdomain text, page int default 1, page_size int default 10, tag text default null) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, total bigint
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
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version, amount
    from private.visible_posts v
    where v.workspace_id = workspace and (list_releases.tag is null or v.tags @> wanted)
    order by v.published_at desc, v.id desc limit size offset skip;
end $$;

-- One release by its present or any older address; moved_to is the present one when the given one is older.
create function private.get_release(subdomain text, address text) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, moved_to text
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version,
      case when v.slug <> s.slug then v.slug end
    from public.post_slugs s join private.visible_posts v on v.id = s.post_id
    where s.workspace_id = private.open_workspace(get_release.subdomain) and s.slug = lower(address);
end $$;

-- For the sitemap: where every release is and when it last changed, newest first; at most 50,000, the format's limit.
create function private.release_addresses(subdomain text) returns table (slug text, updated_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select v.slug, v.updated_at from private.visible_posts v
    where v.workspace_id = private.open_workspace(release_addresses.subdomain)
    order by v.published_at desc, v.id desc limit 50000;
end $$;

grant execute on function private.find_workspace(text), private.list_releases(text, int, int, text), private.get_release(text, text),
  private.release_addresses(text) to anon, authenticated, service_role;
