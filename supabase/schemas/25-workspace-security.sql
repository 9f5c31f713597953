-- Security settings of a workspace: the required second factor, and the members without one.
alter table private.credential_changes add constraint credential_changes_workspace_id_fkey
  foreign key (workspace_id) references public.workspaces (id) on delete cascade;

create type public.workspace_security as (require_second_factor boolean, without_factor jsonb, resettable jsonb);
comment on column public.workspace_security.without_factor is 'Members: [{user_id, full_name}].';
comment on column public.workspace_security.resettable is
  'Other members with a second factor and an address at a proven email domain: [{user_id, full_name, reset_at}].';

-- Only the company's own accounts: an account may belong to other workspaces too.
create function private.resettable_members(workspace uuid) returns table (user_id uuid, email text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select m.user_id, u.email::text from public.members m join auth.users u on u.id = m.user_id
    where m.workspace_id = workspace and m.user_id is distinct from auth.uid() and private.has_factor(m.user_id) and exists (
      select from private.email_domains d
      where d.workspace_id = workspace and d.domain = private.domain_of_email(u.email) and d.proven_at is not null);
end $$;

create function public.read_workspace_security(workspace_id uuid) returns public.workspace_security
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role(workspace_id, '{owner,admin}', true);
  return row(
    (select w.require_second_factor from public.workspaces w where w.id = read_workspace_security.workspace_id),
    coalesce((select jsonb_agg(jsonb_build_object('user_id', m.user_id, 'full_name', p.full_name) order by lower(p.full_name), m.user_id)
      from public.members m join public.profiles p on p.user_id = m.user_id
      where m.workspace_id = read_workspace_security.workspace_id and not private.has_factor(m.user_id)), '[]'),
    coalesce((select jsonb_agg(jsonb_build_object('user_id', r.user_id, 'full_name', p.full_name, 'reset_at', c.created_at + interval '1 day')
        order by lower(p.full_name), r.user_id)
      from private.resettable_members(workspace_id) r join public.profiles p on p.user_id = r.user_id
      left join private.credential_changes c on c.user_id = r.user_id and c.kind = 'factor_reset'), '[]'));
end $$;

-- Done after a day, unless the member objects or gives a code; at once if they confirm it by email.
create function public.request_factor_reset(workspace_id uuid, user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  address text;
begin
  perform private.lock_as_owner(workspace_id);
  select r.email into address from private.resettable_members(workspace_id) r where r.user_id = request_factor_reset.user_id;
  if address is null then perform private.refuse('not_found'); end if;
  if exists (select from private.credential_changes c where c.user_id = request_factor_reset.user_id and c.kind = 'factor_reset') then return; end if;
  perform private.record_credential_change(user_id, address, 'factor_reset', null, workspace_id);
  perform private.audit(workspace_id, 'factor_reset_requested', user_id, private.audited_name(user_id));
end $$;

-- An owner who requires it has one.
create function public.set_workspace_security(workspace_id uuid, require_second_factor boolean) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_role(workspace_id, '{owner}');
  if require_second_factor and not private.has_factor(private.person_id()) then perform private.refuse('second_factor_required'); end if;
  update public.workspaces w set require_second_factor = set_workspace_security.require_second_factor
  where w.id = set_workspace_security.workspace_id and w.require_second_factor <> set_workspace_security.require_second_factor;
  if found then
    perform private.audit(workspace_id, 'security_changed', null, null, jsonb_build_object('require_second_factor', require_second_factor));
  end if;
end $$;

grant execute on function public.read_workspace_security, public.set_workspace_security, public.request_factor_reset to authenticated;
