-- The dashboard's answer learns three things: the views of the last 30 days (null without the analytics add-on; product
-- decision 8), who wrote the posts (for the table's filter), and whether anything lies in the archive.
create or replace function public.dashboard(workspace_id uuid) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  return json_build_object(
    'recentPosts', coalesce((
      select json_agg(s) from (
        select p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
          p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version
        from public.posts p where p.workspace_id = asked and p.status <> 'archived'
        order by p.updated_at desc, p.id desc limit 20
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
