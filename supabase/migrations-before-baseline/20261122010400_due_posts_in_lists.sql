-- A scheduled post whose time has come counts as published in every list, whether or not the publisher ran (product
-- decision 4): these two say what find_posts says.
create or replace function public.count_posts(workspace_id uuid, status text default 'all') returns bigint
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  perform private.list_status(status);
  if status = 'all' then
    return (select count(*) from public.posts p where p.workspace_id = asked and p.status <> 'archived');
  elsif status = 'published' then
    return (
      select count(*) from public.posts p
      where p.workspace_id = asked and p.status in ('published', 'scheduled') and (p.status = 'published' or p.publish_at <= now())
    );
  end if;
  return (
    select count(*) from public.posts p
    where p.workspace_id = asked and p.status = count_posts.status::public.post_status and (p.status <> 'scheduled' or p.publish_at > now())
  );
end $$;

-- Last edited first. page ≥ 1, page_size 1–100. A page behind the last one has no rows, hence no total: count_posts.
create or replace function public.list_posts(workspace_id uuid, status text default 'all', page int default 1, page_size int default 10)
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
  elsif status = 'published' then
    return query
      select p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
        p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, total
      from public.posts p
      where p.workspace_id = asked and p.status <> 'archived' and p.status in ('published', 'scheduled')
        and (p.status = 'published' or p.publish_at <= now())
      order by p.updated_at desc, p.id desc limit size offset skip;
  else
    return query
      select p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
        p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, total
      from public.posts p
      where p.workspace_id = asked and p.status = list_posts.status::public.post_status and (p.status <> 'scheduled' or p.publish_at > now())
      order by p.updated_at desc, p.id desc limit size offset skip;
  end if;
end $$;
