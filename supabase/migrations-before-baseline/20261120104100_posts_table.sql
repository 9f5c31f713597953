-- The posts table of the dashboard: one call finds, sorts and pages a workspace's posts, however many there are. A post
-- whose time has come counts as published, whether or not the publisher ran (product decision 4).

-- Who a post's row names (contract/rules/creator-name.ts; specification, section 5).
create function private.creator_name(author_name text, created_by_name text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return coalesce(nullif(btrim(author_name), ''), nullif(btrim(created_by_name), ''), 'Unknown');
end $$;

-- A post's stand-in number of views, 100 to 4999, always the same for the same id and title. It only sorts, where there
-- is no analytics add-on (specification, section 9; product decision 8).
create function private.placeholder_views(id uuid, title text) returns int
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  hash constant bytea := sha256(convert_to(id || ':' || title, 'UTF8'));
begin
  return 100 + (get_byte(hash, 0) * 65536 + get_byte(hash, 1) * 256 + get_byte(hash, 2)) % 4900;
end $$;

-- Whoever writes a post writes its places in the indexes below.
grant execute on function private.creator_name(text, text), private.placeholder_views(uuid, text) to authenticated, service_role;

-- Both are built while posts cannot be saved for a moment: a migration is one transaction, in which an index cannot be
-- built concurrently. "Created by", last edited first; and each creator once, by leaping from name to name.
-- squawk-ignore require-concurrent-index-creation
create index posts_by_creator on public.posts
(workspace_id, lower(private.creator_name(author_name, created_by_name)), updated_at desc, id desc) where status <> 'archived';
-- "Most viewed" without the add-on: the table as it first opens.
-- squawk-ignore require-concurrent-index-creation
create index posts_by_placeholder on public.posts
(workspace_id, private.placeholder_views(id, title) desc, updated_at desc, id desc) where status <> 'archived';

-- Everybody who wrote a post that is not archived, once whatever the case, in alphabetical order.
create function private.post_creators(workspace uuid) returns setof text
language plpgsql stable set search_path = '' as $$
declare
  latest record;
begin
  select '' as key, null as name into latest;
  loop
    select lower(private.creator_name(p.author_name, p.created_by_name)) as key, private.creator_name(p.author_name, p.created_by_name) as name
    into latest from public.posts p
    where p.workspace_id = workspace and p.status <> 'archived'
      and lower(private.creator_name(p.author_name, p.created_by_name)) > latest.key
    order by lower(private.creator_name(p.author_name, p.created_by_name)), p.updated_at desc, p.id desc limit 1;
    exit when not found;
    return next latest.name;
  end loop;
end $$;

create function private.has_analytics(workspace uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (select from public.workspace_add_ons a where a.workspace_id = workspace and a.add_on = 'analytics');
end $$;

-- The days whose views count as the last month's begin after this one.
create function private.month_ago() returns date
language plpgsql stable set search_path = '' as $$
begin
  return (now() at time zone 'utc')::date - 30;
end $$;

-- {"total", "posts"}: the posts that a search finds, one page of them. `term` stands in the title or the creator's name,
-- `owner` is the whole name, both whatever the case; null or blank: not asked. `sort`: most_viewed_last_month or
-- recent_activity. Each post has its views of the last 30 days, null without the analytics add-on. As its owner, after
-- asking for the caller's role once: lower() and strpos() could use no index under the policies. The statement is put
-- together of the fixed parts below, so that each search is planned with its own index; values are parameters only.
create function public.find_posts(
  workspace_id uuid, term text default null, owner text default null, status text default 'all',
  sort text default 'recent_activity', page int default 1, page_size int default 10
) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  words constant text := lower(nullif(btrim(term), ''));
  creator constant text := lower(nullif(btrim(owner), ''));
  size constant int := least(greatest(coalesce(page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(page, 1), 1)::bigint - 1) * size;
  analytics constant boolean := private.has_analytics(asked);
  by_name constant text := 'lower(private.creator_name(p.author_name, p.created_by_name))';
  filter text := 'p.workspace_id = $1';
  ranked text := 'public.posts p';
  ranking text := '';
  found_posts json;
  total bigint;
begin
  perform private.require_role(asked);
  perform private.list_status(status);
  if sort is null or sort not in ('most_viewed_last_month', 'recent_activity') then
    perform private.refuse('validation_failed', '{"sort": "Please use most_viewed_last_month or recent_activity"}');
  end if;
  filter := filter || case status
    when 'all' then $f$ and p.status <> 'archived'$f$
    when 'published' then $f$ and (p.status = 'published' or p.status = 'scheduled' and p.publish_at <= now())$f$
    when 'scheduled' then $f$ and p.status = 'scheduled' and p.publish_at > now()$f$
    when 'draft' then $f$ and p.status = 'draft'$f$
    else $f$ and p.status = 'archived'$f$ end;
  -- The indexes hold what is not archived: the condition has to say so to use them.
  if status not in ('all', 'archived') then filter := filter || $f$ and p.status <> 'archived'$f$; end if;
  if creator is not null then filter := filter || ' and ' || by_name || ' = $3'; end if;
  if words is not null then -- spelled out: calling creator_name for every post would take most of the time
    filter := filter || $f$ and (strpos(lower(p.title), $2) > 0
      or strpos(lower(coalesce(nullif(btrim(p.author_name), ''), nullif(btrim(p.created_by_name), ''), 'Unknown')), $2) > 0)$f$;
  end if;
  if sort = 'most_viewed_last_month' then
    ranking := case when analytics then 'coalesce(v.views, 0) desc, ' else 'private.placeholder_views(p.id, p.title) desc, ' end;
    if analytics then ranked := 'public.posts p left join (
      select d.post_id, sum(d.views) as views from public.daily_views d where d.workspace_id = $1 and d.day > private.month_ago() group by d.post_id
    ) as v on v.post_id = p.id'; end if;
  end if;

  execute 'select count(*) from public.posts p where ' || filter into total using asked, words, creator;
  execute 'select coalesce(json_agg(s order by s.place), ''[]'') from (
      select p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
        p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, f.place,
        case when $6 then coalesce((
          select sum(d.views) from public.daily_views d where d.post_id = p.id and d.day > private.month_ago()), 0) end as views
      from (
        select row_number() over () as place, o.id from (
          select p.id from ' || ranked || ' where ' || filter || ' order by ' || ranking || 'p.updated_at desc, p.id desc limit $4 offset $5
        ) as o
      ) as f join public.posts p on p.id = f.id
    ) as s'
  into found_posts using asked, words, creator, size, skip, analytics;
  return json_build_object('total', total, 'posts', found_posts);
end $$;
revoke all on function public.find_posts(uuid, text, text, text, text, int, int) from public, anon;
grant execute on function public.find_posts(uuid, text, text, text, text, int, int) to authenticated, service_role;
