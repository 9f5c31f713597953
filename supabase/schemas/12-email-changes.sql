-- Changing the sign-in address takes the current password; the old address can undo it for seven days. Also for direct calls of the auth service.
create table private.email_changes (
  id uuid constraint email_changes_pkey primary key default gen_random_uuid(),
  user_id uuid not null constraint email_changes_user_id_fkey references auth.users (id) on delete cascade,
  old_email text not null,
  new_email text not null,
  requested_at timestamptz not null default clock_timestamp(),
  accepted_at timestamptz, -- when the auth service made its link; once only
  changed_at timestamptz,
  ended_at timestamptz -- replaced, cancelled or undone
);
create index email_changes_of_user on private.email_changes (user_id);

-- A new password (it may come from a reset) proves no more than the session does, so for a day it can't authorise a change.
create table private.password_changes (
  user_id uuid constraint password_changes_pkey primary key
    constraint password_changes_user_id_fkey references auth.users (id) on delete cascade,
  changed_at timestamptz not null default clock_timestamp()
);

-- Emailed changes that a link can undo for a day, and a reset of the second factor that a workspace's owner asked for: it waits for as long.
create table private.credential_changes (
  id uuid constraint credential_changes_pkey primary key default gen_random_uuid(),
  user_id uuid not null constraint credential_changes_user_id_fkey references auth.users (id) on delete cascade,
  kind text not null constraint credential_changes_kind check (kind in ('password_changed', 'factor_added', 'factor_removed', 'factor_reset')),
  factor jsonb, -- the row of private.factors that was added or removed
  workspace_id uuid, -- of a reset; the key is in 25-workspace-security
  created_at timestamptz not null default clock_timestamp(),
  constraint credential_changes_workspace check ((kind = 'factor_reset') = (workspace_id is not null))
);
create index credential_changes_of_user on private.credential_changes (user_id);
create index credential_changes_of_workspace on private.credential_changes (workspace_id);

-- Emails about an account rather than a workspace, deleted with their jobs. The queue's key is in 29-jobs.
create table private.account_mails (
  id uuid constraint account_mails_pkey primary key,
  email_change_id uuid constraint account_mails_email_change_id_fkey references private.email_changes (id) on delete cascade,
  email text, -- without an email change
  credential_change_id uuid constraint account_mails_credential_change_id_fkey references private.credential_changes (id) on delete cascade,
  kind text not null constraint account_mails_kind check (kind in (
    'email_change_requested', 'email_changed', 'account_deleted', 'password_changed', 'factor_added', 'factor_removed', 'recovery_code_used',
    'single_sign_on_linked', 'factor_reset')),
  constraint account_mails_recipient check (num_nonnulls(email_change_id, email) = 1)
);
create index account_mails_of_change on private.account_mails (email_change_id);
create index account_mails_of_credential on private.account_mails (credential_change_id);

create function private.enqueue_account_email(kind text, change uuid default null, email text default null, credential uuid default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  job constant uuid := gen_random_uuid();
begin
  perform private.add_job('send_account_email', job, null);
  insert into private.account_mails (id, kind, email_change_id, email, credential_change_id)
  values (job, enqueue_account_email.kind, change, enqueue_account_email.email, credential);
end $$;

-- Emails the link that undoes it.
create function private.record_credential_change(person uuid, email text, kind text, factor jsonb default null, workspace uuid default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  made uuid;
begin
  insert into private.credential_changes (user_id, kind, factor, workspace_id)
  values (person, record_credential_change.kind, record_credential_change.factor, workspace) returning id into made;
  perform private.enqueue_account_email(record_credential_change.kind, email => record_credential_change.email, credential => made);
end $$;

-- GoTrue keeps tokens in a table that the embedded auth service doesn't have.
create function private.delete_mailed_tokens(person uuid, kinds text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if to_regclass('auth.one_time_tokens') is not null then
    execute 'delete from auth.one_time_tokens t where t.user_id = $1 and t.token_type::text like $2' using person, kinds;
  end if;
end $$;

create function private.cancel_email_changes(person uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update private.email_changes c set ended_at = clock_timestamp() where c.user_id = person and c.changed_at is null and c.ended_at is null;
  update auth.users u set email_change = '', email_change_token_new = '', email_change_token_current = ''
  where u.id = person and (u.email_change <> '' or u.email_change_token_new <> '');
  perform private.delete_mailed_tokens(person, 'email\_change%');
end $$;

-- True if this is the caller's password; refused with `too_new`, unless null, if set within a day. A wrong one doesn't raise, so the attempt stays
-- counted.
create function private.is_current_password(password text, too_new jsonb) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
  hash text;
begin
  if public.take_token('currentPassword', me::text, 10, interval '1 hour') > 0 then perform private.refuse('rate_limited'); end if;
  -- pgcrypto knows one of bcrypt's prefixes.
  select regexp_replace(u.encrypted_password, '^\$2[by]', '$2a') into hash from auth.users u where u.id = me;
  if hash !~ '^\$2a' is not false then
    perform private.refuse('validation_failed', '{"password": "Your account has no password yet. Choose one first."}');
  end if;
  if extensions.crypt(password, hash) is distinct from hash then return false; end if;
  if too_new is not null and exists (select from private.password_changes p where p.user_id = me and p.changed_at > clock_timestamp() - interval '1 day') then
    perform private.refuse('validation_failed', too_new);
  end if;
  return true;
end $$;

-- True also for an account without a password.
create function public.may_change_password(current_password text) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  return exists (select from auth.users u where u.id = private.person_id() and coalesce(u.encrypted_password, '') = '')
    or private.is_current_password(current_password, null);
end $$;

-- Allows the auth service one change of the caller's address within ten minutes. False: wrong password.
create function public.request_email_change(email text, password text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
  wanted constant text := lower(btrim(request_email_change.email));
  present constant text := (select lower(u.email) from auth.users u where u.id = me);
  change uuid;
begin
  if not private.is_current_password(password, '{"email": "You can change the address a day after you set a new password"}') then return false; end if;
  if wanted = present then perform private.refuse('validation_failed', '{"email": "This is your email address already"}'); end if;
  perform private.cancel_email_changes(me);
  insert into private.email_changes (user_id, old_email, new_email) values (me, present, wanted) returning id into change;
  -- Sent whether the new address is free or not, so it doesn't reveal which addresses have accounts.
  perform private.enqueue_account_email('email_change_requested', change);
  return true;
end $$;

create function private.allowed_email_change(person uuid, email text) returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select c.id from private.email_changes c
    where c.user_id = person and c.new_email = lower(btrim(allowed_email_change.email)) and c.accepted_at is null and c.ended_at is null
      and c.requested_at > clock_timestamp() - interval '10 minutes'
    order by c.requested_at desc limit 1
  );
end $$;

-- A new password cancels a pending change. A change, or a new link for it, needs an unused request.
create function private.guard_email_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  change private.email_changes;
begin
  if new.encrypted_password is distinct from old.encrypted_password then
    new.email_change := '';
    new.email_change_token_new := '';
    new.email_change_token_current := '';
    update private.email_changes c set ended_at = clock_timestamp() where c.user_id = new.id and c.changed_at is null and c.ended_at is null;
    perform private.delete_mailed_tokens(new.id, 'email\_change%');
    insert into private.password_changes (user_id) values (new.id)
    on conflict on constraint password_changes_pkey do update set changed_at = excluded.changed_at;
    if old.email_confirmed_at is not null and old.encrypted_password <> '' and new.encrypted_password <> '' and new.email = old.email then
      perform private.record_credential_change(new.id, new.email, 'password_changed');
    end if;
  elsif new.email_change <> '' and new.email_change is distinct from old.email_change
    or new.email_change_token_new <> '' and new.email_change_token_new is distinct from old.email_change_token_new then
    update private.email_changes c set accepted_at = clock_timestamp()
    where c.id = private.allowed_email_change(new.id, new.email_change)
    returning c.* into change;
    if change.id is null then
      raise exception using errcode = '42501', message = 'a change of address needs the current password: POST /api/profiles/me/email';
    end if;
  end if;
  if lower(new.email) is distinct from lower(old.email) then
    update private.email_changes c set changed_at = clock_timestamp()
    where c.user_id = new.id and c.new_email = lower(new.email) and c.accepted_at is not null and c.changed_at is null and c.ended_at is null
    returning c.* into change;
    if change.changed_at is not null then
      perform private.enqueue_account_email('email_changed', change.id);
    end if;
  end if;
  return new;
end $$;
create trigger users_change_their_email before update on auth.users for each row
when (new.encrypted_password is distinct from old.encrypted_password or new.email_change is distinct from old.email_change
  or new.email_change_token_new is distinct from old.email_change_token_new or new.email is distinct from old.email)
execute function private.guard_email_change();

-- Ends all sessions, the password, mailed links and a pending change of address.
create function private.end_credentials(person uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.cancel_email_changes(person);
  update auth.users u set encrypted_password = null, confirmation_token = '', recovery_token = '' where u.id = person;
  perform private.delete_mailed_tokens(person, '%');
  delete from auth.sessions s where s.user_id = person;
end $$;

-- Undoes a change, confirmed or not, and what it allowed since: restores the old address, ends all sessions, replaces the password, removes mailed
-- links, added providers and authenticator apps, and the recovery codes, which may have been replaced. Returns the address, or null if there is nothing to undo.
create function public.undo_email_change(token text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  change private.email_changes;
begin
  select c.* into change from private.email_changes c where c.id = private.id_of_mail_token(token) for update;
  if change.id is null or private.token_hash(private.mail_token('email change', change.id)) <> private.token_hash(token)
    or change.ended_at is not null or coalesce(change.changed_at, change.requested_at) < clock_timestamp() - interval '7 days' then return null; end if;
  -- An unconfirmed account can't keep the address from its owner.
  delete from auth.users u where lower(u.email) = change.old_email and u.id <> change.user_id and u.email_confirmed_at is null;
  if exists (select from auth.users u where lower(u.email) = change.old_email and u.id <> change.user_id) then return null; end if;
  perform private.end_credentials(change.user_id);
  update auth.users u set email = change.old_email where u.id = change.user_id;
  delete from private.factors f where f.user_id = change.user_id and f.created_at >= change.requested_at;
  delete from private.recovery_codes c where c.user_id = change.user_id;
  delete from auth.identities i where i.user_id = change.user_id and i.provider <> 'email' and i.created_at >= change.requested_at;
  update auth.identities i set identity_data = i.identity_data || jsonb_build_object('email', change.old_email)
  where i.user_id = change.user_id and i.provider = 'email';
  update private.email_changes c set ended_at = clock_timestamp()
  where c.user_id = change.user_id and c.requested_at >= change.requested_at and c.ended_at is null;
  return change.old_email;
end $$;

create function public.account_email(id uuid) returns table (kind text, old_email text, new_email text, token text)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select m.kind, coalesce(m.email, c.old_email), c.new_email, coalesce(private.mail_token('email change', c.id),
      private.mail_token('credential change', m.credential_change_id))
    from private.account_mails m left join private.email_changes c on c.id = m.email_change_id where m.id = account_email.id;
end $$;

grant execute on function public.undo_email_change, public.account_email to service_role;
grant execute on function public.request_email_change, public.may_change_password to authenticated;
