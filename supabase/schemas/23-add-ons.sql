-- Paid add-ons are rows per workspace (product decision 9). Every new workspace has 'teams'.
create table public.workspace_add_ons (
  workspace_id uuid not null constraint workspace_add_ons_workspace_id_fkey references public.workspaces (id) on delete cascade,
  add_on text not null constraint workspace_add_ons_known
    check (add_on in ('teams', 'analytics', 'sso', 'custom-domain', 'backup', 'reports', 'priority-support')),
  granted_by uuid,
  granted_at timestamptz not null default now(),
  constraint workspace_add_ons_pkey primary key (workspace_id, add_on)
);

create policy "members read their workspace's add-ons" on public.workspace_add_ons for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
-- Written by request_upgrade, or by the operator.
grant select on public.workspace_add_ons to authenticated;

create function private.has_add_on(workspace uuid, add_on text) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (select from public.workspace_add_ons a where a.workspace_id = workspace and a.add_on = has_add_on.add_on);
end $$;
grant execute on function private.has_add_on to authenticated, service_role;

-- Requested add-ons and when they were granted. A request that is granted in part has two rows.
create table public.upgrade_requests (
  id uuid constraint upgrade_requests_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint upgrade_requests_workspace_id_fkey references public.workspaces (id) on delete cascade,
  add_ons text[] not null,
  requested_by uuid,
  requested_by_name text,
  created_at timestamptz not null default now(),
  granted_at timestamptz
);
create index upgrade_requests_of_workspace on public.upgrade_requests (workspace_id, created_at desc);

create policy "members read their workspace's upgrade requests" on public.upgrade_requests for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
grant select on public.upgrade_requests to authenticated;

-- This installation's settings, in one row. Who hosts Tidings for others sets grants_upgrades to false.
create table private.installation (
  single boolean constraint installation_pkey primary key default true constraint installation_single_row check (single),
  grants_upgrades boolean not null default true
);
insert into private.installation default values;

create function public.grants_upgrades() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.my_id(); -- refuses ended sessions
  return (select i.grants_upgrades from private.installation i);
end $$;

-- The add-ons that exist; others can be requested but not granted (product decision 24). contract/kinds.ts has the same list; a test compares them.
create function private.working_add_ons() returns text[]
language sql immutable parallel safe set search_path = '' as $$ select array['analytics', 'sso', 'reports', 'custom-domain', 'backup'] $$;

-- Records the owner's request, and grants it on self-hosted installations. True if the workspace now has all of them.
create function public.request_upgrade(workspace_id uuid, add_ons text[]) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant text[] := array(select distinct w from unnest(add_ons) as w order by w);
  is_granted constant boolean := public.grants_upgrades();
  had text[];
begin
  perform private.require_role(asked, '{owner}');
  -- Self-hosted installations have no seller of support.
  if cardinality(wanted) = 0 or is_granted and 'priority-support' = any (wanted)
    or not wanted <@ array['analytics', 'sso', 'custom-domain', 'backup', 'reports', 'priority-support']
  then
    perform private.refuse('validation_failed', '{"addOns": "Please choose from the list"}');
  end if;
  if is_granted then
    insert into public.workspace_add_ons (workspace_id, add_on, granted_by)
    select asked, w, auth.uid() from unnest(wanted) as w where w = any (private.working_add_ons())
    on conflict on constraint workspace_add_ons_pkey do nothing;
  end if;
  had := array(select a.add_on from public.workspace_add_ons a where a.workspace_id = asked and a.add_on = any (wanted) order by a.add_on);
  insert into public.upgrade_requests (workspace_id, add_ons, requested_by, requested_by_name, granted_at)
  select asked, part.add_ons, auth.uid(), private.my_name(), part.granted_at
  from (values (had, now()), (array(select w from unnest(wanted) as w where w <> all (had) order by w), null)) as part (add_ons, granted_at)
  where cardinality(part.add_ons) > 0;
  return had @> wanted;
end $$;

grant execute on function public.grants_upgrades, public.request_upgrade to authenticated, service_role;
