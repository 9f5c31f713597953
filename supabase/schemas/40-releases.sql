-- Posts that some readers or all can see. The workspace is public, the post published or due, and not archived (product decision 4).
create view private.published_posts with (security_invoker = true) as
select
  p.id, p.workspace_id, p.slug, p.title, coalesce(p.summary, p.excerpt) as excerpt, p.tags, p.content_raw, p.author_name, p.version,
  coalesce(p.published_at, p.publish_at) as published_at,
  -- The last edit, or the publication if later; the same before and after private.publish_due_posts.
  greatest(p.content_updated_at, coalesce(p.published_at, p.publish_at)) as updated_at,
  p.cover_image,
  p.imported_at is not null as imported,
  p.details
from public.posts p join public.workspaces w on w.id = p.workspace_id
where w.is_open
  and p.status in ('published', 'scheduled')
  and (p.status = 'published' or p.publish_at <= now());

-- What every reader can see: page, widget, feeds and sitemap all read this view. No one has rights on it; the functions below read it for anon.
create view private.visible_posts with (security_invoker = true) as
select v.* from private.published_posts v where v.details -> 'audience' is null;

-- The public workspace that a reader names and may read, see 26-reader-access.sql.
create function private.open_workspace(reader text) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  return (
    select w.id from public.workspaces w
    where w.subdomain operator (extensions.=) split_part(reader, '~', 1)::extensions.citext and w.is_open
      and private.admits(w.id, split_part(reader, '~', 2))
  );
end $$;

-- A public workspace, or no row. version_tag: its public version; appearance: its row; domain: its own one if readers are redirected there. With
-- `locked`, also one the reader may not read: for the page that asks for access.
create function private.find_workspace(reader text, locked boolean default false) returns table (
  id uuid, name text, subdomain text, origin text, logo_url text, allowed_origins text[], settings jsonb, version_tag text, mails boolean,
  appearance jsonb, domain text, access text
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select w.id, w.name, w.subdomain::text, w.origin, w.logo_url, w.allowed_origins, coalesce(s.settings, '{}'), private.public_version(reader),
      private.sends_email(w.id),
      jsonb_build_object('settings', coalesce(a.settings, '{}'), 'logo_dark_url', a.logo_dark_url, 'favicon_url', a.favicon_url),
      private.domain_of(w.id), (private.access_of(w.id)).access
    from public.workspaces w
      left join public.widget_settings s on s.workspace_id = w.id
      left join public.appearances a on a.workspace_id = w.id
    where w.subdomain operator (extensions.=) split_part(reader, '~', 1)::extensions.citext and w.is_open
      and (locked or w.id = private.open_workspace(reader));
end $$;

-- One page of releases, newest first, with the total. page ≥ 1, page_size 1–100. tag null: any; a former key finds the present tag. `month`: a day of
-- the month (UTC), null: any. `top`: pinned posts first, without a filter only; 'widget' also leaves out expired ones.
-- `any_tag`: only posts with one of them.
create function private.list_releases(
  subdomain text, page int default 1, page_size int default 10, tag text default null, month date default null,
  top text default null, any_tag text[] default null
) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, total bigint, cover_image jsonb, imported boolean, details jsonb
)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  workspace constant uuid := private.open_workspace(list_releases.subdomain);
  size constant int := least(greatest(coalesce(list_releases.page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(list_releases.page, 1), 1)::bigint - 1) * size;
  wanted constant text[] := array[case when list_releases.tag is not null then
    coalesce((select f.now_key from private.former_tags f where f.workspace_id = workspace and f.key = list_releases.tag), list_releases.tag) end];
  first_day constant timestamp := date_trunc('month', list_releases.month::timestamp);
  since constant timestamptz := coalesce(first_day at time zone 'utc', '-infinity');
  until constant timestamptz := coalesce((first_day + interval '1 month') at time zone 'utc', 'infinity');
  moment constant text := private.iso_time(now());
  pins uuid[] := '{}';
  first uuid[];
  amount bigint;
begin
  if workspace is null then return; end if;
  if list_releases.top is not null and list_releases.tag is null and list_releases.month is null then
    pins := array(
      select v.id from private.visible_posts v
      where v.workspace_id = workspace and v.details ? 'pinned_until' and (v.details ->> 'pinned_until') collate "C" > moment
        and (list_releases.any_tag is null or v.tags && list_releases.any_tag)
      order by v.published_at desc, v.id desc);
  end if;
  first := pins[skip + 1:skip + size];
  if list_releases.any_tag is not null then
    select count(*) into amount from private.visible_posts v where v.workspace_id = workspace and v.tags && list_releases.any_tag;
  elsif list_releases.tag is null then
    select count(*) into amount from private.visible_posts v
    where v.workspace_id = workspace and v.published_at >= since and v.published_at < until;
  else
    select count(*) into amount from private.visible_posts v
    where v.workspace_id = workspace and v.published_at >= since and v.published_at < until and v.tags @> wanted;
  end if;
  if first <> '{}' then
    return query
      select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version, amount, v.cover_image,
        v.imported, v.details
      from private.visible_posts v where v.id = any (first) order by v.published_at desc, v.id desc;
  end if;
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version, amount, v.cover_image,
      v.imported, v.details
    from private.visible_posts v
    where v.workspace_id = workspace and v.published_at >= since and v.published_at < until and (list_releases.tag is null or v.tags @> wanted)
      and v.id <> all (pins) and (list_releases.any_tag is null or v.tags && list_releases.any_tag)
      and (list_releases.top is distinct from 'widget' or ((v.details ->> 'expires_at') collate "C" <= moment) is not true)
    order by v.published_at desc, v.id desc limit size - cardinality(first) offset greatest(skip - cardinality(pins), 0);
end $$;

-- Releases with a version, newest first, at most 1,000, without content: versions are compared in contract/rules/product-version.ts.
create function private.versioned_releases(reader text) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], author_name text, published_at timestamptz, updated_at timestamptz, version int,
  cover_image jsonb, details jsonb
)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.author_name, v.published_at, v.updated_at, v.version, v.cover_image, v.details
    from private.visible_posts v
    where v.workspace_id = private.open_workspace(versioned_releases.reader) and v.details ? 'version'
    order by v.published_at desc, v.id desc limit 1000;
end $$;

-- Releases that the widget shows outside its panel, until their placement or the release ends; newest first, at most 10.
create function private.placed_releases(reader text, any_tag text[] default null) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], author_name text, published_at timestamptz, updated_at timestamptz, version int,
  cover_image jsonb, imported boolean, details jsonb
)
language plpgsql stable security definer set search_path = '' as $$
declare
  moment constant text := private.iso_time(now());
begin
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.author_name, v.published_at, v.updated_at, v.version, v.cover_image, v.imported, v.details
    from private.visible_posts v
    where v.workspace_id = private.open_workspace(placed_releases.reader) and v.details ? 'placement'
      and ((v.details #>> '{placement,until}') collate "C" <= moment) is not true and ((v.details ->> 'expires_at') collate "C" <= moment) is not true
      and (placed_releases.any_tag is null or v.tags && placed_releases.any_tag)
    order by v.published_at desc, v.id desc limit 10;
end $$;

-- One release by a present or former slug; moved_to is the present one if it was a former one.
create function private.get_release(subdomain text, address text) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, moved_to text, cover_image jsonb, details jsonb
)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version,
      case when v.slug <> s.slug then v.slug end, v.cover_image, v.details
    from public.post_slugs s join private.visible_posts v on v.id = s.post_id
    where s.workspace_id = private.open_workspace(get_release.subdomain) and s.slug = lower(address);
end $$;

-- Also of posts for some readers, if `subdomain` has a token.
create function private.release_contents(subdomain text, ids uuid[]) returns table (id uuid, version int, content_raw jsonb)
language plpgsql stable security definer set search_path = '' as $$
declare
  identified constant boolean := private.reader_claims(release_contents.subdomain) is not null;
begin
  return query
    select p.id, p.version, p.content_raw from private.published_posts p
    where p.workspace_id = private.open_workspace(release_contents.subdomain) and p.id = any (release_contents.ids[1:20])
      and (p.details -> 'audience' is null or identified and p.details -> 'audience' <> '"internal"');
end $$;

-- The claims of a reader's token, null without a valid one: it names a person (`sub`), and at most 20 attributes (`attrs`) that are text, numbers, true,
-- false or null.
create function private.reader_claims(reader text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  token constant text := split_part(reader, '~', 3);
  claims jsonb;
begin
  if token = '' then return null; end if;
  claims := '{"attrs": {}}' || jsonb_strip_nulls(private.token_claims(private.open_workspace(reader), split_part(reader, '~', 1), token));
  if jsonb_typeof(claims -> 'sub') = 'string' and char_length(claims ->> 'sub') between 1 and {{externalIdMaxLength}}
    and jsonb_typeof(claims -> 'attrs') = 'object' then
    if (select count(*) <= {{attributesMax}} and bool_and(jsonb_typeof(a.value) not in ('object', 'array')) is not false
      from jsonb_each(claims -> 'attrs') a) then return claims; end if;
  end if;
  return null;
end $$;

-- {attributes, seen_up_to} of an identified reader, else null; `seen_up_to` only if the workspace remembers readers, null before the first mark.
create function private.identify(reader text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  claims constant jsonb := private.reader_claims(reader);
  workspace constant uuid := private.open_workspace(reader);
begin
  if claims is null then return null; end if;
  return jsonb_build_object('attributes', claims -> 'attrs') || case when (private.access_of(workspace)).remembers_readers then
    jsonb_build_object('seen_up_to', (
      select private.iso_time(m.seen_up_to) from private.reader_marks m
      where m.workspace_id = workspace and m.reader = private.reader_mac(workspace, claims ->> 'sub')))
    else '{}' end;
end $$;

-- Only moves forward. Nothing happens unless the workspace remembers readers.
create function private.mark_seen(reader text, up_to timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  workspace constant uuid := private.open_workspace(reader);
begin
  insert into private.reader_marks as m (workspace_id, reader, seen_up_to)
  select workspace, private.reader_mac(workspace, c.claims ->> 'sub'), least(up_to, now())
  from private.reader_claims(mark_seen.reader) as c (claims)
  where c.claims is not null and isfinite(up_to) and (private.access_of(workspace)).remembers_readers
  on conflict on constraint reader_marks_pkey do update set seen_up_to = excluded.seen_up_to, marked_at = now()
  where m.seen_up_to < excluded.seen_up_to;
end $$;

-- The newest posts that some readers can see, of whom an identified one may be one: contract/rules/audience.ts tells.
create function private.releases_for_some(reader text) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], author_name text, published_at timestamptz, updated_at timestamptz, version int,
  cover_image jsonb, imported boolean, details jsonb
)
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.reader_claims(releases_for_some.reader) is null then return; end if;
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.author_name, v.published_at, v.updated_at, v.version, v.cover_image, v.imported, v.details
    from private.published_posts v
    where v.workspace_id = private.open_workspace(releases_for_some.reader) and v.details -> 'audience' is not null
      and v.details -> 'audience' <> '"internal"' and ((v.details ->> 'expires_at') collate "C" <= private.iso_time(now())) is not true
    order by v.published_at desc, v.id desc limit 100;
end $$;

-- Seconds until a network can identify readers again, else 0.
create function private.wait_to_identify(network text, size int, period_seconds int) returns int
language plpgsql security definer set search_path = '' as $$
begin
  return public.take_token('identify.address', network, size, make_interval(secs => period_seconds));
end $$;

-- For the sitemap, newest first, at most 50,000 (the format's limit).
create function private.release_addresses(subdomain text) returns table (slug text, updated_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select v.slug, v.updated_at from private.visible_posts v
    where v.workspace_id = private.open_workspace(release_addresses.subdomain)
    order by v.published_at desc, v.id desc limit 50000;
end $$;

-- Releases that contain every word, compared as public.search_posts does, newest first, by page.
create function private.search_releases(subdomain text, term text, page int default 1, page_size int default 10) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, total bigint, cover_image jsonb, details jsonb
)
language plpgsql stable security definer set search_path = '' as $$
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
    with matching as materialized (
      select p.id from public.posts p where p.workspace_id = workspace
        and p.search_text like one and p.search_text like two and p.search_text like all (patterns)
    )
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version, count(*) over (),
      v.cover_image, v.details
    from private.visible_posts v
    where v.workspace_id = workspace and v.id in (select m.id from matching m)
    order by v.published_at desc, v.id desc limit size offset skip;
end $$;

-- Months with releases as YYYY-MM, latest first, with counts.
create function private.release_months(subdomain text) returns table (month text, releases int)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select to_char(v.published_at at time zone 'utc', 'YYYY-MM'), count(*)::int
    from private.visible_posts v
    where v.workspace_id = private.open_workspace(release_months.subdomain)
    group by 1 order by 1 desc;
end $$;

-- Tags of releases, not of drafts. label and colour are null for default tags and for deleted ones.
create function private.release_tags(subdomain text) returns table (key text, label text, colour text)
language plpgsql stable security definer set search_path = '' as $$
declare
  workspace constant uuid := private.open_workspace(release_tags.subdomain);
begin
  return query
    select used.key, t.label, t.colour
    from (select distinct unnest(v.tags) as key from private.visible_posts v where v.workspace_id = workspace) as used
    left join public.tags t on t.workspace_id = workspace and t.key = used.key
    order by lower(coalesce(t.label, used.key)), used.key;
end $$;

create function private.release_neighbours(subdomain text, post uuid) returns table (
  older_slug text, older_title text, newer_slug text, newer_title text
)
language plpgsql stable security definer set search_path = '' as $$
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

-- Counts changes of what readers can see: one row tells if a cached page is fresh. Raised last and in order of ids: prevents deadlocks.
create table private.public_versions (
  id uuid constraint public_versions_pkey primary key
    constraint public_versions_id_fkey references public.workspaces (id) on delete cascade,
  version bigint not null default 1
) with (fillfactor = 50); -- room for HOT updates

-- Draft saves raise nothing. Otherwise the plan is cached.
create function private.raise_public_versions(workspaces uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if cardinality(workspaces) = 0 then return; end if;
  with held as (
    select v.id from private.public_versions v where v.id = any (workspaces) order by v.id for no key update
  )
  update private.public_versions v set version = v.version + 1 from held where v.id = held.id;
end $$;

create function private.public_posts_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- An import keeps writing, so it raises the version once, when done: others would wait for its lock.
  if private.has_option('importing') then return null; end if;
  if tg_op = 'UPDATE' then
    perform private.raise_public_versions(array(
      select c.workspace_id from changed c where c.status in ('published', 'scheduled')
      union select f.workspace_id from former f where f.status in ('published', 'scheduled')));
  else
    perform private.raise_public_versions(array(
      select distinct c.workspace_id from changed c where c.status in ('published', 'scheduled')));
  end if;
  return null;
end $$;

create function private.public_frame_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  changed constant jsonb := to_jsonb(coalesce(new, old));
begin
  if tg_table_name = 'workspaces' and tg_op = 'INSERT' then
    insert into private.public_versions (id) values (new.id);
    return null;
  end if;
  perform private.raise_public_versions(array[coalesce(changed ->> 'workspace_id', changed ->> 'id')::uuid]);
  return null;
end $$;

create trigger workspaces_60_begin_public_version after insert on public.workspaces
for each row execute function private.public_frame_changed();
create trigger workspaces_60_raise_public_version after update on public.workspaces
for each row when (old.* is distinct from new.*) execute function private.public_frame_changed();

create trigger tags_60_raise_public_version after insert or update or delete on public.tags
for each row execute function private.public_frame_changed();

-- Also for repairs that bypass triggers: a page must never be older than its rows.
alter table public.workspaces enable always trigger workspaces_60_begin_public_version;
alter table public.workspaces enable always trigger workspaces_60_raise_public_version;

-- The version of everything readers can see, 'suspended', 'locked' for those without access, 'moved/' and the present subdomain, or null. Counts due
-- posts, since time passes without a write, and names the last moment a pin or a post ended.
create function private.public_version(reader text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  moment constant text := private.iso_time(now());
begin
  return coalesce((
    select case when w.suspension is not null then 'suspended' when not private.admits(w.id, split_part(reader, '~', 2)) then 'locked'
      else concat_ws('/', w.id, v.version, (
      select count(*) from public.posts p where p.workspace_id = w.id and p.status = 'scheduled' and p.publish_at <= now()),
      (select max((p.details ->> 'pinned_until') collate "C") from public.posts p
        where p.workspace_id = w.id and p.details ? 'pinned_until' and (p.details ->> 'pinned_until') collate "C" <= moment),
      (select max((p.details ->> 'expires_at') collate "C") from public.posts p
        where p.workspace_id = w.id and p.details ? 'expires_at' and (p.details ->> 'expires_at') collate "C" <= moment)) end
    from public.workspaces w join private.public_versions v on v.id = w.id
    where w.subdomain operator (extensions.=) split_part(reader, '~', 1)::extensions.citext and (w.is_open or w.suspension is not null)
  ), (
    select 'moved/' || w.subdomain from private.released_subdomains r join public.workspaces w on w.id = r.workspace_id
    where r.label = lower(split_part(public_version.reader, '~', 1)) and r.released_at > now() - interval '30 days'
  ));
end $$;

grant execute on function private.find_workspace, private.list_releases, private.get_release, private.release_contents, private.release_addresses,
  private.search_releases, private.release_months, private.release_tags, private.release_neighbours, private.versioned_releases,
  private.placed_releases, private.public_version
  to anon, authenticated, service_role;
grant execute on function private.identify, private.mark_seen, private.releases_for_some, private.wait_to_identify to anon;

-- {seen_up_to, unseen}: how many posts for everyone a reader hasn't seen; none before the first mark, as in the widget.
create function public.reader_unseen(workspace_id uuid, sub text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  mark timestamptz;
begin
  perform private.require_role(asked, '{owner,admin}', true);
  mark := (select m.seen_up_to from private.reader_marks m where m.workspace_id = asked and m.reader = private.reader_mac(asked, reader_unseen.sub));
  return jsonb_build_object('seen_up_to', private.iso_time(mark), 'unseen', (
    select count(*) from private.visible_posts v where v.workspace_id = asked and v.published_at > mark and not v.imported));
end $$;

create function public.erase_reader(workspace_id uuid, sub text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_role(erase_reader.workspace_id, '{owner,admin}', true);
  delete from private.reader_marks m
  where m.workspace_id = erase_reader.workspace_id and m.reader = private.reader_mac(erase_reader.workspace_id, erase_reader.sub);
end $$;
grant execute on function public.reader_unseen, public.erase_reader to authenticated;
