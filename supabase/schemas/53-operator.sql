-- The operator's page, /operator: numbers, names and addresses, never the text of a post. Others get not_found.
create function public.is_operator() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.operators o where o.user_id = private.person_id())
$$;
grant execute on function public.is_operator to authenticated;

create function private.require_operator() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if not public.is_operator() then perform private.refuse('not_found'); end if;
  return private.person_id();
end $$;

-- Operators' actions, each in its own transaction. No foreign keys: entries outlive workspaces and accounts.
create table private.operator_log (
  id bigint generated always as identity constraint operator_log_pkey primary key,
  happened_at timestamptz not null default clock_timestamp(),
  operator_id uuid not null,
  network cidr,
  kind text not null constraint operator_log_kind check (kind in ('add_on_granted', 'suspended', 'resumed', 'sign_up_link_sent', 'factors_removed')),
  workspace_id uuid,
  workspace_name text,
  person_id uuid,
  details jsonb not null default '{}'
);
-- Without grants, so that lines can't be changed or removed.

-- Grants an add-on that exists, whether it was asked for or not. A workspace that has it already keeps it, and nothing is written.
create function public.operator_grant_add_on(workspace_id uuid, add_on text) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  me constant uuid := private.require_operator();
  granted constant text := operator_grant_add_on.add_on;
  name text;
begin
  select w.name into name from public.workspaces w where w.id = operator_grant_add_on.workspace_id for key share;
  if name is null then perform private.refuse('not_found'); end if;
  if granted is null or granted <> all (private.working_add_ons()) then
    perform private.refuse('validation_failed', '{"add_on": "Please choose from the list"}');
  end if;
  insert into public.workspace_add_ons (workspace_id, add_on, granted_by) values (operator_grant_add_on.workspace_id, granted, me)
  on conflict on constraint workspace_add_ons_pkey do nothing;
  if not found then return; end if;
  update public.upgrade_requests r set granted_at = now()
  where r.workspace_id = operator_grant_add_on.workspace_id and r.granted_at is null
    and r.add_ons <@ array(select a.add_on from public.workspace_add_ons a where a.workspace_id = operator_grant_add_on.workspace_id);
  insert into private.operator_log (operator_id, network, kind, workspace_id, workspace_name, details)
  values (me, private.network(), 'add_on_granted', operator_grant_add_on.workspace_id, name, jsonb_build_object('add_on', granted));
end $$;

-- Suspends a workspace or resumes it. Suspended, readers get 410, members read and export but change nothing, nothing is published or sent; resumed,
-- waiting emails are sent. Members get one email about the latest state, with the operator's message and address.
create function public.operator_set_suspension(workspace_id uuid, suspended boolean, message text default '') returns void
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.require_operator();
  words constant text := coalesce(private.clean_line(operator_set_suspension.message), '');
  present public.workspaces;
begin
  select w.* into present from public.workspaces w where w.id = operator_set_suspension.workspace_id for no key update;
  if present.id is null then perform private.refuse('not_found'); end if;
  if char_length(words) > {{suspensionMessageMaxLength}} then
    perform private.refuse('validation_failed', '{"message": "Please use at most {{suspensionMessageMaxLength}} characters"}');
  end if;
  if suspended = (present.suspension is not null) then return; end if;
  update public.workspaces w set suspension = case when suspended then jsonb_build_object('since', now(), 'message', words, 'contact', u.email) end
  from auth.users u where w.id = present.id and u.id = me;
  if not suspended then
    update private.jobs j set run_at = now() where j.workspace_id = present.id and j.task = 'send_emails' and j.locked_by is null;
  end if;
  with taken_back as ( -- not sent yet
    delete from private.deliveries d
    where d.workspace_id = present.id and d.kind = 'suspension' and d.state = 'waiting' and d.attempt = 0 returning d.target_id
  )
  insert into private.deliveries (workspace_id, kind, target_id, data)
  select w.id, 'suspension', m.user_id, jsonb_build_object('subject', w.id, 'suspension', w.suspension)
  from public.workspaces w join public.members m on m.workspace_id = w.id
  where w.id = present.id and m.user_id not in (select t.target_id from taken_back t);
  insert into private.operator_log (operator_id, network, kind, workspace_id, workspace_name, details)
  values (me, private.network(), case when suspended then 'suspended' else 'resumed' end, present.id, present.name,
    case when suspended then jsonb_build_object('message', words) else '{}' end);
end $$;

create function public.operator_sign_up_link(user_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.require_operator();
  target constant uuid := operator_sign_up_link.user_id;
  address constant text := (select u.email from auth.users u where u.id = target and u.email_confirmed_at is null);
begin
  if address is null then perform private.refuse('not_found'); end if;
  if public.take_token('signUpLink.minute', target::text, 1, interval '1 minute') > 0
    or public.take_token('signUpLink.day', target::text, 5, interval '1 day') > 0 then perform private.refuse('rate_limited'); end if;
  insert into private.operator_log (operator_id, network, kind, person_id) values (me, private.network(), 'sign_up_link_sent', target);
  return address;
end $$;

-- {"workspaces", "total"}: a page of 10, newest first, of those whose name, subdomain or owner's address contains `search`.
create function public.operator_workspaces(search text default '', page int default 1) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  part constant text := lower(coalesce(search, ''));
begin
  perform private.require_operator();
  return (
    with found as materialized (
      select w.id, w.created_at, u.email as owner_email
      from public.workspaces w
        left join public.members m on m.workspace_id = w.id and m.role = 'owner' left join auth.users u on u.id = m.user_id
      where strpos(lower(w.name), part) > 0 or strpos(w.subdomain::text, part) > 0 or strpos(lower(u.email), part) > 0
    ), shown as (
      select f.* from found f order by f.created_at desc, f.id limit 10 offset (greatest(coalesce(page, 1), 1) - 1)::bigint * 10
    )
    select jsonb_build_object('total', (select count(*) from found), 'workspaces', coalesce(jsonb_agg(jsonb_build_object(
      'id', w.id, 'name', w.name, 'subdomain', w.subdomain, 'created_at', w.created_at, 'owner_email', s.owner_email,
      'members', (select count(*) from public.members m where m.workspace_id = w.id),
      'posts', (select count(*) from public.posts p where p.workspace_id = w.id),
      'file_bytes', (
        select coalesce(sum((o.metadata ->> 'size')::bigint), 0) from storage.objects o
        where o.bucket_id in ('post-images', 'logos', 'link-pictures') and o.name like w.id || '/%'),
      'add_ons', array(select a.add_on from public.workspace_add_ons a where a.workspace_id = w.id order by 1),
      'requested', array(
        select distinct r.add_on from public.upgrade_requests u cross join unnest(u.add_ons) as r (add_on)
        where u.workspace_id = w.id and u.granted_at is null
        except select a.add_on from public.workspace_add_ons a where a.workspace_id = w.id order by 1),
      'suspension', w.suspension,
      'active_at', (select max(a.created_at) from public.activities a where a.workspace_id = w.id)
    ) order by s.created_at desc, s.id), '[]'))
    from shown s join public.workspaces w on w.id = s.id
  );
end $$;

-- For someone who lost their authenticator app and recovery codes. Their sessions end, and they are told.
create function public.operator_remove_factors(user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.require_operator();
  target constant uuid := operator_remove_factors.user_id;
begin
  if not private.has_factor(target) then perform private.refuse('not_found'); end if;
  perform private.remove_factors(target);
  insert into private.operator_log (operator_id, network, kind, person_id) values (me, private.network(), 'factors_removed', target);
end $$;

-- {"people", "total"}: a page of 10, newest first, of those whose name or address contains `search`.
create function public.operator_people(search text default '', page int default 1) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  part constant text := lower(coalesce(search, ''));
begin
  perform private.require_operator();
  return (
    with found as materialized (
      select u.id, u.created_at, p.full_name from auth.users u join public.profiles p on p.user_id = u.id
      where strpos(lower(p.full_name), part) > 0 or strpos(lower(u.email), part) > 0
    ), shown as (
      select f.* from found f order by f.created_at desc, f.id limit 10 offset (greatest(coalesce(page, 1), 1) - 1)::bigint * 10
    )
    select jsonb_build_object('total', (select count(*) from found), 'people', coalesce(jsonb_agg(jsonb_build_object(
      'id', u.id, 'email', u.email, 'full_name', s.full_name, 'created_at', u.created_at, 'is_confirmed', u.email_confirmed_at is not null,
      'is_operator', exists (select from private.operators o where o.user_id = u.id), 'has_factor', private.has_factor(u.id),
      'workspaces', (select count(*) from public.members m where m.user_id = u.id),
      'last_used_at', (
        select max(coalesce(e.refreshed_at at time zone 'utc', e.created_at)) from auth.sessions e where e.user_id = u.id)
    ) order by s.created_at desc, s.id), '[]'))
    from shown s join auth.users u on u.id = s.id
  );
end $$;

-- "Sent" and "failed" are of the last day, what came back is of the last seven. Jobs of suspended workspaces aren't due.
create function public.operator_overview() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_operator();
  return jsonb_build_object(
    'email', jsonb_build_object(
      'sent', (select count(*) from private.deliveries d where d.state = 'done' and d.ended_at > now() - interval '1 day'),
      'failed', (select count(*) from private.deliveries d where d.state = 'failed' and d.ended_at > now() - interval '1 day'),
      'bounced', (select count(*) from private.mail_events e where e.kind in ('hard', 'soft') and e.noted_at > now() - interval '7 days'),
      'complaints', (select count(*) from private.mail_events e where e.kind = 'complaint' and e.noted_at > now() - interval '7 days'),
      'workspaces_on_hold', (select count(*) from public.mail_settings m where m.held_at is not null),
      'last_error', (
        select jsonb_build_object('at', d.ended_at, 'text', d.error) from private.deliveries d
        where d.state = 'failed' and d.error is not null and d.ended_at > now() - interval '7 days' order by d.ended_at desc limit 1)),
    'jobs', (
      select jsonb_agg(jsonb_build_object('kind', j.kind, 'waiting', j.waiting, 'failed', j.failed, 'oldest_at', j.oldest_at) order by j.place)
      from (
        select k.place, k.kind, count(j.id) as waiting, k.failed, min(j.run_at) as oldest_at
        from (values
          (1, 'emails', 'send_emails', (
            select count(*) from private.deliveries d join public.workspaces w on w.id = d.workspace_id and w.suspension is null
            where d.state = 'failed' and d.ended_at > now() - interval '1 day')),
          (2, 'webhooks', 'send_webhook', (
            select count(*) from private.webhook_deliveries d join public.workspaces w on w.id = d.workspace_id and w.suspension is null
            where d.state = 'failed' and d.ended_at > now() - interval '1 day')),
          (4, 'backups', 'backup', (select count(*) from private.backups b where b.failing_since is not null))
        ) as k (place, kind, task, failed)
        left join (private.jobs j join public.workspaces w on w.id = j.workspace_id and w.suspension is null) on j.task = k.task and j.run_at <= now()
        group by k.place, k.kind, k.failed
        union all
        select 3, 'scheduled_posts', count(*), 0, min(p.publish_at)
        from public.posts p join public.workspaces w on w.id = p.workspace_id and w.suspension is null
        where p.status = 'scheduled' and p.publish_at <= now()
        union all
        select 5, 'file_removals', count(*), 0, min(f.discarded_at) from private.discarded_files f
      ) as j),
    'log', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', l.id, 'happened_at', l.happened_at, 'operator_name', p.full_name, 'kind', l.kind, 'subject', coalesce(l.workspace_name, u.email),
        'details', l.details
      ) order by l.id desc)
      from (select * from private.operator_log order by id desc limit 50) as l
        left join public.profiles p on p.user_id = l.operator_id left join auth.users u on u.id = l.person_id
    ), '[]'),
    'storage', jsonb_build_object(
      'database_bytes', pg_database_size(current_database()),
      'file_bytes', (select coalesce(sum((o.metadata ->> 'size')::bigint), 0) from storage.objects o)),
    'machine', (
      select jsonb_build_object('disk_bytes', m.disk_bytes, 'free_bytes', m.free_bytes, 'backed_up_at', m.backed_up_at, 'backup_bytes', m.backup_bytes)
      from private.machine m where m.disk_bytes is not null)
  );
end $$;

-- Of a server with a data folder: the size of its disk, measured each minute, and the last `npm run backup`. Hosted, nothing is known.
create table private.machine (
  is_only boolean constraint machine_pkey primary key default true constraint machine_is_only check (is_only),
  disk_bytes bigint,
  free_bytes bigint,
  backed_up_at timestamptz,
  backup_bytes bigint
);
insert into private.machine default values;

grant execute on function public.operator_grant_add_on, public.operator_set_suspension, public.operator_sign_up_link,
  public.operator_remove_factors, public.operator_workspaces, public.operator_people, public.operator_overview to authenticated;
