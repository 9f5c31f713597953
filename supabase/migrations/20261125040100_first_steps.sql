-- What a new workspace has done already, for the first steps on its dashboard.

create table private.widget_sightings (
  workspace_id uuid constraint widget_sightings_pkey primary key
    constraint widget_sightings_workspace_id_fkey references public.workspaces (id) on delete cascade
);
alter table private.widget_sightings enable row level security;

-- A page of `origin` has asked for the widget's data; told by the public side, as anybody.
create function private.note_widget(subdomain text, origin text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.widget_sightings (workspace_id)
  select w.id from public.workspaces w where w.id = private.open_workspace(note_widget.subdomain) and note_widget.origin = any (w.allowed_origins)
  on conflict on constraint widget_sightings_pkey do nothing;
end $$;
grant execute on function private.note_widget(text, text) to anon, service_role;

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
