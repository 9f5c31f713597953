-- Paid add-ons are rows per workspace (product decision 9). Every new workspace has 'teams'.
create table public.workspace_add_ons (
  workspace_id uuid not null constraint workspace_add_ons_workspace_id_fkey references public.workspaces (id) on delete cascade,
  add_on text not null constraint workspace_add_ons_known
    check (add_on in ('teams', 'analytics', 'sso', 'custom-domain', 'backup', 'reports', 'priority-support')),
  granted_by uuid,
  granted_at timestamptz not null default now(),
  constraint workspace_add_ons_pkey primary key (workspace_id, add_on)
);
alter table public.workspace_add_ons enable row level security;

create policy "members read their workspace's add-ons" on public.workspace_add_ons for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
-- No insert, update, delete: request_upgrade grants where the installation may; else whoever runs it does.
grant select on public.workspace_add_ons to authenticated;
grant select, insert, update, delete on public.workspace_add_ons to service_role;

-- What was asked for, and when it was granted: the record a hosted installation works from. Of one asking there are two rows where some of it was
-- granted and some was not.
create table public.upgrade_requests (
  id uuid constraint upgrade_requests_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint upgrade_requests_workspace_id_fkey references public.workspaces (id) on delete cascade,
  add_ons text[] not null,
  requested_by uuid,
  requested_by_name text,
  created_at timestamptz not null default now(),
  granted_at timestamptz
);
alter table public.upgrade_requests enable row level security;
create index upgrade_requests_of_workspace on public.upgrade_requests (workspace_id, created_at desc); -- the page's list, the cascade

create policy "members read their workspace's upgrade requests" on public.upgrade_requests for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
-- No insert, update, delete: request_upgrade.
grant select on public.upgrade_requests to authenticated;
grant select, insert, update, delete on public.upgrade_requests to service_role;

-- How this installation behaves; one row. Whoever hosts Tidings for others sets grants_upgrades to false.
create table private.installation (
  single boolean constraint installation_pkey primary key default true constraint installation_single_row check (single),
  grants_upgrades boolean not null default true
);
alter table private.installation enable row level security;
insert into private.installation default values;

-- The add-ons that exist. What else can be asked for is written down, and granted to nobody (product decision 24). contract/kinds.ts has the same
-- list; a test compares them.
create function private.working_add_ons() returns text[]
language sql immutable parallel safe set search_path = '' as $$ select array['analytics', 'reports', 'custom-domain', 'backup'] $$;

-- The owner asks for add-ons. A self-hosted installation grants at once those that exist, a hosted one none; the others are kept as asked for.
-- Answers whether the workspace has all of them now.
create function public.request_upgrade(workspace_id uuid, add_ons text[]) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant text[] := array(select distinct w from unnest(add_ons) as w order by w);
  had text[];
begin
  perform private.require_role(asked, '{owner}');
  if cardinality(wanted) = 0 or not wanted <@ array['analytics', 'sso', 'custom-domain', 'backup', 'reports', 'priority-support'] then
    perform private.refuse('validation_failed', '{"addOns": "Please choose from the list"}');
  end if;
  if (select i.grants_upgrades from private.installation i) then
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
revoke all on function public.request_upgrade(uuid, text[]) from public, anon;
grant execute on function public.request_upgrade(uuid, text[]) to authenticated, service_role;
