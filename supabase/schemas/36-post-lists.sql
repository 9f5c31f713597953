-- Lists of posts for members, run as the caller. plpgsql caches plans, sql doesn't.

create function private.list_status(status text) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if status is null or status not in ('all', 'draft', 'scheduled', 'published', 'archived') then
    perform private.refuse('validation_failed', '{"status": "Please use all, draft, scheduled, published or archived"}');
  end if;
end $$;

-- {"total", "posts"}: the count and one page, last edited first. page ≥ 1, page_size 1–100. 'all' leaves archived posts out (product decision 6). A due
-- post counts as published in every list (product decision 4).
create function public.list_posts(workspace_id uuid, status text default 'all', page int default 1, page_size int default 10) returns json
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  size constant int := least(greatest(coalesce(page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(page, 1), 1)::bigint - 1) * size;
  total bigint;
  listed json;
begin
  perform private.require_role(asked);
  perform private.list_status(status);
  if status = 'all' then
    select count(*) into total from public.posts p where p.workspace_id = asked and p.status <> 'archived';
    select json_agg(l) into listed from (
      select s.* from public.post_summaries s where s.workspace_id = asked and s.status <> 'archived'
      order by s.updated_at desc, s.id desc limit size offset skip
    ) as l;
  elsif status = 'published' then
    total := (select count(*) from public.posts p where p.workspace_id = asked and p.status = 'published')
      + (select count(*) from public.posts p where p.workspace_id = asked and p.status = 'scheduled' and p.publish_at <= now());
    -- Worded to match posts_recent, whose order this is; posts_public would be read whole and sorted.
    select json_agg(l) into listed from (
      select s.* from public.post_summaries s
      where s.workspace_id = asked and s.status <> 'archived' and s.status <> 'draft' and (s.status <> 'scheduled' or s.publish_at <= now())
      order by s.updated_at desc, s.id desc limit size offset skip
    ) as l;
  else
    select count(*) into total from public.posts p
    where p.workspace_id = asked and p.status = list_posts.status::public.post_status and (p.status <> 'scheduled' or p.publish_at > now());
    select json_agg(l) into listed from (
      select s.* from public.post_summaries s
      where s.workspace_id = asked and s.status = list_posts.status::public.post_status and (s.status <> 'scheduled' or s.publish_at > now())
      order by s.updated_at desc, s.id desc limit size offset skip
    ) as l;
  end if;
  return json_build_object('total', total, 'posts', coalesce(listed, '[]'));
end $$;

-- Scheduled posts of the caller's workspaces, or of one, soonest first, at most 100 (product decision 12). Asks each workspace in index order, as
-- owner, since the policy would force one scan of all. Keeps its plan (plan_cache_mode): planning took most of the time.
create function public.upcoming_posts(workspace_id uuid default null) returns setof public.post_summaries
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  asked uuid[] := array(select private.my_workspace_ids());
begin
  if workspace_id is not null then
    perform private.require_role(workspace_id);
    asked := array[workspace_id];
  end if;
  return query
    select s.* from (
      select soon.id from unnest(asked) as mine (workspace),
        lateral (
          select s.id, s.publish_at from public.posts s
          where s.workspace_id = mine.workspace and s.status = 'scheduled' and s.publish_at > now() order by s.publish_at limit 100
        ) as soon
      order by soon.publish_at, soon.id limit 100
    ) as first join public.post_summaries s on s.id = first.id
    order by s.publish_at, s.id;
end $$;

-- Search in a workspace: posts whose title, tags or text contain every word, last edited first, without archived ones. Case, accents and punctuation
-- are ignored. One or two letters match the start of a word, as trigrams can't do more; in scripts without spaces they match anywhere.

-- LIKE patterns for private.search_words, the longest first, at most ten.
create function private.search_patterns(term text) returns text[]
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return array(
    select case when w.word ~ '^[a-z0-9]{1,2}$' then '% ' else '%' end || w.word || '%'
    from unnest(string_to_array(btrim(private.search_words(term)), ' ')) as w (word) where w.word <> ''
    order by char_length(w.word) desc limit 10
  );
end $$;

create function private.latest_matches(workspace uuid, patterns text[], wanted int) returns uuid[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select r.id from (
      select p.id, p.search_text, p.updated_at from public.posts p
      where p.workspace_id = workspace and p.status <> 'archived' order by p.updated_at desc, p.id desc limit 200
    ) as r
    where r.search_text like all (patterns) order by r.updated_at desc, r.id desc limit wanted
  );
end $$;

-- LIKE isn't leakproof, so row-level security would keep it from its index: this runs as owner and checks the role first. A frequent term is found
-- among the latest posts; only if they don't suffice is the index used, and then few posts match.
create function public.search_posts(workspace_id uuid, term text, max_rows int default 8) returns setof public.post_summaries
language plpgsql stable security definer set search_path = '' as $$
declare
  wanted constant int := least(greatest(coalesce(max_rows, 8), 1), 50);
  patterns constant text[] := private.search_patterns(term);
  one constant text := patterns[1];
  two constant text := coalesce(patterns[2], '%');
  three constant text := coalesce(patterns[3], '%');
  found_ids uuid[];
begin
  perform private.require_role(search_posts.workspace_id);
  if cardinality(patterns) = 0 then return; end if;
  found_ids := private.latest_matches(search_posts.workspace_id, patterns, wanted);
  if cardinality(found_ids) < wanted then
    found_ids := array(
      with matching as materialized (
        select p.id, p.updated_at from public.posts p
        where p.workspace_id = search_posts.workspace_id and p.status <> 'archived'
          and p.search_text like one and p.search_text like two and p.search_text like three and p.search_text like all (patterns)
      )
      select m.id from matching m order by m.updated_at desc, m.id desc limit wanted
    );
  end if;
  return query
    select s.* from public.post_summaries s where s.id = any (found_ids) order by array_position(found_ids, s.id);
end $$;

-- {"total", "posts"}: one page of matching posts. `term` is in the title or the creator's name, `owner` is a full name, both case-insensitive; `tag`
-- is a key; blank: any. `sort`: most_viewed_last_month or recent_activity. Views are of the last 30 days, null without the analytics add-on. Runs as
-- owner after a check of the role, because lower() and strpos() can't use indexes under policies. The statement is built of fixed parts, so each
-- search is planned with its own index; values are parameters.
create function public.find_posts(
  workspace_id uuid, term text default null, owner text default null, status text default 'all',
  sort text default 'recent_activity', page int default 1, page_size int default 10, tag text default null
) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  words constant text := lower(nullif(btrim(term), ''));
  creator constant text := lower(nullif(btrim(owner), ''));
  size constant int := least(greatest(coalesce(page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(page, 1), 1)::bigint - 1) * size;
  analytics constant boolean := private.has_add_on(asked, 'analytics');
  by_name constant text := 'lower(private.creator_name(p.author_name, p.created_by_name))';
  filter text := 'p.workspace_id = $1';
  ranked text := 'public.posts p';
  ranking text := '';
  answer json;
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
  -- Matches the indexes' condition.
  if status not in ('all', 'archived') then filter := filter || $f$ and p.status <> 'archived'$f$; end if;
  if creator is not null then filter := filter || ' and ' || by_name || ' = $3'; end if;
  if find_posts.tag <> '' then filter := filter || $f$ and p.tags <> '{}' and p.tags @> array[$6]$f$; end if; -- the first as posts_tags has it
  if words is not null then -- inlined: creator_name for every post would take most of the time
    filter := filter || $f$ and (strpos(lower(p.title), $2) > 0
      or strpos(lower(coalesce(nullif(btrim(p.author_name), ''), nullif(btrim(p.created_by_name), ''), 'Unknown')), $2) > 0)$f$;
  end if;
  if sort = 'most_viewed_last_month' then
    ranking := case when analytics then 'coalesce(v.views, 0) desc, ' else 'private.placeholder_views(p.id, p.title) desc, ' end;
    if analytics then ranked := 'public.posts p left join (
      select c.post_id, sum(c.views) as views from private.post_counts c
      where c.workspace_id = $1 and c.span = ''day'' and c.first_day > (now() at time zone ''utc'')::date - 30 group by c.post_id
    ) as v on v.post_id = p.id'; end if;
  end if;

  execute 'select json_build_object(''total'', (select count(*) from public.posts p where ' || filter || '), ''posts'',
      coalesce(json_agg(s order by s.place), ''[]'')) from (
      select s.*, f.place,' || case when analytics then 'coalesce((
          select sum(d.n) from public.daily_counts d
          where d.workspace_id = $1 and d.post_id = s.id and d.what = ''view'' and d.day > (now() at time zone ''utc'')::date - 30), 0)'
        else 'null::int' end || ' as views
      from (
        select row_number() over () as place, o.id from (
          select p.id from ' || ranked || ' where ' || filter || ' order by ' || ranking || 'p.updated_at desc, p.id desc limit $4 offset $5
        ) as o
      ) as f join public.post_summaries s on s.id = f.id
    ) as s'
  into answer using asked, words, creator, size, skip, find_posts.tag;
  return answer;
end $$;

-- Posts by id, whatever their status, last edited first, at most 100; unknown ids are left out.
create function public.posts_of(workspace_id uuid, ids uuid[]) returns setof public.post_summaries
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_role(posts_of.workspace_id);
  return query
    select s.* from public.post_summaries s where s.id = any (ids) and s.workspace_id = posts_of.workspace_id
    order by s.updated_at desc, s.id desc limit 100;
end $$;

-- The dashboard in one call, with the keys of contract/workspaces.ts. Runs as owner after a check of the role. `views` are of the last 30 days, null
-- without the analytics add-on (product decision 8); `firstSteps` is derived from what the workspace has done.
create function public.dashboard(workspace_id uuid) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  perform private.require_role(dashboard.workspace_id);
  return json_build_object(
    'recentPosts', coalesce((
      select json_agg(s) from (
        select s.* from public.post_summaries s where s.workspace_id = dashboard.workspace_id and s.status <> 'archived'
        order by s.updated_at desc, s.id desc limit 20
      ) as s), '[]'),
    'upcomingPosts', coalesce((select json_agg(u) from public.upcoming_posts(dashboard.workspace_id) as u), '[]'),
    'count', (select count(*) from public.posts p where p.workspace_id = dashboard.workspace_id and p.status <> 'archived'),
    'hasArchive', exists (select from public.posts p where p.workspace_id = dashboard.workspace_id and p.status = 'archived'),
    'creators', coalesce((
      with recursive creators as ( -- index order, case-insensitively distinct
        (select lower(private.creator_name(p.author_name, p.created_by_name)) as key, private.creator_name(p.author_name, p.created_by_name) as name
        from public.posts p where p.workspace_id = dashboard.workspace_id and p.status <> 'archived'
        order by lower(private.creator_name(p.author_name, p.created_by_name)), p.updated_at desc, p.id desc limit 1)
        union all
        select n.* from creators c, lateral (
          select lower(private.creator_name(p.author_name, p.created_by_name)), private.creator_name(p.author_name, p.created_by_name)
          from public.posts p where p.workspace_id = dashboard.workspace_id and p.status <> 'archived'
            and lower(private.creator_name(p.author_name, p.created_by_name)) > c.key
          order by lower(private.creator_name(p.author_name, p.created_by_name)), p.updated_at desc, p.id desc limit 1
        ) as n
      ) select json_agg(c.name order by c.key) from creators c), '[]'),
    'memberCount', (select count(*) from public.members m where m.workspace_id = dashboard.workspace_id),
    'views', case when private.has_add_on(dashboard.workspace_id, 'analytics') then (
      select coalesce(sum(d.n), 0) from public.daily_counts d
      where d.workspace_id = dashboard.workspace_id and d.post_id is null and d.what = 'view' and d.day > (now() at time zone 'utc')::date - 30
    ) end,
    'recentActivities', coalesce((
      select json_agg(l) from (
        select a.id::text, a.kind, a.actor_name, a.post_id, a.title, a.created_at from public.activities a
        where a.workspace_id = dashboard.workspace_id order by a.created_at desc, a.id desc limit 10
      ) as l), '[]'),
    'public_changelog_enabled', (select w.public_changelog_enabled from public.workspaces w where w.id = dashboard.workspace_id),
    'firstSteps', json_build_object(
      'written', exists (select from public.posts p where p.workspace_id = dashboard.workspace_id),
      'readable', exists (select from private.visible_posts v where v.workspace_id = dashboard.workspace_id),
      'installed', exists (select from private.widget_sightings s where s.workspace_id = dashboard.workspace_id),
      'invited', exists (select from public.members m where m.workspace_id = dashboard.workspace_id and m.role <> 'owner')
        or exists (select from public.invites i where i.workspace_id = dashboard.workspace_id and i.revoked_at is null)
    )
  );
end $$;

grant execute on function private.list_status, public.list_posts, public.upcoming_posts, public.search_posts, public.find_posts,
  public.posts_of, public.dashboard to authenticated, service_role;
