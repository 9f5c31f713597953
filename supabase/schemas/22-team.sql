-- The team page: list, roles, removal, leaving, transfer of ownership (specification, section 6; product decisions 2 and 18).

create type public.team_member as (user_id uuid, full_name text, email text, role public.member_role, avatar_url text, created_at timestamptz);
comment on column public.team_member.avatar_url is 'Null: no picture.';
comment on column public.team_member.email is 'Null: told to owners and admins only.';

-- Editors see no addresses. The owner first, then by name.
create function public.team_members(workspace_id uuid) returns setof public.team_member
language plpgsql stable security definer set search_path = '' as $$
declare
  mine constant public.member_role := private.require_role(team_members.workspace_id, '{owner,admin,editor}', true);
begin
  return query
    select m.user_id, p.full_name, case when mine in ('owner', 'admin') then u.email::text end, m.role, p.avatar_url, m.created_at
    from public.members m
    join auth.users u on u.id = m.user_id
    join public.profiles p on p.user_id = m.user_id
    where m.workspace_id = team_members.workspace_id
    order by m.role <> 'owner', lower(p.full_name), m.user_id;
end $$;

create function private.member_for_update(workspace uuid, person uuid) returns public.members
language plpgsql set search_path = '' as $$
declare
  member public.members;
begin
  select * into member from public.members m where m.workspace_id = workspace and m.user_id = person for update;
  if member.user_id is null then perform private.refuse('not_found'); end if;
  return member;
end $$;

-- The owner makes others editors or viewers; admins are invited, owners get ownership transferred.
create function public.set_member_role(workspace_id uuid, user_id uuid, role text) returns public.member_role
language plpgsql security definer set search_path = '' as $$
declare
  member public.members;
begin
  perform private.require_role(workspace_id, '{owner}');
  if role is null or role not in ('editor', 'viewer') then
    perform private.refuse('validation_failed', '{"role": "Please choose editor or viewer"}');
  end if;
  member := private.member_for_update(workspace_id, user_id);
  if member.role = 'owner' then perform private.refuse('owner_required'); end if;
  if member.role::text <> role then
    update public.members m set role = set_member_role.role::public.member_role
    where m.workspace_id = member.workspace_id and m.user_id = member.user_id;
    perform private.record_activity(workspace_id, 'role_changed', (select p.full_name from public.profiles p where p.user_id = member.user_id));
  end if;
  return role::public.member_role;
end $$;

create function public.remove_member(workspace_id uuid, user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  member public.members;
begin
  perform private.require_role(workspace_id, '{owner}', true);
  member := private.member_for_update(workspace_id, user_id);
  if member.role = 'owner' then perform private.refuse('owner_required'); end if;
  delete from public.members m where m.workspace_id = member.workspace_id and m.user_id = member.user_id;
end $$;

create function public.leave_workspace(workspace_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if private.require_role(workspace_id) = 'owner' then perform private.refuse('owner_required'); end if;
  delete from public.members m where m.workspace_id = leave_workspace.workspace_id and m.user_id = private.my_id();
end $$;

-- Transfers ownership; the caller becomes an admin. Locks the workspace, so the second of two concurrent transfers is refused.
create function public.hand_over_ownership(workspace_id uuid, user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  heir public.members;
begin
  perform from public.workspaces w where w.id = workspace_id for no key update;
  perform private.require_role(workspace_id, '{owner}');
  heir := private.member_for_update(workspace_id, user_id);
  if heir.role = 'owner' then return; end if;
  update public.members m set role = 'admin' where m.workspace_id = heir.workspace_id and m.role = 'owner';
  update public.members m set role = 'owner' where m.workspace_id = heir.workspace_id and m.user_id = heir.user_id;
  perform private.record_activity(workspace_id, 'ownership_handed_over', (select p.full_name from public.profiles p where p.user_id = heir.user_id));
end $$;

grant execute on function public.team_members, public.set_member_role, public.remove_member, public.leave_workspace, public.hand_over_ownership
  to authenticated, service_role;
