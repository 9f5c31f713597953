-- The two shapes in which posts leave the database (contract/posts.ts): a summary for every list, and the whole post
-- with its author's present name and picture and whether the public changelog is open. A reader of the post may know
-- its author even when that one has left the team, so the second runs as its owner.
create type public.post_summary as (
  id uuid, workspace_id uuid, title text, slug text, excerpt text, status public.post_status, tags text[],
  publish_at timestamptz, published_at timestamptz, created_at timestamptz, updated_at timestamptz, archived_at timestamptz,
  created_by uuid, created_by_name text, author_name text, version int
);
-- A summary with the number of posts in the whole list.
create type public.listed_post as (
  id uuid, workspace_id uuid, title text, slug text, excerpt text, status public.post_status, tags text[],
  publish_at timestamptz, published_at timestamptz, created_at timestamptz, updated_at timestamptz, archived_at timestamptz,
  created_by uuid, created_by_name text, author_name text, version int, total bigint
);
create type public.full_post as (
  id uuid, workspace_id uuid, title text, slug text, excerpt text, status public.post_status, tags text[],
  publish_at timestamptz, published_at timestamptz, created_at timestamptz, updated_at timestamptz, archived_at timestamptz,
  created_by uuid, created_by_name text, author_name text, version int,
  content_raw jsonb, updated_by_name text, author jsonb, public_changelog_enabled boolean
);

create function private.summary(p public.posts) returns public.post_summary
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return row(p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
    p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version);
end $$;
create function private.whole(p public.posts) returns public.full_post
language plpgsql stable security definer set search_path = '' as $$
begin
  return row(p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
    p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, p.content_raw, p.updated_by_name,
    (select jsonb_build_object('user_id', a.user_id, 'full_name', a.full_name, 'avatar_url', a.avatar_url)
      from public.profiles a where a.user_id = p.created_by),
    (select w.public_changelog_enabled from public.workspaces w where w.id = p.workspace_id));
end $$;
grant execute on function private.summary(public.posts), private.whole(public.posts) to authenticated, service_role;
