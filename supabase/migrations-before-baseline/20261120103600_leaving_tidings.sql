-- A workspace's way out: everything of it as one JSON document, and its deletion. supabase/sql holds the same two for
-- whoever runs the installation.

-- All rows that belong to a workspace, as they are; secrets (the hashes of invitation tokens) are left out.
create function private.export_workspace(workspace uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'format', 'tidings-workspace-1',
    'exported_at', now(),
    'workspace', to_jsonb(w),
    'members', coalesce((
      select jsonb_agg(to_jsonb(m) || jsonb_build_object('full_name', p.full_name, 'email', u.email) order by m.created_at)
      from public.members m join public.profiles p on p.user_id = m.user_id join auth.users u on u.id = m.user_id
      where m.workspace_id = w.id), '[]'),
    'posts', coalesce((select jsonb_agg(to_jsonb(p) order by p.created_at, p.id) from public.posts p where p.workspace_id = w.id), '[]'),
    'post_revisions', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.post_id, r.version) from public.post_revisions r
      where r.post_id in (select p.id from public.posts p where p.workspace_id = w.id)), '[]'),
    'post_slugs', coalesce((select jsonb_agg(to_jsonb(s) order by s.slug) from public.post_slugs s where s.workspace_id = w.id), '[]'),
    'tags', coalesce((select jsonb_agg(to_jsonb(t) order by t.key) from public.tags t where t.workspace_id = w.id), '[]'),
    'invites', coalesce((select jsonb_agg(to_jsonb(i) - 'token_hash' order by i.created_at) from public.invites i where i.workspace_id = w.id), '[]'),
    'widget_settings', coalesce((select s.settings from public.widget_settings s where s.workspace_id = w.id), '{}'),
    'add_ons', coalesce((select jsonb_agg(to_jsonb(a) order by a.add_on) from public.workspace_add_ons a where a.workspace_id = w.id), '[]'),
    'upgrade_requests', coalesce((select jsonb_agg(to_jsonb(r) order by r.created_at) from public.upgrade_requests r where r.workspace_id = w.id), '[]'),
    'activities', coalesce((select jsonb_agg(to_jsonb(a) order by a.id) from public.activities a where a.workspace_id = w.id), '[]'),
    'daily_views', coalesce((select jsonb_agg(to_jsonb(d) order by d.day, d.post_id) from public.daily_views d where d.workspace_id = w.id), '[]'),
    'files', coalesce((
      select jsonb_agg(jsonb_build_object('bucket', o.bucket_id, 'path', o.name) order by o.bucket_id, o.name)
      from storage.objects o where o.bucket_id in ('post-images', 'logos') and split_part(o.name, '/', 1) = w.id::text), '[]')
  )
  from public.workspaces w where w.id = workspace
$$;

create function public.export_workspace(workspace_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role(workspace_id, '{owner}');
  return private.export_workspace(workspace_id);
end $$;

-- Whatever way a workspace goes, its files are queued for removal, including those no post ever showed.
create function private.discard_files() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.discarded_files (bucket, path)
  select o.bucket_id, o.name from storage.objects o
  where o.bucket_id in ('post-images', 'logos') and o.name like old.id || '/%'
  on conflict on constraint discarded_files_pkey do nothing;
  return old;
end $$;
create trigger workspaces_discard_their_files before delete on public.workspaces for each row execute function private.discard_files();

-- The owner, by typing its name (product decision 18). Everything goes; the subdomain stays blocked for 30 days.
create function public.delete_workspace(workspace_id uuid, name text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked, '{owner}');
  if not exists (select from public.workspaces w where w.id = asked and w.name = private.clean_line(delete_workspace.name)) then
    perform private.refuse('validation_failed', '{"name": "Please type the name of the workspace"}');
  end if;
  delete from public.workspaces w where w.id = asked;
end $$;

revoke all on function public.export_workspace(uuid), public.delete_workspace(uuid, text) from public, anon;
grant execute on function public.export_workspace(uuid), public.delete_workspace(uuid, text) to authenticated, service_role;
