-- Policies read this table at every statement, never the token, so a removed member loses access at once. Roles change only through functions.
create table public.members (
  workspace_id uuid not null constraint members_workspace_id_fkey references public.workspaces (id) on delete cascade,
  user_id uuid not null constraint members_user_id_fkey references auth.users (id) on delete cascade,
  role public.member_role not null,
  created_at timestamptz not null default now(),
  constraint members_pkey primary key (workspace_id, user_id)
);
-- Index-only for the question every policy asks.
create index members_by_person on public.members (user_id) include (workspace_id, role);
-- At most one owner; the trigger below keeps at least one.
create unique index members_one_owner on public.members (workspace_id) where role = 'owner';

-- True if members can't change it (53-operator).
create function private.is_suspended(workspace uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.workspaces w where w.id = workspace and w.suspension is not null);
end $$;

-- The caller's workspaces by role; for an API key, its own one. Policies use it as an array in a sub-select, so it runs once per statement. All four
-- roles means reading. Fewer means writing, which a suspended workspace refuses; `even_suspended` overrides that, here and in require_role.
create function private.my_workspace_ids(
  roles public.member_role[] default '{owner,admin,editor,viewer}', even_suspended boolean default null
) returns setof uuid
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$ -- planning takes longer than running
declare
  always constant boolean := coalesce(even_suspended, cardinality(roles) = 4);
  me constant uuid := private.my_id();
begin
  return query select m.workspace_id from public.members m where m.user_id = me and m.role = any (roles)
    and m.workspace_id = coalesce((select private.key_workspace()), m.workspace_id) and (always or not private.is_suspended(m.workspace_id))
    and not exists (select from public.workspaces w -- few require something, so no call for most members
      where w.id = m.workspace_id and (w.require_second_factor or w.require_single_sign_on) and private.access_gap(me, w.id) is not null);
end $$;
create function private.my_role(workspace uuid) returns public.member_role
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select m.role from public.members m
    where m.workspace_id = workspace and m.user_id = private.my_id() and coalesce(private.key_workspace(), workspace) = workspace
      and not exists (select from public.workspaces w
        where w.id = m.workspace_id and (w.require_second_factor or w.require_single_sign_on) and private.access_gap(m.user_id, w.id) is not null)
  );
end $$;
-- The caller's role, or a refusal: not_found for strangers, access_gap or forbidden for members. Keys never have the owner's rights.
create function private.require_role(
  workspace uuid, roles public.member_role[] default '{owner,admin,editor,viewer}', even_suspended boolean default null
) returns public.member_role
language plpgsql stable security definer set search_path = '' as $$
declare
  mine constant public.member_role := private.my_role(workspace);
begin
  if mine is null then perform private.refuse(coalesce(case when private.key_id() is null then public.access_gap_of(workspace) end, 'not_found')); end if;
  if not mine = any (roles) or roles = '{owner}' and private.key_id() is not null then perform private.refuse('forbidden'); end if;
  if not coalesce(even_suspended, cardinality(roles) = 4) and private.is_suspended(workspace) then perform private.refuse('workspace_suspended'); end if;
  return mine;
end $$;

-- Deferred to commit, so a transfer can pass through "no owner".
create function private.require_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.workspaces w where w.id = old.workspace_id)
    and not exists (select from public.members m where m.workspace_id = old.workspace_id and m.role = 'owner')
  then perform private.refuse('owner_required'); end if;
  return null;
end $$;
create constraint trigger members_keep_an_owner after update or delete on public.members
deferrable initially deferred for each row when (old.role = 'owner') execute function private.require_owner();

create policy "members read who else is a member" on public.members for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "owners remove others, and members other than the owner leave" on public.members for delete to authenticated
using (role <> 'owner' and (user_id = (select private.my_id()) or workspace_id = any (array(select private.my_workspace_ids('{owner}', true)))));
-- Inserted by create_workspace and accept_invite, updated by set_member_role and hand_over_ownership.

grant select, delete on public.members to authenticated;

create policy "members read their workspaces" on public.workspaces for select to authenticated
using (id = any (array(select private.my_workspace_ids())));
create policy "owners and admins change their workspace" on public.workspaces for update to authenticated
using (id = any (array(select private.my_workspace_ids('{owner,admin}'))))
with check (id = any (array(select private.my_workspace_ids('{owner,admin}'))));

create policy "people read their own and their teammates' profiles" on public.profiles for select to authenticated
using (user_id = (select private.my_id()) or user_id = any (array(select m.user_id from public.members m)));

-- Only the owner changes the public switch (specification, section 6); policies can't restrict one column.
create function private.guard_public_switch() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null then perform private.require_role(new.id, '{owner}'); end if;
  return new;
end $$;
create trigger workspaces_are_opened_by_owners before update of public_changelog_enabled on public.workspaces
for each row when (old.public_changelog_enabled is distinct from new.public_changelog_enabled)
execute function private.guard_public_switch();

grant execute on function private.my_workspace_ids, private.my_role, private.require_role to authenticated, service_role;
