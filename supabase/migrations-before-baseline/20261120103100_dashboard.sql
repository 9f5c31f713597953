-- Everything the dashboard shows, in one call; the keys are those of contract/workspaces.ts. As its owner, after asking
-- for the caller's role once: through the policies each of its parts would ask again.
create function public.dashboard(workspace_id uuid) returns json
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
    'memberCount', (select count(*) from public.members m where m.workspace_id = asked),
    'recentActivities', coalesce((
      select json_agg(l) from (
        select a.id::text, a.kind, a.actor_name, a.post_id, a.title, a.created_at from public.activities a
        where a.workspace_id = asked order by a.created_at desc, a.id desc limit 10
      ) as l), '[]'),
    'public_changelog_enabled', (select w.public_changelog_enabled from public.workspaces w where w.id = asked)
  );
end $$;
revoke all on function public.dashboard(uuid) from public, anon;
grant execute on function public.dashboard(uuid) to authenticated, service_role;
