-- What the operator of an installation sees on /operator: numbers, names and addresses, and nothing of what a post says. To everybody else it isn't there.
create function private.require_operator() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  if not exists (select from private.operators o where o.user_id = me) then perform private.refuse('not_found'); end if;
  return me;
end $$;
revoke all on function private.require_operator() from public, anon, authenticated;

-- What operators did, each act in the transaction that does it. Of neither a reference: a line outlives the workspace, and the operator's account,
-- whose name goes.
create table private.operator_log (
  id bigint generated always as identity constraint operator_log_pkey primary key,
  happened_at timestamptz not null default clock_timestamp(),
  operator_id uuid not null,
  network cidr, -- as in the audit log
  kind text not null constraint operator_log_kind check (kind in ('add_on_granted')),
  workspace_id uuid not null,
  workspace_name text not null, -- as it was then
  details jsonb not null default '{}'
);
alter table private.operator_log enable row level security;
-- No grant at all: nobody changes or removes a line.

-- Grants an add-on that exists, whether it was asked for or not. A workspace that has it already keeps it, and nothing is written.
create function public.operator_grant_add_on(workspace_id uuid, add_on text) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  me constant uuid := private.require_operator();
  target constant uuid := operator_grant_add_on.workspace_id;
  granted constant text := operator_grant_add_on.add_on;
  name text;
begin
  select w.name into name from public.workspaces w where w.id = target for key share;
  if name is null then perform private.refuse('not_found'); end if;
  if granted is null or granted <> all (private.working_add_ons()) then
    perform private.refuse('validation_failed', '{"add_on": "Please choose from the list"}');
  end if;
  insert into public.workspace_add_ons (workspace_id, add_on, granted_by) values (target, granted, me)
  on conflict on constraint workspace_add_ons_pkey do nothing;
  if not found then return; end if;
  update public.upgrade_requests r set granted_at = now()
  where r.workspace_id = target and r.granted_at is null
    and r.add_ons <@ array(select a.add_on from public.workspace_add_ons a where a.workspace_id = target);
  insert into private.operator_log (operator_id, network, kind, workspace_id, workspace_name, details)
  values (me, private.network(), 'add_on_granted', target, name, jsonb_build_object('add_on', granted));
end $$;
revoke all on function public.operator_grant_add_on(uuid, text) from public, anon;
grant execute on function public.operator_grant_add_on(uuid, text) to authenticated;

-- The newest 200 workspaces and people, with how many there are. "Sent" and "failed" are of the last day, what came back is of the last seven.
create function public.operator_overview() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_operator();
  return jsonb_build_object(
    'workspaces', jsonb_build_object(
      'count', (select count(*) from public.workspaces),
      'newest', coalesce((
        with newest as (select w.* from public.workspaces w order by w.created_at desc, w.id limit 200),
        files as (
          select split_part(o.name, '/', 1) as folder, sum((o.metadata ->> 'size')::bigint) as bytes
          from storage.objects o where o.bucket_id <> 'avatars' group by 1
        )
        select jsonb_agg(jsonb_build_object(
          'id', w.id, 'name', w.name, 'subdomain', w.subdomain, 'created_at', w.created_at,
          'owner_email', (select u.email from public.members m join auth.users u on u.id = m.user_id where m.workspace_id = w.id and m.role = 'owner'),
          'members', (select count(*) from public.members m where m.workspace_id = w.id),
          'posts', (select count(*) from public.posts p where p.workspace_id = w.id),
          'file_bytes', coalesce(f.bytes, 0),
          'add_ons', array(select a.add_on from public.workspace_add_ons a where a.workspace_id = w.id order by 1),
          'requested', array(
            select distinct r.add_on from public.upgrade_requests u cross join unnest(u.add_ons) as r (add_on)
            where u.workspace_id = w.id and u.granted_at is null
            except select a.add_on from public.workspace_add_ons a where a.workspace_id = w.id order by 1),
          'active_at', (select max(a.created_at) from public.activities a where a.workspace_id = w.id)
        ) order by w.created_at desc, w.id)
        from newest w left join files f on f.folder = w.id::text
      ), '[]')),
    'people', jsonb_build_object(
      'count', (select count(*) from auth.users),
      'newest', coalesce((
        with newest as (select u.* from auth.users u order by u.created_at desc, u.id limit 200)
        select jsonb_agg(jsonb_build_object(
          'id', u.id, 'email', u.email, 'full_name', p.full_name, 'created_at', u.created_at, 'is_confirmed', u.email_confirmed_at is not null,
          'is_operator', exists (select from private.operators o where o.user_id = u.id),
          'workspaces', (select count(*) from public.members m where m.user_id = u.id),
          'last_used_at', (
            select max(coalesce(s.refreshed_at at time zone 'utc', s.created_at)) from auth.sessions s where s.user_id = u.id)
        ) order by u.created_at desc, u.id)
        from newest u join public.profiles p on p.user_id = u.id
      ), '[]')),
    'email', jsonb_build_object(
      'sent', (select count(*) from private.deliveries d where d.state = 'done' and d.ended_at > now() - interval '1 day'),
      'failed', (select count(*) from private.deliveries d where d.state = 'failed' and d.ended_at > now() - interval '1 day'),
      'bounced', (select count(*) from private.mail_events e where e.kind in ('hard', 'soft') and e.noted_at > now() - interval '7 days'),
      'complaints', (select count(*) from private.mail_events e where e.kind = 'complaint' and e.noted_at > now() - interval '7 days'),
      'workspaces_on_hold', (select count(*) from public.mail_settings m where m.held_at is not null)),
    'jobs', (
      select jsonb_agg(jsonb_build_object('kind', j.kind, 'waiting', j.waiting, 'failed', j.failed, 'oldest_at', j.oldest_at) order by j.place)
      from (
        select 1 as place, 'emails' as kind, count(*) filter (where d.state = 'waiting' and d.due_at <= now()) as waiting,
          count(*) filter (where d.state = 'failed' and d.ended_at > now() - interval '1 day') as failed,
          min(d.due_at) filter (where d.state = 'waiting' and d.due_at <= now()) as oldest_at
        from private.deliveries d
        union all
        select 2, 'webhooks', count(*) filter (where d.ended_at is null and d.due_at <= now()),
          count(*) filter (where d.state = 'failed' and d.ended_at > now() - interval '1 day'), min(d.due_at) filter (where d.ended_at is null and d.due_at <= now())
        from private.webhook_deliveries d
        union all
        select 3, 'scheduled_posts', count(*), 0, min(p.publish_at) from public.posts p where p.status = 'scheduled' and p.publish_at <= now()
        union all
        select 4, 'backups', count(*) filter (where b.next_at <= now()), count(*) filter (where b.failing_since is not null),
          min(b.next_at) filter (where b.next_at <= now())
        from private.backups b
        union all
        select 5, 'file_removals', count(*), 0, min(f.discarded_at) from private.discarded_files f
      ) as j),
    'log', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', l.id, 'happened_at', l.happened_at, 'operator_name', p.full_name, 'kind', l.kind, 'workspace_name', l.workspace_name, 'details', l.details
      ) order by l.id desc)
      from (select * from private.operator_log order by id desc limit 50) as l left join public.profiles p on p.user_id = l.operator_id
    ), '[]'),
    'storage', jsonb_build_object(
      'database_bytes', pg_database_size(current_database()),
      'file_bytes', (select coalesce(sum((o.metadata ->> 'size')::bigint), 0) from storage.objects o))
  );
end $$;
revoke all on function public.operator_overview() from public, anon;
grant execute on function public.operator_overview() to authenticated;
