-- Lists of posts for those who write them. They run as the caller; plpgsql keeps their plans, sql would not.

create function private.list_status(status text) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if status is null or status not in ('all', 'draft', 'scheduled', 'published', 'archived') then
    perform private.refuse('validation_failed', '{"status": "Please use all, draft, scheduled, published or archived"}');
  end if;
end $$;
grant execute on function private.list_status(text) to authenticated, service_role;

-- 'all' leaves archived posts out (product decision 6).
create function public.count_posts(workspace_id uuid, status text default 'all') returns bigint
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  perform private.list_status(status);
  if status = 'all' then
    return (select count(*) from public.posts p where p.workspace_id = asked and p.status <> 'archived');
  end if;
  return (select count(*) from public.posts p where p.workspace_id = asked and p.status = count_posts.status::public.post_status);
end $$;

-- Last edited first. page ≥ 1, page_size 1–100. A page behind the last one has no rows, hence no total: count_posts.
create function public.list_posts(workspace_id uuid, status text default 'all', page int default 1, page_size int default 10)
returns setof public.listed_post
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  total constant bigint := public.count_posts(workspace_id, status);
  size constant int := least(greatest(coalesce(page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(page, 1), 1)::bigint - 1) * size;
begin
  if status = 'all' then
    return query
      select p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
        p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, total
      from public.posts p where p.workspace_id = asked and p.status <> 'archived'
      order by p.updated_at desc, p.id desc limit size offset skip;
  else
    return query
      select p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
        p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, total
      from public.posts p where p.workspace_id = asked and p.status = list_posts.status::public.post_status
      order by p.updated_at desc, p.id desc limit size offset skip;
  end if;
end $$;

-- Scheduled posts of all the caller's workspaces, or of one, soonest first (product decision 12); at most 100. Each
-- workspace is asked by itself, in the order of its index, and only the posts that made it are read; as its owner,
-- because the policy's own condition would make one scan over all of them.
create function public.upcoming_posts(workspace_id uuid default null) returns setof public.post_summary
language plpgsql stable security definer set search_path = '' as $$
declare
  asked uuid[] := array(select private.my_workspace_ids());
begin
  if workspace_id is not null then
    perform private.require_role(workspace_id);
    asked := array[workspace_id];
  end if;
  return query
    select p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
      p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version
    from (
      select soon.id from unnest(asked) as mine (workspace),
        lateral (
          select s.id, s.publish_at from public.posts s
          where s.workspace_id = mine.workspace and s.status = 'scheduled' and s.publish_at > now() order by s.publish_at limit 100
        ) as soon
      order by soon.publish_at, soon.id limit 100
    ) as first join public.posts p on p.id = first.id
    order by p.publish_at, p.id;
end $$;

revoke all on function public.count_posts(uuid, text), public.list_posts(uuid, text, int, int), public.upcoming_posts(uuid) from public, anon;
grant execute on function public.count_posts(uuid, text), public.list_posts(uuid, text, int, int), public.upcoming_posts(uuid)
  to authenticated, service_role;
