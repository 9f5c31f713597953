-- Deletes the caller's account for good and emails its address. Workspaces need another owner first (21-members checks that at commit, too). What goes
-- with it: sessions, profile, memberships, avatars, API keys, addresses of invitations, names in the audit log. Posts keep their author's name.
-- False: wrong password. As with the email address, a password set within a day proves no more than the session does.
create function public.delete_account(password text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  if not private.is_current_password(password, '{"password": "You can delete your account a day after you set a new password"}') then
    return false;
  end if;
  if exists (select from public.members m where m.user_id = me and m.role = 'owner') then perform private.refuse('owner_required'); end if;
  perform private.enqueue_account_email('account_deleted', email => u.email) from auth.users u where u.id = me;
  delete from auth.users u where u.id = me;
  return true;
end $$;

grant execute on function public.delete_account to authenticated;
