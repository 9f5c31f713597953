-- What planned itself anew at each call keeps its plan; what is asked for each block of a post is plpgsql, whose expressions are kept.

create or replace function private.as_list(value jsonb) returns jsonb
language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  return case when jsonb_typeof(value) = 'array' then value else '[]'::jsonb || value end;
end $$;

create or replace function private.is_running_text(block jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (block -> 'data') ?| '{text,items}' and not (block -> 'data') ? 'level';
end $$;

create or replace function private.string_length(value jsonb) returns bigint
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select coalesce(sum(char_length(s.words)), 0)
    from jsonb_array_elements_text(jsonb_path_query_array(value, 'strict $.** ? (@.type() == "string")')) as s (words)
  );
end $$;

create or replace function public.upcoming_posts(workspace_id uuid default null) returns setof public.post_summaries
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

create or replace function public.dashboard(workspace_id uuid) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  return json_build_object(
    'recentPosts', coalesce((
      select json_agg(s) from (
        select s.* from public.post_summaries s where s.workspace_id = asked and s.status <> 'archived'
        order by s.updated_at desc, s.id desc limit 20
      ) as s), '[]'),
    'upcomingPosts', coalesce((select json_agg(u) from public.upcoming_posts(asked) as u), '[]'),
    'count', (select count(*) from public.posts p where p.workspace_id = asked and p.status <> 'archived'),
    'hasArchive', exists (select from public.posts p where p.workspace_id = asked and p.status = 'archived'),
    'creators', coalesce((select json_agg(c.name) from private.post_creators(asked) as c (name)), '[]'),
    'memberCount', (select count(*) from public.members m where m.workspace_id = asked),
    'views', case when private.has_analytics(asked) then (
      select coalesce(sum(d.n), 0) from public.daily_counts d
      where d.workspace_id = asked and d.post_id is null and d.what = 'view' and d.day > private.month_ago()
    ) end,
    'recentActivities', coalesce((
      select json_agg(l) from (
        select a.id::text, a.kind, a.actor_name, a.post_id, a.title, a.created_at from public.activities a
        where a.workspace_id = asked order by a.created_at desc, a.id desc limit 10
      ) as l), '[]'),
    'public_changelog_enabled', (select w.public_changelog_enabled from public.workspaces w where w.id = asked),
    'firstSteps', json_build_object(
      'written', exists (select from public.posts p where p.workspace_id = asked),
      'readable', exists (select from private.visible_posts v where v.workspace_id = asked),
      'installed', exists (select from private.widget_sightings s where s.workspace_id = asked),
      'invited', exists (select from public.members m where m.workspace_id = asked and m.role <> 'owner')
        or exists (select from public.invites i where i.workspace_id = asked and i.revoked_at is null)
    )
  );
end $$;

-- Of the latest posts those that fit, newest first, in a plan that is kept: see public.upcoming_posts.
create or replace function private.latest_matches(workspace uuid, patterns text[], wanted int) returns uuid[]
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

create or replace function public.search_posts(workspace_id uuid, term text, max_rows int default 8) returns setof public.post_summaries
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant int := least(greatest(coalesce(max_rows, 8), 1), 50);
  patterns constant text[] := private.search_patterns(term);
  -- The index takes no array: it is given the three longest words, the rest is compared afterwards.
  one constant text := patterns[1];
  two constant text := coalesce(patterns[2], '%');
  three constant text := coalesce(patterns[3], '%');
  found_ids uuid[];
begin
  perform private.require_role(asked);
  if cardinality(patterns) = 0 then return; end if;
  found_ids := private.latest_matches(asked, patterns, wanted);
  if cardinality(found_ids) < wanted then
    found_ids := array(
      with matching as materialized ( -- all of them by the index, then the order: never the other way round
        select p.id, p.updated_at from public.posts p
        where p.workspace_id = asked and p.status <> 'archived'
          and p.search_text like one and p.search_text like two and p.search_text like three and p.search_text like all (patterns)
      )
      select m.id from matching m order by m.updated_at desc, m.id desc limit wanted
    );
  end if;
  return query
    select s.* from public.post_summaries s where s.id = any (found_ids) order by array_position(found_ids, s.id);
end $$;

create or replace function private.list_releases(subdomain text, page int default 1, page_size int default 10, tag text default null) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, total bigint, cover_image jsonb, imported boolean
)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  workspace constant uuid := private.open_workspace(list_releases.subdomain);
  size constant int := least(greatest(coalesce(list_releases.page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(list_releases.page, 1), 1)::bigint - 1) * size;
  wanted constant text[] := array[case when list_releases.tag is not null then
    coalesce((select f.now_key from private.former_tags f where f.workspace_id = workspace and f.key = list_releases.tag), list_releases.tag) end];
  amount bigint;
begin
  if workspace is null then return; end if;
  if list_releases.tag is null then -- counted by posts_public alone
    select count(*) into amount from private.visible_posts v where v.workspace_id = workspace;
  else
    select count(*) into amount from private.visible_posts v where v.workspace_id = workspace and v.tags @> wanted;
  end if;
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version, amount, v.cover_image,
      v.imported
    from private.visible_posts v
    where v.workspace_id = workspace and (list_releases.tag is null or v.tags @> wanted)
    order by v.published_at desc, v.id desc limit size offset skip;
end $$;
