-- Links to what readers found under a tag lead there after it is renamed or merged.

create or replace function private.list_releases(subdomain text, page int default 1, page_size int default 10, tag text default null) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, total bigint, cover_image jsonb
)
language plpgsql stable security definer set search_path = '' as $$
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
  select count(*) into amount from private.visible_posts v
  where v.workspace_id = workspace and (list_releases.tag is null or v.tags @> wanted);
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version, amount, v.cover_image
    from private.visible_posts v
    where v.workspace_id = workspace and (list_releases.tag is null or v.tags @> wanted)
    order by v.published_at desc, v.id desc limit size offset skip;
end $$;
