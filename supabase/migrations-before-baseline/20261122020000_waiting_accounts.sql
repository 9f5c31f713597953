-- Whoever signs up first with an address chooses the password of its account, and need not be who reads its mail. So a mailed
-- link opens an account that waits for its confirmation only after this: when the link is not used in the browser that
-- signed up, the password is replaced by one that nobody knows. The function asks before it spends the link, so that there
-- is no moment in which the account is confirmed and the stranger's password good.
--
-- `browser` is the hash of what the signing-up browser holds (a cookie); sign-up leaves the same with the account. True: the
-- password stands. False: a new one has to be chosen. Null: no waiting account has such a link.
create function public.open_waiting_account(link text, browser text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  account uuid;
  is_known boolean;
begin
  select u.id, u.raw_user_meta_data ->> 'signup_browser' = browser into account, is_known
  from auth.users u
  where u.email_confirmed_at is null and link <> '' and (u.confirmation_token = link or u.recovery_token = link)
  for update;
  if account is null then return null; end if;
  update auth.users u set raw_user_meta_data = u.raw_user_meta_data - 'signup_browser' where u.id = account; -- it has served
  if is_known then return true; end if;
  update auth.users u
  set encrypted_password = extensions.crypt(encode(extensions.gen_random_bytes(32), 'hex'), extensions.gen_salt('bf', 10))
  where u.id = account;
  delete from auth.sessions s where s.user_id = account; -- there are some where an installation lets people in unconfirmed
  return false;
end $$;
revoke all on function public.open_waiting_account(text, text) from public, anon, authenticated;
grant execute on function public.open_waiting_account(text, text) to service_role;
