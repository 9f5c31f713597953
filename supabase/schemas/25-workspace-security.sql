-- Security settings of a workspace: the required second factor, and the members without one.
create type public.workspace_security as (require_second_factor boolean, without_factor jsonb);
comment on column public.workspace_security.without_factor is 'Members: [{user_id, full_name}].';

create function public.read_workspace_security(workspace_id uuid) returns public.workspace_security
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role(workspace_id, '{owner,admin}', true);
  return row(
    (select w.require_second_factor from public.workspaces w where w.id = read_workspace_security.workspace_id),
    coalesce((select jsonb_agg(jsonb_build_object('user_id', m.user_id, 'full_name', p.full_name) order by lower(p.full_name), m.user_id)
      from public.members m join public.profiles p on p.user_id = m.user_id
      where m.workspace_id = read_workspace_security.workspace_id and not private.has_factor(m.user_id)), '[]'));
end $$;

-- An owner who requires it has one.
create function public.set_workspace_security(workspace_id uuid, require_second_factor boolean) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_role(workspace_id, '{owner}', true);
  if require_second_factor and not private.has_factor(private.person_id()) then perform private.refuse('second_factor_required'); end if;
  update public.workspaces w set require_second_factor = set_workspace_security.require_second_factor
  where w.id = set_workspace_security.workspace_id and w.require_second_factor <> set_workspace_security.require_second_factor;
  if found then
    perform private.audit(workspace_id, 'security_changed', null, null, jsonb_build_object('require_second_factor', require_second_factor));
  end if;
end $$;

grant execute on function public.read_workspace_security, public.set_workspace_security to authenticated;
