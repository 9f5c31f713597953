-- The shapes of posts become views, which every list and call answers with: a column is named in them and not in each function.

drop function public.create_post(uuid, text, jsonb, text[], timestamptz, text, text), public.save_post(uuid, jsonb, int, text),
  public.read_post(uuid), public.archive_post(uuid), public.restore_revision(uuid, int, int), public.list_posts(uuid, text, int, int),
  public.upcoming_posts(uuid), public.search_posts(uuid, text, int), public.posts_of(uuid, uuid[]),
  private.summary(public.posts), private.whole(public.posts);
drop type public.post_summary, public.listed_post, public.full_post;

-- The two shapes in which posts leave the database (contract/posts.ts): a summary for every list, and the whole post with its author's present
-- name and picture and whether the public changelog is open. Both ask as the one who reads. A new column stands last in each.
create view public.post_summaries with (security_invoker = true) as
select
  p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
  p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version
from public.posts p;

-- A reader of the post may know its author even when that one has left the team, so this runs as its owner.
create function private.author_of(person uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object('user_id', a.user_id, 'full_name', a.full_name, 'avatar_url', a.avatar_url)
    from public.profiles a where a.user_id = person
  );
end $$;
grant execute on function private.author_of(uuid) to authenticated, service_role;

create view public.post_details with (security_invoker = true) as
select
  p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
  p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, p.content_raw, p.updated_by_name,
  private.author_of(p.created_by) as author,
  (select w.public_changelog_enabled from public.workspaces w where w.id = p.workspace_id) as public_changelog_enabled
from public.posts p;

grant select on public.post_summaries, public.post_details to authenticated, service_role;

create function public.create_post(
  workspace_id uuid, title text, content_raw jsonb, tags text[] default '{}', publish_at timestamptz default null,
  status text default null, idempotency_key text default null
) returns public.post_details
language plpgsql set search_path = '' as $$
declare
  earlier jsonb;
  made uuid;
  answer public.post_details;
begin
  perform private.require_role(workspace_id, '{owner,admin,editor}');
  earlier := private.claim_request(idempotency_key, jsonb_build_array('create_post', workspace_id, title, content_raw - 'time', tags, publish_at, status)::text);
  if earlier is not null then return jsonb_populate_record(null::public.post_details, earlier); end if;
  insert into public.posts (workspace_id, title, content_raw, tags, publish_at, status)
  values (workspace_id, title, content_raw, coalesce(tags, '{}'),
    case when status = 'draft' then null else publish_at end, coalesce(status, 'draft')::public.post_status)
  returning posts.id into made;
  select d.* into answer from public.post_details d where d.id = made;
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
  return answer;
end $$;

create function public.save_post(post_id uuid, patch jsonb, expected_version int default null, idempotency_key text default null) returns public.post_details
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

create function public.read_post(post_id uuid) returns public.post_details
language plpgsql stable set search_path = '' as $$
declare
  answer public.post_details;
begin
  select d.* into answer from public.post_details d where d.id = post_id;
  if answer.id is null then perform private.refuse('not_found'); end if;
  return answer;
end $$;

create function public.archive_post(post_id uuid) returns public.post_summaries
language plpgsql set search_path = '' as $$
declare
  saved uuid;
  answer public.post_summaries;
begin
  update public.posts p set status = 'archived' where p.id = post_id returning p.id into saved;
  if saved is null then perform private.explain_refusal(post_id); end if;
  select s.* into answer from public.post_summaries s where s.id = saved;
  return answer;
end $$;

create function public.restore_revision(post_id uuid, version int, expected_version int default null) returns public.post_details
language plpgsql set search_path = '' as $$
declare
  wanted public.post_revisions;
begin
  select * into wanted from public.post_revisions r where r.post_id = restore_revision.post_id and r.version = restore_revision.version;
  if wanted.post_id is null then perform private.refuse('not_found'); end if;
  return public.save_post(post_id,
    jsonb_build_object('title', wanted.title, 'tags', wanted.tags, 'content_raw', wanted.content_raw), expected_version);
end $$;

create function public.list_posts(workspace_id uuid, status text default 'all', page int default 1, page_size int default 10) returns json
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  total constant bigint := public.count_posts(workspace_id, status);
  size constant int := least(greatest(coalesce(page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(page, 1), 1)::bigint - 1) * size;
  listed json;
begin
  if status = 'all' then
    select json_agg(l) into listed from (
      select s.* from public.post_summaries s where s.workspace_id = asked and s.status <> 'archived'
      order by s.updated_at desc, s.id desc limit size offset skip
    ) as l;
  elsif status = 'published' then
    select json_agg(l) into listed from (
      select s.* from public.post_summaries s
      where s.workspace_id = asked and s.status <> 'archived' and s.status in ('published', 'scheduled')
        and (s.status = 'published' or s.publish_at <= now())
      order by s.updated_at desc, s.id desc limit size offset skip
    ) as l;
  else
    select json_agg(l) into listed from (
      select s.* from public.post_summaries s
      where s.workspace_id = asked and s.status = list_posts.status::public.post_status and (s.status <> 'scheduled' or s.publish_at > now())
      order by s.updated_at desc, s.id desc limit size offset skip
    ) as l;
  end if;
  return json_build_object('total', total, 'posts', coalesce(listed, '[]'));
end $$;

create function public.upcoming_posts(workspace_id uuid default null) returns setof public.post_summaries
language plpgsql stable security definer set search_path = '' as $$
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

create function public.search_posts(workspace_id uuid, term text, max_rows int default 8) returns setof public.post_summaries
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant int := least(greatest(coalesce(max_rows, 8), 1), 50);
  patterns constant text[] := private.search_patterns(term);
  -- The index takes no array: it is given the three longest words, the rest is compared afterwards.
  one constant text := patterns[1];
  two constant text := coalesce(patterns[2], '%');
  three constant text := coalesce(patterns[3], '%');
  latest constant int := 200;
  found_ids uuid[];
begin
  perform private.require_role(asked);
  if cardinality(patterns) = 0 then return; end if;
  found_ids := array(
    select r.id from (
      select p.id, p.search_text, p.updated_at from public.posts p
      where p.workspace_id = asked and p.status <> 'archived' order by p.updated_at desc, p.id desc limit latest
    ) as r
    where r.search_text like all (patterns) order by r.updated_at desc, r.id desc limit wanted
  );
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
    select s.* from unnest(found_ids) with ordinality as f (id, place) join public.post_summaries s on s.id = f.id
    order by f.place;
end $$;

create function public.posts_of(workspace_id uuid, ids uuid[]) returns setof public.post_summaries
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  return query
    select s.* from public.post_summaries s where s.id = any (ids) and s.workspace_id = asked
    order by s.updated_at desc, s.id desc limit 100;
end $$;

revoke all on function public.create_post(uuid, text, jsonb, text[], timestamptz, text, text), public.save_post(uuid, jsonb, int, text),
  public.read_post(uuid), public.archive_post(uuid), public.restore_revision(uuid, int, int), public.list_posts(uuid, text, int, int),
  public.upcoming_posts(uuid), public.search_posts(uuid, text, int), public.posts_of(uuid, uuid[])
  from public, anon;
grant execute on function public.create_post(uuid, text, jsonb, text[], timestamptz, text, text), public.save_post(uuid, jsonb, int, text),
  public.read_post(uuid), public.archive_post(uuid), public.restore_revision(uuid, int, int), public.list_posts(uuid, text, int, int),
  public.upcoming_posts(uuid), public.search_posts(uuid, text, int), public.posts_of(uuid, uuid[])
  to authenticated, service_role;

create or replace function public.find_posts(
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
      select s.*, f.place,
        case when $6 then coalesce((
          select sum(d.views) from public.daily_views d where d.post_id = s.id and d.day > private.month_ago()), 0) end as views
      from (
        select row_number() over () as place, o.id from (
          select p.id from ' || ranked || ' where ' || filter || ' order by ' || ranking || 'p.updated_at desc, p.id desc limit $4 offset $5
        ) as o
      ) as f join public.post_summaries s on s.id = f.id
    ) as s'
  into found_posts using asked, words, creator, size, skip, analytics;
  return json_build_object('total', total, 'posts', found_posts);
end $$;

create or replace function public.dashboard(workspace_id uuid) returns json
language plpgsql stable security definer set search_path = '' as $$
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
      select coalesce(sum(d.views), 0) from public.daily_views d where d.workspace_id = asked and d.day > private.month_ago()
    ) end,
    'recentActivities', coalesce((
      select json_agg(l) from (
        select a.id::text, a.kind, a.actor_name, a.post_id, a.title, a.created_at from public.activities a
        where a.workspace_id = asked order by a.created_at desc, a.id desc limit 10
      ) as l), '[]'),
    'public_changelog_enabled', (select w.public_changelog_enabled from public.workspaces w where w.id = asked)
  );
end $$;

-- What may be null in an answer; everything else of these types is always there. contract/database.ts is made from it.
comment on column public.my_session.user_agent is 'Null: the auth service was told none.';
comment on column public.my_workspace.origin is 'Null: no website.';
comment on column public.my_workspace.logo_url is 'Null: no logo.';
comment on column public.team_member.avatar_url is 'Null: no picture.';
comment on column public.new_invite.email is 'Null: for whoever has the link.';
