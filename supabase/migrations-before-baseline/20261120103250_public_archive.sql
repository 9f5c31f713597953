-- How readers find their way in an open workspace's releases: by words, by month, by tag, from one to the next. All of it
-- reads private.visible_posts as private.list_releases does, and like it answers nothing for a workspace that is not open.

-- One page of the releases whose title, tags or text contain every word of a term, newest first; compared as public.search_posts does.
create function private.search_releases(subdomain text, term text, page int default 1, page_size int default 10) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, total bigint
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
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version, count(*) over ()
    from private.visible_posts v
    where v.workspace_id = workspace and v.id in (select m.id from matching m)
    order by v.published_at desc, v.id desc limit size offset skip;
end $$;

-- One page of the releases of a month (any day of it names it; months are those of UTC), newest first.
create function private.releases_of_month(subdomain text, month date, page int default 1, page_size int default 10) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, total bigint
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
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version, count(*) over ()
    from private.visible_posts v
    where v.workspace_id = workspace and v.published_at >= first_day at time zone 'utc'
      and v.published_at < (first_day + interval '1 month') at time zone 'utc'
    order by v.published_at desc, v.id desc limit size offset skip;
end $$;

-- The months that have releases, as YYYY-MM, latest first, and how many each has.
create function private.release_months(subdomain text) returns table (month text, releases int)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select to_char(v.published_at at time zone 'utc', 'YYYY-MM'), count(*)::int
    from private.visible_posts v
    where v.workspace_id = private.open_workspace(release_months.subdomain)
    group by 1 order by 1 desc;
end $$;

-- The tags that releases carry: a tag that only drafts carry is nobody's business. label and colour of the workspace's
-- own tags; null for default ones, and for those whose row is gone.
create function private.release_tags(subdomain text) returns table (key text, label text, colour text)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  workspace constant uuid := private.open_workspace(release_tags.subdomain);
begin
  return query
    select used.key, t.label, t.colour
    from (select distinct unnest(v.tags) as key from private.visible_posts v where v.workspace_id = workspace) as used
    left join public.tags t on t.workspace_id = workspace and t.key = used.key
    order by lower(coalesce(t.label, used.key)), used.key;
end $$;

-- What was published right before and right after a release; null where there is nothing.
create function private.release_neighbours(subdomain text, post uuid) returns table (
  older_slug text, older_title text, newer_slug text, newer_title text
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  workspace constant uuid := private.open_workspace(release_neighbours.subdomain);
  here constant timestamptz := (select v.published_at from private.visible_posts v where v.workspace_id = workspace and v.id = post);
begin
  return query
    select older.slug, older.title, newer.slug, newer.title
    from (select) as one
    left join lateral (
      select v.slug, v.title from private.visible_posts v
      where v.workspace_id = workspace and (v.published_at, v.id) < (here, post)
      order by v.published_at desc, v.id desc limit 1
    ) as older on true
    left join lateral (
      select v.slug, v.title from private.visible_posts v
      where v.workspace_id = workspace and (v.published_at, v.id) > (here, post)
      order by v.published_at, v.id limit 1
    ) as newer on true;
end $$;

grant execute on function private.search_releases(text, text, int, int), private.releases_of_month(text, date, int, int),
  private.release_months(text), private.release_tags(text), private.release_neighbours(text, uuid) to anon, authenticated, service_role;

-- Readers see a tag's label and colour: when they change, private.find_workspace's version_tag has to.
create function private.renew_public_pages() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.workspaces set updated_at = clock_timestamp() where id = coalesce(new.workspace_id, old.workspace_id);
  return null;
end $$;
create trigger tags_change_public_pages after insert or update or delete on public.tags
for each row execute function private.renew_public_pages();
