-- What a membership opens: the workspace itself and the teammates' profiles.
create policy "members read their workspaces" on public.workspaces for select to authenticated
using (id = any (array(select private.my_workspace_ids())));
create policy "owners and admins change their workspace" on public.workspaces for update to authenticated
using (id = any (array(select private.my_workspace_ids('{owner,admin}'))))
with check (id = any (array(select private.my_workspace_ids('{owner,admin}'))));

create policy "people read their own and their teammates' profiles" on public.profiles for select to authenticated
using (user_id = (select auth.uid()) or user_id = any (array(select private.my_teammate_ids())));

-- The public changelog switch is the owner's alone (specification, section 6); a policy cannot say that of one column.
create function private.guard_public_switch() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null then perform private.require_role(new.id, '{owner}'); end if;
  return new;
end $$;
create trigger workspaces_are_opened_by_owners before update of public_changelog_enabled on public.workspaces
for each row when (old.public_changelog_enabled is distinct from new.public_changelog_enabled)
execute function private.guard_public_switch();
