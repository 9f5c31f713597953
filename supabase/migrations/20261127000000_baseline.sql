-- Generated from supabase/schemas by `npm run db:baseline`.

-- supabase/schemas/00-schemas.sql

-- public is what the API exposes, private only functions reach, extensions holds extensions. Hosted projects grant every new object in public to the
-- API roles; that default is revoked here, so each table and function is closed until it is granted.

alter default privileges in schema public revoke all on tables from public, anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from public, anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from public, anon, authenticated, service_role;
alter default privileges revoke execute on functions from public; -- this grant isn't per schema

create schema if not exists extensions;
create extension if not exists citext with schema extensions; -- subdomains
create extension if not exists pgcrypto with schema extensions; -- tokens and hashes
create extension if not exists unaccent with schema extensions; -- slugs
create extension if not exists pg_trgm with schema extensions; -- search
create extension if not exists btree_gin with schema extensions; -- search within a workspace

create schema private;
revoke all on schema private from public;
grant usage on schema private to anon, authenticated, service_role;
grant usage on schema public to anon, authenticated, service_role;

-- Fields of composite types are not null unless their comment says null; contract/database.ts is generated from that.

create type public.member_role as enum ('owner', 'admin', 'editor', 'viewer');
create type public.post_status as enum ('draft', 'scheduled', 'published', 'archived');

-- Raises a refusal: SQLSTATE P0001 unless `state` says otherwise, message for people, code as hint, JSON as detail (validation_failed: field →
-- message). contract/errors.ts has the same codes and messages; a test compares them.
create function private.refuse(code text, detail jsonb default null, state text default 'P0001') returns void
language plpgsql set search_path = '' as $$
declare
  sentence constant text := case code
    when 'unauthenticated' then 'Please sign in to continue.'
    when 'second_factor_required' then 'Two-factor authentication is required here.'
    when 'single_sign_on_required' then 'Sign in with single sign-on to open this workspace.'
    when 'single_sign_on_unavailable' then 'Single sign-on isn''t set up for this email address.'
    when 'single_sign_on_refused' then 'This account can''t join the workspace. Ask its owner for an invitation.'
    when 'forbidden' then 'Your role in this workspace doesn''t allow this.'
    when 'workspace_suspended' then 'This workspace is suspended. You can read and export it, but not change it.'
    when 'scope_missing' then 'This API key isn''t allowed to do this.'
    when 'not_found' then 'Not found, or you don''t have access.'
    when 'subdomain_taken' then 'This subdomain is already taken.'
    when 'subdomain_reserved' then 'This subdomain is reserved. Please choose another one.'
    when 'domain_taken' then 'Another workspace already uses this domain.'
    when 'slug_taken' then 'Another post in this workspace already uses this URL.'
    when 'version_conflict' then 'Post updated elsewhere'
    when 'published_post_locked' then 'Published posts cannot be scheduled or moved back to draft status'
    when 'archived_post_locked' then 'This post is archived. Restore it before you change it.'
    when 'review_required' then 'A second person has to approve posts before readers see them. Ask for approval first.'
    when 'own_review' then 'You can''t approve your own post.'
    when 'review_over' then 'This has already been decided.'
    when 'template_name_taken' then 'Another template already has this name.'
    when 'too_many_templates' then 'A workspace can have 100 templates. Delete one first.'
    when 'already_member' then 'This person is already a member of the workspace.'
    when 'too_many_webhooks' then 'A workspace can have 100 webhooks. Delete one first.'
    when 'webhook_off' then 'This webhook is off. Turn it on first.'
    when 'too_many_factors' then 'You can have 5 authenticator apps. Remove one first.'
    when 'too_many_assistants' then 'You''ve reached the limit of connected assistants. Disconnect one first.'
    when 'import_over' then 'This import was undone. Start a new one.'
    when 'owner_required' then 'Transfer ownership to another member first.'
    when 'invalid_invitation' then 'This invitation link is invalid or has expired.'
    when 'wrong_invitation_account' then 'This invitation was sent to another email address.'
    when 'sign_up_by_invitation' then 'Sign-up is by invitation.'
    when 'sign_up_by_domain' then 'Sign-up isn''t open to email addresses at this domain.'
    when 'sign_up_closed' then 'Sign-up is closed.'
    when 'add_on_required' then 'This workspace doesn''t have the required add-on.'
    when 'validation_failed' then 'Please check the highlighted fields.'
    when 'rate_limited' then 'Too many attempts. Please wait a moment and try again.'
  end;
begin
  if sentence is null then
    raise exception 'no sentence for refusal %', code;
  end if;
  raise exception using errcode = state, message = sentence, hint = code, detail = coalesce(detail::text, '');
end $$;

-- Collapses blanks and line breaks to single spaces and trims.
create function private.clean_line(line text) returns text
language plpgsql immutable strict parallel safe set search_path = '' as $$ -- plpgsql caches its plan, sql plans at each call
begin
  return btrim(regexp_replace(translate(line, U&'\00A0\FEFF\200B', '   '), '\s+', ' ', 'g'));
end $$;

grant execute on function private.refuse to anon, authenticated, service_role;
grant execute on function private.clean_line to authenticated, service_role;

-- supabase/schemas/10-sessions.sql

-- An access token outlives its session by up to an hour, so rights are decided by looking the session up by primary key. After sign-out, a revoked
-- session or a new password, the next statement has no rights, whether by /api, PostgREST, Storage or Realtime.

create function private.has_session() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.is_live(auth.uid(), private.session_id()) and private.is_verified(auth.uid(), private.session_id());
end $$;

-- A banned account's sessions end, and not only their renewal.
create function private.end_sessions_of_banned() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.sessions s where s.user_id = new.id;
  return null;
end $$;
create trigger users_banned_have_no_sessions after update of banned_until, deleted_at on auth.users
for each row when (new.banned_until > now() or new.deleted_at is not null) execute function private.end_sessions_of_banned();

-- A request with an API key acts as the person who made the key; the transaction's claims name it (72-api-keys). Null for people and the system.
create function private.key_id() returns uuid
language plpgsql stable set search_path = '' as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
begin
  if claims is null or strpos(claims, '"key_id"') = 0 then return null; end if;
  return (claims::jsonb ->> 'key_id')::uuid;
end $$;
create function private.key_workspace() returns uuid
language plpgsql stable set search_path = '' as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
begin
  if claims is null or strpos(claims, '"key_id"') = 0 then return null; end if;
  return (claims::jsonb ->> 'key_workspace')::uuid;
end $$;

-- True if the key in use has the scope, and for requests without a key.
create function private.key_has(scope text) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return private.key_id() is null or coalesce(current_setting('request.jwt.claims', true)::jsonb -> 'key_scopes' ? scope, false);
end $$;

-- The caller's id. Null for the system; a refusal if the session has ended or the key no longer works, so that no one mistakes an ended session for
-- an empty workspace. Every function that decides by caller calls this; triggers that only record the caller use auth.uid().
create function private.my_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := auth.uid();
  has_factor boolean;
begin
  if me is null then return null; end if;
  -- private.has_session and private.is_active_member inlined: every statement runs this.
  select exists (select from private.factors f where f.user_id = me and f.confirmed_at is not null) into has_factor from auth.sessions s
  where s.id = (auth.jwt() ->> 'session_id')::uuid and s.user_id = me and (s.not_after is null or s.not_after > now());
  if found and (not has_factor or private.is_verified(me, private.session_id())) then return me; end if;
  perform from public.api_keys k join private.key_calls c on c.call = auth.jwt() ->> 'key_call'
    join public.members m on m.workspace_id = k.workspace_id and m.user_id = k.created_by join auth.users u on u.id = m.user_id
  where k.id = private.key_id() and k.created_by = me and k.workspace_id = private.key_workspace() and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > now()) and (c.scopes is null or c.scopes && k.scopes)
    and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null and private.access_gap(me, k.workspace_id) is null;
  if not found then perform private.refuse('unauthenticated'); end if;
  return me;
end $$;

-- Lists and ends a person's sessions, since the auth service has no call for it. An ended session can't be renewed.

create type public.my_session as (id uuid, user_agent text, created_at timestamptz, last_used_at timestamptz, current boolean);
comment on column public.my_session.user_agent is 'Null: the auth service was told none.';

create function private.session_id() returns uuid
language sql stable set search_path = '' as $$ select (auth.jwt() ->> 'session_id')::uuid $$;

-- private.my_id without API keys, for personal settings.
create function private.person_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.key_id() is not null then perform private.refuse('forbidden'); end if;
  return private.my_id();
end $$;

create function public.my_sessions() returns setof public.my_session
language sql stable security definer set search_path = '' as $$
  select s.id, s.user_agent, s.created_at, used.at, coalesce(s.id = private.session_id(), false) as current
  from auth.sessions s cross join lateral (select coalesce(s.refreshed_at at time zone 'utc', s.created_at)) as used (at)
  where s.user_id = private.person_id() and (s.not_after is null or s.not_after > now())
  order by current desc, used.at desc, s.id
$$;

-- True if there was one. An unconfirmed email change ends with it (12-email-changes).
create function public.end_session(session_id uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  delete from auth.sessions s where s.id = end_session.session_id and s.user_id = me;
  if not found then return false; end if;
  perform private.cancel_email_changes(me);
  return true;
end $$;

create function public.end_other_sessions() returns void
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  delete from auth.sessions s where s.user_id = me and s.id is distinct from private.session_id();
  perform private.cancel_email_changes(me);
end $$;

grant execute on function private.key_id, private.key_workspace, private.key_has, private.has_session, private.my_id, public.my_sessions,
  public.end_session, public.end_other_sessions to authenticated, service_role;

-- supabase/schemas/11-profiles.sql

-- One row per account, with what teammates may see of it: auth.users isn't exposed. The name falls back to the email address before the @.
create table public.profiles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  full_name text not null constraint profiles_full_name_length check (char_length(full_name) between 1 and 120),
  job_title text constraint profiles_job_title_length check (char_length(job_title) between 1 and 120),
  company_name text constraint profiles_company_name_length check (char_length(company_name) between 1 and 120),
  avatar_url text constraint profiles_avatar_url_shape check (avatar_url ~ '^(/[^/]|https?://)' and char_length(avatar_url) <= 2048),
  created_at timestamptz not null default now()
);

create function private.display_name(full_name text, email text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select left(coalesce(nullif(private.clean_line(full_name), ''), nullif(split_part(email, '@', 1), ''), 'Someone'), 120)
$$;

-- Cut to size, since a sign-up must never fail because of its metadata.
create function private.create_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  meta constant jsonb := coalesce(new.raw_user_meta_data, '{}');
  avatar constant text := coalesce(meta ->> 'avatar_url', meta ->> 'picture');
begin
  insert into public.profiles (user_id, full_name, company_name, avatar_url)
  values (
    new.id,
    private.display_name(coalesce(meta ->> 'full_name', meta ->> 'name'), new.email),
    left(private.clean_line(coalesce(meta ->> 'company_name', '')), 120),
    case when avatar ~ '^https://' and char_length(avatar) <= 2048 then avatar end
  )
  on conflict on constraint profiles_pkey do nothing;
  return null;
end $$;
create trigger users_get_a_profile after insert on auth.users for each row execute function private.create_profile();

create function private.clean_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  faults jsonb;
begin
  new.full_name := coalesce(nullif(private.clean_line(new.full_name), ''),
    private.display_name(null, (select u.email from auth.users u where u.id = new.user_id)));
  new.job_title := nullif(private.clean_line(new.job_title), '');
  new.company_name := nullif(private.clean_line(new.company_name), '');
  select coalesce(jsonb_object_agg(f.field, 'Please use at most 120 characters'), '{}') into faults
  from (values ('full_name', new.full_name), ('job_title', new.job_title), ('company_name', new.company_name)) as f (field, line)
  where char_length(f.line) > 120;
  if faults <> '{}' then perform private.refuse('validation_failed', faults); end if;
  return new;
end $$;
create trigger profiles_are_tidy before insert or update on public.profiles
for each row execute function private.clean_profile();

create function private.my_name() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select p.full_name from public.profiles p where p.user_id = auth.uid());
end $$;

create policy "people change their own profile" on public.profiles for update to authenticated
using (user_id = (select private.my_id())) with check (user_id = (select private.my_id()));
-- Readable by teammates (see memberships). Inserted by the account's trigger, deleted by cascade.

grant select on public.profiles to authenticated;
grant update (full_name, job_title, company_name, avatar_url) on public.profiles to authenticated;

-- Accounts older than Tidings.
insert into public.profiles (user_id, full_name)
select u.id, private.display_name(u.raw_user_meta_data ->> 'full_name', u.email) from auth.users u
on conflict on constraint profiles_pkey do nothing;

-- Anyone can sign up with another person's address and choose a password. So if the mailed link is opened in another browser than the one that signed
-- up, the password is replaced by a random one before the link is spent, and the person sets a new one. `browser` is the hash of that browser's
-- cookie. True: the password stays. False: set a new one. Null: no unconfirmed account has this link.
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
  update auth.users u set raw_user_meta_data = u.raw_user_meta_data - '{signup_browser,invitation}'::text[] where u.id = account; -- no longer needed
  if is_known then return true; end if;
  update auth.users u
  set encrypted_password = extensions.crypt(encode(extensions.gen_random_bytes(32), 'hex'), extensions.gen_salt('bf', 10))
  where u.id = account;
  delete from auth.sessions s where s.user_id = account; -- installations without confirmation have some
  return false;
end $$;

-- Queues the person's avatars for deletion, removes the address from invitations and ends open ones, which anyone could accept without it, and removes
-- the name from the audit log.
create function private.erase_person() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.discarded_files (bucket, path)
  select o.bucket_id, o.name from storage.objects o where o.bucket_id = 'avatars' and o.name like old.id || '/%'
  on conflict on constraint discarded_files_pkey do nothing;
  update public.invites i
  set email = null, revoked_at = case when i.accepted_at is null then coalesce(i.revoked_at, clock_timestamp()) end
  where lower(i.email::text) = lower(old.email);
  update private.audit_log a set actor_name = null where a.actor_id = old.id and a.actor_kind = 'person';
  update private.audit_log a set person_name = null where a.person_id = old.id;
  update private.audit_log a set subject = null where a.subject_id = old.id;
  return old;
end $$;
create trigger users_are_forgotten before delete on auth.users for each row execute function private.erase_person();

grant execute on function private.my_name to authenticated, service_role;
grant execute on function public.open_waiting_account to service_role;

-- supabase/schemas/12-email-changes.sql

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

-- supabase/schemas/13-account-deletion.sql

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

-- supabase/schemas/14-factors.sql

-- Two-factor authentication, the same on every auth service: authenticator apps (TOTP, RFC 6238), and which sessions have given a code. The functions
-- check codes, since they hold the key of the secrets; here a time step counts once. Without its code a session has no rights (private.my_id).
create table private.factors (
  id uuid constraint factors_pkey primary key,
  user_id uuid not null constraint factors_user_id_fkey references auth.users (id) on delete cascade,
  name text not null constraint factors_name_length check (char_length(name) between 1 and 60),
  secret text not null, -- encrypted by the functions, bound to the id
  created_at timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz, -- null: its first code wasn't given yet
  last_step bigint not null default 0
);
create index factors_of_user on private.factors (user_id, confirmed_at);

create table private.recovery_codes (
  user_id uuid constraint recovery_codes_user_id_fkey references auth.users (id) on delete cascade,
  hash text, -- SHA-256, hexadecimal
  constraint recovery_codes_pkey primary key (user_id, hash)
);

create table private.verified_sessions (
  session_id uuid constraint verified_sessions_pkey primary key,
  user_id uuid not null constraint verified_sessions_user_id_fkey references auth.users (id) on delete cascade
);
create index verified_sessions_of_user on private.verified_sessions (user_id);

create function private.has_factor(person uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.factors f where f.user_id = person and f.confirmed_at is not null);
end $$;

-- The code of a refusal if a member may not use a workspace yet, else null. Until then it doesn't exist for them, nor for their keys and
-- assistants.
create function private.access_gap(person uuid, workspace uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  needs_factor boolean;
  needs_provider boolean;
begin
  select w.require_second_factor, w.require_single_sign_on into needs_factor, needs_provider
  from public.workspaces w where w.id = workspace and (w.require_second_factor or w.require_single_sign_on);
  return case when needs_factor and not private.has_factor(person) then 'second_factor_required'
    when needs_provider and not private.signed_in_by_provider(person, workspace) then 'single_sign_on_required' end;
end $$;

-- Null for strangers.
create function public.access_gap_of(workspace_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  return private.access_gap(me, access_gap_of.workspace_id)
    from public.members m where m.workspace_id = access_gap_of.workspace_id and m.user_id = me;
end $$;

create type public.second_factor as (factors jsonb, recovery_codes_left int, required_by jsonb, single_sign_on_required_by jsonb);
comment on column public.second_factor.factors is '[{id, name, created_at, is_confirmed}].';
comment on column public.second_factor.required_by is 'Workspaces that require one: [{id, name}].';
comment on column public.second_factor.single_sign_on_required_by is 'Workspaces that this session can''t use: [{id, name, is_owner}].';

create function public.my_second_factor() returns public.second_factor
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  return row(
    coalesce((select jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'created_at', f.created_at, 'is_confirmed', f.confirmed_at is not null)
      order by f.created_at, f.id) from private.factors f where f.user_id = me), '[]'),
    (select count(*)::int from private.recovery_codes c where c.user_id = me),
    coalesce((select jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name) order by lower(w.name), w.id)
      from public.members m join public.workspaces w on w.id = m.workspace_id where m.user_id = me and w.require_second_factor), '[]'),
    coalesce((select jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'is_owner', m.role = 'owner') order by lower(w.name), w.id)
      from public.members m join public.workspaces w on w.id = m.workspace_id
      where m.user_id = me and w.require_single_sign_on and not private.signed_in_by_provider(me, w.id)), '[]'));
end $$;

-- False while a session of someone with a factor hasn't given its code.
create function private.is_verified(person uuid, session uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return not private.has_factor(person)
    or exists (select from private.verified_sessions v where v.session_id = session and v.user_id = person);
end $$;

create function public.needs_second_factor() returns boolean
language sql stable security definer set search_path = '' as $$ select not private.is_verified(auth.uid(), private.session_id()) $$;

-- Replaces one that was never confirmed.
create function public.add_factor(id uuid, name text, secret text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  perform from auth.users u where u.id = me for update; -- the limit also holds for concurrent calls
  delete from private.factors f where f.user_id = me and f.confirmed_at is null;
  if (select count(*) from private.factors f where f.user_id = me) >= 5 then perform private.refuse('too_many_factors'); end if;
  insert into private.factors (id, user_id, name, secret) values (add_factor.id, me, add_factor.name, add_factor.secret);
end $$;

-- For the functions. The encrypted secrets that a code may match; none if the session has ended or the person is banned.
create function public.factor_secrets(person uuid, session uuid, factor uuid default null) returns table (id uuid, secret text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select f.id, f.secret from private.factors f
    where f.user_id = person and private.is_live(person, session) and (f.id = factor or factor is null and f.confirmed_at is not null);
end $$;

create function private.is_live(person uuid, session uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from auth.sessions s join auth.users u on u.id = s.user_id
    where s.id = session and s.user_id = person and (s.not_after is null or s.not_after > now())
      and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null);
end $$;

-- For the functions, once a code has matched at this time step: false if it or a later one was used before. Confirms a new factor.
create function public.accept_factor_code(person uuid, session uuid, factor uuid, step bigint) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  former private.factors;
begin
  select f.* into former from private.factors f where f.id = factor and f.user_id = person for update;
  if former.id is null or former.last_step >= step or not private.is_live(person, session) then return false; end if;
  update private.factors f set last_step = step, confirmed_at = coalesce(f.confirmed_at, clock_timestamp()) where f.id = factor;
  insert into private.verified_sessions (session_id, user_id) values (session, person) on conflict do nothing;
  if former.confirmed_at is null then
    perform private.record_credential_change(person, u.email, 'factor_added', jsonb_build_object('id', factor)) from auth.users u where u.id = person;
  end if;
  delete from private.credential_changes c where c.user_id = person and c.kind = 'factor_reset'; -- it isn't lost
  return true;
end $$;

create function public.spend_recovery_code(person uuid, session uuid, hash text) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_live(person, session) then return false; end if;
  delete from private.recovery_codes c where c.user_id = person and c.hash = spend_recovery_code.hash;
  if not found then return false; end if;
  insert into private.verified_sessions (session_id, user_id) values (session, person) on conflict do nothing;
  perform private.enqueue_account_email('recovery_code_used', email => u.email) from auth.users u where u.id = person;
  return true;
end $$;

-- For the functions, after a code. With `unless_any`, codes that the person has stay, and the answer is false.
create function public.set_recovery_codes(person uuid, hashes text[], unless_any boolean) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform from auth.users u where u.id = person for update;
  if unless_any and exists (select from private.recovery_codes c where c.user_id = person) then return false; end if;
  delete from private.recovery_codes c where c.user_id = person;
  insert into private.recovery_codes (user_id, hash) select person, h from unnest(hashes) as h;
  return true;
end $$;

-- For the functions, after a code. The last one takes the recovery codes along.
create function public.remove_factor(person uuid, factor uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  was private.factors;
begin
  perform from auth.users u where u.id = person for update;
  delete from private.factors f where f.id = factor and f.user_id = person returning f.* into was;
  if was.id is null then return false; end if;
  if not private.has_factor(person) then
    delete from private.recovery_codes c where c.user_id = person;
    delete from private.verified_sessions v where v.user_id = person;
  end if;
  if was.confirmed_at is not null then
    perform private.record_credential_change(person, u.email, 'factor_removed', to_jsonb(was)) from auth.users u where u.id = person;
  end if;
  return true;
end $$;

-- Without a code: by an operator, or a workspace's owner after a day.
create function private.remove_factors(person uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.factors f where f.user_id = person;
  delete from private.recovery_codes c where c.user_id = person;
  delete from auth.sessions s where s.user_id = person;
  perform private.enqueue_account_email('factor_removed', email => u.email) from auth.users u where u.id = person;
end $$;

-- With the link of its email, for a day; answers what it was, or null. Sessions and the password end, since someone else has used them. A reset is
-- cancelled, or with `confirm` done at once.
create function public.undo_credential_change(token text, confirm boolean) returns text
language plpgsql security definer set search_path = '' as $$
declare
  change private.credential_changes;
begin
  if token !~ '^[0-9A-Za-z_-]{48}$' then return null; end if;
  delete from private.credential_changes c
  where c.id = encode(substr(decode(translate(token, '-_', '+/'), 'base64'), 1, 16), 'hex')::uuid
    and sha256(convert_to(private.mail_token('credential change', c.id), 'UTF8')) = sha256(convert_to(token, 'UTF8'))
    and c.created_at > clock_timestamp() - interval '1 day'
  returning c.* into change;
  if change.id is null then return null; end if;
  if change.kind = 'factor_reset' then
    if confirm then perform private.finish_factor_reset(change); end if;
    return change.kind;
  end if;
  if change.kind = 'factor_added' then
    delete from private.factors f where f.id = (change.factor ->> 'id')::uuid and f.user_id = change.user_id;
    if not private.has_factor(change.user_id) then delete from private.recovery_codes c where c.user_id = change.user_id; end if;
  elsif change.kind = 'factor_removed' then
    insert into private.factors select f.* from jsonb_populate_record(null::private.factors, change.factor) as f on conflict do nothing;
  end if;
  perform private.end_credentials(change.user_id);
  return change.kind;
end $$;

create function private.finish_factor_reset(change private.credential_changes) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.members m where m.workspace_id = change.workspace_id and m.user_id = change.user_id) then return; end if;
  perform private.remove_factors(change.user_id);
  perform private.audit(change.workspace_id, 'factor_reset', change.user_id, private.audited_name(change.user_id));
end $$;

-- Hourly.
create function private.finish_factor_resets() returns void
language plpgsql security definer set search_path = '' as $$
declare
  change private.credential_changes;
begin
  for change in delete from private.credential_changes c where c.created_at < clock_timestamp() - interval '1 day' returning c.* loop
    if change.kind = 'factor_reset' then perform private.finish_factor_reset(change); end if;
  end loop;
end $$;

grant execute on function public.my_second_factor, public.needs_second_factor, public.access_gap_of, public.add_factor to authenticated;
grant execute on function public.factor_secrets, public.accept_factor_code, public.spend_recovery_code, public.set_recovery_codes,
  public.remove_factor, public.undo_credential_change to service_role;

-- supabase/schemas/20-workspaces.sql

-- A subdomain has 3–63 of a–z, 0–9 and inner hyphens, isn't reserved, and another workspace didn't release it in the last 30 days (product decision 17).
create table private.reserved_subdomains (
  label text constraint reserved_subdomains_pkey primary key
);
-- The list in contract/limits.ts; a test compares them.
insert into private.reserved_subdomains (label)
select unnest(array[
  'www', 'app', 'api', 'admin', 'mail', 'auth', 'static', 'assets', 'widget', 'status', 'docs', 'blog', 'help',
  'support', 'dev', 'test', 'ftp', 'smtp', 'imap', 'pop', 'ns1', 'ns2', 'cdn', 'img', 'images', 'media', 'files',
  'storage', 'realtime', 'rest', 'functions', 'graphql', 'dashboard', 'account', 'accounts', 'billing', 'login',
  'signup', 'join', 'onboarding', 'releases', 'changelog', 'feed', 'rss', 'tidings', 'root', 'localhost', 'security',
  'abuse', 'postmaster', 'webmaster', 'hostmaster', 'demo-admin', 'internal', 'staging', 'beta'
]);

-- `workspace_id`: the workspace that changed it; readers are redirected there. Null: that workspace was deleted.
create table private.released_subdomains (
  label text constraint released_subdomains_pkey primary key,
  released_at timestamptz not null default now(),
  workspace_id uuid
);
create index released_subdomains_of_workspace on private.released_subdomains (workspace_id);

create function private.is_subdomain(label text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(lower(label) ~ '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$', false)
$$;

-- The origin as browsers send it, without the default port; null unless it is an http(s) URL. Only a workspace's website needs a top-level domain.
create function private.url_origin(url text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select regexp_replace(regexp_replace(part[1], '^(http://[^:]+):80$', '\1'), '^(https://[^:]+):443$', '\1')
  from regexp_match(lower(btrim(url)), '^(https?://[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?)(?:[/?#]|$)') as part
  where coalesce(substring(part[1] from ':([0-9]+)$')::integer, 0) <= 65535
$$;

create function private.is_website(url text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(char_length(url) <= 2048 and split_part(private.url_origin(url), '//', 2)
    ~ '^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)(?::[0-9]+)?$', false)
$$;

create function private.are_origins(origins text[]) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select cardinality(origins) <= 20
    and not exists (select from unnest(origins) as o (origin) where o.origin is distinct from private.url_origin(o.origin))
$$;

create table public.workspaces (
  id uuid constraint workspaces_pkey primary key default gen_random_uuid(),
  name text not null constraint workspaces_name_length check (char_length(name) between 1 and 120),
  subdomain extensions.citext not null
    constraint workspaces_subdomain_key unique
    constraint workspaces_subdomain_shape check (private.is_subdomain(subdomain::text)),
  origin text constraint workspaces_origin_is_website check (origin is null or private.is_website(origin)),
  allowed_origins text[] not null default '{}' constraint workspaces_allowed_origins_shape check (private.are_origins(allowed_origins)),
  logo_url text constraint workspaces_logo_url_shape check (logo_url ~ '^(/[^/]|https?://)' and char_length(logo_url) <= 2048),
  public_changelog_enabled boolean not null default false,
  require_second_factor boolean not null default false, -- of its members (14-factors)
  require_single_sign_on boolean not null default false, -- 43-single-sign-on
  join_by_domain boolean not null default false, -- people of its proven email domains (43-single-sign-on)
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  suspension jsonb, -- {since, message, contact} by an operator (53-operator): members read and export, readers get 410, nothing is sent
  is_open boolean not null generated always as (public_changelog_enabled and suspension is null) stored -- readers see its posts
);
create index workspaces_with_requirements on public.workspaces (id) where require_second_factor or require_single_sign_on;
alter table private.released_subdomains add constraint released_subdomains_workspace_id_fkey
  foreign key (workspace_id) references public.workspaces (id) on delete set null;

-- Validation errors by field, in the words of the specification (section 5).
create function private.workspace_faults(name text, origin text) returns jsonb
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return
    case when coalesce(name, '') = '' then '{"name": "Business name is required"}'::jsonb
      when char_length(name) > 120 then '{"name": "Please use at most 120 characters"}' else '{}' end
    || case when origin is not null and not private.is_website(origin)
      then '{"origin": "Please enter a valid URL (e.g., https://example.com)"}'::jsonb else '{}' end;
end $$;

create function private.clean_workspace() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  faults jsonb;
begin
  new.name := private.clean_line(new.name);
  new.subdomain := lower(new.subdomain::text);
  new.origin := nullif(btrim(new.origin), '');
  new.updated_at := clock_timestamp();
  faults := private.workspace_faults(new.name, new.origin);
  if not private.are_origins(new.allowed_origins) then
    faults := faults || '{"allowed_origins": "Please use at most 20 origins like https://example.com"}';
  end if;
  if faults <> '{}' then perform private.refuse('validation_failed', faults); end if;
  return new;
end $$;
create trigger workspaces_are_tidy before insert or update on public.workspaces
for each row execute function private.clean_workspace();

-- Refuses a released subdomain, after the unique index has waited for a transaction that released it, and releases the former one.
create function private.release_subdomain() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from private.released_subdomains r where r.label = new.subdomain::text and r.released_at > now() - interval '30 days') then
    perform private.refuse('subdomain_taken');
  end if;
  if old.subdomain::text is distinct from new.subdomain::text and tg_op <> 'INSERT' then
    insert into private.released_subdomains (label, workspace_id)
    values (lower(old.subdomain::text), case when tg_op = 'UPDATE' then old.id end)
    on conflict on constraint released_subdomains_pkey do update set released_at = excluded.released_at, workspace_id = excluded.workspace_id;
  end if;
  return null;
end $$;
create trigger workspaces_10_subdomain after insert or delete or update of subdomain on public.workspaces
for each row execute function private.release_subdomain();

-- 'free', or 'invalid', 'subdomain_reserved', 'subdomain_taken'. New labels can't begin with "xn--": browsers show these as look-alike names.
create function public.subdomain_status(subdomain text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  wanted constant text := lower(btrim(subdomain));
begin
  perform private.my_id();
  if not private.is_subdomain(wanted) or wanted like 'xn--%' then return 'invalid'; end if;
  if exists (select from private.reserved_subdomains r where r.label = wanted) then return 'subdomain_reserved'; end if;
  if exists (select from public.workspaces w where w.subdomain operator (extensions.=) wanted::extensions.citext)
    or exists (select from private.released_subdomains r where r.label = wanted and r.released_at > now() - interval '30 days')
  then return 'subdomain_taken'; end if;
  return 'free';
end $$;

grant select on public.workspaces to authenticated;
grant update (name, origin, allowed_origins, logo_url, public_changelog_enabled) on public.workspaces to authenticated;
-- Inserted by create_workspace, deleted by delete_workspace. The subdomain is changed by change_subdomain.

grant execute on function private.is_subdomain, private.url_origin, private.is_website, private.are_origins, public.subdomain_status
  to authenticated, service_role;

-- supabase/schemas/21-members.sql

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

-- supabase/schemas/22-team.sql

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

-- supabase/schemas/23-add-ons.sql

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

-- supabase/schemas/24-workspace-calls.sql

create type public.my_workspace as (
  id uuid, name text, subdomain text, origin text, allowed_origins text[], logo_url text, public_changelog_enabled boolean,
  created_at timestamptz, role public.member_role, suspension jsonb
);
comment on column public.my_workspace.origin is 'Null: no website.';
comment on column public.my_workspace.logo_url is 'Null: no logo.';
comment on column public.my_workspace.suspension is 'Null: it is not suspended.';

create function public.my_workspaces() returns setof public.my_workspace
language plpgsql stable set search_path = '' as $$
begin
  return query
    select w.id, w.name, w.subdomain::text, w.origin, w.allowed_origins, w.logo_url, w.public_changelog_enabled, w.created_at, m.role, w.suspension
    from public.members m join public.workspaces w on w.id = m.workspace_id
    where m.user_id = private.my_id()
    order by lower(w.name), w.created_at;
end $$;

create function public.workspace_role(workspace_id uuid) returns text
language sql stable set search_path = '' as $$ select private.my_role(workspace_id)::text $$;

-- Before a key stores an image with the service role.
create function public.require_writer(workspace_id uuid) returns void
language sql stable set search_path = '' as $$ select private.require_role(workspace_id, '{owner,admin,editor}') $$;

-- The caller becomes the owner, the job title goes to the profile, and the website becomes an allowed origin of the widget.
create function public.create_workspace(name text, subdomain text, origin text, job_title text, idempotency_key text default null)
returns public.my_workspace
language plpgsql security definer set search_path = '' as $$
declare
  wrong jsonb := '{}';
  availability constant text := public.subdomain_status(subdomain);
  earlier jsonb;
  made public.workspaces;
  answer public.my_workspace;
begin
  if private.my_id() is null then perform private.refuse('unauthenticated'); end if;
  earlier := private.claim_request(idempotency_key, jsonb_build_array('create_workspace', name, subdomain, origin, job_title)::text);
  if earlier is not null then return jsonb_populate_record(null::public.my_workspace, earlier); end if;

  wrong := private.workspace_faults(private.clean_line(name), nullif(btrim(origin), ''));
  if coalesce(btrim(origin), '') = '' then wrong := wrong || '{"origin": "Website URL is required"}'; end if;
  if coalesce(btrim(subdomain), '') = '' then wrong := wrong || '{"subdomain": "Subdomain is required"}';
  elsif availability = 'invalid' then
    wrong := wrong || '{"subdomain": "Please use 3 to 63 letters, digits and hyphens, beginning and ending with a letter or digit"}'; end if;
  if coalesce(private.clean_line(job_title), '') = '' then wrong := wrong || '{"jobTitle": "Your job title is required"}';
  elsif char_length(private.clean_line(job_title)) > 120 then wrong := wrong || '{"jobTitle": "Please use at most 120 characters"}'; end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  if availability <> 'free' then perform private.refuse(availability); end if;

  begin
    insert into public.workspaces (name, subdomain, origin, allowed_origins)
    values (name, lower(btrim(subdomain)), btrim(origin), array[private.url_origin(origin)]) returning * into made;
  exception when unique_violation then
    perform private.refuse('subdomain_taken');
  end;
  insert into public.members (workspace_id, user_id, role) values (made.id, private.my_id(), 'owner');
  insert into public.workspace_add_ons (workspace_id, add_on, granted_by) values (made.id, 'teams', private.my_id());
  update public.profiles p set job_title = create_workspace.job_title where p.user_id = private.my_id();

  answer := row(made.id, made.name, made.subdomain, made.origin, made.allowed_origins, made.logo_url, made.public_changelog_enabled,
    made.created_at, 'owner', null);
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
  return answer;
end $$;

-- Changes the given fields as the caller; null removes an origin or a logo. Only the owner opens or closes the public page.
create function public.change_workspace(workspace_id uuid, changes jsonb) returns public.my_workspace
language plpgsql set search_path = '' as $$
declare
  mine constant public.member_role := private.require_role(workspace_id,
    case when changes ? 'public_changelog_enabled' then '{owner}' else '{owner,admin}' end::public.member_role[]);
  now_is public.workspaces;
begin
  update public.workspaces w set
    name = case when changes ? 'name' then changes ->> 'name' else w.name end,
    origin = case when changes ? 'origin' then changes ->> 'origin' else w.origin end,
    allowed_origins = case when changes ? 'allowed_origins' then array(select jsonb_array_elements_text(changes -> 'allowed_origins'))
      else w.allowed_origins end,
    logo_url = case when changes ? 'logo_url' then changes ->> 'logo_url' else w.logo_url end,
    public_changelog_enabled = case when changes ? 'public_changelog_enabled' then (changes ->> 'public_changelog_enabled')::boolean
      else w.public_changelog_enabled end
  where w.id = change_workspace.workspace_id returning w.* into now_is;
  if now_is.id is null then perform private.refuse('not_found'); end if;
  return row(now_is.id, now_is.name, now_is.subdomain::text, now_is.origin, now_is.allowed_origins, now_is.logo_url, now_is.public_changelog_enabled,
    now_is.created_at, mine, now_is.suspension);
end $$;

-- Readers of the old one are redirected for 30 days, in which only this workspace can take it back.
create function public.change_subdomain(workspace_id uuid, subdomain text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant text := lower(btrim(subdomain));
  status text;
begin
  perform private.require_role(asked, '{owner}');
  perform from public.workspaces w where w.id = asked for no key update;
  if wanted = (select w.subdomain::text from public.workspaces w where w.id = asked) then return wanted; end if;
  if 3 <= (
    select count(*) from private.released_subdomains r
    where r.workspace_id = asked and r.label <> wanted and r.released_at > now() - interval '30 days'
  ) then
    perform private.refuse('validation_failed', '{"subdomain": "You can change it three times in 30 days"}');
  end if;
  delete from private.released_subdomains r where r.label = wanted and r.workspace_id = asked;
  status := public.subdomain_status(wanted);
  if status = 'invalid' then
    perform private.refuse('validation_failed', '{"subdomain": "Please use 3 to 63 letters, digits and hyphens, beginning and ending with a letter or digit"}');
  elsif status <> 'free' then
    perform private.refuse(status);
  end if;
  update public.workspaces w set subdomain = wanted where w.id = asked;
  return wanted;
exception when unique_violation then
  perform private.refuse('subdomain_taken');
end $$;

grant execute on function public.my_workspaces, public.workspace_role, public.require_writer, public.create_workspace, public.change_workspace,
  public.change_subdomain to authenticated, service_role;

-- supabase/schemas/25-workspace-security.sql

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

-- supabase/schemas/26-reader-access.sql

-- Access to public changelogs. Without a row, everyone can read. A reader's key is a MAC over the workspace or the member, and the generation, so a new
-- generation ends all of them. Functions for readers take a name, 'acme' or 'acme~key', and private.open_workspace refuses those without access.
-- 'acme~key~token', the key maybe empty, is a reader whom the workspace's product identifies.
create table private.reader_access (
  workspace_id uuid constraint reader_access_pkey primary key
    constraint reader_access_workspace_id_fkey references public.workspaces (id) on delete cascade,
  access text not null constraint reader_access_access check (access in ('public', 'unlisted', 'link', 'password', 'token', 'members')),
  password_hash text, -- bcrypt
  emails_content boolean not null default false,
  generation int not null default 1,
  remembers_readers boolean not null default false, -- private.reader_marks
  constraint reader_access_password check ((access = 'password') = (password_hash is not null))
);

create function private.access_of(workspace uuid) returns private.reader_access
language plpgsql stable security definer set search_path = '' as $$
declare
  a private.reader_access;
begin
  select r.* into a from private.reader_access r where r.workspace_id = workspace;
  if a.access is null then a := row(workspace, 'public', null, false, 0, false); end if;
  return a;
end $$;

create function private.reader_key(workspace uuid, who uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.mail_token('reader ' || workspace, who, (private.access_of(workspace)).generation);
end $$;

-- True if anyone may read, or the key is the workspace's or that of one of its members. With `members` only the latter count.
create function private.admits(workspace uuid, key text default null) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  mode constant text := (select r.access from private.reader_access r where r.workspace_id = workspace);
  who uuid;
begin
  if mode is null or mode in ('public', 'unlisted') then return true; end if;
  who := private.id_of_mail_token(key);
  if who is null then return false; end if;
  return private.token_hash(key) = private.token_hash(private.reader_key(workspace, who)) -- hashes, against timing attacks
    and (who = workspace and mode <> 'members'
      or exists (select from public.members m where m.workspace_id = workspace and m.user_id = who));
end $$;

-- The workspace's key for the right password, else null, and 'later' after `size` wrong ones in `period_seconds` from a network. As slow for a workspace
-- without a password.
create function private.enter_by_password(subdomain text, password text, network text, size int, period_seconds int) returns text
language plpgsql security definer set search_path = '' as $$
declare
  a private.reader_access;
begin
  if public.take_token('readerPassword', network, size, make_interval(secs => period_seconds)) > 0 then return 'later'; end if;
  select r.* into a from private.reader_access r join public.workspaces w on w.id = r.workspace_id
  where w.subdomain operator (extensions.=) enter_by_password.subdomain::extensions.citext and w.is_open and r.access = 'password';
  if extensions.crypt(password, coalesce(a.password_hash, '$2a$10$abcdefghijklmnopqrstuuMOZxlAqfWRfOwnyWJTUPuUzvUVDmDnK')) is distinct from a.password_hash
  then return null; end if;
  perform public.give_back_token('readerPassword', network, size);
  return private.reader_key(a.workspace_id, a.workspace_id);
end $$;

-- The secret with which a product signs its readers' tokens.
create function private.reader_token_secret(workspace uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.mail_token('reader token', workspace, (private.access_of(workspace)).generation);
end $$;

-- The claims of a token of a workspace's product, else null: a JWT signed by HS256, for the audience tidings:acme, valid for a day at most.
create function private.token_claims(workspace uuid, subdomain text, token text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  parts constant text[] := string_to_array(token, '.');
  signature text;
  claims jsonb;
begin
  if workspace is null or char_length(token) > 4096 or token !~ '^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$' then return null; end if;
  signature := translate(encode(extensions.hmac(
    parts[1] || '.' || parts[2], private.reader_token_secret(workspace), 'sha256'), 'base64'), E'+/=\n', '-_');
  if (private.token_hash(signature) = private.token_hash(parts[3])) is not true then return null; end if;
  claims := private.json_of_base64url(parts[2]);
  if private.json_of_base64url(parts[1]) ->> 'alg' = 'HS256' and claims ->> 'aud' = 'tidings:' || lower(token_claims.subdomain)
    and to_timestamp((claims ->> 'exp')::double precision) between now() and now() + interval '1 day'
  then return claims; end if;
  return null;
exception when data_exception then
  return null;
end $$;

-- The workspace's key for a token of its product, else null.
create function private.enter_by_token(subdomain text, token text) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select private.reader_key(w.id, w.id) from private.reader_access r join public.workspaces w on w.id = r.workspace_id
    where w.subdomain operator (extensions.=) enter_by_token.subdomain::extensions.citext and w.is_open and r.access = 'token'
      and private.token_claims(w.id, enter_by_token.subdomain, enter_by_token.token) is not null);
end $$;

create function private.json_of_base64url(part text) returns jsonb
language sql immutable set search_path = '' as $$
  select convert_from(decode(rpad(translate(part, '-_', '+/'), (char_length(part) + 3) / 4 * 4, '='), 'base64'), 'UTF8')::jsonb
$$;

-- Addresses of images in private changelogs. The file's name and an end are sealed (AES with a synthetic IV), so readers never learn the permanent address
-- of a file, and a new generation ends all addresses.
create function private.image_key(workspace uuid) returns bytea
language plpgsql stable security definer set search_path = '' as $$
begin
  return extensions.hmac(convert_to('image', 'UTF8') || uuid_send(workspace) || int4send((private.access_of(workspace)).generation),
    (select k.key from private.mail_key k), 'sha256');
end $$;

create function private.image_address(workspace uuid, file text, until timestamptz) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  key constant bytea := private.image_key(workspace);
  content constant bytea := int8send(extract(epoch from until)::bigint) || convert_to(file, 'UTF8');
  iv constant bytea := substr(extensions.hmac(content, key, 'sha256'), 1, 16);
begin
  return '/releases/images/' || translate(
    encode(uuid_send(workspace) || iv || extensions.encrypt_iv(content, sha256(key), iv, 'aes'), 'base64'), E'+/=\n', '-_');
end $$;

-- Of a private changelog's files, by name; null for others. Valid for one or two periods of `days`, and the same within a period, so caches can keep pages.
create function private.image_addresses(workspace uuid, files text[], days int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  period constant int := days * 86400;
  until constant timestamptz := to_timestamp((floor(extract(epoch from now()) / period) + 2) * period);
begin
  if private.admits(workspace) or not exists (select from public.workspaces w where w.id = workspace and w.is_open) then return null; end if;
  return (select jsonb_object_agg(f, private.image_address(workspace, f, until)) from unnest(files[1:1000]) as f);
end $$;

-- The path in the bucket post-images, or null if the address is forged, expired or of a former generation.
create function private.image_path(token text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  sealed bytea;
  workspace uuid;
  key bytea;
  iv bytea;
  content bytea;
begin
  if token !~ '^[A-Za-z0-9_-]{64,200}$' then return null; end if;
  sealed := decode(rpad(translate(token, '-_', '+/'), (char_length(token) + 3) / 4 * 4, '='), 'base64');
  workspace := encode(substr(sealed, 1, 16), 'hex')::uuid;
  if not exists (select from public.workspaces w where w.id = workspace and w.is_open) then return null; end if;
  key := private.image_key(workspace);
  iv := substr(sealed, 17, 16);
  content := extensions.decrypt_iv(substr(sealed, 33), sha256(key), iv, 'aes');
  if sha256(substr(extensions.hmac(content, key, 'sha256'), 1, 16)) <> sha256(iv)
    or to_timestamp(('x' || encode(substr(content, 1, 8), 'hex'))::bit(64)::bigint) < now() then return null; end if;
  return workspace || '/' || convert_from(substr(content, 9), 'UTF8');
exception when data_exception or external_routine_invocation_exception then
  return null;
end $$;

-- What readers whom the workspace's product identifies have seen in the widget, on whichever device. Their ids are stored as MACs.
create table private.reader_marks (
  workspace_id uuid not null constraint reader_marks_workspace_id_fkey references public.workspaces (id) on delete cascade,
  reader bytea not null,
  seen_up_to timestamptz not null, -- the newest post's time
  marked_at timestamptz not null default now(),
  constraint reader_marks_pkey primary key (workspace_id, reader)
);
create index reader_marks_by_age on private.reader_marks (marked_at);

create function private.reader_mac(workspace uuid, sub text) returns bytea
language plpgsql stable set search_path = '' as $$
begin
  return extensions.hmac(convert_to('reader mark ' || workspace || ' ' || sub, 'UTF8'), (select k.key from private.mail_key k), 'sha256');
end $$;

create type public.workspace_access as (access text, emails_content boolean, key text, token_secret text, remembers_readers boolean);
comment on column public.workspace_access.key is 'Of the secret link; null unless that gives access.';

create function public.read_workspace_access(workspace_id uuid) returns public.workspace_access
language plpgsql stable security definer set search_path = '' as $$
declare
  a private.reader_access;
begin
  perform private.require_role(workspace_id, '{owner,admin}', true);
  a := private.access_of(workspace_id);
  return row(a.access, a.emails_content, case when a.access = 'link' then private.reader_key(workspace_id, workspace_id) end,
    private.reader_token_secret(workspace_id), a.remembers_readers);
end $$;

-- Another way of access, another password or `renew` ends the access of all readers. Without a password, or `remembers_readers`, the present one stays.
create function public.set_workspace_access(
  workspace_id uuid, access text, emails_content boolean, renew boolean, password text default null, remembers_readers boolean default null
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  former private.reader_access;
  hash text;
  changes jsonb;
begin
  perform private.require_role(workspace_id, '{owner,admin}');
  perform from public.workspaces w where w.id = set_workspace_access.workspace_id for no key update;
  former := private.access_of(workspace_id);
  if set_workspace_access.access = 'password' then
    hash := case when password is null then former.password_hash else extensions.crypt(password, extensions.gen_salt('bf', 10)) end;
    if hash is null then perform private.refuse('validation_failed', '{"password": "Please enter a password"}'); end if;
  end if;
  insert into private.reader_access as r (workspace_id, access, password_hash, emails_content, remembers_readers, generation)
  values (set_workspace_access.workspace_id, set_workspace_access.access, hash, set_workspace_access.emails_content,
    coalesce(set_workspace_access.remembers_readers, false), (renew or set_workspace_access.access <> 'public')::int) -- 0 without a row
  on conflict on constraint reader_access_pkey do update set
    access = excluded.access, password_hash = excluded.password_hash, emails_content = excluded.emails_content,
    remembers_readers = coalesce(set_workspace_access.remembers_readers, r.remembers_readers),
    generation = r.generation + (renew or r.access <> excluded.access or r.password_hash is distinct from excluded.password_hash)::int;
  if not set_workspace_access.remembers_readers then
    delete from private.reader_marks m where m.workspace_id = set_workspace_access.workspace_id;
  end if;
  perform private.raise_public_versions(array[workspace_id]);
  changes := jsonb_strip_nulls(jsonb_build_object(
    'access', case when former.access <> set_workspace_access.access then jsonb_build_array(former.access, set_workspace_access.access) end,
    'password', case when former.password_hash <> hash then 'changed' end,
    'emails_content', case when former.emails_content <> set_workspace_access.emails_content
      then jsonb_build_array(former.emails_content, set_workspace_access.emails_content) end,
    'remembers_readers', case when former.remembers_readers <> set_workspace_access.remembers_readers
      then jsonb_build_array(former.remembers_readers, set_workspace_access.remembers_readers) end,
    'ended', case when renew then true end));
  if changes <> '{}' then perform private.audit(workspace_id, 'access_changed', null, null, changes); end if;
end $$;

-- A member's key, with which the public page opens for them.
create function public.my_reader_key(workspace_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role(workspace_id, '{owner,admin,editor,viewer}', true);
  return private.reader_key(workspace_id, private.person_id());
end $$;

grant execute on function private.enter_by_password, private.enter_by_token, private.image_addresses, private.image_path to anon;
grant execute on function public.read_workspace_access, public.set_workspace_access, public.my_reader_key to authenticated;

-- supabase/schemas/28-post-details.sql

-- A post's details: facts about the product, and where and to whom the post is shown.

-- Normalises a post's placement (contract/rules/placement.ts); null for anything invalid.
create function private.clean_placement(placement jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  surface constant text := placement ->> 'surface';
  selector constant text := case when surface in ('spotlight', 'inline') then left(private.clean_line(placement ->> 'selector'), 200) end;
  starts constant text := private.iso_time((placement ->> 'from')::timestamptz);
  ends constant text := private.iso_time((placement ->> 'until')::timestamptz);
begin
  if surface in ('banner-top', 'banner-bottom', 'modal', 'toast') or surface in ('spotlight', 'inline') and selector <> '' then
    if starts >= ends then perform private.refuse('validation_failed', '{"placement.until": "Please choose a time after the start"}'); end if;
    return jsonb_build_object('surface', surface, 'selector', selector, 'push', surface = 'banner-top' and placement -> 'push' = 'true',
      'from', starts, 'until', ends, 'again', case
        when placement ->> 'again' = 'session' then placement -> 'again'
        when jsonb_typeof(placement -> 'again') = 'number' then to_jsonb(least(greatest((placement ->> 'again')::numeric::int, 1), 365))
        else '"never"' end);
  end if;
  return null;
end $$;

-- Normalises details (contract/rules/post-details.ts); fields that are invalid are left out, null if none is left.
create function private.clean_details(details jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  button constant jsonb := jsonb_build_object('text', left(private.clean_line(details #>> '{button,text}'), 40),
    'url', details #>> '{button,url}');
  audience constant jsonb := nullif(details -> 'audience', 'null');
  kept jsonb;
begin
  -- Left out, it would show the post to everyone. A rule that is invalid otherwise matches no one (contract/rules/audience.ts).
  if (audience = '"internal"' or jsonb_typeof(audience) = 'object' and octet_length(audience::text) <= 50000) is false then
    perform private.refuse('validation_failed', '{"audience": "This audience isn''t valid"}');
  end if;
  if jsonb_typeof(details) is distinct from 'object' then return null; end if;
  kept := jsonb_strip_nulls(jsonb_build_object(
    'pinned_until', private.iso_time((details ->> 'pinned_until')::timestamptz),
    'expires_at', private.iso_time((details ->> 'expires_at')::timestamptz),
    'button', case when button ->> 'text' <> '' and button ->> 'url' ~* '^https?://[^[:space:][:cntrl:]]+$'
      and char_length(button ->> 'url') <= 2048 then button end,
    'version', case when details ->> 'version' ~ '^[0-9]{1,15}([.][0-9]{1,15}){0,3}(-[0-9A-Za-z.-]+)?([+][0-9A-Za-z.-]+)?$'
      and char_length(details ->> 'version') <= 60 then details -> 'version' end,
    'component', nullif(left(private.clean_line(details ->> 'component'), 40), ''),
    'breaking', case when details -> 'breaking' = 'true' then true end,
    'security', case when details -> 'security' = 'true' then true end,
    'placement', private.clean_placement(details -> 'placement')));
  if audience is not null then kept := kept || jsonb_build_object('audience', audience); end if;
  if kept ->> 'pinned_until' >= kept ->> 'expires_at' then
    perform private.refuse('validation_failed', '{"pinned_until": "Please choose a time before the post expires"}');
  end if;
  return nullif(kept, '{}');
end $$;

-- supabase/schemas/29-jobs.sql

-- The queue: work that runs later, written in the transaction of its cause and claimed by the workers of the functions (edge-functions/_shared/jobs.ts).

-- `retry_after`: seconds after the first, second … failed attempt; the last one repeats until `max_attempts` (null: forever). `per_key`: how many jobs
-- of one key run at once; after a failure one. `per_workspace` (null: any) bounds those of a workspace.
create table private.job_tasks (
  task text constraint job_tasks_pkey primary key,
  retry_after int[] not null,
  max_attempts int,
  lease interval not null,
  per_key int not null,
  per_workspace int,
  while_suspended boolean not null default true
);
insert into private.job_tasks (task, retry_after, max_attempts, lease, per_key, per_workspace, while_suspended) values
  ('backup', '{600,3600}', null, '2 minutes', 1, null, true),
  ('check_domain', '{600}', null, '10 minutes', 5, null, true),
  ('check_email_domain', '{600}', null, '2 minutes', 5, null, true),
  ('draw_og_image', '{60,300,1800,7200,43200}', 6, '2 minutes', 2, null, true),
  ('enqueue_digests', '{60}', null, '2 minutes', 1, null, true),
  ('enqueue_reports', '{60}', null, '2 minutes', 1, null, true),
  ('send_account_email', '{120,240,480,960,1920,3840,7680}', 8, '2 minutes', 1, null, true),
  ('send_emails', '{60,300,1800,7200,21600,86400}', null, '2 minutes', 4, null, true), -- of each email
  ('send_webhook', '{5,300,1800,7200,18000,36000,50400,72000,86400}', null, '45 seconds', 16, 32, false); -- an attempt takes 15 s

-- `id`: of what it is about. `key`: what shares `per_key`, mostly the workspace. `run_at`: when it is due, or the end of its lease; infinity: failed.
create table private.jobs (
  id uuid constraint jobs_pkey primary key,
  task text not null constraint jobs_task_fkey references private.job_tasks (task),
  workspace_id uuid constraint jobs_workspace_id_fkey references public.workspaces (id) on delete cascade,
  key uuid not null,
  run_at timestamptz not null,
  priority int not null, -- lower first
  attempts int not null default 0,
  locked_at timestamptz,
  locked_by uuid, -- the lease
  last_error text constraint jobs_last_error_length check (char_length(last_error) <= 500)
);
create index jobs_of_workspace on private.jobs (workspace_id);
create index jobs_due on private.jobs (task, run_at);
create index jobs_due_of_key on private.jobs (task, key, priority, run_at);
create index jobs_under_way on private.jobs (task, key) where locked_by is not null;
create index jobs_failing on private.jobs (task, key) where last_error is not null;

alter table private.account_mails add constraint account_mails_id_fkey foreign key (id) references private.jobs (id) on delete cascade;

-- Adds a job, or starts it anew: a worker that has it loses its lease.
create function private.add_job(
  task text, id uuid, workspace uuid, run_at timestamptz default clock_timestamp(), key uuid default null, priority int default 0
) returns void
language sql security definer set search_path = '' as $$
  insert into private.jobs (id, task, workspace_id, key, run_at, priority)
  values (add_job.id, add_job.task, workspace, coalesce(add_job.key, workspace, add_job.id), add_job.run_at, add_job.priority)
  on conflict on constraint jobs_pkey do update set
    run_at = excluded.run_at, priority = excluded.priority, attempts = 0, locked_by = null, last_error = null
$$;

-- Ends a job that `lease` holds: it is done, or with `error` tried again until it has failed, or with `again` runs again after so many seconds,
-- which isn't counted as an attempt (with both: not sooner). Retries have jitter. False if the lease is lost. Lock order: what the job is about, then the job.
create function private.end_job(id uuid, lease uuid, error text default null, again numeric default null) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(error, again::text) is null then
    delete from private.jobs j where j.id = end_job.id and j.locked_by = end_job.lease;
  else
    update private.jobs j set locked_by = null, last_error = left(error, 500), attempts = j.attempts - (error is null)::int,
      run_at = case when error is not null and j.attempts >= t.max_attempts then 'infinity' else clock_timestamp() + interval '1 second'
        * greatest(again, case when error is not null then t.retry_after[least(j.attempts, cardinality(t.retry_after))] * (1 + random() / 10) end) end
    from private.job_tasks t where t.task = j.task and j.id = end_job.id and j.locked_by = end_job.lease;
  end if;
  return found;
end $$;

-- For workers: ends jobs ([{id, lease, error, again}]), then leases due ones, at most {task: number}. Keys and workspaces take turns.
create function public.work_jobs(ended jsonb default '[]', capacity jsonb default '{}')
returns table (id uuid, task text, workspace_id uuid, attempt int, lease uuid)
language plpgsql security definer set search_path = '' as $$
declare
  moment timestamptz;
  holder constant uuid := gen_random_uuid();
begin
  perform private.end_job(e.id, e.lease, e.error, e.again)
  from (select * from jsonb_to_recordset(ended) as e (id uuid, lease uuid, error text, again numeric) order by e.id) as e;
  moment := clock_timestamp();
  return query
    with recursive tasks as (
      select t.*, c.value::int as capacity from jsonb_each_text(work_jobs.capacity) c join private.job_tasks t on t.task = c.key
      where c.value::int > 0 and exists (select from private.jobs j where j.task = t.task and j.run_at <= moment)
    ), keys as ( -- index order
      select t.task, (select j.key from private.jobs j where j.task = t.task order by j.key limit 1) as key from tasks t
      union all
      select k.task, (select j.key from private.jobs j where j.task = k.task and j.key > k.key order by j.key limit 1) from keys k where k.key is not null
    ), of_workspaces as (
      select j.task, j.workspace_id, count(*) as amount from private.jobs j where j.locked_by is not null and j.run_at > moment group by 1, 2
    ), waiting as (
      select n.*, t.task, t.capacity, t.per_workspace,
        row_number() over (partition by t.task, n.workspace_id order by n.turn, n.priority, n.run_at)
          + coalesce((select w.amount from of_workspaces w where w.task = t.task and w.workspace_id = n.workspace_id), 0) as turn_of_workspace
      from keys k join tasks t on t.task = k.task,
        lateral (
          select count(*) as amount, case when not t.while_suspended and private.is_suspended( -- all jobs of a key are of one workspace
            (select s.workspace_id from private.jobs s where s.task = k.task and s.key = k.key limit 1)
          ) then 0 when exists (
            select from private.jobs f where f.task = k.task and f.key = k.key and f.last_error is not null and f.run_at < 'infinity'
          ) then 1 else t.per_key end as most
          from private.jobs j where j.task = k.task and j.key = k.key and j.locked_by is not null and j.run_at > moment
        ) as u,
        lateral (
          select j.id, j.workspace_id, j.priority, j.run_at, u.amount + row_number() over (order by j.priority, j.run_at, j.id) as turn from private.jobs j
          where j.task = k.task and j.key = k.key and j.run_at <= moment
          order by j.priority, j.run_at, j.id limit greatest(least(u.most - u.amount, t.capacity), 0)
        ) as n
    ), candidates as (
      select c.id from (
        select w.id, w.capacity, row_number() over (
          partition by w.task order by greatest(w.turn, w.turn_of_workspace), w.turn, w.priority, w.run_at
        ) as place
        from waiting w where w.turn_of_workspace <= coalesce(w.per_workspace, w.turn_of_workspace)
      ) as c where c.place <= c.capacity
    ), held as (
      select j.id from private.jobs j where j.id = any (array(select c.id from candidates c)) and j.run_at <= moment for update skip locked
    ), taken as (
      update private.jobs j set
        run_at = case when j.attempts >= t.max_attempts then 'infinity' else moment + t.lease end, -- interrupted too often
        attempts = j.attempts + 1, locked_at = moment, locked_by = case when j.attempts >= t.max_attempts then null else holder end
      from held h, private.job_tasks t where j.id = h.id and t.task = j.task returning j.*
    )
    select t.id, t.task, t.workspace_id, t.attempts, t.locked_by from taken t where t.locked_by is not null;
end $$;
grant execute on function public.work_jobs to service_role;

-- supabase/schemas/30-posts.sql

-- The name shown for a post's creator (contract/rules/creator-name.ts; specification, section 5).
create function private.creator_name(author_name text, created_by_name text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return coalesce(nullif(btrim(author_name), ''), nullif(btrim(created_by_name), ''), 'Unknown');
end $$;

-- Stand-in for views, 100 to 4999, stable for an id and title. Only sorts, without the analytics add-on (specification, section 9).
create function private.placeholder_views(id uuid, title text) returns int
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  hash constant bytea := sha256(convert_to(id || ':' || title, 'UTF8'));
begin
  return 100 + (get_byte(hash, 0) * 65536 + get_byte(hash, 1) * 256 + get_byte(hash, 2)) % 4900;
end $$;

-- Issues and pull requests, by URL (contract/rules/request-kind.ts).
create function private.are_requests(urls text[]) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return cardinality(urls) <= 20 and not exists (
    select from unnest(urls) as r (url)
    where (char_length(r.url) <= 300
      and r.url ~ '^https://(linear\.app/[^/\s]+/issue/|[a-z0-9-]+\.atlassian\.net/browse/|github\.com/[^/\s]+/[^/\s]+/(issues|pull)/)[^\s/]\S*$') is not true
  );
end $$;

-- Posts. Blocks are the editor's, cleaned, never HTML. The columns granted below are written by people; triggers derive all others
-- (99-post-triggers). Names are stored beside ids, without foreign keys, because a post outlives its author's account.
create table public.posts (
  id uuid constraint posts_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint posts_workspace_id_fkey references public.workspaces (id) on delete cascade,
  -- Drafts can lack a title; posts that readers see can't.
  title text not null constraint posts_title_length check (char_length(title) between case when status in ('draft', 'archived') then 0 else 1 end and 119),
  slug text collate "C" not null
    constraint posts_slug_shape check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 100),
  status public.post_status not null default 'draft',
  tags text[] not null default '{}',
  content_raw jsonb not null default '{"time": 0, "blocks": [], "version": "2.28.2"}'
    constraint posts_content_is_blocks check (jsonb_typeof(content_raw -> 'blocks') = 'array'),
  search_text text not null default '',
  excerpt text not null default '',
  publish_at timestamptz,
  published_at timestamptz,
  archived_at timestamptz,
  version int not null default 1,
  created_by uuid,
  created_by_name text,
  author_name text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid,
  updated_by_name text,
  -- Moves when content, author or date change. updated_at also moves on archiving, scheduling and the like, which feeds mustn't take for edits.
  content_updated_at timestamptz not null default now(),
  summary text constraint posts_summary_length check (char_length(summary) between 1 and 300), -- shown in place of the excerpt
  -- Null: the first image of the text. "none": no image. Else {"url", "alt", "width", "height"}.
  cover_image jsonb constraint posts_cover_image_shape check (cover_image = '"none"' or jsonb_typeof(cover_image -> 'url') = 'string'),
  author_id uuid, -- shown to readers; null: the creator
  external_id text collate "C" constraint posts_external_id_length check (char_length(external_id) between 1 and 200), -- the id in another system
  imported_at timestamptz, -- by an import (84-imports): readers aren't notified
  requests text[] not null default '{}' constraint posts_requests_shape check (private.are_requests(requests)), -- for the team, unversioned
  -- Facts about the product, and where the post is shown (private.clean_details): {"pinned_until", "expires_at", "button", "version",
  -- "component", "breaking", "security", "placement", "audience"}. Null: none.
  details jsonb constraint posts_details_are_fields check (jsonb_typeof(details) = 'object'),
  constraint posts_slug_key unique (workspace_id, slug),
  constraint posts_scheduled_has_time check (status <> 'scheduled' or publish_at is not null),
  constraint posts_draft_has_no_time check (status <> 'draft' or publish_at is null),
  constraint posts_published_has_date check (status <> 'published' or published_at is not null),
  constraint posts_archived_has_date check ((status = 'archived') = (archived_at is not null)),
  -- Later years broke clients' calendars. A check, so that it holds without triggers.
  constraint posts_publish_at_in_reach check (publish_at < '9999-01-01')
);

-- The list of posts, last edited first, and its count. Archived posts are listed only by status.
create index posts_recent on public.posts (workspace_id, updated_at desc, id desc) where status <> 'archived';
create index posts_by_status on public.posts (workspace_id, status, updated_at desc, id desc);
create index posts_public on public.posts (workspace_id, coalesce(published_at, publish_at) desc, id desc)
include (status, publish_at, version) where status in ('published', 'scheduled') and details -> 'audience' is null;
create index posts_for_some on public.posts (workspace_id, coalesce(published_at, publish_at) desc, id desc)
where status in ('published', 'scheduled') and details -> 'audience' is not null;
create index posts_upcoming on public.posts (workspace_id, publish_at) include (id) where status = 'scheduled';
-- Due posts of all workspaces, for the publisher.
create index posts_due on public.posts (publish_at) where status = 'scheduled';
-- Search within a workspace. A small pending list, since every search scans it.
create index posts_search on public.posts
using gin (workspace_id, search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);
create index posts_tags on public.posts (workspace_id, updated_at desc, id desc) include (status, publish_at, tags)
where status <> 'archived' and tags <> '{}';
create index posts_by_creator on public.posts
(workspace_id, lower(private.creator_name(author_name, created_by_name)), updated_at desc, id desc) where status <> 'archived';
create index posts_by_placeholder on public.posts
(workspace_id, private.placeholder_views(id, title) desc, updated_at desc, id desc) where status <> 'archived';

-- Fixed-width UTC times, so text sorts as time. Also read to learn when a page changes without a write (private.public_version).
create index posts_pinned on public.posts (workspace_id, (details ->> 'pinned_until') collate "C") where details ? 'pinned_until';
create index posts_expiring on public.posts (workspace_id, (details ->> 'expires_at') collate "C") where details ? 'expires_at';
create index posts_versioned on public.posts (workspace_id) where details ? 'version';
create index posts_placed on public.posts (workspace_id) where details ? 'placement';

create unique index posts_external_id on public.posts (workspace_id, external_id) where external_id is not null;

create policy "members read their workspace's posts" on public.posts for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "writers add posts to their workspace" on public.posts for insert to authenticated
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));
create policy "writers change their workspace's posts" on public.posts for update to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))))
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));
create policy "writers purge their workspace's posts" on public.posts for delete to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));

grant select, delete on public.posts to authenticated;
grant insert (workspace_id, title, content_raw, tags, publish_at, status, summary, cover_image, published_at, author_id, external_id, details)
  on public.posts to authenticated;
grant update (title, content_raw, tags, publish_at, status, slug, summary, cover_image, published_at, author_id, requests, details) on public.posts to authenticated;

-- Posts as the API returns them (contract/posts.ts): a summary for lists, and details. Both run as the caller. New columns go last.
create view public.post_summaries with (security_invoker = true) as
select
  p.id, p.workspace_id, p.title, p.slug, coalesce(p.summary, p.excerpt) as excerpt, p.status, p.tags, p.publish_at, p.published_at,
  p.created_at, p.updated_at, p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, p.summary
from public.posts p;

-- Runs as owner: the author may have left the team.
create function private.author_of(person uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object('user_id', a.user_id, 'full_name', a.full_name, 'avatar_url', a.avatar_url)
    from public.profiles a where a.user_id = person
  );
end $$;

-- Runs as owner, to save a second check of the reader's memberships.
create function private.is_changelog_public(workspace uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select w.public_changelog_enabled from public.workspaces w where w.id = workspace);
end $$;

create view public.post_details with (security_invoker = true) as
select
  p.id, p.workspace_id, p.title, p.slug, coalesce(p.summary, p.excerpt) as excerpt, p.status, p.tags, p.publish_at, p.published_at,
  p.created_at, p.updated_at, p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, p.content_raw, p.updated_by_name,
  private.author_of(coalesce(p.author_id, p.created_by)) as author,
  private.is_changelog_public(p.workspace_id) as public_changelog_enabled, p.summary, p.cover_image, coalesce(p.author_id, p.created_by) as author_id,
  p.external_id, p.requests, p.details
from public.posts p;

grant select on public.post_summaries, public.post_details to authenticated, service_role;

-- PostContent of a post, revision, proposal or imported post, given as JSON (contract/rules/post-content.ts). Absent details are null, since saves
-- merge them.
create function private.content_of(line jsonb) returns jsonb
language sql immutable parallel safe set search_path = '' as $$
  select jsonb_build_object('title', line -> 'title', 'summary', line -> 'summary', 'cover_image', line -> 'cover_image', 'tags', line -> 'tags',
    'content_raw', line -> 'content_raw', 'details', '{"pinned_until": null, "expires_at": null, "button": null, "version": null, "component": null,
      "breaking": null, "security": null, "placement": null, "audience": null}' || coalesce(nullif(line -> 'details', 'null'), '{}'))
$$;

-- The status that readers without a token notice: that of a post for some readers (details.audience) is draft.
create function private.public_status(post public.posts) returns public.post_status
language sql immutable parallel safe set search_path = '' as $$
  select case when post.details -> 'audience' is null then post.status else 'draft' end
$$;

-- True if readers see a difference apart from status and dates: what keys without posts:write can't change (72-api-keys) and what needs approval
-- (62-reviews). A renamed tag (37-tags) is not a change of the post. tests/database/097-columns-of-posts covers every column.
create function private.is_visible_change(before public.posts, after public.posts) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return (before.title, before.summary, before.cover_image, before.details, before.author_id, before.author_name, before.content_raw, before.slug)
      is distinct from (after.title, after.summary, after.cover_image, after.details, after.author_id, after.author_name, after.content_raw, after.slug)
    or before.tags <> after.tags and coalesce(current_setting('tidings.tag_from', true), '') = '';
end $$;

-- True in a transaction with the option `autosave` (of a draft, which can lack a title) or `importing` (an import or its undo, 84-imports: no email,
-- webhook, activity or live event for each post).
create function private.has_option(option text) returns boolean
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return coalesce(current_setting('tidings.' || option, true), '') = 'on';
end $$;

create function private.clean_tags(tags text[]) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select coalesce(array_agg(t.tag order by t.place), '{}')
    from (
      select private.clean_line(given.tag) as tag, min(given.place) as place
      from unnest(tags) with ordinality as given (tag, place)
      where private.clean_line(given.tag) <> '' group by 1
    ) as t
  );
end $$;

-- Normalises a cover image; null for anything invalid.
create function private.clean_cover(cover jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  if cover = '"none"' then return cover; end if;
  if jsonb_typeof(cover -> 'url') is distinct from 'string' then return null; end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'url', cover -> 'url', 'alt', left(coalesce(private.clean_line(cover ->> 'alt'), ''), 300),
    'width', case when jsonb_typeof(cover -> 'width') = 'number' then cover -> 'width' end,
    'height', case when jsonb_typeof(cover -> 'height') = 'number' then cover -> 'height' end));
end $$;

-- As JavaScript writes it, so that text sorts as time.
create function private.iso_time(moment timestamptz) returns text
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return to_char(moment at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
end $$;

-- True for uploads of the workspace and images in the text, so that no other URL is shown to readers.
create function private.may_be_cover(cover jsonb, content jsonb, workspace uuid) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  stored constant text := '/storage/v1/object/public/post-images/' || workspace || '/';
begin
  if cover is null or cover = '"none"' then return true; end if;
  return starts_with(cover ->> 'url', stored) and substr(cover ->> 'url', length(stored) + 1) ~ '^[0-9A-Za-z_-]+\.[a-z]+$'
    or jsonb_path_exists(content, '$.blocks[*].data.file ? (@.url == $url)', jsonb_build_object('url', cover -> 'url'));
end $$;

-- Validation errors by field, in the words of the specification (section 5).
create function private.content_faults(title text, summary text, tags text[], content_raw jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  wrong jsonb := '{}';
begin
  if char_length(title) > 119 then wrong := '{"title": "The title can have at most 119 characters"}'; end if;
  if char_length(summary) > 300 then wrong := wrong || '{"summary": "The summary can have at most 300 characters"}'; end if;
  if cardinality(tags) > 20 then wrong := wrong || '{"tags": "A post can have at most 20 tags"}';
  elsif exists (select from unnest(tags) as t (tag) where char_length(t.tag) > 40) then
    wrong := wrong || '{"tags": "A tag can have at most 40 characters"}'; end if;
  if content_raw is null then return wrong; end if;
  return wrong || case when jsonb_typeof(content_raw -> 'blocks') is distinct from 'array' then '{"content_raw": "Content is required"}'::jsonb
    when private.is_long_post(content_raw) then '{"content_raw": "This post is too long"}' else '{}' end;
end $$;

-- Search covers the first 100,000 characters: more made a save take half a second.
create function private.clean_post() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_new constant boolean := tg_op = 'INSERT';
  is_titled constant boolean := is_new or new.title is distinct from old.title;
  is_tagged constant boolean := is_new or new.tags is distinct from old.tags;
  is_written boolean := is_new or new.content_raw is distinct from old.content_raw;
  wrong jsonb;
begin
  if is_titled then new.title := private.clean_line(new.title); end if;
  new.summary := nullif(private.clean_line(new.summary), '');
  if is_tagged then
    new.tags := private.clean_tags(new.tags);
    if cardinality(new.tags) between 1 and 100 and exists (select from private.former_tags f where f.workspace_id = new.workspace_id) then
      new.tags := private.tags_now(new.workspace_id, new.tags);
    end if;
  end if;
  -- The editor stamps each save with the time, which isn't a change.
  if is_written and not is_new and jsonb_typeof(new.content_raw -> 'blocks') = 'array' and new.content_raw - 'time' = old.content_raw - 'time' then
    new.content_raw := old.content_raw;
    is_written := false;
  end if;

  wrong := private.content_faults(case when is_titled then new.title end, new.summary, case when is_tagged then new.tags end,
    case when is_written then coalesce(new.content_raw, '{}') end);
  if is_titled and (new.title is null or new.title = '' and not private.has_option('autosave')) then wrong := wrong || '{"title": "Title is required"}'; end if;
  if is_written and not wrong ? 'content_raw' then new.excerpt := private.blocks_excerpt(new.content_raw); end if;
  if is_new or new.cover_image is distinct from old.cover_image then
    new.cover_image := private.clean_cover(new.cover_image);
    if not private.may_be_cover(new.cover_image, new.content_raw, new.workspace_id) then
      wrong := wrong || '{"cover_image": "Please choose an image of this post, or add one"}';
    end if;
  end if;

  if is_new or new.details is distinct from old.details then new.details := private.clean_details(new.details); end if;

  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  if is_new or (new.title, new.tags, new.content_raw) is distinct from (old.title, old.tags, old.content_raw) then
    new.search_text := private.search_words(new.title || ' ' || array_to_string(new.tags, ' ') || ' ' || left(private.blocks_text(new.content_raw), 100000));
  end if;
  return new;
end $$;

-- Status rules (specification, section 4; product decisions 4–6): draft ⇄ scheduled → published; any → archived → draft (restored). A scheduled post
-- that is due counts as published even before the publisher ran. Uses the server's clock. contract/rules/post-status has the same rules, tested together.
create function private.apply_status_rules() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  grace constant interval := '1 minute'; -- a time picked to the minute may have just passed
  was public.post_status := 'draft';
  had timestamptz; -- the former publish_at
  -- A publication date chosen by a person; one that only echoes the stored date isn't.
  chosen timestamptz := date_trunc('milliseconds', new.published_at);
begin
  if tg_op = 'INSERT' or new.publish_at is distinct from old.publish_at then
    new.publish_at := date_trunc('milliseconds', new.publish_at); -- the clients' precision
    if isfinite(new.publish_at) and new.publish_at > moment + interval '10 years' then
      perform private.refuse('validation_failed', '{"publish_at": "Please choose a time within the next ten years"}');
    end if;
  end if;
  if tg_op = 'UPDATE' then
    was := old.status;
    had := old.publish_at;
    if chosen = date_trunc('milliseconds', old.published_at) then chosen := null; end if;
    -- Set once; undoing an import may clear it.
    if new.published_at is not null or not private.has_option('importing') then new.published_at := old.published_at; end if;
    if was = 'scheduled' and had <= moment then
      was := 'published';
      new.published_at := coalesce(old.published_at, had);
      if new.status = 'scheduled' and new.publish_at = had then new.status := 'published'; end if;
    end if;
  end if;

  if was = 'published' then
    if new.status in ('draft', 'scheduled') or new.publish_at is distinct from had and new.publish_at is not null then
      perform private.refuse('published_post_locked');
    end if;
    new.publish_at := had;
  elsif was = 'archived' then
    if new.status = 'draft' then
      new.publish_at := null;
    elsif new.status <> 'archived' or chosen is not null or (new.title, new.summary, new.cover_image, new.details, new.author_id, new.tags, new.content_raw,
      new.slug, new.publish_at) is distinct from (old.title, old.summary, old.cover_image, old.details, old.author_id, old.tags, old.content_raw,
      old.slug, old.publish_at) then
      perform private.refuse('archived_post_locked');
    end if;
  elsif new.status = 'archived' then
    if tg_op = 'INSERT' then perform private.refuse('validation_failed', '{"status": "A new post cannot be archived"}'); end if;
    new.publish_at := null;
  elsif new.status = 'published' then
    new.publish_at := null;
    new.published_at := coalesce(new.published_at, moment);
  else
    -- A draft with a time becomes scheduled; a scheduled post without one becomes a draft.
    if new.status = 'draft' then
      if was = 'scheduled' then new.publish_at := null; end if;
      if new.publish_at is not null then new.status := 'scheduled'; end if;
    elsif new.publish_at is null and was = 'scheduled' then
      new.status := 'draft';
    end if;
    if new.status = 'scheduled' and (was <> 'scheduled' or new.publish_at is distinct from had) then
      if new.publish_at is null then
        perform private.refuse('validation_failed', '{"publish_at": "Please select a date and time"}');
      elsif new.publish_at <= moment - grace or not isfinite(new.publish_at) then
        perform private.refuse('validation_failed', '{"publish_at": "Please choose a time in the future"}');
      end if;
    end if;
  end if;

  -- Posts can be backdated, never postdated: that is scheduling.
  if chosen is not null then
    if new.status <> 'published' then
      perform private.refuse('validation_failed', '{"published_at": "Only a published post has a date of publication"}');
    elsif chosen > moment + grace or chosen < '1970-01-01' or not isfinite(chosen) then
      perform private.refuse('validation_failed', '{"published_at": "Please choose a time in the past"}');
    end if;
    new.published_at := least(chosen, moment);
  end if;

  new.archived_at := case when new.status = 'archived' then coalesce(case when was = 'archived' then old.archived_at end, moment) end;

  if new.status in ('scheduled', 'published') and (was not in ('scheduled', 'published') or new.content_raw is distinct from old.content_raw)
    and not private.has_content(new.content_raw) then
    perform private.refuse('validation_failed', '{"content_raw": "Content is required"}');
  end if;

  if tg_op = 'UPDATE' and old.status = 'archived' and coalesce(current_setting('tidings.former_status', true), '') <> '' then -- public.undo_archive
    new.status := current_setting('tidings.former_status')::public.post_status;
    new.publish_at := case new.status when 'draft' then null when 'scheduled' then (
      select r.publish_at from public.post_revisions r where r.post_id = old.id and r.version = old.version - 1
    ) else old.publish_at end;
  end if;

  -- Only drafts autosave, and only drafts and archived posts can lack a title (product decision 23).
  if private.has_option('autosave') and (new.status <> 'draft' or tg_op = 'UPDATE' and old.status <> 'draft') then
    perform private.refuse('validation_failed', '{"autosave": "Only drafts can be autosaved"}');
  elsif new.title = '' and new.status not in ('draft', 'archived') then
    perform private.refuse('validation_failed', '{"title": "Title is required"}');
  end if;
  return new;
end $$;

-- The author is a member; the name is copied. The row lock makes a concurrent removal wait.
create function private.set_author_name() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.author_id is not distinct from old.author_id then return new; end if;
  if tg_op = 'UPDATE' and new.author_id is not distinct from coalesce(old.author_id, old.created_by) then
    new.author_id := old.author_id;
    return new;
  end if;
  if new.author_id is null then
    new.author_name := new.created_by_name;
    return new;
  end if;
  select p.full_name into new.author_name from public.members m join public.profiles p on p.user_id = m.user_id
  where m.workspace_id = new.workspace_id and m.user_id = new.author_id for key share of m;
  if not found then perform private.refuse('validation_failed', '{"author_id": "Please choose a member of this workspace"}'); end if;
  return new;
end $$;

grant execute on function private.creator_name, private.are_requests, private.placeholder_views, private.author_of, private.is_changelog_public, private.content_of
  to authenticated, service_role;

-- supabase/schemas/31-post-text.sql

-- Plain text of a post's blocks, for search, excerpt and the check that a post has content. Blocks come from outside, so every step accepts any JSON.

-- &amp; is decoded last, so that "&amp;lt;" stays "&lt;". Numeric references are replaced in one pass; NUL and surrogates become nothing.
create function private.plain_text(html text) returns text
language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  words text := html;
begin
  if strpos(words, '<') > 0 then words := regexp_replace(regexp_replace(words, '<br\s*/?>', ' ', 'gi'), '<[^>]*>', '', 'g'); end if;
  if strpos(words, '&') = 0 then return words; end if;
  words := replace(replace(replace(replace(replace(words, '&nbsp;', ' '), '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&apos;', '''');
  if strpos(words, '&#') > 0 then
    words := (
      select string_agg(piece.words || case when n.code is null or n.code = 0 or n.code between 55296 and 57343 then '' else chr(n.code) end, '' order by piece.place)
      from unnest(
        regexp_split_to_array(words, '&#(?:[0-9]{1,6}|x[0-9a-fA-F]{1,5});'),
        array(select r from regexp_matches(words, '&#((?:[0-9]{1,6}|x[0-9a-fA-F]{1,5}));', 'g') as m (found), unnest(m.found) as r)
      ) with ordinality as piece (words, reference, place),
      lateral (
        select case when piece.reference like 'x%' then ('x' || lpad(substr(piece.reference, 2), 8, '0'))::bit(32)::int else piece.reference::int end as code
      ) as n
    );
  end if;
  return replace(words, '&amp;', '&');
end $$;

-- Lists stay, other values become a list of one, null stays null. plpgsql, because sql functions are planned at each call (20 times slower).
create function private.as_list(value jsonb) returns jsonb
language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  return case when jsonb_typeof(value) = 'array' then value else '[]'::jsonb || value end;
end $$;

-- Text inside a block's data in reading order, whatever the field is called, so new block types are indexed without a change here. An object's own
-- text comes before nested text; nine steps are eight list levels. Settings, ids and URLs have reserved field names (contract/blocks/block-type.ts);
-- a value that is one URL is skipped too. One aggregate per list: appending took more than a minute for a megabyte.
create function private.text_of(value jsonb, depth int default 1) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  if depth > 9 or value in ('[]', '{}') then return null; end if;
  -- Fast path: most blocks are this, and it takes a twentieth of the time.
  if coalesce(jsonb_typeof(value -> 'text') = 'string', false)
    and value - '{text,id,type,meta,style,kind,alignment,language}'::text[] in ('{}', '{"level": 2}', '{"level": 3}', '{"level": 4}')
  then return private.plain_text(value ->> 'text'); end if;
  return (
    select string_agg(case
      when jsonb_typeof(i.item) = 'string' then private.plain_text(i.item #>> '{}')
      when jsonb_typeof(i.item) = 'array' then private.text_of(i.item, depth + 1)
      when jsonb_typeof(f.value) in ('array', 'object') then private.text_of(f.value, depth + 1)
      when jsonb_typeof(f.value) <> 'string' then null
      when f.name = 'code' then f.value #>> '{}'
      when f.name in ('text', 'content', 'caption') then private.plain_text(f.value #>> '{}')
      when f.value #>> '{}' !~ '^(?:[a-z]+:/)?/\S*$' then private.plain_text(f.value #>> '{}')
    end, ' ' order by i.place, (jsonb_typeof(f.value) = 'string') desc, f.place)
    from jsonb_array_elements(private.as_list(value)) with ordinality as i (item, place)
      left join lateral jsonb_each(case when jsonb_typeof(i.item) = 'object' then i.item end) with ordinality as f (name, value, place)
        on f.name not in ('id', 'type', 'meta', 'style', 'kind', 'alignment', 'language', 'service', 'file', 'url', 'source', 'href', 'src')
  );
end $$;

create function private.blocks_text(content jsonb) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select coalesce(private.clean_line(string_agg(case when jsonb_typeof(b.block -> 'data') = 'object' then private.text_of(b.block -> 'data') end, ' ' order by b.place)), '')
    from jsonb_array_elements(private.as_list(content -> 'blocks')) with ordinality as b (block, place)
  );
end $$;

-- The first line of text in a value: a list's first item, a quote's text. Reads like private.text_of.
create function private.first_line(value jsonb, depth int default 1) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  piece record;
  words text;
begin
  if depth > 9 then return ''; end if;
  for piece in
    select i.item, f.name, f.value
    from jsonb_array_elements(private.as_list(value)) with ordinality as i (item, place)
      left join lateral jsonb_each(case when jsonb_typeof(i.item) = 'object' then i.item end) with ordinality as f (name, value, place)
        on f.name not in ('id', 'type', 'meta', 'style', 'kind', 'alignment', 'language', 'service', 'file', 'url', 'source', 'href', 'src')
    order by i.place, (jsonb_typeof(f.value) = 'string') desc, f.place
  loop
    words := private.clean_line(case
      when jsonb_typeof(piece.item) = 'string' then private.plain_text(piece.item #>> '{}')
      when jsonb_typeof(piece.item) = 'array' then private.first_line(piece.item, depth + 1)
      when jsonb_typeof(piece.value) in ('array', 'object') then private.first_line(piece.value, depth + 1)
      when jsonb_typeof(piece.value) <> 'string' then null
      when piece.name = 'code' then piece.value #>> '{}'
      when piece.name in ('text', 'content', 'caption') or piece.value #>> '{}' !~ '^(?:[a-z]+:/)?/\S*$' then private.plain_text(piece.value #>> '{}')
    end);
    if words <> '' then return words; end if;
  end loop;
  return '';
end $$;

-- The first text of any block, or of running text only: paragraphs and lists, not headings.
create function private.first_text(content jsonb, is_running boolean) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  block jsonb;
  words text := '';
begin
  for block in select b.block from jsonb_array_elements(private.as_list(content -> 'blocks')) as b (block) loop
    if jsonb_typeof(block -> 'data') = 'object'
      and (not is_running or (block -> 'data') ?| '{text,items}' and not (block -> 'data') ? 'level') then
      words := private.first_line(block -> 'data');
    end if;
    exit when words <> '';
  end loop;
  return words;
end $$;

-- About 160 characters of whole sentences from one block; a longer sentence is cut after a word (contract/blocks/excerpt).
create function private.blocks_excerpt(content jsonb) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  words text := private.first_text(content, true);
  cut text;
begin
  if words = '' then words := private.first_text(content, false); end if;
  if char_length(words) <= 160 then return words; end if;
  cut := (regexp_match(left(words, 160 + 2), '^(.{39,}(?:[.!?…]["''”’»)\]]*(?= [^a-z])|[。！？]))'))[1];
  if cut is not null then return cut; end if;
  cut := (regexp_match(left(words, 160 + 1), '^(.{81,160})\s\S*$'))[1];
  return regexp_replace(coalesce(cut, left(words, 160)), '[\s.,;:!?–—-]+$', '') || '…';
end $$;

-- Paths in the bucket post-images that blocks name. Only the workspace's own folder counts, so quoting another tenant's file gives no power over it.
create function private.image_paths(content jsonb, workspace uuid) returns setof text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return query
    select distinct part[1]
    from regexp_matches(content::text, '/storage/v1/object/public/post-images/(' || workspace || '/[0-9A-Za-z_-]+\.[a-z]+)', 'g') as part;
end $$;

-- True if readers would see anything: text, an image or a video.
create function private.has_content(content jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return jsonb_path_exists(content, '$.blocks[*].data ? (@.url != "" || @.file.url != "")') or private.first_text(content, false) <> '';
end $$;

-- Lower case without accents, one space for everything else and at both ends, so that a prefix of a word can be searched.
create function private.search_words(words text) returns text
language plpgsql stable strict parallel safe set search_path = '' as $$
begin
  return regexp_replace(' ' || lower(extensions.unaccent('extensions.unaccent', words)) || ' ', '[^[:alnum:]]+', ' ', 'g');
end $$;

-- The API drops what exceeds contract/blocks/limits.ts; this refuses it for direct writes, before anything is parsed further. `items` is a list and
-- `content` a table in every block type. Every string of a block's data counts, at any depth; so do field names, ids, numbers and unknown fields
-- beyond the room that blockLimits leaves for them.
create function private.is_long_post(content jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  -- Strings are shorter than their JSON, so this decides for nearly every post.
  json constant text := content::text;
begin
  if octet_length(json) > 4194304 or jsonb_array_length(content -> 'blocks') > 1000 then return true; end if;
  if exists (
    select from jsonb_array_elements(content -> 'blocks') as b (block)
    where case
      when (b.block -> 'data') ? 'items' then (
        with recursive entry (item, depth) as (
          select first.item, 1 from jsonb_array_elements(private.as_list(b.block #> '{data,items}')) as first (item)
          union all
          select below.item, e.depth + 1 from entry e, jsonb_array_elements(private.as_list(e.item -> 'items')) as below (item)
          where e.depth <= 8
        )
        select count(*) > 1000 or coalesce(max(few.depth), 0) > 8
        from (select e.depth from entry e limit 1000 + 1) as few)
      when (b.block -> 'data') ? 'content' then exists (
        select from jsonb_array_elements(private.as_list(b.block #> '{data,content}')) with ordinality as r (cells, place)
        where r.place > 200
          or case when jsonb_typeof(r.cells) = 'array' then jsonb_array_length(r.cells) > 30 end) end
  ) then return true; end if;
  -- Upper bounds per block, to skip the exact count.
  if (
    select coalesce(sum(case
      when (b.block -> 'data') ? 'items' then 1000
      when (b.block -> 'data') ? 'content' then 200 * 30 end), 0) > 10000
    from jsonb_array_elements(content -> 'blocks') as b (block)
  ) and (
    -- List items, and table cells counted by the widest row.
    select sum(case
      when (b.block -> 'data') ? 'items' then (
        with recursive entry (item) as (
          select first.item from jsonb_array_elements(private.as_list(b.block #> '{data,items}')) as first (item)
          union all
          select below.item from entry e, jsonb_array_elements(private.as_list(e.item -> 'items')) as below (item)
        )
        select count(*) from entry)
      when (b.block -> 'data') ? 'content' then (
        select coalesce(count(*) * max(case when jsonb_typeof(r.cells) = 'array' then jsonb_array_length(r.cells) end), 0)
        from jsonb_array_elements(private.as_list(b.block #> '{data,content}')) as r (cells)) end) > 10000
    from jsonb_array_elements(content -> 'blocks') as b (block)
  ) then return true; end if;
  return char_length(json) > 50000 and (
    -- Strings are gathered once per block: jsonb_path_query copies the remaining rows for each row.
    with gathered as materialized (
      select e.block::text as whole, coalesce(jsonb_path_query_array(e.block -> 'data', 'strict $.** ? (@.type() == "string")'), '[]') as strings
      from jsonb_array_elements(content -> 'blocks') as e (block)
    ), measured as materialized (
      select
        (select coalesce(sum(char_length(s.words)), 0) from jsonb_array_elements_text(g.strings) as s (words)) as length,
        char_length(g.whole) - char_length(g.strings::text) as beside,
        jsonb_array_length(g.strings) as strings
      from gathered g
    )
    select max(m.length) > 50000 or sum(m.length) > 300000
      or bool_or(m.length + m.beside > 50000 + 500
        + 64 * least(m.strings, 1000))
      or coalesce(sum(m.length + m.beside), 0) + char_length((content - 'blocks')::text)
        > 300000 + 500 * (count(*) + 1)
          + 64 * least(coalesce(sum(m.strings), 0), 10000)
    from measured m
  );
end $$;

grant execute on function private.as_list to authenticated, service_role;

-- supabase/schemas/32-post-versions.sql

-- Every slug a post has had, so that old links still find it and no other post of the workspace takes it (product decision 5).
create table public.post_slugs (
  workspace_id uuid not null constraint post_slugs_workspace_id_fkey references public.workspaces (id) on delete cascade,
  slug text collate "C" not null,
  post_id uuid not null constraint post_slugs_post_id_fkey references public.posts (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint post_slugs_pkey primary key (workspace_id, slug)
);
create index post_slugs_by_post on public.post_slugs (post_id);

create policy "members read their posts' older addresses" on public.post_slugs for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
grant select on public.post_slugs to authenticated;

create function private.slugify(title text) returns text
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return coalesce(nullif(btrim(left(btrim(regexp_replace(
    lower(extensions.unaccent('extensions.unaccent', replace(title, '''', ''))), '[^a-z0-9]+', '-', 'g'), '-'), 80), '-'), ''), 'post');
end $$;

-- `wanted`, or wanted-2, wanted-3 …: the first that no other post has or had. The advisory lock serialises posts that want the same one.
create function private.free_slug(workspace uuid, wanted text, post uuid) returns text
language plpgsql volatile set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(workspace || '/' || regexp_replace(wanted, '(-[0-9]+)+$', ''), 0));
  if not exists (select from public.post_slugs s where s.workspace_id = workspace and s.slug = wanted and s.post_id <> post) then
    return wanted;
  end if;
  return (
    select wanted || '-' || n
    from generate_series(2, 2 + (
      select count(*) from public.post_slugs s
      where s.workspace_id = workspace and s.slug >= wanted || '-' and s.slug < wanted || '.' -- "." follows "-" in the C collation
    )) as n
    where not exists (
      select from public.post_slugs s where s.workspace_id = workspace and s.slug = wanted || '-' || n and s.post_id <> post
    )
    order by n limit 1
  );
end $$;

-- Follows the title until the first publication, unless it was changed by hand. tidings.slug sets one.
create function private.choose_slug() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  asked constant text := nullif(current_setting('tidings.slug', true), '');
begin
  new.slug := coalesce(asked, new.slug);
  if asked is not null or tg_op = 'UPDATE' and new.slug is distinct from old.slug then
    new.slug := lower(btrim(new.slug));
    if new.slug is null or new.slug !~ '^[a-z0-9]+(-[a-z0-9]+)*$' or char_length(new.slug) > 80 then
      perform private.refuse('validation_failed', '{"slug": "Please use letters, digits and single hyphens, 80 at most"}');
    elsif private.free_slug(new.workspace_id, new.slug, new.id) <> new.slug then
      perform private.refuse('slug_taken');
    end if;
  elsif tg_op = 'INSERT' or new.title <> old.title and old.published_at is null
    and not (old.status = 'scheduled' and old.publish_at <= clock_timestamp())
    and old.slug ~ ('^' || private.slugify(old.title) || '(-[0-9]+)?$') then
    new.slug := private.free_slug(new.workspace_id, private.slugify(new.title), new.id);
  end if;
  return new;
end $$;

-- Every change raises the version by one and keeps a revision (product decision 7). With a clock two saves within its resolution would both win.
create table public.post_revisions (
  post_id uuid not null constraint post_revisions_post_id_fkey references public.posts (id) on delete cascade,
  workspace_id uuid not null,
  version int not null,
  status public.post_status not null,
  title text not null,
  tags text[] not null,
  content_raw jsonb not null,
  publish_at timestamptz,
  author_id uuid,
  author_name text,
  created_at timestamptz not null,
  summary text,
  cover_image jsonb,
  published_at timestamptz,
  post_author_name text, -- the author shown to readers; author_name is who saved
  details jsonb,
  autosaves_since timestamptz, -- when this run of autosaves began; null once saved by hand
  constraint post_revisions_pkey primary key (post_id, version)
);

create policy "members read their posts' revisions" on public.post_revisions for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
-- Written by a trigger, deleted by cascade.
grant select on public.post_revisions to authenticated;

create function private.raise_version() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- the publisher has no user
  on_schedule constant boolean := tg_op = 'UPDATE' and old.status = 'scheduled' and new.status = 'published' and new.publish_at is not null;
begin
  if tg_op = 'INSERT' then
    new.version := 1;
    new.created_at := coalesce(new.created_at, now());
    new.created_by := coalesce(auth.uid(), new.created_by);
    new.created_by_name := coalesce(private.my_name(), new.created_by_name);
    new.author_name := coalesce(new.author_name, new.created_by_name);
    new.updated_at := clock_timestamp();
  elsif (new.title, new.summary, new.cover_image, new.details, new.author_id, new.content_raw, new.tags, new.publish_at, new.published_at, new.status, new.slug)
    is not distinct from
    (old.title, old.summary, old.cover_image, old.details, old.author_id, old.content_raw, old.tags, old.publish_at, old.published_at, old.status, old.slug) then
    new.version := old.version;
    new.updated_at := old.updated_at;
    new.content_updated_at := old.content_updated_at;
    if new.status in ('draft', 'scheduled') then new.imported_at := null; end if;
    return new;
  else
    new.version := old.version + 1;
    -- A post published on time was last edited at that time, so feeds say the same before and after the publisher runs.
    new.updated_at := case when on_schedule and auth.uid() is null then greatest(old.updated_at, new.publish_at) else clock_timestamp() end;
  end if;
  new.updated_by := auth.uid();
  new.updated_by_name := coalesce(private.actor_name(), case when on_schedule then 'Scheduled publishing' else new.created_by_name end);

  -- The date of an edit in feeds: moves with what readers see. An imported post keeps its own date.
  if private.has_option('importing') and new.status = 'published' and (tg_op = 'INSERT' or old.status <> 'published') then
    new.content_updated_at := new.published_at;
    new.imported_at := clock_timestamp();
  else
    new.content_updated_at := case
      when tg_op = 'INSERT' or (new.title, new.summary, new.cover_image, new.details, new.author_id, new.content_raw, new.tags)
        is distinct from (old.title, old.summary, old.cover_image, old.details, old.author_id, old.content_raw, old.tags)
        or new.published_at <> old.published_at
        then new.updated_at
      else old.content_updated_at end;
    if new.status in ('draft', 'scheduled') then new.imported_at := null; end if;
  end if;
  return new;
end $$;

-- Writes the revision, the slug and the images. Autosaves raise the version every few seconds, so that conflicts are exact; of one person's autosaves
-- within ten minutes only the newest revision is kept. The first version and versions saved by hand are always kept.
create function private.record_post_history() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_new constant boolean := tg_op = 'INSERT';
  since timestamptz;
begin
  if is_new or old.version <> new.version then
    insert into public.post_revisions
      (post_id, workspace_id, version, status, title, tags, content_raw, publish_at, author_id, author_name, created_at, summary,
       cover_image, published_at, post_author_name, details)
    values
      (new.id, new.workspace_id, new.version, new.status, new.title, new.tags, new.content_raw, new.publish_at,
       new.updated_by, new.updated_by_name, new.updated_at, new.summary, new.cover_image, new.published_at, new.author_name, new.details);
  end if;
  if not is_new and not private.has_option('autosave') then
    if new.version = old.version then -- an autosaved version, now saved by hand
      update public.post_revisions r set autosaves_since = null
      where r.post_id = new.id and r.version = new.version and r.autosaves_since is not null;
    end if;
  elsif new.version > old.version then
    delete from public.post_revisions r
    where r.post_id = new.id and r.version = old.version and r.version > 1 and r.author_id = new.updated_by
      and r.autosaves_since > new.updated_at - interval '10 minutes'
    returning r.autosaves_since into since;
    update public.post_revisions r set autosaves_since = coalesce(since, new.updated_at) where r.post_id = new.id and r.version = new.version;
  end if;
  if is_new or old.slug <> new.slug then
    insert into public.post_slugs (workspace_id, slug, post_id) values (new.workspace_id, new.slug, new.id)
    on conflict on constraint post_slugs_pkey do nothing;
  end if;
  if is_new or old.content_raw <> new.content_raw or old.cover_image is distinct from new.cover_image then
    insert into private.post_images (post_id, path)
    select new.id, private.image_paths(jsonb_build_array(new.content_raw, new.cover_image), new.workspace_id)
    on conflict on constraint post_images_pkey do nothing;
  end if;
  return null;
end $$;

-- supabase/schemas/33-files.sql

-- The images a post or its revisions have shown, so that a purge finds those no one else uses, and the queue of unused files. Files are deleted
-- through the Storage service: hosted Storage forbids SQL, and the bytes would stay.
create table private.post_images (
  post_id uuid not null constraint post_images_post_id_fkey references public.posts (id) on delete cascade,
  path text collate "C" not null,
  constraint post_images_pkey primary key (post_id, path)
);
create index post_images_by_path on private.post_images (path);

create table private.discarded_files (
  bucket text not null,
  path text not null,
  discarded_at timestamptz not null default now(),
  constraint discarded_files_pkey primary key (bucket, path)
);

-- Queues images that no other post or template (94-templates) shows. For a deleted workspace workspaces_discard_their_files queues everything at once:
-- with 10,000 posts, one by one would exceed the statement timeout.
create function private.discard_images() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.workspaces w where w.id = old.workspace_id) then return old; end if;
  insert into private.discarded_files (bucket, path)
  select 'post-images', mine.path from private.post_images mine
  where mine.post_id = old.id
    and not exists (select from private.post_images other where other.path = mine.path and other.post_id <> old.id)
    and not exists (select from private.template_images kept where kept.path = mine.path)
  on conflict on constraint discarded_files_pkey do nothing;
  return old;
end $$;

create function public.discarded_files(max_rows int default 100) returns table (bucket text, path text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select d.bucket, d.path from private.discarded_files d
    where d.bucket <> 'post-images' or not exists (select from private.post_images i where i.path = d.path)
      and not exists (select from private.template_images i where i.path = d.path)
    order by d.discarded_at, d.bucket, d.path limit least(max_rows, 1000);
end $$;
create function public.forget_discarded_files(bucket text, paths text[]) returns int
language plpgsql security definer set search_path = '' as $$
declare
  forgotten int;
begin
  delete from private.discarded_files d where d.bucket = forget_discarded_files.bucket and d.path = any (paths);
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;

-- Three public buckets; files have random names and can't be listed. The first folder is the workspace's or person's id.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values
  ('post-images', 'post-images', true, 5242880, '{image/png,image/jpeg,image/webp,image/gif}'),
  ('logos', 'logos', true, 5242880, '{image/png,image/jpeg,image/webp,image/gif}'),
  ('avatars', 'avatars', true, 2097152, '{image/png,image/jpeg,image/webp,image/gif}')
on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create function private.is_image_path(path text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select path ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(png|jpg|jpeg|webp|gif)$'
$$;

-- True if a post, a revision or a template shows it. Such a file can't be replaced by a member who needs approval.
create function private.is_shown_image(path text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.post_images i where i.path = is_shown_image.path)
    or exists (select from private.template_images i where i.path = is_shown_image.path);
end $$;

-- Storage policies answer false for an ended session instead of raising. `case` fixes the order of evaluation.
create policy "people see their own and their workspaces' files" on storage.objects for select to authenticated
using (
  case when not (select private.has_session()) then false
    when bucket_id in ('post-images', 'logos') then split_part(name, '/', 1) = any (array(select private.my_workspace_ids()::text))
    else bucket_id = 'avatars' and split_part(name, '/', 1) = (select auth.uid())::text
  end
);
create policy "people add files where they may write" on storage.objects for insert to authenticated
with check (
  private.is_image_path(name) and case when not (select private.has_session()) then false else case bucket_id
    when 'post-images' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin,editor}')::text))
      and not private.is_shown_image(name)
    when 'logos' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin}')::text))
    when 'avatars' then split_part(name, '/', 1) = (select auth.uid())::text
    else false
  end end
);
create policy "people remove files where they may write" on storage.objects for delete to authenticated
using (
  case when not (select private.has_session()) then false else case bucket_id
    when 'post-images' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin,editor}')::text))
      and not private.is_shown_image(name)
    when 'logos' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin}')::text))
    when 'avatars' then split_part(name, '/', 1) = (select auth.uid())::text
    else false
  end end
);
-- No update: a new image has a new name, so caches are never wrong.

-- Queues the former file in the write that replaces it or deletes its row, so concurrent uploads leave no file behind. Only paths in the owner's folder
-- count. Arguments: bucket, column of the path or URL, column of the owner's id.
create function private.discard_former_file() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  base constant text := '^/storage/v1/object/public/' || tg_argv[0] || '/';
  former constant text := regexp_replace(to_jsonb(old) ->> tg_argv[1], base, '');
  present constant text := regexp_replace(to_jsonb(new) ->> tg_argv[1], base, '');
  folder constant text := (to_jsonb(old) ->> tg_argv[2]) || '/';
begin
  if starts_with(present, folder) then
    delete from private.discarded_files d where d.bucket = tg_argv[0] and d.path = present;
  end if;
  if starts_with(former, folder) and strpos(substr(former, length(folder) + 1), '/') = 0 then
    insert into private.discarded_files (bucket, path) values (tg_argv[0], former) on conflict on constraint discarded_files_pkey do nothing;
  end if;
  return null;
end $$;
create trigger profiles_discard_their_former_avatar after update of avatar_url on public.profiles
for each row when (old.avatar_url is distinct from new.avatar_url)
execute function private.discard_former_file('avatars', 'avatar_url', 'user_id');
create trigger workspaces_discard_their_former_logo after update of logo_url on public.workspaces
for each row when (old.logo_url is distinct from new.logo_url)
execute function private.discard_former_file('logos', 'logo_url', 'id');

grant execute on function private.is_image_path to authenticated, service_role;
grant execute on function public.discarded_files, public.forget_discarded_files to service_role;
grant execute on function private.is_shown_image to authenticated;

-- supabase/schemas/34-idempotency-keys.sql

-- Idempotency keys. A call's answer is stored in its own transaction for a day, so a retry gets the same answer. Separate per person and API key.
create table private.request_keys (
  user_id uuid not null constraint request_keys_user_id_fkey references auth.users (id) on delete cascade,
  key text not null constraint request_keys_key_length check (char_length(key) between 1 and 240),
  fingerprint text not null, -- of the request, so that a key can't be reused for another
  answer jsonb,
  created_at timestamptz not null default now(),
  workspace_id uuid constraint request_keys_workspace_id_fkey references public.workspaces (id) on delete cascade,
  post_id uuid constraint request_keys_post_id_fkey references public.posts (id) on delete cascade,
  constraint request_keys_pkey primary key (user_id, key)
);
create index request_keys_by_age on private.request_keys (created_at);
create index request_keys_of_workspace on private.request_keys (workspace_id);
create index request_keys_of_post on private.request_keys (post_id);

-- Null: do the work, then call settle_request. Otherwise the stored answer. Waits for a concurrent call with the same key.
create function private.claim_request(request_key text, asked text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  print constant text := encode(sha256(convert_to(asked, 'UTF8')), 'hex');
  kept constant text := coalesce(private.key_id() || ' ', '') || request_key;
  earlier private.request_keys;
begin
  if request_key is null then return null; end if;
  if private.my_id() is null then perform private.refuse('unauthenticated'); end if;
  delete from private.request_keys k where k.user_id = private.my_id() and k.key = kept and k.created_at < now() - interval '1 day';
  insert into private.request_keys (user_id, key, fingerprint) values (private.my_id(), kept, print)
  on conflict on constraint request_keys_pkey do nothing;
  if found then return null; end if;
  select * into earlier from private.request_keys k where k.user_id = private.my_id() and k.key = kept;
  if earlier.fingerprint is distinct from print then
    perform private.refuse('validation_failed', '{"idempotency_key": "This key was already used for another request"}');
  end if;
  return earlier.answer || coalesce((
    select jsonb_build_object('content_raw', r.content_raw) from public.post_revisions r
    where r.post_id = earlier.post_id and r.version >= (earlier.answer ->> 'version')::int
    order by r.version limit 1 -- an autosaved version may have been folded into a later one
  ), '{}');
end $$;

-- Nothing without a key. The content isn't stored twice: its revision has it.
create function private.settle_request(request_key text, given jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update private.request_keys k set
    answer = given - 'content_raw',
    workspace_id = (select w.id from public.workspaces w where w.id = coalesce(given ->> 'workspace_id', given ->> 'id')::uuid),
    post_id = (select p.id from public.posts p where p.id = (given ->> 'id')::uuid)
  where k.user_id = auth.uid() and k.key = coalesce(private.key_id() || ' ', '') || request_key;
end $$;

grant execute on function private.claim_request, private.settle_request to authenticated, service_role;

-- supabase/schemas/35-post-calls.sql

-- Creating, saving, archiving and purging posts as the caller: row-level security decides, triggers derive (99-post-triggers). These add a patch,
-- compare-and-swap on the version, idempotency, and a reason when no row was changed.

-- Raises why a write changed no row: not found, read-only, or a stale version.
create function private.explain_refusal(post uuid) returns void
language plpgsql stable set search_path = '' as $$
declare
  present public.posts;
begin
  select * into present from public.posts p where p.id = post;
  if present.id is null then perform private.refuse('not_found'); end if;
  perform private.require_role(present.workspace_id, '{owner,admin,editor}');
  perform private.refuse('version_conflict', jsonb_build_object('version', present.version, 'updated_at', present.updated_at,
    'updated_by_name', coalesce(present.updated_by_name, present.created_by_name, 'Someone')));
end $$;

create function private.text_array(list jsonb) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select coalesce(array_agg(t.item #>> '{}' order by t.place), '{}')
    from jsonb_array_elements(private.as_list(list)) with ordinality as t (item, place)
  );
end $$;

-- Whether the next publication in this transaction notifies subscribers; null: unchanged, or yes.
create function private.set_notify_subscribers(notify boolean) returns void
language plpgsql set search_path = '' as $$
begin
  perform set_config('tidings.quiet', case notify when true then 'off' when false then 'on' else '' end, true);
end $$;

-- status: null = draft, or scheduled when publish_at is set. `autosaved`: a draft that can lack a title.
create function public.create_post(
  workspace_id uuid, title text, content_raw jsonb, tags text[] default '{}', publish_at timestamptz default null,
  status text default null, idempotency_key text default null, summary text default null, cover_image jsonb default null,
  published_at timestamptz default null, author_id uuid default null, notify boolean default null, slug text default null,
  public_changelog_enabled boolean default null, external_id text default null, autosaved boolean default false, details jsonb default null
) returns public.post_details
language plpgsql set search_path = '' as $$
declare
  earlier jsonb;
  made uuid;
  answer public.post_details;
begin
  perform private.require_role(workspace_id, '{owner,admin,editor}');
  earlier := private.claim_request(idempotency_key, jsonb_build_array('create_post', workspace_id, title, content_raw - 'time', tags, publish_at, status, summary,
    cover_image, published_at, author_id, notify, slug, public_changelog_enabled, external_id, details)::text);
  if earlier is not null then return jsonb_populate_record(null::public.post_details, earlier); end if;
  if public_changelog_enabled then perform public.change_workspace(workspace_id, '{"public_changelog_enabled": true}'); end if;
  if notify is not null then perform private.set_notify_subscribers(notify); end if;
  perform set_config('tidings.slug', coalesce(slug, ''), true), set_config('tidings.autosave', case when autosaved then 'on' else '' end, true);
  insert into public.posts (workspace_id, title, content_raw, tags, publish_at, status, summary, cover_image, published_at, author_id, external_id, details)
  values (workspace_id, title, content_raw, coalesce(tags, '{}'),
    case when status = 'draft' then null else publish_at end, coalesce(status, 'draft')::public.post_status, summary,
    nullif(cover_image, 'null'), published_at, author_id, external_id, details)
  returning posts.id into made;
  perform set_config('tidings.slug', '', true), set_config('tidings.autosave', '', true);
  if notify is not null then perform private.set_notify_subscribers(null); end if;
  select d.* into answer from public.post_details d where d.id = made;
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
  return answer;
end $$;

-- patch: title, summary, cover_image, details (merged; null removes one), content_raw, tags, publish_at, status, slug, published_at, author_id, notify, and for the owner
-- public_changelog_enabled; absent = unchanged. expected_version null = 'Save anyway'. `autosaved`: of a draft, which can lack a title.
create function public.save_post(
  post_id uuid, patch jsonb, expected_version int default null, idempotency_key text default null, autosaved boolean default false
) returns public.post_details
language plpgsql set search_path = '' as $$
declare
  earlier jsonb;
  saved uuid;
  answer public.post_details;
begin
  earlier := private.claim_request(idempotency_key, jsonb_build_array('save_post', post_id, patch #- '{content_raw,time}', expected_version)::text);
  if earlier is not null then
    perform private.require_role((earlier ->> 'workspace_id')::uuid, '{owner,admin,editor}');
    return jsonb_populate_record(null::public.post_details, earlier);
  end if;
  if (patch ->> 'public_changelog_enabled')::boolean then -- lock order: workspace, then post
    perform public.change_workspace((select p.workspace_id from public.posts p where p.id = post_id), '{"public_changelog_enabled": true}');
  end if;
  if patch ? 'notify' then perform private.set_notify_subscribers((patch ->> 'notify')::boolean); end if;
  perform set_config('tidings.slug', coalesce(patch ->> 'slug', ''), true), set_config('tidings.autosave', case when autosaved then 'on' else '' end, true);
  update public.posts p set
    title = case when patch ? 'title' then patch ->> 'title' else p.title end,
    summary = case when patch ? 'summary' then patch ->> 'summary' else p.summary end,
    cover_image = case when patch ? 'cover_image' then nullif(patch -> 'cover_image', 'null') else p.cover_image end,
    details = case when patch ? 'details' then coalesce(p.details, '{}') || coalesce(nullif(patch -> 'details', 'null'), '{}') else p.details end,
    content_raw = case when patch ? 'content_raw' then patch -> 'content_raw' else p.content_raw end,
    tags = case when patch ? 'tags' then private.text_array(patch -> 'tags') else p.tags end,
    publish_at = case
      when patch ->> 'status' = 'draft' then null
      when patch ? 'publish_at' then (patch ->> 'publish_at')::timestamptz
      else p.publish_at end,
    status = coalesce((patch ->> 'status')::public.post_status, p.status),
    published_at = coalesce((patch ->> 'published_at')::timestamptz, p.published_at),
    author_id = case when patch ? 'author_id' then (patch ->> 'author_id')::uuid else p.author_id end
  where p.id = post_id and (expected_version is null or p.version = expected_version)
  returning p.id into saved;
  perform set_config('tidings.slug', '', true), set_config('tidings.autosave', '', true);
  if patch ? 'notify' then perform private.set_notify_subscribers(null); end if;
  if saved is null then perform private.explain_refusal(post_id); end if;
  select d.* into answer from public.post_details d where d.id = saved;
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
  return answer;
end $$;

-- By its id, or by its id in another system.
create function public.read_post(post_id uuid default null, workspace_id uuid default null, external_id text default null) returns public.post_details
language plpgsql stable set search_path = '' as $$
declare
  wanted constant uuid := coalesce(post_id, (
    select p.id from public.posts p where p.workspace_id = read_post.workspace_id and p.external_id = read_post.external_id));
  answer public.post_details;
begin
  select d.* into answer from public.post_details d where d.id = wanted;
  if answer.id is null then perform private.refuse('not_found'); end if;
  return answer;
end $$;

-- Merges, so two people who link requests at once keep both.
create function public.link_requests(post_id uuid, added text[] default '{}', removed text[] default '{}') returns public.post_details
language plpgsql set search_path = '' as $$
declare
  answer public.post_details;
begin
  update public.posts p set requests = array(
    select r.url from unnest(p.requests || added) with ordinality as r (url, place)
    where r.url <> all (removed) group by r.url order by min(r.place))
  where p.id = post_id;
  if not found then perform private.explain_refusal(post_id); end if;
  select d.* into answer from public.post_details d where d.id = post_id;
  return answer;
exception when check_violation then
  perform private.refuse('validation_failed', '{"add": "Link at most 20 requests of Linear, Jira or GitHub"}');
end $$;

-- Undoes archiving within 15 minutes if the version is still the same; otherwise, or if its time has passed meanwhile, the post becomes a draft.
create function public.undo_archive(post_id uuid, expected_version int) returns public.post_details
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  present public.posts;
  before public.post_revisions;
  answer public.post_details;
begin
  if private.my_role((select p.workspace_id from public.posts p where p.id = post_id)) is null then perform private.refuse('not_found'); end if; -- strangers get no lock
  select * into present from public.posts p where p.id = post_id for update;
  if present.id is null then perform private.refuse('not_found'); end if;
  perform private.require_role(present.workspace_id, '{owner,admin,editor}');
  if present.version <> expected_version then perform private.explain_refusal(post_id); end if;
  if present.status = 'archived' then
    if present.archived_at > now() - interval '15 minutes' then
      select * into before from public.post_revisions r where r.post_id = post_id and r.version = present.version - 1;
    end if;
    perform set_config('tidings.former_status', case
      when before.status = 'published' or before.status = 'scheduled' and before.publish_at <= present.archived_at
        and present.published_at is not null then 'published'
      when before.status = 'scheduled' and before.publish_at > now() then 'scheduled'
      else 'draft' end, true);
    update public.posts p set status = 'draft' where p.id = post_id;
    perform set_config('tidings.former_status', '', true);
    -- One activity, whatever the status is now.
    update public.activities a set kind = 'post_restored' where a.id = (
      select l.id from public.activities l where l.workspace_id = present.workspace_id and l.post_id = post_id order by l.created_at desc, l.id desc limit 1
    );
  end if;
  select d.* into answer from public.post_details d where d.id = post_id;
  return answer;
end $$;

-- Restores a revision's content as the newest version; status stays, and so does the title if the revision had none.
create function public.restore_revision(post_id uuid, version int, expected_version int default null) returns public.post_details
language plpgsql set search_path = '' as $$
declare
  wanted public.post_revisions;
begin
  select * into wanted from public.post_revisions r where r.post_id = restore_revision.post_id and r.version = restore_revision.version;
  if wanted.post_id is null then perform private.refuse('not_found'); end if;
  return public.save_post(post_id, private.content_of(to_jsonb(wanted)) - case when wanted.title = '' then 'title' else '' end, expected_version);
end $$;

create function public.purge_post(post_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  delete from public.posts p where p.id = post_id;
  if not found then perform private.explain_refusal(post_id); end if;
end $$;

grant execute on function private.explain_refusal, private.text_array, private.set_notify_subscribers, public.create_post, public.save_post,
  public.read_post, public.link_requests, public.undo_archive, public.restore_revision, public.purge_post to authenticated, service_role;

-- supabase/schemas/36-post-lists.sql

-- Lists of posts for members, run as the caller. plpgsql caches plans, sql doesn't.

create function private.list_status(status text) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if status is null or status not in ('all', 'draft', 'scheduled', 'published', 'archived') then
    perform private.refuse('validation_failed', '{"status": "Please use all, draft, scheduled, published or archived"}');
  end if;
end $$;

-- {"total", "posts"}: the count and one page, last edited first. page ≥ 1, page_size 1–100. 'all' leaves archived posts out (product decision 6). A due
-- post counts as published in every list (product decision 4).
create function public.list_posts(workspace_id uuid, status text default 'all', page int default 1, page_size int default 10) returns json
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  size constant int := least(greatest(coalesce(page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(page, 1), 1)::bigint - 1) * size;
  total bigint;
  listed json;
begin
  perform private.require_role(asked);
  perform private.list_status(status);
  if status = 'all' then
    select count(*) into total from public.posts p where p.workspace_id = asked and p.status <> 'archived';
    select json_agg(l) into listed from (
      select s.* from public.post_summaries s where s.workspace_id = asked and s.status <> 'archived'
      order by s.updated_at desc, s.id desc limit size offset skip
    ) as l;
  elsif status = 'published' then
    total := (select count(*) from public.posts p where p.workspace_id = asked and p.status = 'published')
      + (select count(*) from public.posts p where p.workspace_id = asked and p.status = 'scheduled' and p.publish_at <= now());
    -- Worded to match posts_recent, whose order this is; posts_public would be read whole and sorted.
    select json_agg(l) into listed from (
      select s.* from public.post_summaries s
      where s.workspace_id = asked and s.status <> 'archived' and s.status <> 'draft' and (s.status <> 'scheduled' or s.publish_at <= now())
      order by s.updated_at desc, s.id desc limit size offset skip
    ) as l;
  else
    select count(*) into total from public.posts p
    where p.workspace_id = asked and p.status = list_posts.status::public.post_status and (p.status <> 'scheduled' or p.publish_at > now());
    select json_agg(l) into listed from (
      select s.* from public.post_summaries s
      where s.workspace_id = asked and s.status = list_posts.status::public.post_status and (s.status <> 'scheduled' or s.publish_at > now())
      order by s.updated_at desc, s.id desc limit size offset skip
    ) as l;
  end if;
  return json_build_object('total', total, 'posts', coalesce(listed, '[]'));
end $$;

-- Scheduled posts of the caller's workspaces, or of one, soonest first, at most 100 (product decision 12). Asks each workspace in index order, as
-- owner, since the policy would force one scan of all. Keeps its plan (plan_cache_mode): planning took most of the time.
create function public.upcoming_posts(workspace_id uuid default null) returns setof public.post_summaries
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  asked uuid[] := array(select private.my_workspace_ids());
begin
  if workspace_id is not null then
    perform private.require_role(workspace_id);
    asked := array[workspace_id];
  end if;
  return query
    select s.* from (
      select soon.id from unnest(asked) as mine (workspace),
        lateral (
          select s.id, s.publish_at from public.posts s
          where s.workspace_id = mine.workspace and s.status = 'scheduled' and s.publish_at > now() order by s.publish_at limit 100
        ) as soon
      order by soon.publish_at, soon.id limit 100
    ) as first join public.post_summaries s on s.id = first.id
    order by s.publish_at, s.id;
end $$;

-- Search in a workspace: posts whose title, tags or text contain every word, last edited first, without archived ones. Case, accents and punctuation
-- are ignored. One or two letters match the start of a word, as trigrams can't do more; in scripts without spaces they match anywhere.

-- LIKE patterns for private.search_words, the longest first, at most ten.
create function private.search_patterns(term text) returns text[]
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return array(
    select case when w.word ~ '^[a-z0-9]{1,2}$' then '% ' else '%' end || w.word || '%'
    from unnest(string_to_array(btrim(private.search_words(term)), ' ')) as w (word) where w.word <> ''
    order by char_length(w.word) desc limit 10
  );
end $$;

create function private.latest_matches(workspace uuid, patterns text[], wanted int) returns uuid[]
language plpgsql stable set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select r.id from (
      select p.id, p.search_text, p.updated_at from public.posts p
      where p.workspace_id = workspace and p.status <> 'archived' order by p.updated_at desc, p.id desc limit 200
    ) as r
    where r.search_text like all (patterns) order by r.updated_at desc, r.id desc limit wanted
  );
end $$;

-- LIKE isn't leakproof, so row-level security would keep it from its index: this runs as owner and checks the role first. A frequent term is found
-- among the latest posts; only if they don't suffice is the index used, and then few posts match.
create function public.search_posts(workspace_id uuid, term text, max_rows int default 8) returns setof public.post_summaries
language plpgsql stable security definer set search_path = '' as $$
declare
  wanted constant int := least(greatest(coalesce(max_rows, 8), 1), 50);
  patterns constant text[] := private.search_patterns(term);
  one constant text := patterns[1];
  two constant text := coalesce(patterns[2], '%');
  three constant text := coalesce(patterns[3], '%');
  found_ids uuid[];
begin
  perform private.require_role(search_posts.workspace_id);
  if cardinality(patterns) = 0 then return; end if;
  found_ids := private.latest_matches(search_posts.workspace_id, patterns, wanted);
  if cardinality(found_ids) < wanted then
    found_ids := array(
      with matching as materialized (
        select p.id, p.updated_at from public.posts p
        where p.workspace_id = search_posts.workspace_id and p.status <> 'archived'
          and p.search_text like one and p.search_text like two and p.search_text like three and p.search_text like all (patterns)
      )
      select m.id from matching m order by m.updated_at desc, m.id desc limit wanted
    );
  end if;
  return query
    select s.* from public.post_summaries s where s.id = any (found_ids) order by array_position(found_ids, s.id);
end $$;

-- {"total", "posts"}: one page of matching posts. `term` is in the title or the creator's name, `owner` is a full name, both case-insensitive; `tag`
-- is a key; blank: any. `sort`: most_viewed_last_month or recent_activity. Views are of the last 30 days, null without the analytics add-on. Runs as
-- owner after a check of the role, because lower() and strpos() can't use indexes under policies. The statement is built of fixed parts, so each
-- search is planned with its own index; values are parameters.
create function public.find_posts(
  workspace_id uuid, term text default null, owner text default null, status text default 'all',
  sort text default 'recent_activity', page int default 1, page_size int default 10, tag text default null
) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  words constant text := lower(nullif(btrim(term), ''));
  creator constant text := lower(nullif(btrim(owner), ''));
  size constant int := least(greatest(coalesce(page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(page, 1), 1)::bigint - 1) * size;
  analytics constant boolean := private.has_add_on(asked, 'analytics');
  by_name constant text := 'lower(private.creator_name(p.author_name, p.created_by_name))';
  filter text := 'p.workspace_id = $1';
  ranked text := 'public.posts p';
  ranking text := '';
  answer json;
begin
  perform private.require_role(asked);
  perform private.list_status(status);
  if sort is null or sort not in ('most_viewed_last_month', 'recent_activity') then
    perform private.refuse('validation_failed', '{"sort": "Please use most_viewed_last_month or recent_activity"}');
  end if;
  filter := filter || case status
    when 'all' then $f$ and p.status <> 'archived'$f$
    when 'published' then $f$ and (p.status = 'published' or p.status = 'scheduled' and p.publish_at <= now())$f$
    when 'scheduled' then $f$ and p.status = 'scheduled' and p.publish_at > now()$f$
    when 'draft' then $f$ and p.status = 'draft'$f$
    else $f$ and p.status = 'archived'$f$ end;
  -- Matches the indexes' condition.
  if status not in ('all', 'archived') then filter := filter || $f$ and p.status <> 'archived'$f$; end if;
  if creator is not null then filter := filter || ' and ' || by_name || ' = $3'; end if;
  if find_posts.tag <> '' then filter := filter || $f$ and p.tags <> '{}' and p.tags @> array[$6]$f$; end if; -- the first as posts_tags has it
  if words is not null then -- inlined: creator_name for every post would take most of the time
    filter := filter || $f$ and (strpos(lower(p.title), $2) > 0
      or strpos(lower(coalesce(nullif(btrim(p.author_name), ''), nullif(btrim(p.created_by_name), ''), 'Unknown')), $2) > 0)$f$;
  end if;
  if sort = 'most_viewed_last_month' then
    ranking := case when analytics then 'coalesce(v.views, 0) desc, ' else 'private.placeholder_views(p.id, p.title) desc, ' end;
    if analytics then ranked := 'public.posts p left join (
      select c.post_id, sum(c.views) as views from private.post_counts c
      where c.workspace_id = $1 and c.span = ''day'' and c.first_day > (now() at time zone ''utc'')::date - 30 group by c.post_id
    ) as v on v.post_id = p.id'; end if;
  end if;

  execute 'select json_build_object(''total'', (select count(*) from public.posts p where ' || filter || '), ''posts'',
      coalesce(json_agg(s order by s.place), ''[]'')) from (
      select s.*, f.place,' || case when analytics then 'coalesce((
          select sum(d.n) from public.daily_counts d
          where d.workspace_id = $1 and d.post_id = s.id and d.what = ''view'' and d.day > (now() at time zone ''utc'')::date - 30), 0)'
        else 'null::int' end || ' as views
      from (
        select row_number() over () as place, o.id from (
          select p.id from ' || ranked || ' where ' || filter || ' order by ' || ranking || 'p.updated_at desc, p.id desc limit $4 offset $5
        ) as o
      ) as f join public.post_summaries s on s.id = f.id
    ) as s'
  into answer using asked, words, creator, size, skip, find_posts.tag;
  return answer;
end $$;

-- Posts by id, whatever their status, last edited first, at most 100; unknown ids are left out.
create function public.posts_of(workspace_id uuid, ids uuid[]) returns setof public.post_summaries
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_role(posts_of.workspace_id);
  return query
    select s.* from public.post_summaries s where s.id = any (ids) and s.workspace_id = posts_of.workspace_id
    order by s.updated_at desc, s.id desc limit 100;
end $$;

-- The dashboard in one call, with the keys of contract/workspaces.ts. Runs as owner after a check of the role. `views` are of the last 30 days, null
-- without the analytics add-on (product decision 8); `firstSteps` is derived from what the workspace has done.
create function public.dashboard(workspace_id uuid) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  perform private.require_role(dashboard.workspace_id);
  return json_build_object(
    'recentPosts', coalesce((
      select json_agg(s) from (
        select s.* from public.post_summaries s where s.workspace_id = dashboard.workspace_id and s.status <> 'archived'
        order by s.updated_at desc, s.id desc limit 20
      ) as s), '[]'),
    'upcomingPosts', coalesce((select json_agg(u) from public.upcoming_posts(dashboard.workspace_id) as u), '[]'),
    'count', (select count(*) from public.posts p where p.workspace_id = dashboard.workspace_id and p.status <> 'archived'),
    'hasArchive', exists (select from public.posts p where p.workspace_id = dashboard.workspace_id and p.status = 'archived'),
    'creators', coalesce((
      with recursive creators as ( -- index order, case-insensitively distinct
        (select lower(private.creator_name(p.author_name, p.created_by_name)) as key, private.creator_name(p.author_name, p.created_by_name) as name
        from public.posts p where p.workspace_id = dashboard.workspace_id and p.status <> 'archived'
        order by lower(private.creator_name(p.author_name, p.created_by_name)), p.updated_at desc, p.id desc limit 1)
        union all
        select n.* from creators c, lateral (
          select lower(private.creator_name(p.author_name, p.created_by_name)), private.creator_name(p.author_name, p.created_by_name)
          from public.posts p where p.workspace_id = dashboard.workspace_id and p.status <> 'archived'
            and lower(private.creator_name(p.author_name, p.created_by_name)) > c.key
          order by lower(private.creator_name(p.author_name, p.created_by_name)), p.updated_at desc, p.id desc limit 1
        ) as n
      ) select json_agg(c.name order by c.key) from creators c), '[]'),
    'memberCount', (select count(*) from public.members m where m.workspace_id = dashboard.workspace_id),
    'views', case when private.has_add_on(dashboard.workspace_id, 'analytics') then (
      select coalesce(sum(d.n), 0) from public.daily_counts d
      where d.workspace_id = dashboard.workspace_id and d.post_id is null and d.what = 'view' and d.day > (now() at time zone 'utc')::date - 30
    ) end,
    'recentActivities', coalesce((
      select json_agg(l) from (
        select a.id::text, a.kind, a.actor_name, a.post_id, a.title, a.created_at from public.activities a
        where a.workspace_id = dashboard.workspace_id order by a.created_at desc, a.id desc limit 10
      ) as l), '[]'),
    'public_changelog_enabled', (select w.public_changelog_enabled from public.workspaces w where w.id = dashboard.workspace_id),
    'firstSteps', json_build_object(
      'written', exists (select from public.posts p where p.workspace_id = dashboard.workspace_id),
      'readable', exists (select from private.visible_posts v where v.workspace_id = dashboard.workspace_id),
      'installed', exists (select from private.widget_sightings s where s.workspace_id = dashboard.workspace_id),
      'invited', exists (select from public.members m where m.workspace_id = dashboard.workspace_id and m.role <> 'owner')
        or exists (select from public.invites i where i.workspace_id = dashboard.workspace_id and i.revoked_at is null)
    )
  );
end $$;

grant execute on function private.list_status, public.list_posts, public.upcoming_posts, public.search_posts, public.find_posts,
  public.posts_of, public.dashboard to authenticated, service_role;

-- supabase/schemas/37-tags.sql

-- Tags of a workspace beside the four default ones, whose keys are ignored here. Posts carry keys; a row says how a key is shown.
create table public.tags (
  workspace_id uuid not null constraint tags_workspace_id_fkey references public.workspaces (id) on delete cascade,
  key text not null constraint tags_key_shape check (key = lower(key) and key ~ '^\S+$' and char_length(key) <= 40),
  label text not null constraint tags_label_length check (char_length(label) between 1 and 40),
  colour text not null default 'blue'
    constraint tags_colour_known check (colour in ('blue', 'green', 'red', 'purple', 'orange', 'gray')),
  created_by uuid,
  created_at timestamptz not null default now(),
  constraint tags_pkey primary key (workspace_id, key)
);

create type public.tag as (key text, label text, colour text);

-- As in contract/tags.ts; a test compares them.
create function private.default_tags() returns setof public.tag
language sql immutable parallel safe set search_path = '' as $$
  values ('feature', 'Feature', 'green'), ('improvement', 'Improvement', 'blue'), ('fix', 'Fix', 'orange'), ('docs', 'Documentation', 'purple')
$$;

create function private.tag_key(label text) returns text
language sql immutable strict parallel safe set search_path = '' as $$ select replace(lower(private.clean_line(label)), ' ', '-') $$;

create function private.clean_tag() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.label := private.clean_line(new.label);
  if coalesce(new.label, '') = '' then perform private.refuse('validation_failed', '{"label": "A tag needs a name"}'); end if;
  if char_length(new.label) > 40 then perform private.refuse('validation_failed', '{"label": "A tag can have at most 40 characters"}'); end if;
  if tg_op = 'INSERT' then
    perform pg_advisory_xact_lock_shared(hashtextextended('tags/' || new.workspace_id, 0)); -- or a tag is getting this name
    new.key := private.tag_key(new.label);
    new.created_by := auth.uid();
    if exists (select from private.default_tags() as d where d.key = new.key) then return null; end if;
  end if;
  perform private.revive_tag(new.workspace_id, new.key);
  return new;
end $$;
create trigger tags_are_tidy before insert or update on public.tags for each row execute function private.clean_tag();

create policy "members read their workspace's tags" on public.tags for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "writers add tags" on public.tags for insert to authenticated
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));
-- Updated and deleted by the functions below, since posts carry keys.

grant select, insert (workspace_id, label, colour) on public.tags to authenticated;

-- Former keys: the present key of a renamed or merged tag, null if deleted. Later writes with a former key get the present one.
create table private.former_tags (
  workspace_id uuid not null constraint former_tags_workspace_id_fkey references public.workspaces (id) on delete cascade,
  key text not null,
  now_key text,
  constraint former_tags_pkey primary key (workspace_id, key)
);

-- Renames under way in posts: a call does a few hundred, the clock does the rest, and posts saved concurrently, half a minute later.
create table private.tag_moves (
  workspace_id uuid not null constraint tag_moves_workspace_id_fkey references public.workspaces (id) on delete cascade,
  from_key text not null,
  to_key text,
  begun_at timestamptz not null default clock_timestamp(),
  constraint tag_moves_pkey primary key (workspace_id, from_key)
);

-- A key in use isn't a former one.
create function private.revive_tag(workspace uuid, tag_key text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.former_tags f where f.workspace_id = workspace and f.key = tag_key;
  delete from private.tag_moves m where m.workspace_id = workspace and m.from_key = tag_key;
end $$;

-- Present keys, deduplicated, without deleted ones.
create function private.tags_now(workspace uuid, keys text[]) returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return private.clean_tags(array(
    select case when f.key is null then given.key else f.now_key end
    from unnest(keys) with ordinality as given (key, place) left join private.former_tags f on f.workspace_id = workspace and f.key = given.key
    order by given.place
  ));
end $$;

-- A renamed tag isn't an edit: versions, dates and revisions stay, open editors see no conflict, archived posts change too.
create function private.retag_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.tags := private.clean_tags(array_replace(old.tags, current_setting('tidings.tag_from'), nullif(current_setting('tidings.tag_to'), '')));
  -- Replaces the search text's beginning as private.clean_post built it, or rebuilds it.
  new.search_text := case
    when starts_with(old.search_text, private.search_words(old.title || ' ' || array_to_string(old.tags, ' '))) then
      private.search_words(new.title || ' ' || array_to_string(new.tags, ' '))
      || substr(old.search_text, char_length(private.search_words(old.title || ' ' || array_to_string(old.tags, ' '))) + 1)
    else private.search_words(new.title || ' ' || array_to_string(new.tags, ' ') || ' ' || left(private.blocks_text(new.content_raw), 100000))
  end;
  return new;
end $$;

-- Locks the first posts with a tag. Lock order: posts, then the public version, as in a save.
create function private.lock_posts(workspace uuid, tag_key text) returns uuid[]
language plpgsql security definer set search_path = '' as $$
begin
  return array(
    select p.id from public.posts p where p.workspace_id = workspace and p.tags @> array[tag_key] order by p.id limit 300 for no key update
  );
end $$;

-- Replaces a tag in the posts that `held` names, or else the first with it, or removes it; returns their number. Then, or after the last post of a
-- rename that continues, also in subscribers' choices: an empty list means no email, null all tags.
create function private.retag(workspace uuid, from_key text, to_key text, held uuid[] default null) returns int
language plpgsql security definer set search_path = '' as $$
declare
  posts constant uuid[] := coalesce(held, private.lock_posts(workspace, from_key));
begin
  perform private.lock_events(posts); -- publishes due posts
  perform set_config('tidings.tag_from', from_key, true), set_config('tidings.tag_to', coalesce(to_key, ''), true);
  update public.posts p set updated_at = p.updated_at where p.id = any (posts) and p.tags @> array[from_key];
  perform set_config('tidings.tag_from', '', true), set_config('tidings.tag_to', '', true);
  if held is not null or cardinality(posts) = 0 then
    update public.subscribers s set tags = private.clean_tags(array_replace(s.tags, from_key, to_key))
    where s.workspace_id = workspace and s.tags @> array[from_key];
  end if;
  return cardinality(posts);
end $$;

-- The clock continues renames older than half a minute, one per call to hold few locks.
create function private.settle_tags() returns void
language plpgsql security definer set search_path = '' as $$
declare
  move private.tag_moves;
begin
  for move in select * from private.tag_moves m where m.begun_at < clock_timestamp() - interval '30 seconds' order by m.begun_at limit 20 loop
    exit when private.retag(move.workspace_id, move.from_key, move.to_key) > 0;
    -- unless the tag was made and renamed again meanwhile
    delete from private.tag_moves m where m.workspace_id = move.workspace_id and m.from_key = move.from_key and m.begun_at = move.begun_at;
  end loop;
end $$;

create function private.tags_of(workspace uuid) returns setof public.tag
language plpgsql stable set search_path = '' as $$
begin
  return query select d.key, d.label, d.colour from private.default_tags() as d;
  return query select t.key, t.label, t.colour from public.tags t where t.workspace_id = workspace order by lower(t.label), t.key;
end $$;

-- {"tags", "carried", "former"}: the workspace's tags; keys in use with counts; former key → present key, null if deleted.
create function public.list_tags(workspace_id uuid) returns json
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role(list_tags.workspace_id);
  return json_build_object(
    'tags', (select json_agg(t) from private.tags_of(list_tags.workspace_id) as t),
    'carried', (
      select coalesce(json_agg(c order by c.key), '[]') from (
        select t.key, count(*)::int as posts from public.posts p, unnest(p.tags) as t (key)
        where p.workspace_id = list_tags.workspace_id and p.status <> 'archived' and p.tags <> '{}' group by 1
      ) as c),
    'former', (select coalesce(json_object_agg(f.key, f.now_key), '{}') from private.former_tags f where f.workspace_id = list_tags.workspace_id)
  );
end $$;

-- Returns the existing tag if the key is taken or a default one.
create function public.create_tag(workspace_id uuid, label text, colour text default 'blue') returns public.tag
language plpgsql set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant text := private.tag_key(label);
  made public.tag;
begin
  perform private.require_role(asked, '{owner,admin,editor}');
  insert into public.tags (workspace_id, label, colour) values (asked, label, coalesce(colour, 'blue'))
  on conflict on constraint tags_pkey do nothing;
  select found_tag.key, found_tag.label, found_tag.colour into made from private.tags_of(asked) as found_tag where found_tag.key = wanted;
  return made;
end $$;

-- A tag, locked; one that only posts carry has its key as label.
create function private.lock_tag(workspace uuid, tag_key text) returns public.tag
language plpgsql security definer set search_path = '' as $$
declare
  held public.tag;
begin
  perform pg_advisory_xact_lock(hashtextextended('tags/' || workspace, 0));
  select t.* into held from private.tags_of(workspace) as t where t.key = tag_key;
  if held.key is null and exists (select from public.posts p where p.workspace_id = workspace and p.tags @> array[tag_key]) then
    held := (tag_key, tag_key, 'gray');
  end if;
  return held;
end $$;

-- Replaces a key, or removes it; `held`: the first posts with it. {"posts", "unfinished"}: how many carry it, and whether settle_tags continues.
create function private.replace_tag_key(workspace uuid, from_key text, to_key text, held uuid[]) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  amount constant int := (select count(*) from public.posts p where p.workspace_id = workspace and p.tags @> array[from_key]);
begin
  perform private.revive_tag(workspace, to_key);
  update private.tag_moves m set to_key = replace_tag_key.to_key where m.workspace_id = workspace and m.to_key = from_key;
  insert into private.tag_moves (workspace_id, from_key, to_key) values (workspace, from_key, to_key)
  on conflict on constraint tag_moves_pkey do update set to_key = excluded.to_key, begun_at = excluded.begun_at;
  if not exists (select from private.default_tags() as d where d.key = from_key) then
    update private.former_tags f set now_key = to_key where f.workspace_id = workspace and f.now_key = from_key;
    insert into private.former_tags (workspace_id, key, now_key) values (workspace, from_key, to_key)
    on conflict on constraint former_tags_pkey do update set now_key = excluded.now_key;
  end if;
  perform private.retag(workspace, from_key, to_key, held);
  return jsonb_build_object('posts', amount, 'unfinished', amount > cardinality(held));
end $$;

-- Renames or recolours a tag; null: unchanged. The key follows the name. A taken name is refused. {"tag", "posts", "unfinished"}.
create function public.change_tag(workspace_id uuid, key text, label text default null, colour text default null) returns json
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  role constant public.member_role := private.require_role(workspace_id, '{owner,admin,editor}');
  was constant public.tag := private.lock_tag(workspace_id, key);
  new_label constant text := coalesce(private.clean_line(label), was.label);
  new_colour constant text := coalesce(colour, was.colour);
  new_key constant text := private.tag_key(new_label);
  moves constant boolean := new_key <> key;
  held constant uuid[] := case when moves then private.lock_posts(workspace_id, key) end;
  done jsonb := '{"posts": 0, "unfinished": false}';
begin
  if was.key is null then perform private.refuse('not_found'); end if;
  if exists (select from private.default_tags() as d where d.key = key) then
    perform private.refuse('validation_failed', '{"key": "You can''t change or delete a default tag. Merge it into another one instead."}');
  end if;
  if new_label = '' then perform private.refuse('validation_failed', '{"label": "A tag needs a name"}'); end if;
  if moves and (private.lock_tag(workspace_id, new_key)).key is not null then
    perform private.refuse('validation_failed', '{"label": "Another tag has this name. Merge the two, or choose another name."}');
  end if;
  update public.tags t set key = new_key, label = new_label, colour = new_colour where t.workspace_id = workspace_id and t.key = key;
  if not found then insert into public.tags (workspace_id, label, colour) values (workspace_id, new_label, new_colour); end if;
  if moves then done := private.replace_tag_key(workspace_id, key, new_key, held); end if;
  perform private.announce(workspace_id, 'tags-changed');
  return done || jsonb_build_object('tag', jsonb_build_object('key', new_key, 'label', new_label, 'colour', new_colour));
end $$;

-- Deletes a tag, or merges it into another, which posts get instead; a default tag is only merged. Returns what change_tag does.
create function public.delete_tag(workspace_id uuid, key text, into_key text default null) returns json
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  role constant public.member_role := private.require_role(workspace_id, '{owner,admin,editor}');
  was constant public.tag := private.lock_tag(workspace_id, key);
  stays constant public.tag := case when into_key is not null then private.lock_tag(workspace_id, into_key) end;
  held constant uuid[] := private.lock_posts(workspace_id, key);
  done jsonb;
begin
  if was.key is null or into_key is not null and stays.key is null then perform private.refuse('not_found'); end if;
  if key = into_key then perform private.refuse('validation_failed', '{"into": "Please choose another tag"}'); end if;
  if into_key is null and exists (select from private.default_tags() as d where d.key = key) then
    perform private.refuse('validation_failed', '{"key": "You can''t change or delete a default tag. Merge it into another one instead."}');
  end if;
  delete from public.tags t where t.workspace_id = workspace_id and t.key = key;
  done := private.replace_tag_key(workspace_id, key, into_key, held);
  perform private.announce(workspace_id, 'tags-changed');
  return done || case when into_key is null then '{}' else jsonb_build_object('tag', to_jsonb(stays)) end;
end $$;

-- Continues the workspace's renames; true if there is more to do.
create function public.settle_tags(workspace_id uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  move private.tag_moves;
begin
  perform private.require_role(workspace_id, '{owner,admin,editor}');
  for move in select * from private.tag_moves m where m.workspace_id = workspace_id order by m.begun_at loop
    if private.retag(workspace_id, move.from_key, move.to_key) > 0 then return true; end if;
  end loop;
  perform private.announce(workspace_id, 'tags-changed');
  return false;
end $$;

grant execute on function private.default_tags, private.tag_key, private.tags_of, public.list_tags, public.create_tag, public.change_tag,
  public.delete_tag, public.settle_tags to authenticated, service_role;
grant execute on function private.settle_tags to service_role;

-- supabase/schemas/38-activities.sql

-- The dashboard's activity feed, written by triggers. One person's plain edits of a post within an hour are one line.
create table public.activities (
  id bigint generated always as identity constraint activities_pkey primary key,
  workspace_id uuid not null constraint activities_workspace_id_fkey references public.workspaces (id) on delete cascade,
  post_id uuid, -- no foreign key: the line outlives the post
  kind text not null constraint activities_kind_known check (kind in (
    'post_created', 'post_updated', 'post_scheduled', 'post_unscheduled', 'post_published', 'post_archived', 'post_restored', 'post_purged',
    'post_date_changed', 'post_author_changed', 'posts_imported', 'import_undone',
    'post_unapproved', 'review_asked', 'review_refused', 'proposal_made', 'proposal_accepted', 'proposal_refused',
    'member_joined', 'member_left', 'member_removed', 'role_changed', 'ownership_handed_over', 'changelog_opened', 'changelog_closed'
  )),
  actor_id uuid,
  actor_name text,
  title text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index activities_recent on public.activities (workspace_id, created_at desc, id desc);
create index activities_edits on public.activities (post_id, actor_id, created_at desc) where kind = 'post_updated';

create policy "members read their workspace's activities" on public.activities for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
grant select on public.activities to authenticated;

create function private.record_activity(workspace uuid, kind text, title text, post uuid default null) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
begin
  if not exists (select from public.workspaces w where w.id = workspace) then return; end if; -- the workspace is being deleted
  insert into public.activities (workspace_id, post_id, kind, actor_id, actor_name, title)
  values (workspace, post, kind, auth.uid(), private.actor_name(), title);
end $$;

-- Writes the activity feed and the audit log, and broadcasts post-upserted { post_id, version, autosaved } or post-removed { post_id }: clients then
-- read the post with their present rights, and lists can ignore `autosaved` ones. An import is one line and one event (84-imports).
create function private.record_post_activity() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  what text;
begin
  if private.has_option('importing') then return null; end if;
  if tg_op = 'DELETE' then
    if not exists (select from public.workspaces w where w.id = old.workspace_id) then return null; end if;
    perform private.announce(old.workspace_id, 'post-removed', jsonb_build_object('post_id', old.id));
    perform private.record_activity(old.workspace_id, 'post_purged', old.title, old.id);
    perform private.audit(old.workspace_id, 'post_purged', old.id, old.title, jsonb_build_object('status', old.status));
    return null;
  elsif tg_op = 'UPDATE' and old.version = new.version then
    return null;
  end if;
  perform private.announce(new.workspace_id, 'post-upserted',
    jsonb_build_object('post_id', new.id, 'version', new.version, 'autosaved', private.has_option('autosave')));
  if tg_op = 'INSERT' then
    what := case new.status when 'published' then 'post_published' when 'scheduled' then 'post_scheduled' else 'post_created' end;
  else
    what := case
      when new.status = old.status and new.status = 'scheduled' and new.publish_at <> old.publish_at then 'post_scheduled'
      when new.status = old.status and new.published_at <> old.published_at then 'post_date_changed'
      when new.status = old.status and new.author_id is distinct from old.author_id then 'post_author_changed'
      when new.status = old.status then 'post_updated'
      when new.status = 'published' then 'post_published'
      when new.status = 'scheduled' then 'post_scheduled'
      when new.status = 'archived' then 'post_archived'
      when old.status = 'archived' then 'post_restored'
      when current_setting('tidings.unapproved', true) = new.id::text then 'post_unapproved'
      else 'post_unscheduled'
    end;
    if what = 'post_unapproved' then perform set_config('tidings.unapproved', '', true); end if;
  end if;
  -- The audit log has what readers see or will see; saves are in the post's history.
  if what in ('post_published', 'post_archived', 'post_restored') or new.status = 'scheduled' and (tg_op = 'INSERT' or old.status <> 'scheduled') then
    perform private.audit(new.workspace_id, what, new.id, new.title,
      case when new.status = 'scheduled' then jsonb_build_object('publish_at', new.publish_at) else '{}' end);
  end if;
  if what = 'post_updated' then
    update public.activities a set created_at = clock_timestamp(), title = new.title
    where a.id = (
      select e.id from public.activities e
      where e.kind = 'post_updated' and e.post_id = new.id and e.actor_id = auth.uid() and e.created_at > now() - interval '1 hour'
        and e.actor_name is not distinct from private.actor_name() -- a person and their assistant are two
      order by e.created_at desc limit 1
    );
    if found then return null; end if;
  end if;
  perform private.record_activity(new.workspace_id, what, new.title, new.id);
  if what = 'post_date_changed' and new.author_id is distinct from old.author_id then
    perform private.record_activity(new.workspace_id, 'post_author_changed', new.title, new.id);
  end if;
  return null;
end $$;

-- supabase/schemas/39-post-redirects.sql

-- Former URLs of posts: lower-case host, path without query. URLs that differ only by query aren't stored, as one path would match many posts.
create table public.post_redirects (
  workspace_id uuid not null constraint post_redirects_workspace_id_fkey references public.workspaces (id) on delete cascade,
  host text collate "C" not null constraint post_redirects_host_shape check (host ~ '^[^/?#@\s]+$' and host = lower(host) and char_length(host) <= 255),
  path text collate "C" not null constraint post_redirects_path_shape check (path ~ '^/[^?#]*[^?#/]$' and octet_length(path) <= 1500),
  post_id uuid not null constraint post_redirects_post_id_fkey references public.posts (id) on delete cascade,
  constraint post_redirects_pkey primary key (workspace_id, host, path)
);
create index post_redirects_by_path on public.post_redirects (workspace_id, path, post_id);
create index post_redirects_by_post on public.post_redirects (post_id);

create policy "members read where their posts were before" on public.post_redirects for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
grant select on public.post_redirects to authenticated;

create function private.redirect_path(path text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  bare constant text := regexp_replace(left(path, 4000), '/*([?#].*)?$', '');
begin
  if bare !~ '[^!-~]' then return bare; end if;
  return (
    select string_agg(case when c.letter ~ '[^!-~]' then upper(regexp_replace(encode(convert_to(c.letter, 'UTF8'), 'hex'), '(..)', '%\1', 'g'))
      else c.letter end, '' order by c.place)
    from regexp_split_to_table(bare, '') with ordinality as c (letter, place)
  );
end $$;

-- The present URL of the visible post that had this path: by host, else if only one post had it on any host. Null: none.
create function private.find_redirect(subdomain text, host text, path text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  workspace constant uuid := private.open_workspace(find_redirect.subdomain);
  asked constant text := private.redirect_path(find_redirect.path);
  post uuid;
begin
  if workspace is null then return null; end if;
  select r.post_id into post from public.post_redirects r
  where r.workspace_id = workspace and r.host = regexp_replace(lower(find_redirect.host), ':(80|443)?$', '') and r.path = asked;
  if post is null then
    select min(r.post_id::text)::uuid into post from public.post_redirects r
    where r.workspace_id = workspace and r.path = asked having count(distinct r.post_id) = 1;
  end if;
  return (select v.slug from private.visible_posts v where v.workspace_id = workspace and v.id = post);
end $$;

-- {host, path} of a URL; null for a root, or if only query or fragment (other than utm_…) distinguish it.
create function private.redirect_of(address text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  parts constant text[] := regexp_match(address, '^https?://(?:[^/?#@]*@)?([^/?#@\s]+)([^?#]*)(\?[^#]*)?(#.*)?$', 'i');
  host constant text := regexp_replace(lower(parts[1]), ':(80|443)?$', '');
  path constant text := private.redirect_path(parts[2]);
begin
  if path = '' is not false or octet_length(path) > 1500 or char_length(host) > 255 or char_length(parts[4]) > 1 then return null; end if;
  if coalesce(parts[3], '') !~ '^(\?(utm_[a-z_]+=[^&]*(&|$))*)?$' then return null; end if;
  return array[host, path];
end $$;

grant execute on function private.find_redirect to anon, authenticated, service_role;

-- supabase/schemas/40-releases.sql

-- Posts that some readers or all can see. The workspace is public, the post published or due, and not archived (product decision 4).
create view private.published_posts with (security_invoker = true) as
select
  p.id, p.workspace_id, p.slug, p.title, coalesce(p.summary, p.excerpt) as excerpt, p.tags, p.content_raw, p.author_name, p.version,
  coalesce(p.published_at, p.publish_at) as published_at,
  -- The last edit, or the publication if later; the same before and after private.publish_due_posts.
  greatest(p.content_updated_at, coalesce(p.published_at, p.publish_at)) as updated_at,
  p.cover_image,
  p.imported_at is not null as imported,
  p.details
from public.posts p join public.workspaces w on w.id = p.workspace_id
where w.is_open
  and p.status in ('published', 'scheduled')
  and (p.status = 'published' or p.publish_at <= now());

-- What every reader can see: page, widget, feeds and sitemap all read this view. No one has rights on it; the functions below read it for anon.
create view private.visible_posts with (security_invoker = true) as
select v.* from private.published_posts v where v.details -> 'audience' is null;

-- The public workspace that a reader names and may read, see 26-reader-access.sql.
create function private.open_workspace(reader text) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  return (
    select w.id from public.workspaces w
    where w.subdomain operator (extensions.=) split_part(reader, '~', 1)::extensions.citext and w.is_open
      and private.admits(w.id, split_part(reader, '~', 2))
  );
end $$;

-- A public workspace, or no row. version_tag: its public version; appearance: its row; domain: its own one if readers are redirected there. With
-- `locked`, also one the reader may not read: for the page that asks for access.
create function private.find_workspace(reader text, locked boolean default false) returns table (
  id uuid, name text, subdomain text, origin text, logo_url text, allowed_origins text[], settings jsonb, version_tag text, mails boolean,
  appearance jsonb, domain text, access text
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select w.id, w.name, w.subdomain::text, w.origin, w.logo_url, w.allowed_origins, coalesce(s.settings, '{}'), private.public_version(reader),
      private.sends_email(w.id),
      jsonb_build_object('settings', coalesce(a.settings, '{}'), 'logo_dark_url', a.logo_dark_url, 'favicon_url', a.favicon_url),
      private.domain_of(w.id), (private.access_of(w.id)).access
    from public.workspaces w
      left join public.widget_settings s on s.workspace_id = w.id
      left join public.appearances a on a.workspace_id = w.id
    where w.subdomain operator (extensions.=) split_part(reader, '~', 1)::extensions.citext and w.is_open
      and (locked or w.id = private.open_workspace(reader));
end $$;

-- One page of releases, newest first, with the total. page ≥ 1, page_size 1–100. tag null: any; a former key finds the present tag. `month`: a day of
-- the month (UTC), null: any. `top`: pinned posts first, without a filter only; 'widget' also leaves out expired ones.
-- `any_tag`: only posts with one of them.
create function private.list_releases(
  subdomain text, page int default 1, page_size int default 10, tag text default null, month date default null,
  top text default null, any_tag text[] default null
) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, total bigint, cover_image jsonb, imported boolean, details jsonb
)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  workspace constant uuid := private.open_workspace(list_releases.subdomain);
  size constant int := least(greatest(coalesce(list_releases.page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(list_releases.page, 1), 1)::bigint - 1) * size;
  wanted constant text[] := array[case when list_releases.tag is not null then
    coalesce((select f.now_key from private.former_tags f where f.workspace_id = workspace and f.key = list_releases.tag), list_releases.tag) end];
  first_day constant timestamp := date_trunc('month', list_releases.month::timestamp);
  since constant timestamptz := coalesce(first_day at time zone 'utc', '-infinity');
  until constant timestamptz := coalesce((first_day + interval '1 month') at time zone 'utc', 'infinity');
  moment constant text := private.iso_time(now());
  pins uuid[] := '{}';
  first uuid[];
  amount bigint;
begin
  if workspace is null then return; end if;
  if list_releases.top is not null and list_releases.tag is null and list_releases.month is null then
    pins := array(
      select v.id from private.visible_posts v
      where v.workspace_id = workspace and v.details ? 'pinned_until' and (v.details ->> 'pinned_until') collate "C" > moment
        and (list_releases.any_tag is null or v.tags && list_releases.any_tag)
      order by v.published_at desc, v.id desc);
  end if;
  first := pins[skip + 1:skip + size];
  if list_releases.any_tag is not null then
    select count(*) into amount from private.visible_posts v where v.workspace_id = workspace and v.tags && list_releases.any_tag;
  elsif list_releases.tag is null then
    select count(*) into amount from private.visible_posts v
    where v.workspace_id = workspace and v.published_at >= since and v.published_at < until;
  else
    select count(*) into amount from private.visible_posts v
    where v.workspace_id = workspace and v.published_at >= since and v.published_at < until and v.tags @> wanted;
  end if;
  if first <> '{}' then
    return query
      select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version, amount, v.cover_image,
        v.imported, v.details
      from private.visible_posts v where v.id = any (first) order by v.published_at desc, v.id desc;
  end if;
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version, amount, v.cover_image,
      v.imported, v.details
    from private.visible_posts v
    where v.workspace_id = workspace and v.published_at >= since and v.published_at < until and (list_releases.tag is null or v.tags @> wanted)
      and v.id <> all (pins) and (list_releases.any_tag is null or v.tags && list_releases.any_tag)
      and (list_releases.top is distinct from 'widget' or ((v.details ->> 'expires_at') collate "C" <= moment) is not true)
    order by v.published_at desc, v.id desc limit size - cardinality(first) offset greatest(skip - cardinality(pins), 0);
end $$;

-- Releases with a version, newest first, at most 1,000, without content: versions are compared in contract/rules/product-version.ts.
create function private.versioned_releases(reader text) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], author_name text, published_at timestamptz, updated_at timestamptz, version int,
  cover_image jsonb, details jsonb
)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.author_name, v.published_at, v.updated_at, v.version, v.cover_image, v.details
    from private.visible_posts v
    where v.workspace_id = private.open_workspace(versioned_releases.reader) and v.details ? 'version'
    order by v.published_at desc, v.id desc limit 1000;
end $$;

-- Releases that the widget shows outside its panel, until their placement or the release ends; newest first, at most 10.
create function private.placed_releases(reader text, any_tag text[] default null) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], author_name text, published_at timestamptz, updated_at timestamptz, version int,
  cover_image jsonb, imported boolean, details jsonb
)
language plpgsql stable security definer set search_path = '' as $$
declare
  moment constant text := private.iso_time(now());
begin
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.author_name, v.published_at, v.updated_at, v.version, v.cover_image, v.imported, v.details
    from private.visible_posts v
    where v.workspace_id = private.open_workspace(placed_releases.reader) and v.details ? 'placement'
      and ((v.details #>> '{placement,until}') collate "C" <= moment) is not true and ((v.details ->> 'expires_at') collate "C" <= moment) is not true
      and (placed_releases.any_tag is null or v.tags && placed_releases.any_tag)
    order by v.published_at desc, v.id desc limit 10;
end $$;

-- One release by a present or former slug; moved_to is the present one if it was a former one.
create function private.get_release(subdomain text, address text) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, moved_to text, cover_image jsonb, details jsonb
)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version,
      case when v.slug <> s.slug then v.slug end, v.cover_image, v.details
    from public.post_slugs s join private.visible_posts v on v.id = s.post_id
    where s.workspace_id = private.open_workspace(get_release.subdomain) and s.slug = lower(address);
end $$;

-- Also of posts for some readers, if `subdomain` has a token.
create function private.release_contents(subdomain text, ids uuid[]) returns table (id uuid, version int, content_raw jsonb)
language plpgsql stable security definer set search_path = '' as $$
declare
  identified constant boolean := private.reader_claims(release_contents.subdomain) is not null;
begin
  return query
    select p.id, p.version, p.content_raw from private.published_posts p
    where p.workspace_id = private.open_workspace(release_contents.subdomain) and p.id = any (release_contents.ids[1:20])
      and (p.details -> 'audience' is null or identified and p.details -> 'audience' <> '"internal"');
end $$;

-- The claims of a reader's token, null without a valid one: it names a person (`sub`), and at most 20 attributes (`attrs`) that are text, numbers, true,
-- false or null.
create function private.reader_claims(reader text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  token constant text := split_part(reader, '~', 3);
  claims jsonb;
begin
  if token = '' then return null; end if;
  claims := '{"attrs": {}}' || jsonb_strip_nulls(private.token_claims(private.open_workspace(reader), split_part(reader, '~', 1), token));
  if jsonb_typeof(claims -> 'sub') = 'string' and char_length(claims ->> 'sub') between 1 and 200
    and jsonb_typeof(claims -> 'attrs') = 'object' then
    if (select count(*) <= 20 and bool_and(jsonb_typeof(a.value) not in ('object', 'array')) is not false
      from jsonb_each(claims -> 'attrs') a) then return claims; end if;
  end if;
  return null;
end $$;

-- {attributes, seen_up_to} of an identified reader, else null; `seen_up_to` only if the workspace remembers readers, null before the first mark.
create function private.identify(reader text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  claims constant jsonb := private.reader_claims(reader);
  workspace constant uuid := private.open_workspace(reader);
begin
  if claims is null then return null; end if;
  return jsonb_build_object('attributes', claims -> 'attrs') || case when (private.access_of(workspace)).remembers_readers then
    jsonb_build_object('seen_up_to', (
      select private.iso_time(m.seen_up_to) from private.reader_marks m
      where m.workspace_id = workspace and m.reader = private.reader_mac(workspace, claims ->> 'sub')))
    else '{}' end;
end $$;

-- Only moves forward. Nothing happens unless the workspace remembers readers.
create function private.mark_seen(reader text, up_to timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  workspace constant uuid := private.open_workspace(reader);
begin
  insert into private.reader_marks as m (workspace_id, reader, seen_up_to)
  select workspace, private.reader_mac(workspace, c.claims ->> 'sub'), least(up_to, now())
  from private.reader_claims(mark_seen.reader) as c (claims)
  where c.claims is not null and isfinite(up_to) and (private.access_of(workspace)).remembers_readers
  on conflict on constraint reader_marks_pkey do update set seen_up_to = excluded.seen_up_to, marked_at = now()
  where m.seen_up_to < excluded.seen_up_to;
end $$;

-- The newest posts that some readers can see, of whom an identified one may be one: contract/rules/audience.ts tells.
create function private.releases_for_some(reader text) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], author_name text, published_at timestamptz, updated_at timestamptz, version int,
  cover_image jsonb, imported boolean, details jsonb
)
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.reader_claims(releases_for_some.reader) is null then return; end if;
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.author_name, v.published_at, v.updated_at, v.version, v.cover_image, v.imported, v.details
    from private.published_posts v
    where v.workspace_id = private.open_workspace(releases_for_some.reader) and v.details -> 'audience' is not null
      and v.details -> 'audience' <> '"internal"' and ((v.details ->> 'expires_at') collate "C" <= private.iso_time(now())) is not true
    order by v.published_at desc, v.id desc limit 100;
end $$;

-- Seconds until a network can identify readers again, else 0.
create function private.wait_to_identify(network text, size int, period_seconds int) returns int
language plpgsql security definer set search_path = '' as $$
begin
  return public.take_token('identify.address', network, size, make_interval(secs => period_seconds));
end $$;

-- For the sitemap, newest first, at most 50,000 (the format's limit).
create function private.release_addresses(subdomain text) returns table (slug text, updated_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select v.slug, v.updated_at from private.visible_posts v
    where v.workspace_id = private.open_workspace(release_addresses.subdomain)
    order by v.published_at desc, v.id desc limit 50000;
end $$;

-- Releases that contain every word, compared as public.search_posts does, newest first, by page.
create function private.search_releases(subdomain text, term text, page int default 1, page_size int default 10) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, total bigint, cover_image jsonb, details jsonb
)
language plpgsql stable security definer set search_path = '' as $$
declare
  workspace constant uuid := private.open_workspace(search_releases.subdomain);
  size constant int := least(greatest(coalesce(search_releases.page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(search_releases.page, 1), 1)::bigint - 1) * size;
  patterns constant text[] := private.search_patterns(search_releases.term);
  one constant text := patterns[1];
  two constant text := coalesce(patterns[2], '%');
begin
  if workspace is null or cardinality(patterns) = 0 then return; end if;
  return query
    with matching as materialized (
      select p.id from public.posts p where p.workspace_id = workspace
        and p.search_text like one and p.search_text like two and p.search_text like all (patterns)
    )
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version, count(*) over (),
      v.cover_image, v.details
    from private.visible_posts v
    where v.workspace_id = workspace and v.id in (select m.id from matching m)
    order by v.published_at desc, v.id desc limit size offset skip;
end $$;

-- Months with releases as YYYY-MM, latest first, with counts.
create function private.release_months(subdomain text) returns table (month text, releases int)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select to_char(v.published_at at time zone 'utc', 'YYYY-MM'), count(*)::int
    from private.visible_posts v
    where v.workspace_id = private.open_workspace(release_months.subdomain)
    group by 1 order by 1 desc;
end $$;

-- Tags of releases, not of drafts. label and colour are null for default tags and for deleted ones.
create function private.release_tags(subdomain text) returns table (key text, label text, colour text)
language plpgsql stable security definer set search_path = '' as $$
declare
  workspace constant uuid := private.open_workspace(release_tags.subdomain);
begin
  return query
    select used.key, t.label, t.colour
    from (select distinct unnest(v.tags) as key from private.visible_posts v where v.workspace_id = workspace) as used
    left join public.tags t on t.workspace_id = workspace and t.key = used.key
    order by lower(coalesce(t.label, used.key)), used.key;
end $$;

create function private.release_neighbours(subdomain text, post uuid) returns table (
  older_slug text, older_title text, newer_slug text, newer_title text
)
language plpgsql stable security definer set search_path = '' as $$
declare
  workspace constant uuid := private.open_workspace(release_neighbours.subdomain);
  here constant timestamptz := (select v.published_at from private.visible_posts v where v.workspace_id = workspace and v.id = post);
begin
  return query
    select older.slug, older.title, newer.slug, newer.title
    from (select) as one
    left join lateral (
      select v.slug, v.title from private.visible_posts v
      where v.workspace_id = workspace and (v.published_at, v.id) < (here, post)
      order by v.published_at desc, v.id desc limit 1
    ) as older on true
    left join lateral (
      select v.slug, v.title from private.visible_posts v
      where v.workspace_id = workspace and (v.published_at, v.id) > (here, post)
      order by v.published_at, v.id limit 1
    ) as newer on true;
end $$;

-- Counts changes of what readers can see: one row tells if a cached page is fresh. Raised last and in order of ids: prevents deadlocks.
create table private.public_versions (
  id uuid constraint public_versions_pkey primary key
    constraint public_versions_id_fkey references public.workspaces (id) on delete cascade,
  version bigint not null default 1
) with (fillfactor = 50); -- room for HOT updates

-- Draft saves raise nothing. Otherwise the plan is cached.
create function private.raise_public_versions(workspaces uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if cardinality(workspaces) = 0 then return; end if;
  with held as (
    select v.id from private.public_versions v where v.id = any (workspaces) order by v.id for no key update
  )
  update private.public_versions v set version = v.version + 1 from held where v.id = held.id;
end $$;

create function private.public_posts_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- An import keeps writing, so it raises the version once, when done: others would wait for its lock.
  if private.has_option('importing') then return null; end if;
  if tg_op = 'UPDATE' then
    perform private.raise_public_versions(array(
      select c.workspace_id from changed c where c.status in ('published', 'scheduled')
      union select f.workspace_id from former f where f.status in ('published', 'scheduled')));
  else
    perform private.raise_public_versions(array(
      select distinct c.workspace_id from changed c where c.status in ('published', 'scheduled')));
  end if;
  return null;
end $$;

create function private.public_frame_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  changed constant jsonb := to_jsonb(coalesce(new, old));
begin
  if tg_table_name = 'workspaces' and tg_op = 'INSERT' then
    insert into private.public_versions (id) values (new.id);
    return null;
  end if;
  perform private.raise_public_versions(array[coalesce(changed ->> 'workspace_id', changed ->> 'id')::uuid]);
  return null;
end $$;

create trigger workspaces_60_begin_public_version after insert on public.workspaces
for each row execute function private.public_frame_changed();
create trigger workspaces_60_raise_public_version after update on public.workspaces
for each row when (old.* is distinct from new.*) execute function private.public_frame_changed();

create trigger tags_60_raise_public_version after insert or update or delete on public.tags
for each row execute function private.public_frame_changed();

-- Also for repairs that bypass triggers: a page must never be older than its rows.
alter table public.workspaces enable always trigger workspaces_60_begin_public_version;
alter table public.workspaces enable always trigger workspaces_60_raise_public_version;

-- The version of everything readers can see, 'suspended', 'locked' for those without access, 'moved/' and the present subdomain, or null. Counts due
-- posts, since time passes without a write, and names the last moment a pin or a post ended.
create function private.public_version(reader text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  moment constant text := private.iso_time(now());
begin
  return coalesce((
    select case when w.suspension is not null then 'suspended' when not private.admits(w.id, split_part(reader, '~', 2)) then 'locked'
      else concat_ws('/', w.id, v.version, (
      select count(*) from public.posts p where p.workspace_id = w.id and p.status = 'scheduled' and p.publish_at <= now()),
      (select max((p.details ->> 'pinned_until') collate "C") from public.posts p
        where p.workspace_id = w.id and p.details ? 'pinned_until' and (p.details ->> 'pinned_until') collate "C" <= moment),
      (select max((p.details ->> 'expires_at') collate "C") from public.posts p
        where p.workspace_id = w.id and p.details ? 'expires_at' and (p.details ->> 'expires_at') collate "C" <= moment)) end
    from public.workspaces w join private.public_versions v on v.id = w.id
    where w.subdomain operator (extensions.=) split_part(reader, '~', 1)::extensions.citext and (w.is_open or w.suspension is not null)
  ), (
    select 'moved/' || w.subdomain from private.released_subdomains r join public.workspaces w on w.id = r.workspace_id
    where r.label = lower(split_part(public_version.reader, '~', 1)) and r.released_at > now() - interval '30 days'
  ));
end $$;

grant execute on function private.find_workspace, private.list_releases, private.get_release, private.release_contents, private.release_addresses,
  private.search_releases, private.release_months, private.release_tags, private.release_neighbours, private.versioned_releases,
  private.placed_releases, private.public_version
  to anon, authenticated, service_role;
grant execute on function private.identify, private.mark_seen, private.releases_for_some, private.wait_to_identify to anon;

-- {seen_up_to, unseen}: how many posts for everyone a reader hasn't seen; none before the first mark, as in the widget.
create function public.reader_unseen(workspace_id uuid, sub text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  mark timestamptz;
begin
  perform private.require_role(asked, '{owner,admin}', true);
  mark := (select m.seen_up_to from private.reader_marks m where m.workspace_id = asked and m.reader = private.reader_mac(asked, reader_unseen.sub));
  return jsonb_build_object('seen_up_to', private.iso_time(mark), 'unseen', (
    select count(*) from private.visible_posts v where v.workspace_id = asked and v.published_at > mark and not v.imported));
end $$;

create function public.erase_reader(workspace_id uuid, sub text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_role(erase_reader.workspace_id, '{owner,admin}', true);
  delete from private.reader_marks m
  where m.workspace_id = erase_reader.workspace_id and m.reader = private.reader_mac(erase_reader.workspace_id, erase_reader.sub);
end $$;
grant execute on function public.reader_unseen, public.erase_reader to authenticated;

-- supabase/schemas/41-imported-posts.sql

-- Posts written by an import (84-imports), its undo or a restored backup (90-restores).

-- Marks the transaction as an import's (private.has_option), or ends that, and announces the workspace that it `changed`.
create function private.set_importing(importing boolean, changed uuid default null) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform set_config('tidings.importing', case when importing then 'on' else '' end, true),
    private.set_notify_subscribers(case when importing then false end);
  if changed is not null then
    perform private.announce(changed, 'posts-imported');
    perform private.raise_public_versions(array[changed]);
  end if;
end $$;

-- Overwrites a post with `wanted` (content, status, publish_at, published_at, author_name), by way of the archive if it is published. Past times
-- schedule nothing. What it publishes isn't sent to subscribers; scheduled posts are, unless `quiet`.
create function private.overwrite_post(wanted public.posts, quiet boolean default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  was public.post_status;
  is_due boolean;
begin
  -- A due post counts as published.
  select p.status = 'scheduled' and p.publish_at <= clock_timestamp() into is_due from public.posts p where p.id = wanted.id;
  select case when is_due then 'published' else p.status end into was from public.posts p where p.id = wanted.id;
  perform private.set_notify_subscribers(case
    when quiet then false
    when wanted.status = 'scheduled' or is_due and wanted.status = 'published' then null
    else false end);
  if was = 'published' and (wanted.status in ('draft', 'scheduled') or wanted.status = 'archived' and wanted.published_at is null) then
    update public.posts p set status = 'archived' where p.id = wanted.id;
    was := 'archived';
  end if;
  if was = 'archived' or was = 'draft' and wanted.status = 'draft' and wanted.published_at is null then
    update public.posts p set status = 'draft', published_at = case when wanted.published_at is not null then p.published_at end where p.id = wanted.id;
  end if;
  update public.posts p set author_name = wanted.author_name where p.id = wanted.id and wanted.author_name <> p.author_name;
  perform public.save_post(wanted.id, private.content_of(to_jsonb(wanted)) || case
    when wanted.status = 'archived' then '{}'
    when wanted.status = 'published' then jsonb_build_object('status', 'published', 'published_at', wanted.published_at, 'publish_at', null)
    when wanted.status = 'scheduled' and wanted.publish_at > clock_timestamp() then
      jsonb_build_object('status', 'scheduled', 'publish_at', wanted.publish_at)
    else '{"status": "draft"}' end);
  if wanted.status = 'archived' then update public.posts p set status = 'archived' where p.id = wanted.id; end if;
end $$;

-- The post with this external id; or by our export's `tidings:` and post id.
create function private.post_by_external_id(workspace uuid, name text) returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  post uuid := (select p.id from public.posts p where p.workspace_id = workspace and p.external_id = name);
begin
  if post is null and name ~ '^tidings:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    select p.id into post from public.posts p where p.id = substr(name, 9)::uuid and p.workspace_id = workspace;
  end if;
  return post;
end $$;

-- Writes one post (importedPost in contract/imports.ts, content_raw instead of blocks), or refuses with a message.
create function private.import_post(workspace uuid, entry jsonb, out outcome text, out post_id uuid, out version int, out before int,
  out was_quiet boolean)
language plpgsql security definer set search_path = '' as $$
declare
  present public.posts;
  wanted public.posts;
  replaces constant int := entry ->> 'replaces';
  status constant text := coalesce(entry ->> 'status', 'draft');
  published_at constant timestamptz := entry ->> 'published_at';
  pictures constant text := '/storage/v1/object/public/post-images/' || workspace || '/';
  slug text;
begin
  -- /api checked it and says why it can't be written.
  if entry ->> 'problem' is not null then
    perform private.refuse('validation_failed', jsonb_build_object('problem', left(entry ->> 'problem', 500)));
  end if;
  if exists (
    select from jsonb_array_elements(private.as_list(entry #> '{content_raw,blocks}')) as b (block)
    where b.block #> '{data,file}' ? 'url' and not starts_with(b.block #>> '{data,file,url}', pictures)
  ) then perform private.refuse('validation_failed', '{"content_raw": "One of its images isn''t stored here"}'); end if;
  if isfinite(published_at) is false or published_at < '1970-01-01' or published_at > clock_timestamp() + interval '1 minute' then
    perform private.refuse('validation_failed', '{"published_at": "Please choose a time in the past"}');
  end if;
  select p.* into present from public.posts p where p.id = (select private.post_by_external_id(workspace, entry ->> 'external_id')) for no key update;

  wanted := jsonb_populate_record(null::public.posts, private.content_of(entry) - 'tags' || '{"requests": []}');
  wanted.tags := array(
    select coalesce(
      (select t.key from private.tags_of(workspace) as t where t.key = private.tag_key(n.name) or private.tag_key(t.label) = private.tag_key(n.name)
        order by t.key <> private.tag_key(n.name) limit 1),
      private.tag_key(n.name))
    from unnest(private.text_array(coalesce(nullif(entry -> 'tags', 'null'), '[]'))) with ordinality as n (name, place) order by n.place
  );
  wanted.status := status::public.post_status;
  wanted.publish_at := case when status = 'scheduled' then (entry ->> 'publish_at')::timestamptz end;
  wanted.published_at := case when status in ('published', 'archived') then published_at end;
  wanted.author_name := left(nullif(private.clean_line(entry ->> 'author'), ''), 100);

  if replaces is not null then
    outcome := 'replaced';
    if present.id is null then perform private.refuse('validation_failed', '{"replaces": "This post no longer exists"}'); end if;
    if present.version <> replaces then perform private.refuse('validation_failed', '{"replaces": "This post has changed since you compared"}'); end if;
    wanted.id := present.id;
    wanted.published_at := coalesce(wanted.published_at, present.published_at);
    -- A published post stays published even if the source calls it a draft.
    if (present.status = 'published' or present.status = 'scheduled' and present.publish_at <= clock_timestamp())
      and wanted.status in ('draft', 'scheduled') then
      wanted.status := 'published';
    end if;
    if present.author_id is not null then wanted.author_name := null; end if;
    before := present.version;
    was_quiet := exists (select from private.events e where e.post_id = present.id and e.quiet);
    perform private.overwrite_post(wanted);
  else
    outcome := 'made';
    if present.id is not null then
      perform private.refuse('validation_failed', '{"external_id": "This post already exists. Compare again to see what differs."}');
    end if;
    wanted.id := gen_random_uuid();
    if nullif(entry ->> 'slug', '') is not null then
      slug := private.free_slug(workspace, private.slugify(entry ->> 'slug'), wanted.id);
      -- The number would exceed the slug's length.
      if char_length(slug) > 80 then slug := private.free_slug(workspace, btrim(left(private.slugify(entry ->> 'slug'), 74), '-'), wanted.id); end if;
      perform set_config('tidings.slug', slug, true);
    end if;
    -- Scheduled posts notify when published.
    perform private.set_notify_subscribers(case when wanted.status = 'scheduled' then null else false end);
    wanted.workspace_id := workspace;
    wanted.external_id := entry ->> 'external_id';
    wanted.requests := private.text_array(coalesce(nullif(entry -> 'requests', 'null'), '[]'));
    if status = 'archived' then
      if not private.has_content(wanted.content_raw) then wanted.published_at := null; end if;
      wanted.status := case when wanted.published_at is not null then 'published' else 'draft' end;
    end if;
    insert into public.posts select wanted.*;
    perform set_config('tidings.slug', '', true);
    if status = 'archived' then update public.posts p set status = 'archived' where p.id = wanted.id; end if;
  end if;
  insert into public.post_redirects as r (workspace_id, host, path, post_id)
  select distinct workspace, f.kept[1], f.kept[2], wanted.id
  from unnest((private.text_array(coalesce(nullif(entry -> 'old_urls', 'null'), '[]')))[:10]) as a (address),
    lateral (select private.redirect_of(a.address) as kept offset 0) as f
  where f.kept is not null
  on conflict on constraint post_redirects_pkey do update set post_id = excluded.post_id where r.post_id <> excluded.post_id;
  post_id := wanted.id;
  select p.version into version from public.posts p where p.id = wanted.id;
end $$;

-- Restores what an import replaced, with its former `was_quiet`, and updates the earlier import's entry.
create function private.restore_replaced_post(post uuid, to_version int, was_quiet boolean) returns text
language plpgsql security definer set search_path = '' as $$
declare
  former public.post_revisions;
  wanted public.posts;
begin
  select r.* into former from public.post_revisions r where r.post_id = post and r.version = to_version;
  if former.post_id is null then return 'left'; end if;
  wanted := jsonb_populate_record(null::public.posts, to_jsonb(former));
  wanted.id := post;
  wanted.status := case when former.status = 'scheduled' and former.publish_at <= clock_timestamp() then 'draft' else former.status end;
  wanted.author_name := former.post_author_name;
  perform private.overwrite_post(wanted, was_quiet and wanted.status = 'scheduled');
  update private.import_entries e set version = p.version from public.posts p
  where p.id = post and e.workspace_id = p.workspace_id and e.external_id in (p.external_id, 'tidings:' || p.id) and e.post_id = post and e.version = to_version;
  return 'restored';
exception when raise_exception then
  return 'left'; -- its former state is no longer valid
end $$;

-- supabase/schemas/42-domains.sql

-- Custom domains (add-on custom-domain). A TXT record with this row's token proves ownership: a CNAME may be left over from a former customer.

create function private.is_domain(host text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  -- At most 253 characters with `_tidings.`; a numeric last label would be an IP address.
  select coalesce(char_length(host) between 4 and 244 and host ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$', false)
$$;

-- `state`: contract/domains.ts; `leads`: live, or in grace, at the last check: readers are redirected there.
create table public.domains (
  host text not null constraint domains_host_shape check (private.is_domain(host)),
  workspace_id uuid not null constraint domains_workspace_id_fkey references public.workspaces (id) on delete cascade,
  shown text not null constraint domains_shown_shape check (char_length(shown) between 1 and 253 and shown !~ '[[:cntrl:][:space:]]'),
  token text not null default encode(extensions.gen_random_bytes(16), 'hex'),
  state text not null default 'dns' constraint domains_state check (state in ('dns', 'certificate', 'live', 'lost')),
  leads boolean not null default false,
  found jsonb not null default '{}',
  problem text constraint domains_problem_length check (char_length(problem) <= 500),
  failing_since timestamptz, -- of a live one: unreachable since
  checked_at timestamptz,
  live_at timestamptz,
  grace_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  id uuid not null default gen_random_uuid() constraint domains_id_key unique, -- of the job that checks it
  constraint domains_pkey primary key (host, workspace_id), -- several workspaces can claim a domain until one proves it
  constraint domains_grace check ((state = 'lost') = (grace_until is not null))
);
create unique index domains_one_holder on public.domains (host) where state <> 'dns';
create index domains_of_workspace on public.domains (workspace_id);

create policy "members read their workspace's own names" on public.domains for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
grant select on public.domains to authenticated;

-- Every link on the page depends on the domain and the add-on.
create trigger domains_60_raise_public_version after insert or delete on public.domains
for each row execute function private.public_frame_changed();
create trigger domains_60_raise_public_version_after_look after update on public.domains
for each row when (old.state <> new.state or old.leads <> new.leads) execute function private.public_frame_changed();
alter table public.domains enable always trigger domains_60_raise_public_version;
alter table public.domains enable always trigger domains_60_raise_public_version_after_look;
create trigger workspace_add_ons_60_lead_to_domains after insert on public.workspace_add_ons
for each row when (new.add_on = 'custom-domain') execute function private.public_frame_changed();
create trigger workspace_add_ons_60_lead_to_domains_no_more after delete on public.workspace_add_ons
for each row when (old.add_on = 'custom-domain') execute function private.public_frame_changed();
alter table public.workspace_add_ons enable always trigger workspace_add_ons_60_lead_to_domains;
alter table public.workspace_add_ons enable always trigger workspace_add_ons_60_lead_to_domains_no_more;

-- The domain readers are redirected to: the first that became live.
create function private.domain_of(workspace uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select d.host from public.domains d
    where d.workspace_id = workspace and (d.state = 'live' or d.grace_until > now()) and private.has_add_on(workspace, 'custom-domain')
    order by d.state <> 'live', d.live_at, d.host limit 1
  );
end $$;

-- The public or suspended workspace at a domain: live, in grace, or proven, so that a certificate can be issued.
create function private.workspace_of_host(host text) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select w.subdomain::text from public.domains d join public.workspaces w on w.id = d.workspace_id
    where d.host = lower(workspace_of_host.host) and (w.is_open or w.suspension is not null)
      and (d.state in ('certificate', 'live') or d.grace_until > now()) and private.has_add_on(w.id, 'custom-domain')
  );
end $$;
grant execute on function private.workspace_of_host to anon, authenticated, service_role;

-- True if the domain is taken: proven, unless its loss and grace are over or its workspace has been without the add-on for as long.
create function private.is_domain_taken(domain public.domains) returns boolean
language sql stable set search_path = '' as $$
  select domain.state <> 'dns' and not (domain.state = 'lost' and domain.grace_until <= now())
    and not (coalesce(domain.checked_at, domain.created_at) < now() - interval '9 days' and not private.has_add_on(domain.workspace_id, 'custom-domain'))
$$;

create function public.list_domains(workspace_id uuid) returns setof public.domains
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role(list_domains.workspace_id);
  return query select d.* from public.domains d where d.workspace_id = list_domains.workspace_id order by d.created_at, d.host;
end $$;

create function public.add_domain(workspace_id uuid, host text, shown text) returns public.domains
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := add_domain.workspace_id;
  made public.domains;
begin
  perform private.require_role(asked, '{owner,admin}');
  if not private.has_add_on(asked, 'custom-domain') then perform private.refuse('add_on_required'); end if;
  if not private.is_domain(add_domain.host) then
    perform private.refuse('validation_failed', '{"host": "Please enter a name such as changelog.example.com"}');
  end if;
  -- Serialised by the rate limit's row.
  if public.take_token('addDomain', asked::text, 30, interval '1 hour') > 0 then perform private.refuse('rate_limited'); end if;
  select d.* into made from public.domains d where d.host = add_domain.host and d.workspace_id = asked;
  if made.host is not null then return made; end if;
  if (select count(*) from public.domains d where d.workspace_id = asked) >= 3 then
    perform private.refuse('validation_failed', '{"host": "A workspace can have 3 names of its own. Remove one first"}');
  end if;
  if exists (select from public.domains d where d.host = add_domain.host and private.is_domain_taken(d)) then perform private.refuse('domain_taken'); end if;
  insert into public.domains (host, workspace_id, shown) values (add_domain.host, asked, coalesce(nullif(left(add_domain.shown, 253), ''), add_domain.host))
  returning * into made;
  perform private.schedule_domain_check(made, clock_timestamp() + interval '1 minute'); -- records don't exist yet
  return made;
end $$;

create function public.remove_domain(workspace_id uuid, host text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_role(remove_domain.workspace_id, '{owner,admin}');
  delete from public.domains d where d.workspace_id = remove_domain.workspace_id and d.host = remove_domain.host;
  if not found then perform private.refuse('not_found'); end if;
end $$;

-- Requests a check now, rate-limited. Returns the row.
create function public.look_at_domain(workspace_id uuid, host text) returns public.domains
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := look_at_domain.workspace_id;
  present public.domains;
begin
  perform private.require_role(asked, '{owner,admin}');
  select d.* into present from public.domains d where d.workspace_id = asked and d.host = look_at_domain.host;
  if present.host is null then perform private.refuse('not_found'); end if;
  if public.take_token('lookAtDomain', asked::text, 30, interval '15 minutes') > 0 then perform private.refuse('rate_limited'); end if;
  return present;
end $$;

grant execute on function public.list_domains, public.add_domain, public.remove_domain, public.look_at_domain to authenticated, service_role;

-- Checks a domain at `at`; a person's domains take turns.
create function private.schedule_domain_check(domain public.domains, at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.add_job('check_domain', domain.id, domain.workspace_id, at,
    (select m.user_id from public.members m where m.workspace_id = domain.workspace_id and m.role = 'owner'));
end $$;

-- A job's domain, if it is still there. `has_add_on`: without it, domains aren't checked.
create function public.domain_to_check(id uuid) returns table (domain jsonb, subdomain text, has_add_on boolean)
language sql stable security definer set search_path = '' as $$
  select to_jsonb(d), w.subdomain::text, private.has_add_on(w.id, 'custom-domain')
  from public.domains d join public.workspaces w on w.id = d.workspace_id where d.id = domain_to_check.id
$$;

-- Records a check: {state, found, problem, failing_since, grace_until, after: seconds}. Ignored if the row changed meanwhile (`token`, `was`). The
-- first workspace to prove a domain gets it. Owners are emailed about live and lost ones.
create function public.settle_domain(host text, token text, was text, outcome jsonb) returns public.domains
language plpgsql security definer set search_path = '' as $$
declare
  taken constant text := 'Another workspace has proven this domain.';
  former public.domains;
  present public.domains;
  told text;
  is_taken boolean;
begin
  perform from public.domains d where d.host = settle_domain.host order by d.workspace_id for update; -- locks all claims, so one wins
  select d.* into former from public.domains d where d.host = settle_domain.host and d.token = settle_domain.token and d.state = was;
  if former.host is null then return null; end if;
  is_taken := former.state = 'dns' and exists (
    select from public.domains d where d.host = former.host and d.workspace_id <> former.workspace_id and private.is_domain_taken(d)
  );
  if is_taken then
    outcome := outcome || jsonb_build_object('state', 'dns', 'problem', taken, 'grace_until', null, 'failing_since', null);
  elsif former.state = 'dns' and outcome ->> 'state' <> 'dns' then
    delete from public.domains d where d.host = former.host and d.workspace_id <> former.workspace_id and d.state <> 'dns';
    update public.domains d set problem = taken where d.host = former.host and d.workspace_id <> former.workspace_id;
  end if;
  update public.domains d set
    state = outcome ->> 'state', found = outcome -> 'found', problem = left(outcome ->> 'problem', 500),
    leads = coalesce(outcome ->> 'state' = 'live' or (outcome ->> 'grace_until')::timestamptz > clock_timestamp(), false),
    failing_since = (outcome ->> 'failing_since')::timestamptz, grace_until = (outcome ->> 'grace_until')::timestamptz,
    live_at = case when outcome ->> 'state' = 'live' and not former.leads then clock_timestamp() else d.live_at end,
    checked_at = clock_timestamp()
  where d.id = former.id returning d.* into present;
  perform private.schedule_domain_check(present, clock_timestamp() + make_interval(secs => greatest((outcome ->> 'after')::float8, 1)));
  told := case when present.state = former.state then null when present.state = 'live' then 'domain_live' when former.state = 'live' then 'domain_lost' end;
  if told is not null then
    insert into private.deliveries (workspace_id, kind, target_id, data)
    select m.workspace_id, told, m.user_id, jsonb_build_object('about', present.shown)
    from public.members m where m.workspace_id = present.workspace_id and m.role = 'owner';
  end if;
  return present;
end $$;

grant execute on function public.domain_to_check, public.settle_domain to service_role;

create function private.audit_domain() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.audit(coalesce(new.workspace_id, old.workspace_id),
    case when tg_op = 'INSERT' then 'domain_added' when tg_op = 'DELETE' then 'domain_removed' when new.state = 'live' then 'domain_live' else 'domain_lost' end,
    null, coalesce(new.shown, old.shown));
  return null;
end $$;
create trigger domains_85_audit after insert or delete on public.domains for each row execute function private.audit_domain();
create trigger domains_85_audit_state after update on public.domains
for each row when (old.state <> new.state and (new.state = 'live' or old.state = 'live')) execute function private.audit_domain();

-- For the URLs of posts; null outside the caller's workspaces.
grant execute on function private.domain_of to authenticated, service_role;
create function public.own_hosts(workspace_ids uuid[] default null) returns table (workspace_id uuid, host text)
language plpgsql stable set search_path = '' as $$
begin
  return query
    select d.id, d.host from (
      select w.id, private.domain_of(w.id) as host from public.workspaces w
      where own_hosts.workspace_ids is null or w.id = any (own_hosts.workspace_ids)
    ) as d where d.host is not null;
end $$;
grant execute on function public.own_hosts to authenticated, service_role;

-- supabase/schemas/43-single-sign-on.sql

-- Single sign-on (add-on sso): a workspace's identity provider, its email domains, and people who join without an invitation. The functions speak OpenID
-- Connect, and leave SAML to the auth service (edge-functions/api/identity); here is whom a proven sign-in is, and which sessions a workspace accepts (private.access_gap).

-- Proven by a TXT record with the token, as own domains are (42-domains); the record is looked up once a day.
create table private.email_domains (
  id uuid constraint email_domains_pkey primary key default gen_random_uuid(), -- also of the job that checks it
  workspace_id uuid not null constraint email_domains_workspace_id_fkey references public.workspaces (id) on delete cascade,
  domain text not null constraint email_domains_domain_shape check (private.is_domain(domain)),
  token text not null default encode(extensions.gen_random_bytes(16), 'hex'),
  proven_at timestamptz,
  missing_since timestamptz, -- of a proven one: its record is gone
  created_at timestamptz not null default clock_timestamp(),
  constraint email_domains_workspace_id_domain_key unique (workspace_id, domain)
);
create unique index email_domains_one_holder on private.email_domains (domain) where proven_at is not null;

create table private.identity_providers (
  workspace_id uuid constraint identity_providers_pkey primary key
    constraint identity_providers_workspace_id_fkey references public.workspaces (id) on delete cascade,
  kind text not null default 'oidc' constraint identity_providers_kind check (kind in ('oidc', 'saml')),
  -- SAML: the entity ID, and the provider's id at the auth service, which has the certificates.
  issuer text not null constraint identity_providers_issuer_length check (char_length(issuer) between 8 and 500),
  client_id text not null constraint identity_providers_client_id_length check (char_length(client_id) between 1 and 255),
  secret text not null, -- encrypted by the functions, bound to the workspace; empty with SAML
  join_as public.member_role constraint identity_providers_join_as check (join_as in ('viewer', 'editor')), -- null: members only
  is_on boolean not null default false,
  tested_at timestamptz,
  break_glass_hash text, -- SHA-256, hexadecimal, while single sign-on is required
  constraint identity_providers_tested check (not is_on or tested_at is not null)
);

-- The auth service's SAML provider goes with it.
create function private.drop_saml_provider() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if to_regclass('auth.sso_providers') is not null then
    execute 'delete from auth.sso_providers where id::text = $1' using old.client_id;
  end if;
  return null;
end $$;
create trigger identity_providers_70_drop_saml_provider after delete on private.identity_providers
for each row when (old.kind = 'saml') execute function private.drop_saml_provider();
create trigger identity_providers_71_drop_former_saml_provider after update on private.identity_providers
for each row when (old.kind = 'saml' and old.client_id <> new.client_id) execute function private.drop_saml_provider();

-- A second factor without a code: sessions of the auth service's SAML accounts never have rights (51-sign-up).
create function private.lock_saml_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_from_saml(new) then
    insert into private.factors (id, user_id, name, secret, confirmed_at) values (gen_random_uuid(), new.id, 'SAML', '', clock_timestamp());
  end if;
  return null;
end $$;
create trigger users_from_saml_are_locked after insert on auth.users for each row execute function private.lock_saml_account();

-- A member's account at the provider.
create table private.provider_accounts (
  workspace_id uuid constraint provider_accounts_provider_fkey references private.identity_providers (workspace_id) on delete cascade,
  user_id uuid,
  subject text not null constraint provider_accounts_subject_length check (char_length(subject) between 1 and 255),
  constraint provider_accounts_pkey primary key (workspace_id, user_id),
  constraint provider_accounts_subject_key unique (workspace_id, subject),
  constraint provider_accounts_member_fkey foreign key (workspace_id, user_id) references public.members (workspace_id, user_id) on delete cascade
);
create index provider_accounts_of_user on private.provider_accounts (user_id);

create table private.provider_sessions (
  session_id uuid constraint provider_sessions_pkey primary key,
  workspace_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint provider_sessions_account_fkey foreign key (workspace_id, user_id)
    references private.provider_accounts (workspace_id, user_id) on delete cascade
);
create index provider_sessions_of_account on private.provider_sessions (workspace_id, user_id);

-- People who joined without an invitation: it works once, so a removed member needs one.
create table private.own_joins (
  workspace_id uuid constraint own_joins_workspace_id_fkey references public.workspaces (id) on delete cascade,
  user_id uuid constraint own_joins_user_id_fkey references auth.users (id) on delete cascade,
  constraint own_joins_pkey primary key (workspace_id, user_id)
);
create index own_joins_of_user on private.own_joins (user_id);

-- The caller's session was made by the provider, at most 7 days ago. Keys and assistants work for those who have an account there.
create function private.signed_in_by_provider(person uuid, workspace uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if person = auth.uid() and private.session_id() is not null then
    return exists (select from private.provider_sessions s where s.session_id = private.session_id() and s.user_id = person
      and s.workspace_id = workspace and s.created_at > now() - interval '7 days');
  end if;
  return exists (select from private.provider_accounts a where a.workspace_id = workspace and a.user_id = person);
end $$;

create function private.domain_of_email(email text) returns text
language sql immutable parallel safe set search_path = '' as $$ select lower(substring(email from '@([^@]+)$')) $$;

-- False if the person has joined without an invitation before.
create function private.join_on_their_own(workspace uuid, person uuid, role public.member_role) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_suspended(workspace) then return false; end if;
  insert into private.own_joins (workspace_id, user_id) values (workspace, person) on conflict do nothing;
  if not found then return false; end if;
  insert into public.members (workspace_id, user_id, role) values (workspace, person, role) on conflict on constraint members_pkey do nothing;
  if found then perform private.record_activity(workspace, 'member_joined', (select p.full_name from public.profiles p where p.user_id = person)); end if;
  return true;
end $$;

-- At each sign-in.
create function private.join_by_domain(person uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.join_on_their_own(d.workspace_id, person, 'viewer')
  from auth.users u join private.email_domains d on d.domain = private.domain_of_email(u.email) join public.workspaces w on w.id = d.workspace_id
  where u.id = person and u.email_confirmed_at is not null and d.proven_at is not null and w.join_by_domain
    and not exists (select from public.members m where m.workspace_id = w.id and m.user_id = person);
end $$;

create type public.single_sign_on as (provider jsonb, domains jsonb, join_by_domain boolean);
comment on column public.single_sign_on.provider is 'Null: none. {kind, issuer, client_id, join_as, is_on, is_required, tested_at}.';
comment on column public.single_sign_on.domains is '[{id, domain, token, is_proven, missing_since}].';

create function public.read_single_sign_on(workspace_id uuid) returns public.single_sign_on
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role(workspace_id, '{owner,admin}', true);
  return (
    select row(
      (select jsonb_build_object('kind', p.kind, 'issuer', p.issuer, 'client_id', p.client_id, 'join_as', p.join_as, 'is_on', p.is_on,
        'is_required', w.require_single_sign_on, 'tested_at', p.tested_at) from private.identity_providers p where p.workspace_id = w.id),
      coalesce((select jsonb_agg(jsonb_build_object('id', d.id, 'domain', d.domain, 'token', d.token, 'is_proven', d.proven_at is not null,
        'missing_since', d.missing_since) order by d.created_at, d.domain) from private.email_domains d where d.workspace_id = w.id), '[]'),
      w.join_by_domain)::public.single_sign_on
    from public.workspaces w where w.id = read_single_sign_on.workspace_id);
end $$;

-- The owner's lock on the settings: the second of two concurrent changes sees the first.
create function private.lock_as_owner(workspace uuid) returns public.workspaces
language plpgsql security definer set search_path = '' as $$
declare
  present public.workspaces;
begin
  select w.* into present from public.workspaces w where w.id = workspace for no key update;
  perform private.require_role(workspace, '{owner}');
  return present;
end $$;

-- `secret` null: as before. Another issuer or client needs a new test, and its accounts are other ones. Requiring single sign-on takes a session made by it.
-- True if the break-glass code with this hash counts from now on.
create function public.save_identity_provider(
  workspace_id uuid, kind text, issuer text, client_id text, secret text, join_as public.member_role, is_on boolean, is_required boolean,
  break_glass_hash text
) returns boolean
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  workspace constant public.workspaces := private.lock_as_owner(workspace_id);
  former private.identity_providers;
  is_another boolean;
begin
  if not private.has_add_on(workspace_id, 'sso') then perform private.refuse('add_on_required'); end if;
  select p.* into former from private.identity_providers p where p.workspace_id = workspace.id;
  is_another := (former.kind, former.issuer, former.client_id) is distinct from (kind, issuer, client_id);
  if secret is null and (former.issuer is null or former.issuer <> issuer) then
    perform private.refuse('validation_failed', '{"client_secret": "Enter the client secret"}');
  end if;
  if is_another then
    is_on := false;
    is_required := false;
    delete from private.provider_accounts a where a.workspace_id = workspace.id;
  elsif is_on and former.tested_at is null then
    perform private.refuse('validation_failed', '{"is_on": "Test the sign-in first"}');
  elsif is_on and not exists (select from private.email_domains d where d.workspace_id = workspace.id and d.proven_at is not null) then
    perform private.refuse('validation_failed', '{"is_on": "Verify an email domain first"}');
  end if;
  is_required := is_required and is_on;
  if is_required and not workspace.require_single_sign_on and not private.signed_in_by_provider(auth.uid(), workspace.id) then
    perform private.refuse('validation_failed', '{"is_required": "Sign in with single sign-on yourself first"}');
  end if;
  if former.issuer is null then
    insert into private.identity_providers (workspace_id, kind, issuer, client_id, secret) values (workspace.id, kind, issuer, client_id, secret);
  end if;
  update private.identity_providers p set kind = kind, issuer = issuer, client_id = client_id, secret = coalesce(secret, p.secret), join_as = join_as, is_on = is_on,
    tested_at = case when not is_another then p.tested_at end,
    break_glass_hash = case when is_required then case when workspace.require_single_sign_on then p.break_glass_hash else break_glass_hash end end
  where p.workspace_id = workspace.id;
  update public.workspaces w set require_single_sign_on = is_required where w.id = workspace.id and w.require_single_sign_on <> is_required;
  perform private.audit(workspace.id, 'security_changed', null, null, private.changes(
    jsonb_build_object('issuer', former.issuer, 'client_id', former.client_id, 'join_as', former.join_as, 'is_on', former.is_on,
      'require_single_sign_on', workspace.require_single_sign_on),
    jsonb_build_object('issuer', issuer, 'client_id', client_id, 'join_as', join_as, 'is_on', is_on, 'require_single_sign_on', is_required))
    || case when secret <> '' and former.issuer is not null then '{"client_secret": "changed"}' else '{}' end::jsonb);
  return is_required and not workspace.require_single_sign_on;
end $$;

create function private.drop_provider(workspace uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  update public.workspaces w set require_single_sign_on = false where w.id = workspace and w.require_single_sign_on;
  delete from private.identity_providers p where p.workspace_id = workspace;
  return found;
end $$;

create function public.remove_identity_provider(workspace_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_as_owner(workspace_id);
  if not private.drop_provider(workspace_id) then perform private.refuse('not_found'); end if;
  perform private.audit(workspace_id, 'security_changed', null, null, '{"identity_provider": "removed"}');
end $$;

create function private.drop_provider_without_add_on() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.drop_provider(old.workspace_id);
  return null;
end $$;
create trigger workspace_add_ons_70_end_single_sign_on after delete on public.workspace_add_ons
for each row when (old.add_on = 'sso') execute function private.drop_provider_without_add_on();

-- Ends the requirement, once. False: a wrong code. It works without the provider, so the caller is the owner by membership alone.
create function public.use_break_glass_code(workspace_id uuid, hash text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  perform from public.members m where m.workspace_id = use_break_glass_code.workspace_id and m.user_id = me and m.role = 'owner';
  if not found then perform private.refuse('not_found'); end if;
  if public.take_token('breakGlass', workspace_id::text, 10, interval '1 hour') > 0 then perform private.refuse('rate_limited'); end if;
  update private.identity_providers p set break_glass_hash = null
  where p.workspace_id = use_break_glass_code.workspace_id and p.break_glass_hash = hash;
  if not found then return false; end if;
  update public.workspaces w set require_single_sign_on = false where w.id = use_break_glass_code.workspace_id;
  perform private.audit(workspace_id, 'break_glass_used');
  return true;
end $$;

create function public.set_join_by_domain(workspace_id uuid, join_by_domain boolean) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_as_owner(workspace_id);
  update public.workspaces w set join_by_domain = set_join_by_domain.join_by_domain
  where w.id = set_join_by_domain.workspace_id and w.join_by_domain <> set_join_by_domain.join_by_domain;
  if found then perform private.audit(workspace_id, 'security_changed', null, null, jsonb_build_object('join_by_domain', join_by_domain)); end if;
end $$;

create function public.add_email_domain(workspace_id uuid, domain text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  made uuid;
begin
  perform private.lock_as_owner(workspace_id);
  if not private.is_domain(domain) then perform private.refuse('validation_failed', '{"domain": "Enter a domain such as example.com"}'); end if;
  if (select count(*) from private.email_domains d where d.workspace_id = add_email_domain.workspace_id) >= 10 then
    perform private.refuse('validation_failed', '{"domain": "A workspace can have 10 email domains. Remove one first"}');
  end if;
  insert into private.email_domains (workspace_id, domain) values (add_email_domain.workspace_id, add_email_domain.domain)
  on conflict on constraint email_domains_workspace_id_domain_key do nothing returning id into made;
  if made is null then return; end if;
  perform private.add_job('check_email_domain', made, workspace_id, clock_timestamp() + interval '1 minute');
  perform private.audit(workspace_id, 'email_domain_added', null, domain);
end $$;

-- A domain to check now, rate-limited.
create function public.email_domain_of(workspace_id uuid, domain text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  present uuid;
begin
  perform private.require_role(workspace_id, '{owner}', true);
  select d.id into present from private.email_domains d where d.workspace_id = email_domain_of.workspace_id and d.domain = email_domain_of.domain;
  if present is null then perform private.refuse('not_found'); end if;
  if public.take_token('lookAtDomain', workspace_id::text, 30, interval '15 minutes') > 0 then perform private.refuse('rate_limited'); end if;
  return present;
end $$;

-- Without a proven domain, single sign-on ends.
create function public.remove_email_domain(workspace_id uuid, domain text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.lock_as_owner(workspace_id);
  delete from private.email_domains d where d.workspace_id = remove_email_domain.workspace_id and d.domain = remove_email_domain.domain;
  if not found then perform private.refuse('not_found'); end if;
  if exists (select from public.workspaces w where w.id = remove_email_domain.workspace_id and w.require_single_sign_on) and not exists (
    select from private.email_domains d where d.workspace_id = remove_email_domain.workspace_id and d.proven_at is not null
  ) then perform private.refuse('validation_failed', '{"domain": "Single sign-on is required and needs a domain"}'); end if;
  perform private.audit(workspace_id, 'email_domain_removed', null, domain);
end $$;

create function public.email_domain_to_check(id uuid) returns table (domain text, token text)
language sql stable security definer set search_path = '' as $$
  select d.domain, d.token from private.email_domains d where d.id = email_domain_to_check.id
$$;

-- Records a check. The first workspace to prove a domain gets it; it loses it three days after the record is gone.
create function public.settle_email_domain(id uuid, is_there boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  d private.email_domains;
begin
  select e.* into d from private.email_domains e where e.id = settle_email_domain.id for update;
  if d.id is null then return; end if;
  if is_there and d.proven_at is null then
    update private.email_domains e set proven_at = clock_timestamp() where e.id = d.id;
    perform private.audit(d.workspace_id, 'email_domain_proven', null, d.domain);
  elsif not is_there and d.missing_since < now() - interval '3 days' then
    update private.email_domains e set proven_at = null, missing_since = null where e.id = d.id;
    perform private.audit(d.workspace_id, 'email_domain_lost', null, d.domain);
  elsif d.proven_at is not null then
    update private.email_domains e set missing_since = case when not is_there then coalesce(d.missing_since, now()) end where e.id = d.id;
  end if;
exception when unique_violation then
  perform private.refuse('domain_taken');
end $$;

-- The provider of a workspace or of an address's domain, with its encrypted secret and proven domains; else null. `for_test`: also one that is off.
create function public.identity_provider_for(workspace uuid default null, email text default null, for_test boolean default false) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('workspace_id', p.workspace_id, 'kind', p.kind, 'issuer', p.issuer, 'client_id', p.client_id, 'secret', p.secret, 'domains',
    (select coalesce(jsonb_agg(d.domain), '[]') from private.email_domains d where d.workspace_id = p.workspace_id and d.proven_at is not null))
  from private.identity_providers p
  where (p.is_on or for_test) and private.has_add_on(p.workspace_id, 'sso') and p.workspace_id = coalesce(workspace, (
    select d.workspace_id from private.email_domains d where d.domain = private.domain_of_email(identity_provider_for.email) and d.proven_at is not null))
$$;

create function public.record_provider_test(workspace uuid, issuer text, client_id text, person uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  update private.identity_providers p set tested_at = clock_timestamp()
  where p.workspace_id = workspace and p.issuer = record_provider_test.issuer and p.client_id = record_provider_test.client_id
    and exists (select from public.members m where m.workspace_id = p.workspace_id and m.user_id = person and m.role = 'owner');
  if not found then return false; end if;
  perform private.audit(workspace, 'single_sign_on_tested', person, private.audited_name(person));
  return true;
end $$;

-- Whom the provider has signed in, as a one-time link of the auth service, or a refusal. The provider speaks for addresses of proven domains only. An
-- account that had the address before loses its password, sessions, mailed links and other providers, since someone else may have made it.
create function public.sign_in_by_provider(workspace uuid, issuer text, client_id text, subject text, email text, full_name text) returns text
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  address constant text := lower(email);
  link constant text := encode(extensions.gen_random_bytes(32), 'hex');
  provider private.identity_providers;
  person uuid;
  is_member boolean;
begin
  select p.* into provider from private.identity_providers p
  where p.workspace_id = workspace and p.is_on and p.issuer = issuer and p.client_id = client_id and private.has_add_on(workspace, 'sso') for share;
  if provider.issuer is null or not exists (
    select from private.email_domains d
    where d.workspace_id = workspace and d.domain = private.domain_of_email(address) and d.proven_at is not null
  ) then perform private.refuse('single_sign_on_unavailable'); end if;
  perform pg_advisory_xact_lock(hashtextextended(address, 0)); -- two first sign-ins at once
  select a.user_id into person from private.provider_accounts a where a.workspace_id = workspace and a.subject = subject;
  if person is null then
    select u.id into person from auth.users u where lower(u.email) = address for update;
    is_member := exists (select from public.members m where m.workspace_id = workspace and m.user_id = person);
    if exists (select from private.provider_accounts a where a.workspace_id = workspace and a.user_id = person)
      or not is_member and provider.join_as is null then perform private.refuse('single_sign_on_refused'); end if;
    if person is null then
      person := gen_random_uuid();
      perform private.create_account(person, address, 'single-sign-on', full_name);
    else
      perform private.enqueue_account_email('single_sign_on_linked', email => address) from auth.users u
      where u.id = person and u.email_confirmed_at is not null;
      perform private.end_credentials(person);
      update private.email_changes c set ended_at = clock_timestamp() where c.user_id = person and c.ended_at is null;
      delete from auth.identities i where i.user_id = person and i.provider <> 'email';
      update auth.users u set email_confirmed_at = coalesce(u.email_confirmed_at, now()) where u.id = person;
    end if;
    if not is_member and not private.join_on_their_own(workspace, person, provider.join_as) then perform private.refuse('single_sign_on_refused'); end if;
    insert into private.provider_accounts (workspace_id, user_id, subject) values (workspace, person, subject);
  end if;
  update auth.users u set recovery_token = link, recovery_sent_at = now()
  where u.id = person and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null;
  if not found then perform private.refuse('single_sign_on_refused'); end if;
  perform private.delete_mailed_tokens(person, 'recovery\_token');
  if to_regclass('auth.one_time_tokens') is not null then
    execute 'insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to) values (gen_random_uuid(), $1, ''recovery_token'', $2, $3)'
    using person, link, address;
  end if;
  return link;
end $$;

create function public.record_provider_session(workspace uuid, person uuid, session uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.provider_sessions s where s.user_id = person and s.created_at < now() - interval '7 days';
  insert into private.provider_sessions (session_id, workspace_id, user_id) values (session, workspace, person);
end $$;

grant execute on function public.read_single_sign_on, public.save_identity_provider, public.remove_identity_provider, public.use_break_glass_code,
  public.set_join_by_domain, public.add_email_domain, public.email_domain_of, public.remove_email_domain to authenticated;
grant execute on function public.email_domain_to_check, public.settle_email_domain, public.identity_provider_for, public.record_provider_test,
  public.sign_in_by_provider, public.record_provider_session to service_role;

-- supabase/schemas/50-invites.sql

-- Invitations: one link, one person, one role. Only the token's SHA-256 is stored. Used, revoked and expired links look alike (product decision 3).
create table public.invites (
  id uuid constraint invites_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint invites_workspace_id_fkey references public.workspaces (id) on delete cascade,
  role public.member_role not null constraint invites_role_not_owner check (role <> 'owner'),
  email extensions.citext constraint invites_email_length check (char_length(email::text) between 3 and 254), -- only for this address
  token_hash bytea not null constraint invites_token_hash_key unique constraint invites_token_hash_length check (octet_length(token_hash) = 32),
  created_by uuid not null,
  created_by_name text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days' constraint invites_expire check (isfinite(expires_at)),
  accepted_at timestamptz,
  accepted_by uuid,
  revoked_at timestamptz,
  mailed_at timestamptz
);
create index invites_of_workspace on public.invites (workspace_id, created_at desc);
-- One open invitation per address: inviting again renews it, also an expired one.
create unique index invites_open_by_address on public.invites (workspace_id, email)
where email is not null and accepted_at is null and revoked_at is null;
create index invites_by_address on public.invites (lower(email::text)) where accepted_at is null and revoked_at is null;
create index invites_by_inviter on public.invites (created_by, workspace_id);

create policy "owners and admins read their workspace's invitations" on public.invites for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}', true))));

grant select (id, workspace_id, role, email, created_by, created_by_name, created_at, expires_at, accepted_at, accepted_by, revoked_at, mailed_at)
  on public.invites to authenticated;

-- True if the inviter could make it now.
create function private.may_invite(person uuid, workspace uuid, invited public.member_role) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.members m where m.workspace_id = workspace and m.user_id = person
      and (m.role = 'owner' or m.role = 'admin' and invited <> 'admin')
  ) and not private.is_suspended(workspace);
end $$;

-- Retries with the same idempotency key. Only hashes are stored, so a retry gets another token of the same invitation; the first link stays valid.
-- new_invite's `repeated` and `mailed` keep the email from being sent twice.
create table private.more_invite_tokens (
  token_hash bytea constraint more_invite_tokens_pkey primary key,
  invite_id uuid not null constraint more_invite_tokens_invite_id_fkey references public.invites (id) on delete cascade,
  created_at timestamptz not null default now(),
  is_mailed boolean not null default false
);
create index more_invite_tokens_of_invite on private.more_invite_tokens (invite_id);

create type public.new_invite as (
  id uuid, workspace_id uuid, role public.member_role, email text, expires_at timestamptz, created_at timestamptz, token text,
  repeated boolean, mailed boolean, renewed boolean
);
comment on column public.new_invite.email is 'Null: anyone with the link can accept it.';
create type public.invite_info as (workspace_id uuid, workspace_name text, invited_role public.member_role, invited_by text);
comment on column public.invite_info.invited_by is 'Null: the account was deleted.';

create function private.token_hash(token text) returns bytea
language sql immutable strict parallel safe set search_path = '' as $$ select sha256(convert_to(token, 'UTF8')) $$;

create function private.invite_of_token(hash bytea) returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(
    (select i.id from public.invites i where i.token_hash = hash),
    (select m.invite_id from private.more_invite_tokens m where m.token_hash = hash));
end $$;

-- The invitation if open; one refusal for wrong, used, revoked and expired.
create function private.require_open_invite(invite_id uuid) returns public.invites
language plpgsql stable set search_path = '' as $$
declare
  invite public.invites;
begin
  select * into invite from public.invites i where i.id = invite_id
    and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
    and private.may_invite(i.created_by, i.workspace_id, i.role);
  if invite.id is null then perform private.refuse('invalid_invitation'); end if;
  return invite;
end $$;

-- Refuses unless the caller can change an invitation from one role (null: new) to another; only the owner invites admins.
create function private.require_inviter(workspace uuid, before public.member_role, after text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  mine public.member_role;
begin
  -- Lock order: workspace, then membership, as in deletion and transfer.
  perform from public.workspaces w where w.id = workspace for key share;
  perform from public.members m where m.workspace_id = workspace and m.user_id = private.my_id() for share;
  mine := private.require_role(workspace, '{owner,admin}');
  if after is null or after not in ('admin', 'editor', 'viewer') then
    perform private.refuse('validation_failed', '{"role": "Please choose viewer, editor or admin"}');
  elsif 'admin' in (before::text, after) and mine <> 'owner' then
    perform private.refuse('forbidden');
  end if;
  return true;
end $$;

create function private.has_member_with_email(workspace uuid, email text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.members m join auth.users u on u.id = m.user_id
    where m.workspace_id = workspace and lower(u.email) = lower(has_member_with_email.email)
  )
$$;

-- Owners invite admins, editors and viewers; admins invite editors and viewers. The same idempotency key gets another token of the same invitation.
-- An address with an open invitation gets no second one: it is renewed with the new inviter, role and expiry, and earlier links stay valid.
create function public.create_invite(
  workspace_id uuid, role text, email text default null, expires_at timestamptz default null, idempotency_key text default null
) returns public.new_invite
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  secret constant text := rtrim(translate(encode(extensions.gen_random_bytes(32), 'base64'), '+/', '-_'), '=');
  address constant extensions.citext := nullif(btrim(email), '');
  until constant timestamptz := coalesce(expires_at, now() + interval '7 days');
  earlier jsonb;
  made public.invites;
begin
  perform private.require_inviter(create_invite.workspace_id, null, role);
  if not isfinite(until) or until <= now() or until > now() + interval '1 year' then
    perform private.refuse('validation_failed', '{"expires_at": "Please choose a time within the next year"}');
  elsif address is not null and (address !~ '^[^@\s]{1,64}@[^@\s]+\.[^@\s]+$' or char_length(address::text) > 254) then
    perform private.refuse('validation_failed', '{"email": "Please enter a valid email address"}');
  end if;
  earlier := private.claim_request(idempotency_key, jsonb_build_array('create_invite', create_invite.workspace_id, role, address, expires_at)::text);
  if earlier is not null then
    select * into made from public.invites i where i.id = (earlier ->> 'id')::uuid;
  else
    if private.has_member_with_email(create_invite.workspace_id, address::text) then perform private.refuse('already_member'); end if;
    -- The second of two concurrent invitations of an address waits here and finds the first.
    insert into public.invites as i (workspace_id, role, email, token_hash, created_by, created_by_name, expires_at)
    values (create_invite.workspace_id, role::public.member_role, address, private.token_hash(secret), private.my_id(), private.my_name(), until)
    on conflict (workspace_id, email) where email is not null and accepted_at is null and revoked_at is null
    do update set role = excluded.role, created_by = excluded.created_by, created_by_name = excluded.created_by_name,
      expires_at = excluded.expires_at, mailed_at = null
    where private.require_inviter(i.workspace_id, i.role, excluded.role::text)
    returning * into made;
    perform private.settle_request(idempotency_key, jsonb_build_object('id', made.id, 'workspace_id', create_invite.workspace_id));
  end if;
  if made.token_hash <> private.token_hash(secret) then
    insert into private.more_invite_tokens (token_hash, invite_id) values (private.token_hash(secret), made.id);
  end if;
  return row(made.id, made.workspace_id, made.role, made.email::text, made.expires_at, made.created_at, secret, earlier is not null,
    made.mailed_at is not null, earlier is null and made.token_hash <> private.token_hash(secret));
end $$;

-- Invites all of the addresses or none; members' are skipped. Sorted, so that two calls can't wait for each other.
create function public.create_invites(workspace_id uuid, role text, emails text[], idempotency_key text default null) returns setof public.new_invite
language plpgsql security definer set search_path = '' as $$
declare
  address text;
  made public.new_invite;
begin
  perform private.require_inviter(create_invites.workspace_id, null, role); -- outsiders learn nothing of the members
  if emails is null or cardinality(emails) not between 1 and 20 or '' = any (emails) is not false then
    perform private.refuse('validation_failed', '{"emails": "Please enter 1 to 20 email addresses"}');
  end if;
  for address in select distinct lower(e.email) from unnest(emails) as e (email) order by 1 loop
    continue when private.has_member_with_email(create_invites.workspace_id, address);
    made := public.create_invite(create_invites.workspace_id, role, address, idempotency_key => md5(create_invites.idempotency_key || address));
    return next made;
  end loop;
end $$;

-- Changes the role; links stay valid. If its maker couldn't have invited for that role, the caller becomes its maker. Returns the role.
create function public.set_invite_role(workspace_id uuid, invite_id uuid, role text) returns public.member_role
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant text := role;
  invite public.invites;
begin
  perform private.require_inviter(asked, null, 'viewer'); -- outsiders learn nothing of the invitation
  select * into invite from public.invites i where i.id = invite_id and i.workspace_id = asked for update; -- a concurrent acceptance goes first
  if invite.id is null then perform private.refuse('not_found'); end if;
  perform private.require_inviter(asked, invite.role, wanted);
  if invite.accepted_at is not null or invite.revoked_at is not null or invite.expires_at <= now() then
    perform private.refuse('invalid_invitation');
  end if;
  update public.invites i set role = wanted::public.member_role,
    created_by = case when kept then i.created_by else private.my_id() end,
    created_by_name = case when kept then i.created_by_name else private.my_name() end
  from private.may_invite(invite.created_by, asked, wanted::public.member_role) as kept
  where i.id = invite.id;
  return wanted::public.member_role;
end $$;

create function public.note_invite_mailed(invite_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update public.invites i set mailed_at = clock_timestamp() where i.id = invite_id and i.created_by = private.my_id() and i.mailed_at is null;
  if not found and not exists (select from public.invites i where i.id = invite_id and i.created_by = private.my_id()) then
    perform private.refuse('not_found');
  end if;
end $$;

create function public.read_invite(token text) returns public.invite_info
language plpgsql stable security definer set search_path = '' as $$
declare
  invite constant public.invites := private.require_open_invite(private.invite_of_token(private.token_hash(token)));
begin
  return row(invite.workspace_id, (select w.name from public.workspaces w where w.id = invite.workspace_id), invite.role, invite.created_by_name);
end $$;

-- Makes the caller a member; without a token by the invitation they signed up with. The same person gets the same answer again, so a lost response can
-- be retried.
create function public.accept_invite(token text default null) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.my_id();
  invitation constant uuid := case when token is null then (select r.invite_id from private.remembered_invites r where r.user_id = me)
    else private.invite_of_token(private.token_hash(token)) end;
  invite public.invites;
begin
  if me is null then perform private.refuse('unauthenticated'); end if;
  select * into invite from public.invites i where i.id = invitation for update;
  if invite.accepted_by = me and private.my_role(invite.workspace_id) is not null then return invite.workspace_id; end if;
  invite := private.require_open_invite(invitation);
  if invite.email is not null and not exists (
    select from auth.users u where u.id = me and lower(u.email) = lower(invite.email::text)
  ) then perform private.refuse('wrong_invitation_account'); end if;
  if private.my_role(invite.workspace_id) is not null then perform private.refuse('already_member'); end if;
  insert into public.members (workspace_id, user_id, role) values (invite.workspace_id, me, invite.role)
  on conflict on constraint members_pkey do nothing;
  if not found then perform private.refuse('already_member'); end if;
  update public.invites i set accepted_at = clock_timestamp(), accepted_by = me where i.id = invite.id;
  perform private.record_activity(invite.workspace_id, 'member_joined', private.my_name());
  return invite.workspace_id;
end $$;

create function public.revoke_invite(invite_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  workspace constant uuid := (select i.workspace_id from public.invites i where i.id = invite_id);
begin
  if workspace is null then perform private.refuse('not_found'); end if;
  perform private.require_role(workspace, '{owner,admin}');
  update public.invites i set revoked_at = clock_timestamp() where i.id = invite_id and i.accepted_at is null and i.revoked_at is null;
end $$;

-- The token in the email. No response contains it, so its holder reads the address's email (decision 6).
create function public.make_mailed_invite_token(invite_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  secret constant text := rtrim(translate(encode(extensions.gen_random_bytes(32), 'base64'), '+/', '-_'), '=');
begin
  insert into private.more_invite_tokens (token_hash, invite_id, is_mailed) values (private.token_hash(secret), make_mailed_invite_token.invite_id, true);
  return secret;
end $$;

-- A confirmed account, by the caller's own proof of the address; without a password, which a reset can set.
create function private.create_account(account uuid, address text, provider text, full_name text, password text default null) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into auth.users (
    id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at,
    confirmation_token, recovery_token, email_change, email_change_token_new, email_change_token_current, phone_change, phone_change_token,
    reauthentication_token
  ) values (
    account, 'authenticated', 'authenticated', address, extensions.crypt(password, extensions.gen_salt('bf', 10)), now(),
    jsonb_build_object('provider', provider, 'providers', jsonb_build_array(provider)), jsonb_build_object('full_name', full_name), now(), now(),
    '', '', '', '', '', '', '', ''
  );
  insert into auth.identities (id, user_id, provider, provider_id, identity_data, created_at, updated_at)
  values (gen_random_uuid(), account, 'email', account::text, jsonb_build_object('sub', account, 'email', address, 'email_verified', true), now(), now());
  -- GoTrue needs the instance id; lite has none.
  if exists (
    select from information_schema.columns c where c.table_schema = 'auth' and c.table_name = 'users' and c.column_name = 'instance_id'
  ) then
    execute 'update auth.users set instance_id = ''00000000-0000-0000-0000-000000000000'' where id = $1' using account;
  end if;
end $$;

-- A confirmed account by a link's token: for an address invited by email in the last seven days, or for the operator, whose link works once for any
-- address (51-sign-up). False for other tokens and addresses and for existing accounts.
create function public.create_account_by_link(token text, email text, password text, full_name text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  address constant text := lower(create_account_by_link.email);
  account constant uuid := gen_random_uuid();
begin
  if exists (select from auth.users u where lower(u.email) = address) then return false; end if;
  if not exists (
    select from private.more_invite_tokens m join public.invites i on i.id = m.invite_id
    where m.token_hash = private.token_hash(token) and m.is_mailed and m.created_at > now() - interval '7 days'
      and i.accepted_at is null and i.revoked_at is null and i.expires_at > now() and private.may_invite(i.created_by, i.workspace_id, i.role)
      and lower(i.email::text) = address
  ) then
    update private.sign_up_rule r set operator_link_hash = null
    where r.operator_link_hash = private.token_hash(token) and not exists (select from private.operators);
    if not found then return false; end if;
    insert into private.operators (user_id) values (account);
  end if;
  perform private.create_account(account, address, 'email', create_account_by_link.full_name, create_account_by_link.password);
  return true;
exception when unique_violation then
  return false;
end $$;

-- The invitation a person signed up with, until the address is confirmed. Not in the account's metadata, which access tokens contain.
create table private.remembered_invites (
  user_id uuid constraint remembered_invites_pkey primary key
    constraint remembered_invites_user_id_fkey references auth.users (id) on delete cascade,
  invite_id uuid not null constraint remembered_invites_invite_id_fkey references public.invites (id) on delete cascade
);
create index remembered_invites_of_invite on private.remembered_invites (invite_id);

-- The latest sign-up with an address counts. Confirmed accounts are left alone, since anyone can sign up with any address.
create function public.remember_invite(email text, token text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  invite constant uuid := private.invite_of_token(private.token_hash(token));
begin
  delete from private.remembered_invites r using auth.users u
  where u.id = r.user_id and u.email = lower(remember_invite.email) and u.email_confirmed_at is null;
  insert into private.remembered_invites (user_id, invite_id)
  select u.id, invite from auth.users u
  where u.email = lower(remember_invite.email) and u.email_confirmed_at is null and invite is not null
  on conflict on constraint remembered_invites_pkey do update set invite_id = excluded.invite_id;
end $$;

grant execute on function public.read_invite to anon, authenticated, service_role;
grant execute on function public.set_invite_role, public.note_invite_mailed, public.create_invite, public.create_invites, public.accept_invite,
  public.revoke_invite to authenticated, service_role;
grant execute on function public.make_mailed_invite_token, public.create_account_by_link, public.remember_invite to service_role;

-- supabase/schemas/51-sign-up.sql

-- Who can create an account (TIDINGS_SIGNUP). One row, written at each start of a server and by `npm run deploy`. A trigger of auth.users reads it.
create type public.sign_up_mode as enum ('open', 'invited', 'domains', 'closed');
create table private.sign_up_rule (
  is_only boolean constraint sign_up_rule_pkey primary key default true constraint sign_up_rule_is_only check (is_only),
  mode public.sign_up_mode not null default 'open',
  domains text[] not null default '{}',
  operator_email text, -- may always sign up, and is an operator then
  operator_link_hash bytea constraint sign_up_rule_operator_link_hash_length check (octet_length(operator_link_hash) = 32)
);
insert into private.sign_up_rule default values;

-- The operators. The key is checked at commit: create_account_by_link writes the operator before the account, whose trigger lets operators in.
create table private.operators (
  user_id uuid constraint operators_pkey primary key
    constraint operators_user_id_fkey references auth.users (id) on delete cascade deferrable initially deferred
);

-- Sets the rule. Answers true when the installation has no operator yet, so that the link counts; with an operator, or an address for one, it doesn't.
create function private.set_sign_up_rule(
  mode public.sign_up_mode, domains text[] default '{}', operator_email text default null, operator_link_hash bytea default null
) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  address constant text := lower(nullif(btrim(operator_email), ''));
  needs_operator boolean;
begin
  -- An address that was mistyped, and is corrected before its account is confirmed.
  delete from private.operators o using auth.users u
  where u.id = o.user_id and u.email_confirmed_at is null and lower(u.email) is distinct from address;
  insert into private.operators (user_id) select u.id from auth.users u where lower(u.email) = address
  on conflict on constraint operators_pkey do nothing;
  needs_operator := address is null and not exists (select from private.operators);
  update private.sign_up_rule r set mode = set_sign_up_rule.mode, domains = set_sign_up_rule.domains, operator_email = address,
    operator_link_hash = case when needs_operator then set_sign_up_rule.operator_link_hash end
  where r.is_only;
  return needs_operator;
end $$;

-- Null if the rule lets this address sign up: by itself, or by an open invitation, for this address or with this link.
-- `invitation` is the hash of its token in hex. Whether the address has an account doesn't matter, so that no answer tells. Refusals have SQLSTATE
-- PT422: the auth service (GoTrue) answers 422 with the sentence, in place of 500.
create function private.sign_up_refusal(email text, invitation text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  rule private.sign_up_rule;
  address constant text := lower(sign_up_refusal.email);
  link constant uuid := case when invitation ~ '^[0-9a-f]{64}$' then private.invite_of_token(decode(invitation, 'hex')) end;
begin
  select * into rule from private.sign_up_rule;
  if rule.mode = 'open' or address = rule.operator_email
    or rule.mode = 'domains' and substring(address from '@([^@]+)$') = any (rule.domains)
    or exists (
      select from public.invites i
      where (lower(i.email::text) = address or i.id = link and i.email is null)
        and i.accepted_at is null and i.revoked_at is null and i.expires_at > now() and private.may_invite(i.created_by, i.workspace_id, i.role)
    ) then return null; end if;
  return case rule.mode when 'domains' then 'sign_up_by_domain' when 'closed' then 'sign_up_closed' else 'sign_up_by_invitation' end;
end $$;

-- The auth service's account of a SAML sign-in, which /api exchanges for a person's (43-single-sign-on). It is no one here, since anyone's provider can
-- sign in anyone, past /api.
create function private.is_from_saml(account auth.users) returns boolean
language sql immutable set search_path = '' as $$ select coalesce((to_jsonb(account) ->> 'is_sso_user')::boolean, false) $$;

create function private.check_new_account() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  refusal constant text := private.sign_up_refusal(new.email, new.raw_user_meta_data ->> 'invitation');
begin
  if private.is_from_saml(new) then
    new.email := null; -- so nothing that looks for an address finds it
    return new;
  end if;
  if refusal is not null and new.raw_app_meta_data ->> 'provider' is distinct from 'single-sign-on' -- its workspace invites (43-single-sign-on)
    and not exists (select from private.operators o where o.user_id = new.id) then
    perform private.refuse(refusal, null, 'PT422');
  end if;
  insert into private.operators (user_id) select new.id from private.sign_up_rule r where r.operator_email = lower(new.email);
  return new;
end $$;
create trigger users_may_sign_up before insert on auth.users for each row execute function private.check_new_account();

-- For /api before it asks the auth service, which answers an address that has an account without asking the rule.
create function public.check_sign_up(email text, token text) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  refusal constant text := private.sign_up_refusal(check_sign_up.email, encode(private.token_hash(token), 'hex'));
begin
  if refusal is not null then perform private.refuse(refusal, null, 'PT422'); end if;
end $$;

-- What the sign-up page says. `is_offered`: there are people who can sign up there without an invitation.
create type public.sign_up_offer as (mode public.sign_up_mode, domains text[], is_offered boolean);
create function public.read_sign_up_offer() returns public.sign_up_offer
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select row(r.mode, r.domains,
      r.mode in ('open', 'domains') or r.operator_email is not null and not exists (select from private.operators))::public.sign_up_offer
    from private.sign_up_rule r
  );
end $$;

grant execute on function public.read_sign_up_offer to anon, authenticated, service_role;
grant execute on function public.check_sign_up to service_role;

-- supabase/schemas/53-operator.sql

-- The operator's page, /operator: numbers, names and addresses, never the text of a post. Others get not_found.
create function public.is_operator() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.operators o where o.user_id = private.person_id())
$$;
grant execute on function public.is_operator to authenticated;

create function private.require_operator() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if not public.is_operator() then perform private.refuse('not_found'); end if;
  return private.person_id();
end $$;

-- Operators' actions, each in its own transaction. No foreign keys: entries outlive workspaces and accounts.
create table private.operator_log (
  id bigint generated always as identity constraint operator_log_pkey primary key,
  happened_at timestamptz not null default clock_timestamp(),
  operator_id uuid not null,
  network cidr,
  kind text not null constraint operator_log_kind check (kind in ('add_on_granted', 'suspended', 'resumed', 'sign_up_link_sent', 'factors_removed')),
  workspace_id uuid,
  workspace_name text,
  person_id uuid,
  details jsonb not null default '{}'
);
-- Without grants, so that lines can't be changed or removed.

-- Grants an add-on that exists, whether it was asked for or not. A workspace that has it already keeps it, and nothing is written.
create function public.operator_grant_add_on(workspace_id uuid, add_on text) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  me constant uuid := private.require_operator();
  granted constant text := operator_grant_add_on.add_on;
  name text;
begin
  select w.name into name from public.workspaces w where w.id = operator_grant_add_on.workspace_id for key share;
  if name is null then perform private.refuse('not_found'); end if;
  if granted is null or granted <> all (private.working_add_ons()) then
    perform private.refuse('validation_failed', '{"add_on": "Please choose from the list"}');
  end if;
  insert into public.workspace_add_ons (workspace_id, add_on, granted_by) values (operator_grant_add_on.workspace_id, granted, me)
  on conflict on constraint workspace_add_ons_pkey do nothing;
  if not found then return; end if;
  update public.upgrade_requests r set granted_at = now()
  where r.workspace_id = operator_grant_add_on.workspace_id and r.granted_at is null
    and r.add_ons <@ array(select a.add_on from public.workspace_add_ons a where a.workspace_id = operator_grant_add_on.workspace_id);
  insert into private.operator_log (operator_id, network, kind, workspace_id, workspace_name, details)
  values (me, private.network(), 'add_on_granted', operator_grant_add_on.workspace_id, name, jsonb_build_object('add_on', granted));
end $$;

-- Suspends a workspace or resumes it. Suspended, readers get 410, members read and export but change nothing, nothing is published or sent; resumed,
-- waiting emails are sent. Members get one email about the latest state, with the operator's message and address.
create function public.operator_set_suspension(workspace_id uuid, suspended boolean, message text default '') returns void
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.require_operator();
  words constant text := coalesce(private.clean_line(operator_set_suspension.message), '');
  present public.workspaces;
begin
  select w.* into present from public.workspaces w where w.id = operator_set_suspension.workspace_id for no key update;
  if present.id is null then perform private.refuse('not_found'); end if;
  if char_length(words) > 1000 then
    perform private.refuse('validation_failed', '{"message": "Please use at most 1000 characters"}');
  end if;
  if suspended = (present.suspension is not null) then return; end if;
  update public.workspaces w set suspension = case when suspended then jsonb_build_object('since', now(), 'message', words, 'contact', u.email) end
  from auth.users u where w.id = present.id and u.id = me;
  if not suspended then
    update private.jobs j set run_at = now() where j.workspace_id = present.id and j.task = 'send_emails' and j.locked_by is null;
  end if;
  with taken_back as ( -- not sent yet
    delete from private.deliveries d
    where d.workspace_id = present.id and d.kind = 'suspension' and d.state = 'waiting' and d.attempt = 0 returning d.target_id
  )
  insert into private.deliveries (workspace_id, kind, target_id, data)
  select w.id, 'suspension', m.user_id, jsonb_build_object('subject', w.id, 'suspension', w.suspension)
  from public.workspaces w join public.members m on m.workspace_id = w.id
  where w.id = present.id and m.user_id not in (select t.target_id from taken_back t);
  insert into private.operator_log (operator_id, network, kind, workspace_id, workspace_name, details)
  values (me, private.network(), case when suspended then 'suspended' else 'resumed' end, present.id, present.name,
    case when suspended then jsonb_build_object('message', words) else '{}' end);
end $$;

create function public.operator_sign_up_link(user_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.require_operator();
  target constant uuid := operator_sign_up_link.user_id;
  address constant text := (select u.email from auth.users u where u.id = target and u.email_confirmed_at is null);
begin
  if address is null then perform private.refuse('not_found'); end if;
  if public.take_token('signUpLink.minute', target::text, 1, interval '1 minute') > 0
    or public.take_token('signUpLink.day', target::text, 5, interval '1 day') > 0 then perform private.refuse('rate_limited'); end if;
  insert into private.operator_log (operator_id, network, kind, person_id) values (me, private.network(), 'sign_up_link_sent', target);
  return address;
end $$;

-- {"workspaces", "total"}: a page of 10, newest first, of those whose name, subdomain or owner's address contains `search`.
create function public.operator_workspaces(search text default '', page int default 1) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  part constant text := lower(coalesce(search, ''));
begin
  perform private.require_operator();
  return (
    with found as materialized (
      select w.id, w.created_at, u.email as owner_email
      from public.workspaces w
        left join public.members m on m.workspace_id = w.id and m.role = 'owner' left join auth.users u on u.id = m.user_id
      where strpos(lower(w.name), part) > 0 or strpos(w.subdomain::text, part) > 0 or strpos(lower(u.email), part) > 0
    ), shown as (
      select f.* from found f order by f.created_at desc, f.id limit 10 offset (greatest(coalesce(page, 1), 1) - 1)::bigint * 10
    )
    select jsonb_build_object('total', (select count(*) from found), 'workspaces', coalesce(jsonb_agg(jsonb_build_object(
      'id', w.id, 'name', w.name, 'subdomain', w.subdomain, 'created_at', w.created_at, 'owner_email', s.owner_email,
      'members', (select count(*) from public.members m where m.workspace_id = w.id),
      'posts', (select count(*) from public.posts p where p.workspace_id = w.id),
      'file_bytes', (
        select coalesce(sum((o.metadata ->> 'size')::bigint), 0) from storage.objects o
        where o.bucket_id in ('post-images', 'logos', 'link-pictures') and o.name like w.id || '/%'),
      'add_ons', array(select a.add_on from public.workspace_add_ons a where a.workspace_id = w.id order by 1),
      'requested', array(
        select distinct r.add_on from public.upgrade_requests u cross join unnest(u.add_ons) as r (add_on)
        where u.workspace_id = w.id and u.granted_at is null
        except select a.add_on from public.workspace_add_ons a where a.workspace_id = w.id order by 1),
      'suspension', w.suspension,
      'active_at', (select max(a.created_at) from public.activities a where a.workspace_id = w.id)
    ) order by s.created_at desc, s.id), '[]'))
    from shown s join public.workspaces w on w.id = s.id
  );
end $$;

-- For someone who lost their authenticator app and recovery codes. Their sessions end, and they are told.
create function public.operator_remove_factors(user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.require_operator();
  target constant uuid := operator_remove_factors.user_id;
begin
  if not private.has_factor(target) then perform private.refuse('not_found'); end if;
  perform private.remove_factors(target);
  insert into private.operator_log (operator_id, network, kind, person_id) values (me, private.network(), 'factors_removed', target);
end $$;

-- {"people", "total"}: a page of 10, newest first, of those whose name or address contains `search`.
create function public.operator_people(search text default '', page int default 1) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  part constant text := lower(coalesce(search, ''));
begin
  perform private.require_operator();
  return (
    with found as materialized (
      select u.id, u.created_at, p.full_name from auth.users u join public.profiles p on p.user_id = u.id
      where strpos(lower(p.full_name), part) > 0 or strpos(lower(u.email), part) > 0
    ), shown as (
      select f.* from found f order by f.created_at desc, f.id limit 10 offset (greatest(coalesce(page, 1), 1) - 1)::bigint * 10
    )
    select jsonb_build_object('total', (select count(*) from found), 'people', coalesce(jsonb_agg(jsonb_build_object(
      'id', u.id, 'email', u.email, 'full_name', s.full_name, 'created_at', u.created_at, 'is_confirmed', u.email_confirmed_at is not null,
      'is_operator', exists (select from private.operators o where o.user_id = u.id), 'has_factor', private.has_factor(u.id),
      'workspaces', (select count(*) from public.members m where m.user_id = u.id),
      'last_used_at', (
        select max(coalesce(e.refreshed_at at time zone 'utc', e.created_at)) from auth.sessions e where e.user_id = u.id)
    ) order by s.created_at desc, s.id), '[]'))
    from shown s join auth.users u on u.id = s.id
  );
end $$;

-- "Sent" and "failed" are of the last day, what came back is of the last seven. Jobs of suspended workspaces aren't due.
create function public.operator_overview() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_operator();
  return jsonb_build_object(
    'email', jsonb_build_object(
      'sent', (select count(*) from private.deliveries d where d.state = 'done' and d.ended_at > now() - interval '1 day'),
      'failed', (select count(*) from private.deliveries d where d.state = 'failed' and d.ended_at > now() - interval '1 day'),
      'bounced', (select count(*) from private.mail_events e where e.kind in ('hard', 'soft') and e.noted_at > now() - interval '7 days'),
      'complaints', (select count(*) from private.mail_events e where e.kind = 'complaint' and e.noted_at > now() - interval '7 days'),
      'workspaces_on_hold', (select count(*) from public.mail_settings m where m.held_at is not null),
      'last_error', (
        select jsonb_build_object('at', d.ended_at, 'text', d.error) from private.deliveries d
        where d.state = 'failed' and d.error is not null and d.ended_at > now() - interval '7 days' order by d.ended_at desc limit 1)),
    'jobs', (
      select jsonb_agg(jsonb_build_object('kind', j.kind, 'waiting', j.waiting, 'failed', j.failed, 'oldest_at', j.oldest_at) order by j.place)
      from (
        select k.place, k.kind, count(j.id) as waiting, k.failed, min(j.run_at) as oldest_at
        from (values
          (1, 'emails', 'send_emails', (
            select count(*) from private.deliveries d join public.workspaces w on w.id = d.workspace_id and w.suspension is null
            where d.state = 'failed' and d.ended_at > now() - interval '1 day')),
          (2, 'webhooks', 'send_webhook', (
            select count(*) from private.webhook_deliveries d join public.workspaces w on w.id = d.workspace_id and w.suspension is null
            where d.state = 'failed' and d.ended_at > now() - interval '1 day')),
          (4, 'backups', 'backup', (select count(*) from private.backups b where b.failing_since is not null))
        ) as k (place, kind, task, failed)
        left join (private.jobs j join public.workspaces w on w.id = j.workspace_id and w.suspension is null) on j.task = k.task and j.run_at <= now()
        group by k.place, k.kind, k.failed
        union all
        select 3, 'scheduled_posts', count(*), 0, min(p.publish_at)
        from public.posts p join public.workspaces w on w.id = p.workspace_id and w.suspension is null
        where p.status = 'scheduled' and p.publish_at <= now()
        union all
        select 5, 'file_removals', count(*), 0, min(f.discarded_at) from private.discarded_files f
      ) as j),
    'log', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', l.id, 'happened_at', l.happened_at, 'operator_name', p.full_name, 'kind', l.kind, 'subject', coalesce(l.workspace_name, u.email),
        'details', l.details
      ) order by l.id desc)
      from (select * from private.operator_log order by id desc limit 50) as l
        left join public.profiles p on p.user_id = l.operator_id left join auth.users u on u.id = l.person_id
    ), '[]'),
    'storage', jsonb_build_object(
      'database_bytes', pg_database_size(current_database()),
      'file_bytes', (select coalesce(sum((o.metadata ->> 'size')::bigint), 0) from storage.objects o)),
    'machine', (
      select jsonb_build_object('disk_bytes', m.disk_bytes, 'free_bytes', m.free_bytes, 'backed_up_at', m.backed_up_at, 'backup_bytes', m.backup_bytes)
      from private.machine m where m.disk_bytes is not null)
  );
end $$;

-- Of a server with a data folder: the size of its disk, measured each minute, and the last `npm run backup`. Hosted, nothing is known.
create table private.machine (
  is_only boolean constraint machine_pkey primary key default true constraint machine_is_only check (is_only),
  disk_bytes bigint,
  free_bytes bigint,
  backed_up_at timestamptz,
  backup_bytes bigint
);
insert into private.machine default values;

grant execute on function public.operator_grant_add_on, public.operator_set_suspension, public.operator_sign_up_link,
  public.operator_remove_factors, public.operator_workspaces, public.operator_people, public.operator_overview to authenticated;

-- supabase/schemas/59-widget-rules.sql

-- Generated from contract/widget-choices.ts by `npm run db:baseline`.
create function private.widget_setting_rules() returns jsonb
language sql immutable parallel safe set search_path = '' as $$
  select '{
    "appearance": {
      "theme": ["light", "dark", "system"]
    },
    "positioning": {
      "position": ["bottom-right", "bottom-left", "top-right", "top-left"]
    },
    "behaviour": {
      "autoOpenNewPosts": "boolean",
      "animation": ["fade", "slide", "none"],
      "newFor": [0, 7, 14, 30, 90],
      "delay": [0, 3000, 5000, 10000]
    },
    "customisation": {
      "widgetSize": ["sm", "md", "lg"],
      "cornerRadius": [0, 6, 999],
      "fontFamily": ["system", "inter", "roboto", "arial"]
    },
    "contentSettings": {
      "maxPosts": {
        "min": 1,
        "max": 20
      },
      "showImages": "boolean",
      "showPostAuthor": "boolean"
    }
  }'::jsonb
$$;

-- supabase/schemas/60-widget.sql

-- A workspace's widget settings in groups of optional fields (specification, section 3). Absent: the default. Unknown ones are refused.
create function private.widget_settings_are_valid(settings jsonb) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select jsonb_typeof(settings) = 'object'
    and not exists (
      select from jsonb_each(settings) as g (name, fields)
      where jsonb_typeof(g.fields) <> 'object' or not private.widget_setting_rules() ? g.name
    )
    and not exists (
      select from jsonb_each(settings) as g (name, fields), jsonb_each(case when jsonb_typeof(g.fields) = 'object' then g.fields else '{}' end) as f (name, value),
        lateral (select private.widget_setting_rules() #> array[g.name, f.name]) as r (rule)
      where f.value <> 'null' and case jsonb_typeof(r.rule)
        when 'array' then exists (select from jsonb_array_elements(r.rule) as a (allowed) where a.allowed = f.value)
        when 'string' then jsonb_typeof(f.value) = r.rule #>> '{}'
        when 'object' then case when jsonb_typeof(f.value) = 'number' then f.value::numeric between (r.rule ->> 'min')::numeric and (r.rule ->> 'max')::numeric
          and f.value::numeric % 1 = 0 end
      end is not true
    )
$$;

create table public.widget_settings (
  workspace_id uuid constraint widget_settings_pkey primary key
    constraint widget_settings_workspace_id_fkey references public.workspaces (id) on delete cascade,
  settings jsonb not null default '{}' constraint widget_settings_known check (private.widget_settings_are_valid(settings))
);

create trigger widget_settings_60_raise_public_version after insert or update or delete on public.widget_settings
for each row execute function private.public_frame_changed();
alter table public.widget_settings enable always trigger widget_settings_60_raise_public_version;

create policy "members read their widget's settings" on public.widget_settings for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "owners and admins make their widget's settings" on public.widget_settings for insert to authenticated
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))));
create policy "owners and admins change their widget's settings" on public.widget_settings for update to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))))
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))));

grant select, insert (workspace_id, settings), update (settings) on public.widget_settings to authenticated;

-- Merges the given fields; returns all settings.
create function public.save_widget_settings(workspace_id uuid, settings jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  given constant jsonb := settings;
  merged jsonb;
begin
  perform private.require_role(save_widget_settings.workspace_id, '{owner,admin}');
  if private.widget_settings_are_valid(given) is not true then
    perform private.refuse('validation_failed', '{"settings": "Please check the widget settings"}');
  end if;
  insert into public.widget_settings as w (workspace_id, settings) values (save_widget_settings.workspace_id, given)
  on conflict on constraint widget_settings_pkey do update set settings = w.settings || (
    select coalesce(jsonb_object_agg(g.name, coalesce(w.settings -> g.name, '{}') || g.fields), '{}') from jsonb_each(excluded.settings) as g (name, fields)
  )
  returning w.settings into merged;
  return merged;
end $$;

create table private.widget_sightings (
  workspace_id uuid constraint widget_sightings_pkey primary key
    constraint widget_sightings_workspace_id_fkey references public.workspaces (id) on delete cascade
);

-- Called by the public side for a request from `origin`.
create function private.record_widget_use(subdomain text, origin text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.widget_sightings (workspace_id)
  select w.id from public.workspaces w where w.id = private.open_workspace(record_widget_use.subdomain) and record_widget_use.origin = any (w.allowed_origins)
  on conflict on constraint widget_sightings_pkey do nothing;
end $$;

grant execute on function private.widget_setting_rules, private.widget_settings_are_valid,
  public.save_widget_settings to authenticated, service_role;
grant execute on function private.record_widget_use to anon, service_role;

-- supabase/schemas/61-appearance.sql

-- Validation errors by field, in the words of contract/appearance.ts. A test compares the lists.
create function private.appearance_faults(settings jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  choices constant jsonb := '{
    "theme": ["system", "light", "dark"],
    "layout": ["posts", "excerpts"],
    "font": ["inter", "geist", "source-serif", "system"],
    "date_format": ["long", "medium", "short", "iso"],
    "locale": ["en", "de", "fr", "es", "pt", "ja", "ar"],
    "branding": [true, false]
  }';
  faults jsonb := '{}';
  field record;
  link jsonb;
begin
  if jsonb_typeof(settings) is distinct from 'object' then return '{"settings": "Please check the appearance"}'; end if;
  for field in select s.key, s.value from jsonb_each(settings) as s loop
    if choices ? field.key then
      if not choices -> field.key @> jsonb_build_array(field.value) or jsonb_typeof(field.value) in ('array', 'object') then
        faults := faults || jsonb_build_object(field.key, 'Please choose from the list');
      end if;
    elsif field.key = 'accent' then
      if field.value <> 'null' and (jsonb_typeof(field.value) <> 'string' or field.value #>> '{}' !~ '^#[0-9a-f]{6}$') then
        faults := faults || '{"accent": "Please enter a colour as #rrggbb, e.g. #0b6b62"}';
      end if;
    elsif field.key = 'footer' then
      if jsonb_typeof(field.value) <> 'string' or char_length(field.value #>> '{}') > 200 or field.value #>> '{}' ~ '[[:cntrl:]]' then
        faults := faults || '{"footer": "Please use at most 200 characters"}';
      end if;
    elsif field.key = 'links' then
      if jsonb_typeof(field.value) <> 'array' or jsonb_array_length(field.value) > 6 then
        faults := faults || '{"links": "Please use at most 6 links"}';
        continue;
      end if;
      for link in select l.value from jsonb_array_elements(field.value) as l loop
        if jsonb_typeof(link) <> 'object' or link - '{label,url}'::text[] <> '{}'
          or jsonb_typeof(link -> 'label') is distinct from 'string' or char_length(link ->> 'label') not between 1 and 40
          or link ->> 'label' ~ '[[:cntrl:]]'
        then
          faults := faults || '{"links": "Please enter the link''s text"}';
        elsif jsonb_typeof(link -> 'url') is distinct from 'string' or char_length(link ->> 'url') > 2048
          or link ->> 'url' !~ '^(https?://[^/[:space:]]|mailto:[^[:space:]@]+@[^[:space:]@])' or link ->> 'url' ~ '[[:cntrl:]]'
        then
          faults := faults || '{"links": "Please enter a URL that starts with https://, http:// or mailto:"}';
        end if;
      end loop;
    else
      faults := faults || jsonb_build_object(field.key, 'There is no such setting');
    end if;
  end loop;
  return faults;
end $$;

-- The look of page, widget and emails. Absent: the contract's defaults.
create table public.appearances (
  workspace_id uuid constraint appearances_pkey primary key
    constraint appearances_workspace_id_fkey references public.workspaces (id) on delete cascade,
  settings jsonb not null default '{}' constraint appearances_known check (private.appearance_faults(settings) = '{}'),
  logo_dark_url text constraint appearances_logo_dark_url_shape check (logo_dark_url ~ '^(/[^/]|https?://)' and char_length(logo_dark_url) <= 2048),
  favicon_url text constraint appearances_favicon_url_shape check (favicon_url ~ '^(/[^/]|https?://)' and char_length(favicon_url) <= 2048)
);

create trigger appearances_60_raise_public_version after insert or update or delete on public.appearances
for each row execute function private.public_frame_changed();
alter table public.appearances enable always trigger appearances_60_raise_public_version;
create trigger appearances_discard_their_former_logo after update of logo_dark_url on public.appearances
for each row when (old.logo_dark_url is distinct from new.logo_dark_url)
execute function private.discard_former_file('logos', 'logo_dark_url', 'workspace_id');
create trigger appearances_discard_their_former_favicon after update of favicon_url on public.appearances
for each row when (old.favicon_url is distinct from new.favicon_url)
execute function private.discard_former_file('logos', 'favicon_url', 'workspace_id');

create policy "members read their workspace's look" on public.appearances for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "owners and admins make their workspace's look" on public.appearances for insert to authenticated
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))));
create policy "owners and admins change their workspace's look" on public.appearances for update to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))))
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))));

grant select, insert (workspace_id, settings, logo_dark_url, favicon_url), update (settings, logo_dark_url, favicon_url)
  on public.appearances to authenticated;

-- Merges the given fields; null removes an image. Returns the row.
create function public.save_appearance(workspace_id uuid, settings jsonb default '{}', pictures jsonb default '{}') returns public.appearances
language plpgsql set search_path = '' as $$
declare
  given constant jsonb := settings;
  faults constant jsonb := private.appearance_faults(given);
  saved public.appearances;
begin
  perform private.require_role(save_appearance.workspace_id, '{owner,admin}');
  if faults <> '{}' then perform private.refuse('validation_failed', faults); end if;
  insert into public.appearances as a (workspace_id, settings, logo_dark_url, favicon_url)
  values (save_appearance.workspace_id, given, pictures ->> 'logo_dark_url', pictures ->> 'favicon_url')
  on conflict on constraint appearances_pkey do update set
    settings = a.settings || excluded.settings,
    logo_dark_url = case when pictures ? 'logo_dark_url' then excluded.logo_dark_url else a.logo_dark_url end,
    favicon_url = case when pictures ? 'favicon_url' then excluded.favicon_url else a.favicon_url end
  returning a.* into saved;
  return saved;
end $$;

grant execute on function private.appearance_faults, public.save_appearance to authenticated, service_role;

-- supabase/schemas/62-reviews.sql

-- Approvals: readers see a post only after another owner or admin approved exactly this version; changes of a live post are proposals.

-- No row: off.
create table private.review_rules (
  workspace_id uuid constraint review_rules_pkey primary key constraint review_rules_workspace_id_fkey references public.workspaces (id) on delete cascade,
  rule text not null constraint review_rules_rule check (rule in ('off', 'editors', 'all')),
  updated_at timestamptz not null default clock_timestamp()
);

-- Names beside ids, without foreign keys: lines outlive accounts. `used_at`: published, or decided anew; until then the approval is valid.
create table private.reviews (
  id uuid constraint reviews_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint reviews_workspace_id_fkey references public.workspaces (id) on delete cascade,
  post_id uuid not null constraint reviews_post_id_fkey references public.posts (id) on delete cascade,
  version int not null,
  state text not null default 'waiting' constraint reviews_state check (state in ('waiting', 'approved', 'refused', 'void', 'withdrawn')),
  publish_at timestamptz,
  note text constraint reviews_note_length check (char_length(note) between 1 and 2000),
  asked_at timestamptz not null default clock_timestamp(),
  asked_by uuid not null,
  asked_by_key uuid,
  asked_by_name text,
  decided_at timestamptz,
  decided_by uuid,
  decided_by_name text,
  decision_note text constraint reviews_decision_note_length check (char_length(decision_note) between 1 and 2000),
  used_at timestamptz,
  constraint reviews_are_decided check ((decided_by is null) or decided_by <> asked_by)
);
create index reviews_of_post on private.reviews (post_id, asked_at desc);
create unique index reviews_one_waits on private.reviews (post_id) where state = 'waiting';
create index reviews_of_workspace on private.reviews (workspace_id, state, asked_at);

create function private.review_rule_of(workspace uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((select r.rule from private.review_rules r where r.workspace_id = workspace), 'off');
end $$;

-- True if the person can publish without approval. False for outsiders.
create function private.publishes_alone(workspace uuid, person uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  rule constant text := private.review_rule_of(workspace);
begin
  if rule = 'off' then return true; end if;
  return exists (
    select from public.members m where m.workspace_id = workspace and m.user_id = person
      and (m.role = 'owner' or m.role = 'admin' and rule = 'editors')
  );
end $$;

-- True if the present version has an approval by someone who can still approve, for this time or earlier (null: now).
create function private.is_approved(post uuid, for_time timestamptz) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from private.reviews r
      join public.members m on m.workspace_id = r.workspace_id and m.user_id = r.decided_by and m.role in ('owner', 'admin')
    where r.post_id = post and r.state = 'approved' and r.used_at is null
      and (r.publish_at is null or coalesce(for_time, clock_timestamp()) >= r.publish_at)
  );
end $$;

-- An edit voids approvals and open requests. A scheduled post edited by someone who needs approval becomes a draft, unless it is due.
create function private.void_reviews() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_live constant boolean := old.status = 'published' or old.status = 'scheduled' and new.status = 'published' and new.publish_at is not null;
  differs constant boolean := private.is_visible_change(old, new);
begin
  if differs and not is_live then
    update private.reviews r set state = 'void' where r.post_id = new.id and r.state = 'approved' and r.used_at is null;
  end if;
  if new.version <> old.version then
    update private.reviews r set state = 'void' where r.post_id = new.id and r.state = 'waiting';
  end if;
  if new.status <> 'scheduled' or auth.uid() is null or private.publishes_alone(new.workspace_id, auth.uid()) then return new; end if;
  if old.status = 'scheduled' and differs and new.publish_at = old.publish_at
    or old.status = 'archived' and not private.is_approved(new.id, new.publish_at) then -- public.undo_archive
    new.status := 'draft';
    new.publish_at := null;
    if old.status = 'scheduled' then perform set_config('tidings.unapproved', new.id::text, true); end if;
  end if;
  return new;
end $$;

-- Members who need approval publish and schedule nothing without one, and change nothing that readers see of a published post. An approval serves
-- once: publishing uses it up, so does leaving the archive as a draft, or another time set by a member who needs no approval.
create function private.apply_review_rule() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_new constant boolean := tg_op = 'INSERT';
  needs_approval constant boolean := new.status in ('scheduled', 'published') and auth.uid() is not null
    and not private.publishes_alone(new.workspace_id, auth.uid());
begin
  if needs_approval and coalesce(current_setting('tidings.accepting', true), '') <> new.id::text and (case -- accepting: a proposal, by an approver
    when is_new then true
    when old.status = 'published' or old.status = 'scheduled' and new.status = 'published' and new.publish_at is not null then
      private.is_visible_change(old, new) or old.status = 'published' and new.published_at <> old.published_at
    when old.status = 'archived' and coalesce(current_setting('tidings.former_status', true), '') = 'published' and old.updated_by = auth.uid() then
      false -- the same person archived it a moment ago (public.undo_archive)
    when old.status = 'scheduled' and new.status = 'scheduled' and new.publish_at = old.publish_at then false
    else not private.is_approved(new.id, new.publish_at)
  end) then
    perform private.refuse('review_required');
  end if;
  if not is_new and (old.status <> new.status or old.publish_at is distinct from new.publish_at) and (
    new.status = 'published' or old.status = 'archived' and new.status = 'draft'
    or new.status = 'scheduled' and new.publish_at is distinct from old.publish_at and auth.uid() is not null
      and coalesce(current_setting('tidings.approving', true), '') <> new.id::text and private.publishes_alone(new.workspace_id, auth.uid())
  ) then
    update private.reviews r set used_at = clock_timestamp() where r.post_id = new.id and r.state = 'approved' and r.used_at is null;
  end if;
  return null;
end $$;

-- When an approver leaves or is demoted, their unused approvals are void, and posts scheduled by them become drafts.
create function private.void_approvals_of_member() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  voided uuid[];
  post uuid;
begin
  if not exists (select from public.workspaces w where w.id = old.workspace_id) then return null; end if;
  -- Lock order: posts, then reviews. Waits for posts being scheduled.
  perform from public.posts p where p.id in (
    select r.post_id from private.reviews r
    where r.workspace_id = old.workspace_id and r.decided_by = old.user_id and r.state = 'approved' and r.used_at is null
  ) order by p.id for no key update;
  with gone as (
    update private.reviews r set state = 'void'
    where r.workspace_id = old.workspace_id and r.decided_by = old.user_id and r.state = 'approved' and r.used_at is null
      and (r.asked_by_key is not null or not private.publishes_alone(r.workspace_id, r.asked_by))
    returning r.post_id
  )
  select array_agg(g.post_id) into voided from gone g;
  foreach post in array coalesce(voided, '{}') loop
    perform set_config('tidings.unapproved', post::text, true);
    update public.posts p set status = 'draft' where p.id = post and p.status = 'scheduled' and p.publish_at > clock_timestamp();
    perform set_config('tidings.unapproved', '', true);
    perform private.announce(old.workspace_id, 'reviews-changed', jsonb_build_object('post_id', post));
  end loop;
  return null;
end $$;
create trigger members_70_reviews after delete on public.members for each row execute function private.void_approvals_of_member();
create trigger members_70_reviews_of_role after update of role on public.members
for each row when (new.role not in ('owner', 'admin')) execute function private.void_approvals_of_member();

-- Shape: contract/reviews.ts.
create function private.review_json(r private.reviews) returns jsonb
language sql stable set search_path = '' as $$
  select to_jsonb(r) - '{workspace_id,asked_by_key,decided_by,used_at}'::text[]
$$;

create function private.clean_note(note text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  tidied constant text := nullif(btrim(note, U&' \0009\000A\000D'), '');
begin
  if char_length(tidied) > 2000 then
    perform private.refuse('validation_failed', '{"note": "A note can have at most 2,000 characters"}');
  end if;
  return tidied;
end $$;

-- Locks membership, then post, after a check of the role, so that removal or demotion waits. Lock order: workspace first. With `for_comments`, which
-- people write without changing the post, its comments are locked, for limits and empty threads.
create function private.lock_post(post uuid, roles public.member_role[], for_comments boolean default false) returns public.posts
language plpgsql security definer set search_path = '' as $$
declare
  workspace constant uuid := (select p.workspace_id from public.posts p where p.id = post);
  held public.posts;
begin
  if for_comments and private.person_id() is null or private.my_role(workspace) is null then -- strangers get no lock
    perform private.refuse('not_found');
  end if;
  perform from public.workspaces w where w.id = workspace for key share;
  perform from public.members m where m.workspace_id = workspace and m.user_id = auth.uid() for share;
  if for_comments then
    perform pg_advisory_xact_lock(hashtextextended('comments/' || post, 0));
    select * into held from public.posts p where p.id = post for key share;
  else
    select * into held from public.posts p where p.id = post for no key update;
  end if;
  if held.id is null then perform private.refuse('not_found'); end if;
  perform private.require_role(held.workspace_id, roles);
  return held;
end $$;

-- The caller's name; for an API key "creator (key name)".
create function private.actor_name() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.my_name() || coalesce((select ' (' || k.name || ')' from public.api_keys k where k.id = private.key_id()), '');
end $$;

-- Emails everyone who can decide, once while it waits.
create function private.email_approvers(post public.posts, but uuid[], data jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.enqueue_member_email(post.workspace_id, 'review_asked', m.user_id, data || jsonb_build_object('post_id', post.id, 'title', post.title))
  from public.members m
  where m.workspace_id = post.workspace_id and m.role in ('owner', 'admin') and m.user_id <> all (array_remove(but, null));
end $$;

create function public.review_rule(workspace_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role(review_rule.workspace_id);
  return private.review_rule_of(review_rule.workspace_id);
end $$;

create function public.set_review_rule(workspace_id uuid, rule text) returns text
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  was text;
begin
  perform private.require_role(workspace_id, '{owner}');
  if rule is null or rule not in ('off', 'editors', 'all') then
    perform private.refuse('validation_failed', '{"rule": "Please choose from the list"}');
  end if;
  perform from public.workspaces w where w.id = workspace_id for no key update;
  was := private.review_rule_of(workspace_id);
  if was <> rule then
    insert into private.review_rules as r (workspace_id, rule) values (workspace_id, rule)
    on conflict on constraint review_rules_pkey do update set rule = excluded.rule, updated_at = clock_timestamp();
    perform private.audit(workspace_id, 'review_rule_changed', null, null, jsonb_build_object('rule', jsonb_build_array(was, rule)));
  end if;
  return rule;
end $$;

-- {"reviews", "proposals"}: what the caller can decide, oldest first, at most a hundred each.
create function public.waiting_for_me(workspace_id uuid) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  role constant public.member_role := private.require_role(waiting_for_me.workspace_id);
  me constant uuid := private.my_id();
begin
  if role not in ('owner', 'admin') then return '{"reviews": [], "proposals": []}'; end if;
  return json_build_object(
    'reviews', coalesce((
      select json_agg(l.line order by l.asked_at, l.id) from (
        select r.id, r.asked_at, private.review_json(r) || jsonb_build_object('title', p.title) as line
        from private.reviews r join public.posts p on p.id = r.post_id
        where r.workspace_id = waiting_for_me.workspace_id and r.state = 'waiting' and r.asked_by <> me and p.updated_by is distinct from me
        order by r.asked_at, r.id limit 100
      ) as l), '[]'),
    'proposals', coalesce((
      select json_agg(l.line order by l.proposed_at, l.id) from (
        select q.id, q.proposed_at, private.proposal_json(q, false) || jsonb_build_object('post_title', p.title) as line
        from private.proposals q join public.posts p on p.id = q.post_id
        where q.workspace_id = waiting_for_me.workspace_id and q.state = 'waiting' and q.proposed_by <> me and p.status in ('published', 'scheduled')
        order by q.proposed_at, q.id limit 100
      ) as l), '[]'));
end $$;

-- {"rule", "exempt", "may_decide", "reviews", "proposals"} (contract/reviews.ts): the latest twenty of each, and all waiting proposals.
create function public.review_standing(post_id uuid) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := post_id;
  present public.posts;
  role public.member_role;
begin
  select * into present from public.posts p where p.id = asked;
  if present.id is null then perform private.refuse('not_found'); end if;
  role := private.require_role(present.workspace_id);
  return json_build_object(
    'rule', private.review_rule_of(present.workspace_id),
    'exempt', role <> 'viewer' and private.publishes_alone(present.workspace_id, private.my_id()) and private.key_has('posts:publish'),
    'may_decide', role in ('owner', 'admin') and exists (
      select from private.reviews r where r.post_id = asked and r.state = 'waiting' and r.asked_by <> private.my_id()
        and present.updated_by is distinct from private.my_id()),
    'reviews', coalesce((
      select json_agg(private.review_json(l) order by l.asked_at desc, l.id) from (
        select r.* from private.reviews r where r.post_id = asked order by r.asked_at desc, r.id limit 20) as l), '[]'),
    'proposals', coalesce((
      select json_agg(private.proposal_json(l, false) order by l.proposed_at desc, l.id) from (
        select q.* from private.proposals q where q.post_id = asked order by q.state <> 'waiting', q.proposed_at desc, q.id limit 40) as l), '[]'));
end $$;

-- version: to be approved, null: the present one. Refuses what can't be published. Replaces a pending request.
create function public.ask_review(
  post_id uuid, version int default null, publish_at timestamptz default null, note text default null, idempotency_key text default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  present public.posts;
  wanted constant timestamptz := date_trunc('milliseconds', publish_at);
  words constant text := private.clean_note(note);
  earlier jsonb;
  wrong jsonb := '{}';
  made private.reviews;
begin
  earlier := private.claim_request(idempotency_key, jsonb_build_array('ask_review', post_id, version, wanted, words)::text);
  if earlier is not null then
    select r.* into made from private.reviews r where r.id = (earlier ->> 'review_id')::uuid;
    if made.id is null then perform private.refuse('not_found'); end if;
    perform private.require_role(made.workspace_id, '{owner,admin,editor}');
    return private.review_json(made);
  end if;
  present := private.lock_post(post_id, '{owner,admin,editor}');
  if present.version <> version then perform private.explain_refusal(post_id); end if;
  if present.status = 'archived' then perform private.refuse('archived_post_locked');
  elsif present.status = 'published' or present.status = 'scheduled' and present.publish_at <= clock_timestamp() then
    perform private.refuse('published_post_locked');
  end if;
  if present.title = '' then wrong := wrong || '{"title": "Title is required"}'; end if;
  if not private.has_content(present.content_raw) then wrong := wrong || '{"content_raw": "Content is required"}'; end if;
  if wanted is not null then
    if wanted <= clock_timestamp() or not isfinite(wanted) then wrong := wrong || '{"publish_at": "Please choose a time in the future"}';
    elsif wanted > clock_timestamp() + interval '10 years' then
      wrong := wrong || '{"publish_at": "Please choose a time within the next ten years"}'; end if;
  end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  update private.reviews r set state = 'withdrawn' where r.post_id = post_id and r.state = 'waiting';
  insert into private.reviews (workspace_id, post_id, version, publish_at, note, asked_by, asked_by_key, asked_by_name)
  values (present.workspace_id, post_id, present.version, wanted, words, auth.uid(), private.key_id(), private.actor_name())
  returning * into made;
  perform private.record_activity(present.workspace_id, 'review_asked', present.title, post_id);
  perform private.audit(present.workspace_id, 'review_asked', post_id, present.title,
    jsonb_strip_nulls(jsonb_build_object('version', present.version, 'publish_at', wanted)));
  perform private.email_approvers(present, array[made.asked_by, present.updated_by],
    jsonb_build_object('subject', post_id, 'by', made.asked_by_name, 'text', words));
  perform private.announce(present.workspace_id, 'reviews-changed', jsonb_build_object('post_id', post_id));
  perform private.settle_request(idempotency_key, jsonb_build_object('review_id', made.id, 'workspace_id', made.workspace_id, 'id', post_id));
  return private.review_json(made);
end $$;

-- Approves or declines; an approved post is published or scheduled as requested, or at once if that time has passed.
create function public.decide_review(post_id uuid, review_id uuid, version int, decision text, note text default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  me constant uuid := private.person_id();
  present constant public.posts := private.lock_post(post_id, '{owner,admin}');
  asked private.reviews;
  words constant text := private.clean_note(note);
  approves constant boolean := decision = 'approve';
begin
  select r.* into asked from private.reviews r where r.id = review_id and r.post_id = post_id for update;
  if asked.id is null then perform private.refuse('not_found'); end if;
  if decision is null or decision not in ('approve', 'refuse') then
    perform private.refuse('validation_failed', '{"decision": "Choose approve or refuse"}');
  end if;
  if asked.state not in ('waiting', 'void') then perform private.refuse('review_over'); end if;
  if asked.state = 'void' or asked.version <> version or present.version <> version then perform private.explain_refusal(post_id); end if;
  if asked.asked_by = me or present.updated_by = me then perform private.refuse('own_review'); end if;
  update private.reviews r set state = case when approves then 'approved' else 'refused' end, decided_at = clock_timestamp(),
    decided_by = me, decided_by_name = private.my_name(), decision_note = words
  where r.id = asked.id returning * into asked;
  perform private.audit(present.workspace_id, case when approves then 'review_approved' else 'review_refused' end, post_id, present.title,
    jsonb_build_object('version', version));
  if approves then
    perform set_config('tidings.approving', post_id::text, true);
    update public.posts p set
      status = case when asked.publish_at > clock_timestamp() then 'scheduled' else 'published' end::public.post_status,
      publish_at = case when asked.publish_at > clock_timestamp() then asked.publish_at end
    where p.id = post_id;
    perform set_config('tidings.approving', '', true);
  else
    perform private.record_activity(present.workspace_id, 'review_refused', present.title, post_id);
  end if;
  perform private.enqueue_member_email(present.workspace_id, 'review_decided', asked.asked_by, jsonb_build_object(
    'subject', asked.id, 'post_id', post_id, 'title', present.title, 'by', private.my_name(), 'text', words, 'decision', asked.state));
  perform private.announce(present.workspace_id, 'reviews-changed', jsonb_build_object('post_id', post_id));
  return jsonb_build_object(
    'review', (select private.review_json(r) from private.reviews r where r.id = asked.id),
    'post', (select to_jsonb(d) from public.post_details d where d.id = post_id));
end $$;

create function public.withdraw_review(post_id uuid, review_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  present constant public.posts := private.lock_post(post_id, '{owner,admin,editor}');
  asked private.reviews;
begin
  select r.* into asked from private.reviews r where r.id = review_id and r.post_id = post_id for update;
  if asked.id is null then perform private.refuse('not_found'); end if;
  if asked.asked_by <> private.person_id() then perform private.refuse('forbidden'); end if;
  if asked.state not in ('waiting', 'void') then perform private.refuse('review_over'); end if;
  update private.reviews r set state = 'withdrawn' where r.id = review_id;
  perform private.announce(present.workspace_id, 'reviews-changed', jsonb_build_object('post_id', post_id));
end $$;

grant execute on function public.review_rule, public.set_review_rule, public.waiting_for_me, public.review_standing, public.ask_review,
  public.decide_review, public.withdraw_review to authenticated, service_role;

-- supabase/schemas/63-proposals.sql

-- Proposals: changes of a post that readers see, by members who need approval (62-reviews) and by keys.
create table private.proposals (
  id uuid constraint proposals_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint proposals_workspace_id_fkey references public.workspaces (id) on delete cascade,
  post_id uuid not null constraint proposals_post_id_fkey references public.posts (id) on delete cascade,
  base_version int not null,
  state text not null default 'waiting' constraint proposals_state check (state in ('waiting', 'accepted', 'refused', 'withdrawn')),
  title text not null constraint proposals_title_length check (char_length(title) between 1 and 119),
  summary text constraint proposals_summary_length check (char_length(summary) between 1 and 300),
  tags text[] not null,
  cover_image jsonb,
  details jsonb,
  content_raw jsonb not null constraint proposals_content_is_blocks check (jsonb_typeof(content_raw -> 'blocks') = 'array'),
  note text constraint proposals_note_length check (char_length(note) between 1 and 2000),
  proposed_at timestamptz not null default clock_timestamp(),
  proposed_by uuid not null,
  proposed_by_name text,
  decided_at timestamptz,
  decided_by uuid,
  decided_by_name text,
  decision_note text constraint proposals_decision_note_length check (char_length(decision_note) between 1 and 2000),
  proposed_by_key uuid, -- `proposed_by` made the key
  constraint proposals_are_decided check (decided_by is null or decided_by <> proposed_by)
);
create index proposals_of_post on private.proposals (post_id, proposed_at desc);
create unique index proposals_one_of_a_key_waits on private.proposals (post_id, proposed_by_key) where state = 'waiting';
create index proposals_of_workspace on private.proposals (workspace_id, state, proposed_at);

-- Shape: contract/reviews.ts. Lists are without content.
create function private.proposal_json(p private.proposals, with_content boolean default true) returns jsonb
language sql stable set search_path = '' as $$
  select to_jsonb(p) - '{workspace_id,proposed_by_key,decided_by}'::text[]
    - case when with_content then '{}' else '{summary,tags,cover_image,details,content_raw}' end::text[]
    || jsonb_build_object('by_key', p.proposed_by_key is not null)
$$;

-- Cleans and checks a proposal like a post. Its images belong to the post, like those of revisions.
create function private.clean_proposal() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  wrong jsonb;
begin
  new.title := private.clean_line(coalesce(new.title, ''));
  new.summary := nullif(private.clean_line(new.summary), '');
  new.tags := private.clean_tags(new.tags);
  new.cover_image := private.clean_cover(new.cover_image);
  new.details := private.clean_details(new.details);
  wrong := private.content_faults(new.title, new.summary, new.tags, coalesce(new.content_raw, '{}'));
  if new.title = '' then wrong := wrong || '{"title": "Title is required"}'; end if;
  if wrong ? 'content_raw' then null;
  elsif not private.has_content(new.content_raw) then wrong := wrong || '{"content_raw": "Content is required"}';
  elsif not private.may_be_cover(new.cover_image, new.content_raw, new.workspace_id) then
    wrong := wrong || '{"cover_image": "Please choose an image of this post, or add one"}'; end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  insert into private.post_images (post_id, path)
  select new.post_id, private.image_paths(jsonb_build_array(new.content_raw, new.cover_image), new.workspace_id)
  on conflict on constraint post_images_pkey do nothing;
  return new;
end $$;
create trigger proposals_are_tidy before insert or update of title, summary, tags, cover_image, details, content_raw on private.proposals
for each row execute function private.clean_proposal();

-- content: {title, summary, tags, cover_image, details, content_raw}; version: the post's it is based on. A key replaces its waiting proposal without an email.
-- With `proposal_id` its maker changes a waiting one: a newer version means it was rebased, and a key's becomes the person's.
create function public.propose_change(
  post_id uuid, version int, content jsonb, note text default null, idempotency_key text default null, proposal_id uuid default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  present public.posts;
  words constant text := private.clean_note(note);
  earlier jsonb;
  made private.proposals;
begin
  earlier := private.claim_request(idempotency_key, jsonb_build_array('propose_change', post_id, version, content #- '{content_raw,time}', words, proposal_id)::text);
  if earlier is not null then
    select q.* into made from private.proposals q where q.id = (earlier ->> 'proposal_id')::uuid;
    if made.id is null then perform private.refuse('not_found'); end if;
    perform private.require_role(made.workspace_id, '{owner,admin,editor}');
    return private.proposal_json(made);
  end if;
  present := private.lock_post(post_id, '{owner,admin,editor}');
  if proposal_id is not null then
    select q.* into made from private.proposals q where q.id = proposal_id and q.post_id = post_id for update;
    if made.id is null then perform private.refuse('not_found'); end if;
    if made.proposed_by <> private.person_id() then perform private.refuse('forbidden'); end if;
    if made.state <> 'waiting' then perform private.refuse('review_over'); end if;
  elsif present.status not in ('published', 'scheduled') then
    perform private.refuse('validation_failed', '{"version": "You can only propose changes to a published or scheduled post"}');
  else
    select * into made from private.proposals q where q.post_id = post_id and q.proposed_by_key = private.key_id() and q.state = 'waiting' for update;
  end if;
  if version is null or version > present.version then perform private.explain_refusal(post_id); end if;
  content := jsonb_build_object('cover_image', present.cover_image) || content
    || jsonb_build_object('details', coalesce(present.details, '{}') || coalesce(nullif(content -> 'details', 'null'), '{}'));
  if made.id is not null then
    update private.proposals q set base_version = version, title = content ->> 'title', summary = content ->> 'summary',
      tags = private.text_array(content -> 'tags'), cover_image = nullif(content -> 'cover_image', 'null'), details = content -> 'details', content_raw = content -> 'content_raw',
      note = words, proposed_at = clock_timestamp(), proposed_by_key = private.key_id(), proposed_by_name = private.actor_name()
    where q.id = made.id returning * into made;
  else
    if (select count(*) >= 20 from private.proposals q where q.post_id = post_id and q.state = 'waiting') then
      perform private.refuse('validation_failed', '{"note": "This post has 20 open proposals. Decide on one first."}');
    end if;
    insert into private.proposals (workspace_id, post_id, base_version, title, summary, tags, cover_image, details, content_raw, note, proposed_by,
      proposed_by_name, proposed_by_key)
    values (present.workspace_id, post_id, version, content ->> 'title', content ->> 'summary', private.text_array(content -> 'tags'),
      nullif(content -> 'cover_image', 'null'), content -> 'details', content -> 'content_raw', words, auth.uid(), private.actor_name(), private.key_id())
    returning * into made;
    perform private.record_activity(present.workspace_id, 'proposal_made', present.title, post_id);
    perform private.email_approvers(present, array[made.proposed_by],
      jsonb_build_object('subject', made.id, 'by', made.proposed_by_name, 'text', words, 'proposal', made.id));
  end if;
  perform private.announce(present.workspace_id, 'reviews-changed', jsonb_build_object('post_id', post_id));
  perform private.settle_request(idempotency_key, jsonb_build_object('proposal_id', made.id, 'workspace_id', made.workspace_id, 'id', post_id));
  return private.proposal_json(made);
end $$;

create function public.read_proposal(post_id uuid, proposal_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  wanted private.proposals;
begin
  select q.* into wanted from private.proposals q where q.id = proposal_id and q.post_id = post_id
    and (private.key_id() is null or q.proposed_by_key = private.key_id()); -- a key reads its own
  if wanted.id is null then perform private.refuse('not_found'); end if;
  perform private.require_role(wanted.workspace_id);
  return private.proposal_json(wanted);
end $$;

-- Accepts only on the version it is based on, and as last seen by the approver (`seen`).
create function public.decide_proposal(post_id uuid, proposal_id uuid, decision text, note text default null, seen timestamptz default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  me constant uuid := private.person_id();
  present constant public.posts := private.lock_post(post_id, '{owner,admin}');
  held private.proposals;
  words constant text := private.clean_note(note);
  accepts constant boolean := decision = 'approve';
begin
  select q.* into held from private.proposals q where q.id = proposal_id and q.post_id = post_id for update;
  if held.id is null then perform private.refuse('not_found'); end if;
  if decision is null or decision not in ('approve', 'refuse') then
    perform private.refuse('validation_failed', '{"decision": "Choose approve or refuse"}');
  end if;
  if held.state <> 'waiting' then perform private.refuse('review_over'); end if;
  if held.proposed_by = me then perform private.refuse('own_review'); end if;
  if accepts and (present.version <> held.base_version or seen < date_trunc('milliseconds', held.proposed_at)) then
    perform private.explain_refusal(post_id);
  end if;
  update private.proposals q set state = case when accepts then 'accepted' else 'refused' end, decided_at = clock_timestamp(),
    decided_by = me, decided_by_name = private.my_name(), decision_note = words
  where q.id = held.id returning * into held;
  perform private.audit(present.workspace_id, case when accepts then 'proposal_accepted' else 'proposal_refused' end, post_id, present.title);
  perform private.record_activity(present.workspace_id, case when accepts then 'proposal_accepted' else 'proposal_refused' end, present.title, post_id);
  if accepts then
    perform set_config('tidings.accepting', post_id::text, true);
    perform public.save_post(post_id, private.content_of(to_jsonb(held)));
    perform set_config('tidings.accepting', '', true);
  end if;
  perform private.enqueue_member_email(present.workspace_id, 'review_decided', held.proposed_by, jsonb_build_object('subject', held.id,
    'post_id', post_id, 'title', present.title, 'by', private.my_name(), 'text', words, 'decision', held.state, 'proposal', held.id));
  perform private.announce(present.workspace_id, 'reviews-changed', jsonb_build_object('post_id', post_id));
  return jsonb_build_object('proposal', private.proposal_json(held), 'post', (select to_jsonb(d) from public.post_details d where d.id = post_id));
end $$;

create function public.withdraw_proposal(post_id uuid, proposal_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  present constant public.posts := private.lock_post(post_id, '{owner,admin,editor}');
  held private.proposals;
begin
  select q.* into held from private.proposals q where q.id = proposal_id and q.post_id = post_id for update;
  if held.id is null then perform private.refuse('not_found'); end if;
  if held.proposed_by <> private.my_id() or held.proposed_by_key <> private.key_id()
    or held.proposed_by_key is null and private.key_id() is not null then perform private.refuse('forbidden'); end if; -- a key withdraws its own
  if held.state <> 'waiting' then perform private.refuse('review_over'); end if;
  update private.proposals q set state = 'withdrawn', decided_at = clock_timestamp() where q.id = proposal_id;
  perform private.announce(present.workspace_id, 'reviews-changed', jsonb_build_object('post_id', post_id));
end $$;

grant execute on function public.propose_change, public.read_proposal, public.decide_proposal, public.withdraw_proposal
  to authenticated, service_role;

-- supabase/schemas/70-analytics-counts.sql

-- Analytics counts readings, never people (product decision 8), by UTC day. A reader is a hash of IP address and browser with the day's salt; both
-- are deleted the next day, so days can't be linked. Only sums stay. Readers' events come in by private.count_events alone. Events are appended to a
-- queue without locks; private.roll_up_counts sums it up every minute.

-- `post_id` null: the whole workspace, including its posts. No foreign key: numbers outlive their post. `source`: page, widget, mail, feed, chat or
-- api; for a referrer, search, country or language its name.
create table public.daily_counts (
  workspace_id uuid not null constraint daily_counts_workspace_id_fkey references public.workspaces (id) on delete cascade,
  post_id uuid,
  what text not null constraint daily_counts_what check (what in (
    'view', 'reader', 'widget_shown', 'widget_open', 'link_click', 'mail_sent', 'subscribed', 'left', 'search_none', 'referrer', 'country', 'language',
    'placement_shown', 'placement_dismissed', 'placement_clicked')),
  day date not null,
  source text not null constraint daily_counts_source_length check (char_length(source) between 1 and 253),
  n int not null constraint daily_counts_n check (n > 0),
  -- Includes the number, for index-only sums.
  constraint daily_counts_key unique nulls not distinct (workspace_id, post_id, what, day, source) include (n)
);

-- Countries with few readers are combined by public.analytics.
create policy "members with the analytics add-on read their numbers" on public.daily_counts for select to authenticated
using (
  what <> 'country' and workspace_id = any (array(
    select a.workspace_id from public.workspace_add_ons a
    where a.add_on = 'analytics' and a.workspace_id = any (array(select private.my_workspace_ids()))
  ))
);
grant select on public.daily_counts to authenticated;

-- The same by post, over all sources, for a day and a month: for lists of posts.
create table private.post_counts (
  workspace_id uuid constraint post_counts_workspace_id_fkey references public.workspaces (id) on delete cascade,
  span text constraint post_counts_span check (span in ('day', 'month')),
  first_day date,
  post_id uuid,
  views int not null default 0,
  widget_opens int not null default 0,
  clicks int not null default 0,
  mails_sent int not null default 0,
  mails_followed int not null default 0,
  constraint post_counts_pkey primary key (workspace_id, span, first_day, post_id)
);

create table private.workspace_counts (
  workspace_id uuid constraint workspace_counts_workspace_id_fkey references public.workspaces (id) on delete cascade,
  day date,
  views int not null default 0,
  readers int not null default 0,
  widget_opens int not null default 0,
  clicks int not null default 0,
  widget_shown int not null default 0,
  mails_sent int not null default 0,
  mails_followed int not null default 0,
  subscribed int not null default 0,
  "left" int not null default 0,
  constraint workspace_counts_pkey primary key (workspace_id, day)
);

-- Days whose names (hosts, terms, countries, languages) are to be squeezed.
create table private.name_days (
  workspace_id uuid constraint name_days_workspace_id_fkey references public.workspaces (id) on delete cascade,
  day date,
  constraint name_days_pkey primary key (workspace_id, day)
);

-- Unlogged: a crash loses a minute's numbers.
create unlogged table private.count_queue (
  id bigint generated always as identity constraint count_queue_pkey primary key,
  workspace_id uuid not null,
  post_id uuid,
  what text not null,
  day date not null,
  source text not null,
  n int not null default 1
);

-- Unlogged, one day's: after a crash a reader may count twice that day.
create unlogged table private.view_salts (
  day date constraint view_salts_pkey primary key,
  salt bytea not null default extensions.gen_random_bytes(32)
);
create unlogged table private.view_readers (
  day date not null,
  reader bytea not null,
  constraint view_readers_pkey primary key (day, reader)
);

-- The name an event counts under in public.daily_counts; null: it doesn't count. Search terms that look like an address or a number aren't stored.
create function private.count_name(what text, name text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  clean text;
begin
  if char_length(name) > 400 then return null; end if;
  case what
    when 'referrer' then
      clean := lower(name);
      return case when clean ~ '^[a-z0-9.-]{1,253}$' and clean ~ '[a-z]' then clean end;
    when 'search_none' then
      clean := lower(private.clean_line(name));
      return case when clean <> '' and char_length(clean) <= 100 and clean !~ '@' and regexp_replace(clean, '[^0-9a-z]', '', 'g') !~ '\d{6}' then clean end;
    when 'country' then
      clean := upper(name);
      return case when clean ~ '^[A-Z]{2}$' and clean <> 'XX' then clean end;
    when 'language' then return substring(lower(name) from '^([a-z]{2,3})(?:[-_,;]|$)');
    else return null;
  end case;
end $$;

-- Counts readers' events, each once per reader and day: [{subdomain, what, slug, source, name, country, language, address, agent}], at most 500;
-- invalid ones are ignored. Returns how many counted. `what`: view, link_click and placement_… (of a visible post, also by a former slug), widget_shown,
-- widget_open, referrer and search_none (of the workspace; the last two by name). A view also counts its reader once per workspace and day, with
-- country and language. A client can invent browsers, so a network is limited to a thousand of a kind at once and as many again over a day. Lock
-- order: tokens by address, then readers.
create function private.count_events(events jsonb) returns int
language plpgsql security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  -- Bots by user agent; the caller filters HEAD and prefetch. CUBOT makes phones.
  bots constant text := '((?<!cu)bot|crawl|spider|slurp|preview|monitor|uptime|headless|lighthouse|feed|scrap|archiv|validator|facebookexternalhit|embedly|curl|wget|python|java/|go-http|node-fetch|axios|okhttp|httpclient|postman|libwww|phantom)';
  of_post constant text[] := '{view,link_click,placement_shown,placement_dismissed,placement_clicked}';
  salt bytea;
  counted int;
begin
  if jsonb_typeof(events) is distinct from 'array' or events = '[]' then return 0; end if;
  select s.salt into salt from private.view_salts s where s.day = today;
  if salt is null then
    delete from private.view_salts s where s.day < today; -- makes yesterday's hashes anonymous
    insert into private.view_salts (day) values (today) on conflict on constraint view_salts_pkey do nothing;
    select s.salt into salt from private.view_salts s where s.day = today;
  end if;
  with given as materialized (
    select g.place, g.event ->> 'what' as what, w.id as workspace, v.id as post, g.event ->> 'country' as country, g.event ->> 'language' as language,
      g.event ->> 'address' as address, g.event ->> 'agent' as agent,
      private.count_name(g.event ->> 'what', g.event ->> 'name') as name,
      case
        when g.event ->> 'what' ~ '^(widget|placement)_' then 'widget'
        when g.event ->> 'source' in ('page', 'widget', 'mail', 'feed', 'chat', 'api') then g.event ->> 'source'
        else 'page'
      end as source
    from jsonb_array_elements(events) with ordinality as g (event, place)
    join lateral (
      select w.id, w.is_open from public.workspaces w where w.subdomain operator (extensions.=) (g.event ->> 'subdomain')::extensions.citext
      union all
      select w.id, w.is_open from private.released_subdomains r join public.workspaces w on w.id = r.workspace_id
      where r.label = lower(g.event ->> 'subdomain') and r.released_at > now() - interval '30 days'
    ) as w on w.is_open
    left join public.post_slugs s on s.workspace_id = w.id and s.slug = lower(g.event ->> 'slug')
    left join private.published_posts v on v.id = s.post_id
    where g.place <= 500 and btrim(g.event ->> 'agent') <> '' and g.event ->> 'agent' !~* bots
  ), meant as materialized (
    select g.*, sha256(salt || convert_to(concat_ws(E'\n', g.what, coalesce(g.post, g.workspace), g.name, g.address, g.agent), 'UTF8')) as reader
    from (
      select g.place, g.what, g.workspace, case when g.what = any (of_post) then g.post end as post, g.name, g.source, g.country, g.language,
        g.address, g.agent
      from given g
      where case
        when g.what = any (of_post) then g.post is not null
        when g.what in ('referrer', 'search_none') then g.name is not null
        else g.what in ('widget_shown', 'widget_open') end
    ) as g
  ), fresh as materialized (
    select distinct on (m.reader) m.* from meant m
    where not exists (select from private.view_readers r where r.day = today and r.reader = m.reader)
    order by m.reader, m.place
  ), allowed as materialized (
    select f.* from (select f.* from fresh f order by f.address, f.what, f.place offset 0) as f
    where public.take_token('reading.address', concat_ws('/', encode(salt, 'hex') || f.address, nullif(f.what, 'view')), 1000, interval '1 day') = 0
  ), visits as materialized (
    select distinct on (v.reader) v.* from (
      select a.place, a.workspace, a.source, a.country, a.language,
        sha256(salt || convert_to(concat_ws(E'\n', 'reader', a.workspace, a.address, a.agent), 'UTF8')) as reader
      from allowed a where a.what = 'view'
    ) as v
    order by v.reader, v.place
  ), noted as (
    insert into private.view_readers (day, reader)
    select today, r.reader from (select a.reader from allowed a union all select v.reader from visits v) as r order by r.reader
    on conflict on constraint view_readers_pkey do nothing
    returning reader
  ), queued as (
    insert into private.count_queue (workspace_id, post_id, what, day, source)
    select a.workspace, a.post, a.what, today, case when a.what in ('referrer', 'search_none') then a.name else a.source end
    from allowed a join noted n on n.reader = a.reader
    union all
    select v.workspace, null, k.what, today, k.source
    from visits v join noted n on n.reader = v.reader, lateral (values
      ('reader', v.source), ('country', private.count_name('country', v.country)), ('language', private.count_name('language', v.language))
    ) as k (what, source)
    where k.source is not null
  )
  select count(*) into counted from allowed a join noted n on n.reader = a.reader;
  return counted;
end $$;

-- Sums up the queue; returns the number of entries. Exactly once, also if run twice, concurrently or interrupted: an entry leaves the queue in the
-- transaction that adds it. Entries are locked in one order. At most 200 names of a kind and day; the rest is 'other'.
create function private.roll_up_counts() returns int
language plpgsql security definer set search_path = '' set synchronize_seqscans = off as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  named constant text[] := '{referrer,search_none,country,language}';
  taken int;
begin
  delete from private.view_readers r where r.day < today;
  if not exists (select from private.count_queue) then return 0; end if;
  with entries as materialized (
    delete from private.count_queue q where q.id > 0 returning q.workspace_id, q.post_id, q.what, q.day, q.source, q.n
  ), homes as materialized ( -- locked against deletion
    select w.id from public.workspaces w where w.id in (select e.workspace_id from entries e) order by w.id for key share
  ), summed as materialized (
    select e.workspace_id, e.post_id, e.what, e.day, e.source, sum(e.n)::int as n
    from entries e join homes h on h.id = e.workspace_id group by 1, 2, 3, 4, 5
  ), groups as materialized (
    select g.*, array(
      select d.source from public.daily_counts d where d.workspace_id = g.workspace_id and d.post_id is null and d.what = g.what and d.day = g.day
    ) as names
    from (select distinct s.workspace_id, s.what, s.day from summed s where s.what = any (named)) as g
  ), names as (
    select s.workspace_id, s.what, s.day, s.n, case
      when k.known or s.source = 'other' or cardinality(g.names)
        + row_number() over (partition by s.workspace_id, s.what, s.day, k.known or s.source = 'other' order by s.n desc, s.source) <= 200
      then s.source else 'other' end as source
    from summed s join groups g on g.workspace_id = s.workspace_id and g.what = s.what and g.day = s.day,
      lateral (select s.source = any (g.names)) as k (known)
  ), counts as (
    insert into public.daily_counts as d (workspace_id, post_id, what, day, source, n)
    select c.* from (
      select s.workspace_id, s.post_id, s.what, s.day, s.source, s.n from summed s where s.post_id is not null
      union all
      select s.workspace_id, null, s.what, s.day, s.source, sum(s.n) from summed s where s.what <> all (named) group by 1, 3, 4, 5
      union all
      select s.workspace_id, null, s.what, s.day, s.source, sum(s.n) from names s group by 1, 3, 4, 5
    ) as c
    order by 1, 2, 3, 4, 5
    on conflict on constraint daily_counts_key do update set n = least(d.n::bigint + excluded.n, 2147483647)
  ), posts as (
    insert into private.post_counts as p (workspace_id, span, first_day, post_id, views, widget_opens, clicks, mails_sent, mails_followed)
    select s.workspace_id, l.span, l.first_day, s.post_id,
      coalesce(sum(s.n) filter (where s.what = 'view'), 0), coalesce(sum(s.n) filter (where s.what = 'view' and s.source = 'widget'), 0),
      coalesce(sum(s.n) filter (where s.what = 'link_click'), 0), coalesce(sum(s.n) filter (where s.what = 'mail_sent'), 0),
      coalesce(sum(s.n) filter (where s.what = 'view' and s.source = 'mail'), 0)
    from summed s, lateral (values ('day', s.day), ('month', date_trunc('month', s.day)::date)) as l (span, first_day)
    where s.post_id is not null
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict on constraint post_counts_pkey do update set
      views = least(p.views::bigint + excluded.views, 2147483647), widget_opens = least(p.widget_opens::bigint + excluded.widget_opens, 2147483647),
      clicks = least(p.clicks::bigint + excluded.clicks, 2147483647), mails_sent = least(p.mails_sent::bigint + excluded.mails_sent, 2147483647),
      mails_followed = least(p.mails_followed::bigint + excluded.mails_followed, 2147483647)
  ), workspaces as (
    insert into private.workspace_counts as w
      (workspace_id, day, views, readers, widget_opens, clicks, widget_shown, mails_sent, mails_followed, subscribed, "left")
    select s.workspace_id, s.day, coalesce(sum(s.n) filter (where s.what = 'view'), 0), coalesce(sum(s.n) filter (where s.what = 'reader'), 0),
      coalesce(sum(s.n) filter (where s.what = 'widget_open'), 0), coalesce(sum(s.n) filter (where s.what = 'link_click'), 0),
      coalesce(sum(s.n) filter (where s.what = 'widget_shown'), 0), coalesce(sum(s.n) filter (where s.what = 'mail_sent'), 0),
      coalesce(sum(s.n) filter (where s.what = 'view' and s.source = 'mail'), 0),
      coalesce(sum(s.n) filter (where s.what = 'subscribed'), 0), coalesce(sum(s.n) filter (where s.what = 'left'), 0)
    from summed s where s.what <> all (named) group by 1, 2 order by 1, 2
    on conflict on constraint workspace_counts_pkey do update set
      views = least(w.views::bigint + excluded.views, 2147483647), readers = least(w.readers::bigint + excluded.readers, 2147483647),
      widget_opens = least(w.widget_opens::bigint + excluded.widget_opens, 2147483647), clicks = least(w.clicks::bigint + excluded.clicks, 2147483647),
      widget_shown = least(w.widget_shown::bigint + excluded.widget_shown, 2147483647),
      mails_sent = least(w.mails_sent::bigint + excluded.mails_sent, 2147483647), mails_followed = least(w.mails_followed::bigint + excluded.mails_followed, 2147483647),
      subscribed = least(w.subscribed::bigint + excluded.subscribed, 2147483647), "left" = least(w."left"::bigint + excluded."left", 2147483647)
  ), days as (
    insert into private.name_days (workspace_id, day) select distinct g.workspace_id, g.day from groups g order by 1, 2
    on conflict on constraint name_days_pkey do nothing
  )
  select count(*) into taken from entries;
  return taken;
end $$;

grant execute on function private.count_events to anon, service_role;
grant execute on function private.roll_up_counts to service_role;

-- supabase/schemas/71-analytics.sql

-- A valid range: in order, at most three years (contract/analytics.ts), by default the last thirty days.
create function private.count_range(from_day date, to_day date, out first_day date, out last_day date)
language plpgsql stable set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  given_last constant date := least(greatest(coalesce(to_day, today), '2000-01-01'), '2999-12-31');
  given_first constant date := least(greatest(coalesce(from_day, given_last - 29), '2000-01-01'), '2999-12-31');
begin
  last_day := greatest(given_first, given_last);
  first_day := greatest(least(given_first, given_last), last_day - 1095);
end $$;

-- The spans of private.post_counts that make up a range. At the ends a month may be used minus the days outside, where these are fewer.
create function private.count_spans(first date, last date) returns table (span text, from_day date, to_day date, sign int)
language plpgsql stable rows 5 set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  first_month constant date := date_trunc('month', first);
  last_month constant date := date_trunc('month', last);
begin
  return query
    select s.* from (
      select m.day as begins, (m.day + interval '1 month')::date - 1 as ends, greatest(first, m.day) as inside_from,
        least(last, (m.day + interval '1 month')::date - 1) as inside_to
      from (select first_month as day union select last_month) as m
    ) as m, lateral (
      -- Future days cost nothing.
      select m.inside_to - m.inside_from + 1 < (m.inside_from - m.begins) + greatest(0, least(m.ends, today) - m.inside_to)
    ) as few (inside), lateral (values
      ('day', m.inside_from, case when few.inside then m.inside_to end, 1),
      ('month', m.begins, case when not few.inside then m.begins end, 1),
      ('day', m.begins, case when not few.inside then m.inside_from - 1 end, -1),
      ('day', m.inside_to + 1, case when not few.inside then m.ends end, -1)
    ) as s (span, from_day, to_day, sign)
    where s.to_day >= s.from_day
    union all
    select 'month', (first_month + interval '1 month')::date, (last_month - interval '1 month')::date, 1 where last_month - first_month > 31;
end $$;

-- [{name, count}] of one kind in a range, most first: fifty names, the rest and those below `fewest` as 'other'.
create function private.named_counts(workspace uuid, kind text, first date, last date, fewest int default 1) returns json
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(json_build_object('name', o.name, 'count', o.count) order by o.rest, o.count desc, o.name), '[]') from (
      select case when l.listed then l.name else 'other' end as name, not l.listed as rest, sum(l.count) as count from (
        select s.name, s.count, s.name <> 'other' and s.count >= fewest
          and row_number() over (order by s.name = 'other' or s.count < fewest, s.count desc, s.name) <= 50 as listed
        from (
          select d.source as name, sum(d.n) as count from public.daily_counts d
          where d.workspace_id = workspace and d.post_id is null and d.what = kind and d.day between first and last group by 1
        ) as s
      ) as l group by 1, 2
    ) as o
  );
end $$;

-- Shape: contract/analytics.ts.
create function public.analytics(workspace_id uuid, from_day date default null, to_day date default null) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  workspace constant uuid := workspace_id;
  r constant record := private.count_range(from_day, to_day);
  first constant date := r.first_day;
  last constant date := r.last_day;
  before constant date := first - (last - first) - 1;
  totals json;
  previous json;
  days json;
  posts json;
begin
  perform private.require_role(workspace);
  if not private.has_add_on(workspace, 'analytics') then perform private.refuse('add_on_required'); end if;
  with counted as materialized (
    select c.* from private.workspace_counts c where c.workspace_id = workspace and c.day between before and last
  ), listed as (
    select g.day::date as day, coalesce(c.views, 0) as views, coalesce(c.readers, 0) as readers, coalesce(c.widget_opens, 0) as widget_opens,
      coalesce(c.clicks, 0) as clicks, coalesce(c.widget_shown, 0) as widget_shown, coalesce(c.mails_sent, 0) as mails_sent,
      coalesce(c.mails_followed, 0) as mails_followed, coalesce(c.subscribed, 0) as subscribed, coalesce(c."left", 0) as "left"
    from generate_series(first, last, interval '1 day') as g (day) left join counted c on c.day = g.day::date
  ), added as (
    select k.now, json_build_object('views', coalesce(sum(c.views), 0), 'readers', coalesce(sum(c.readers), 0),
      'widget_opens', coalesce(sum(c.widget_opens), 0), 'clicks', coalesce(sum(c.clicks), 0), 'widget_shown', coalesce(sum(c.widget_shown), 0),
      'mails_sent', coalesce(sum(c.mails_sent), 0), 'mails_followed', coalesce(sum(c.mails_followed), 0),
      'subscribed', coalesce(sum(c.subscribed), 0), 'left', coalesce(sum(c."left"), 0)) as sums
    from (values (true), (false)) as k (now) left join counted c on (c.day >= first) = k.now group by k.now
  )
  select (select a.sums from added a where a.now), (select a.sums from added a where not a.now), (select json_agg(l order by l.day) from listed l)
  into totals, previous, days;

  with sums as materialized (
    select o.post_id, sum(s.sign * o.views) as views, sum(s.sign * o.widget_opens) as widget_opens, sum(s.sign * o.clicks) as clicks,
      sum(s.sign * o.mails_sent) as mails_sent, sum(s.sign * o.mails_followed) as mails_followed
    from private.count_spans(first, last) s, lateral ( -- lateral: each span uses the index
      select c.post_id, sum(c.views)::int as views, sum(c.widget_opens)::int as widget_opens, sum(c.clicks)::int as clicks,
        sum(c.mails_sent)::int as mails_sent, sum(c.mails_followed)::int as mails_followed
      from private.post_counts c where c.workspace_id = workspace and c.span = s.span and c.first_day between s.from_day and s.to_day
      group by c.post_id
    ) as o
    group by o.post_id
  ), told as (
    select p.id, coalesce(p.title, '') as title, p.slug,
      coalesce(p.published_at, case when p.status = 'scheduled' and p.publish_at <= now() then p.publish_at end) as published_at,
      sum(s.views) as views, sum(s.widget_opens) as widget_opens, sum(s.clicks) as clicks, sum(s.mails_sent) as mails_sent,
      sum(s.mails_followed) as mails_followed
    from sums s left join public.posts p on p.id = s.post_id and p.workspace_id = workspace
    where s.views > 0 or s.clicks > 0 or s.mails_sent > 0
    group by p.id
    order by 5 desc, 8 desc, p.id limit 5000
  )
  select coalesce(json_agg(t), '[]') into posts from told t;

  return json_build_object('from', first, 'to', last, 'totals', totals, 'previous', previous, 'days', days, 'posts', posts,
    'sources', (
      select coalesce(json_agg(json_build_object('source', s.source, 'views', s.views) order by s.views desc, s.source), '[]') from (
        select d.source, sum(d.n) as views from public.daily_counts d
        where d.workspace_id = workspace and d.post_id is null and d.what = 'view' and d.day between first and last group by 1
      ) as s),
    'referrers', private.named_counts(workspace, 'referrer', first, last), 'searches', private.named_counts(workspace, 'search_none', first, last),
    'countries', private.named_counts(workspace, 'country', first, last, 5), 'languages', private.named_counts(workspace, 'language', first, last),
    'since', (select min(c.day) from private.workspace_counts c where c.workspace_id = workspace));
end $$;

create function public.post_analytics(workspace_id uuid, post_id uuid, from_day date default null, to_day date default null) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  post constant uuid := post_id;
  r constant record := private.count_range(from_day, to_day);
begin
  perform private.require_role(asked);
  if not exists (select from public.posts p where p.id = post and p.workspace_id = asked) then perform private.refuse('not_found'); end if;
  if not private.has_add_on(asked, 'analytics') then perform private.refuse('add_on_required'); end if;
  return (
    with counted as materialized (
      select d.day, d.what, d.source, d.n from public.daily_counts d
      where d.workspace_id = asked and d.post_id = post and d.what = any ('{view,link_click,mail_sent,placement_shown,placement_dismissed,placement_clicked}') and d.day between r.first_day and r.last_day
    )
    select json_build_object(
      'totals', (select json_build_object(
        'views', coalesce(sum(c.n) filter (where c.what = 'view'), 0),
        'widget_opens', coalesce(sum(c.n) filter (where c.what = 'view' and c.source = 'widget'), 0),
        'clicks', coalesce(sum(c.n) filter (where c.what = 'link_click'), 0), 'mails_sent', coalesce(sum(c.n) filter (where c.what = 'mail_sent'), 0),
        'mails_followed', coalesce(sum(c.n) filter (where c.what = 'view' and c.source = 'mail'), 0),
        'placement_shown', coalesce(sum(c.n) filter (where c.what = 'placement_shown'), 0),
        'placement_dismissed', coalesce(sum(c.n) filter (where c.what = 'placement_dismissed'), 0),
        'placement_clicked', coalesce(sum(c.n) filter (where c.what = 'placement_clicked'), 0)) from counted c),
      'days', (
        select json_agg(json_build_object('day', g.day::date, 'views', coalesce(d.views, 0)) order by g.day)
        from generate_series(r.first_day, r.last_day, interval '1 day') as g (day)
        left join (select c.day, sum(c.n) as views from counted c where c.what = 'view' group by 1) as d on d.day = g.day::date),
      'sources', (
        select coalesce(json_agg(json_build_object('source', s.source, 'views', s.views) order by s.views desc, s.source), '[]')
        from (select c.source, sum(c.n) as views from counted c where c.what = 'view' group by 1) as s))
  );
end $$;

grant execute on function public.analytics, public.post_analytics to authenticated, service_role;

-- supabase/schemas/72-api-keys.sql

-- API keys act as the person who made them, in one workspace, within their scopes and that person's present role. Only a SHA-256 of the 178-bit
-- secret is stored. Requests come by edge-functions/_shared/key-calls.ts; private.begin_key_call is where a key begins to act.
-- Enforced by: the list of calls below; private.my_id, which checks key, membership and call at every statement; my_role and my_workspace_ids
-- (21-members); a restrictive policy on every table; triggers, for posts:publish and what only people write (98-every-table).

-- Calls keys can make and the scopes of which one is needed; null: any key.
create table private.key_calls (
  call text constraint key_calls_pkey primary key,
  scopes text[]
);
insert into private.key_calls (call, scopes) values
  ('my_key', null),
  ('read_post', '{posts:read}'), ('list_posts', '{posts:read}'), ('find_posts', '{posts:read}'), ('posts_of', '{posts:read}'),
  ('search_posts', '{posts:read}'), ('upcoming_posts', '{posts:read}'), ('mail_audience', '{posts:read}'),
  ('create_post', '{posts:write}'), ('save_post', '{posts:write,posts:publish}'),
  ('link_requests', '{posts:write}'),
  ('undo_archive', '{posts:write,posts:publish}'), ('restore_revision', '{posts:write}'),
  ('list_tags', '{posts:read,posts:write,tags:write}'), ('create_tag', '{tags:write}'), ('change_tag', '{tags:write}'),
  ('delete_tag', '{tags:write}'), ('settle_tags', '{tags:write}'),
  ('list_subscribers', '{subscribers:read}'), ('subscribers_after', '{subscribers:read}'),
  ('subscriber_numbers', '{subscribers:read,stats:read}'), ('add_subscriber', '{subscribers:write}'),
  ('import_subscribers', '{subscribers:write}'), ('remove_subscriber', '{subscribers:write}'),
  ('reader_unseen', '{subscribers:read}'), ('erase_reader', '{subscribers:write}'),
  ('analytics', '{stats:read}'), ('post_analytics', '{stats:read}'),
  -- /api/v1 and assistants
  ('workspace_address', null), ('search_public', null), ('posts_after', '{posts:read}'),
  ('put_post', '{posts:write}'), ('workspace_stats', '{stats:read}'), ('require_writer', '{media:write}'),
  ('post_threads', '{posts:read}'), ('post_versions', '{posts:read}'), ('post_version', '{posts:read}'), ('delete_draft', '{posts:write}'), ('export_posts', '{posts:read}'), ('list_domains', '{posts:read}'), ('release_notes_context', '{posts:read}'),
  -- Keys request and propose, never decide.
  ('ask_review', '{posts:write}'), ('review_standing', '{posts:read,posts:write}'), ('propose_change', '{posts:write}'),
  ('read_proposal', '{posts:write}'), ('withdraw_proposal', '{posts:write}'),
  ('list_webhooks', '{webhooks:write}'), ('create_webhook', '{webhooks:write}'), ('change_webhook', '{webhooks:write}'),
  ('remove_webhook', '{webhooks:write}'), ('rotate_webhook', '{webhooks:write}'), ('webhook_deliveries', '{webhooks:write}'),
  ('ping_webhook', '{webhooks:write}'), ('resend_delivery', '{webhooks:write}'), ('resend_failed', '{webhooks:write}'),
  ('read_workspace_access', '{access:write}'), ('set_workspace_access', '{access:write}');

create table public.api_keys (
  id uuid constraint api_keys_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint api_keys_workspace_id_fkey references public.workspaces (id) on delete cascade,
  name text not null constraint api_keys_name_length check (char_length(name) between 1 and 60),
  -- As in contract/api-keys.ts; a test compares them.
  scopes text[] not null constraint api_keys_scopes_known check (cardinality(scopes) > 0 and scopes <@ '{posts:read,posts:write,posts:publish,tags:write,media:write,subscribers:read,subscribers:write,stats:read,webhooks:write,access:write}'),
  hash bytea not null constraint api_keys_hash_key unique constraint api_keys_hash_length check (octet_length(hash) = 32),
  -- The previous secret, valid for a day.
  former_hash bytea constraint api_keys_former_hash_key unique constraint api_keys_former_hash_length check (octet_length(former_hash) = 32),
  former_until timestamptz,
  start text not null constraint api_keys_start_length check (char_length(start) = 8),
  last4 text not null constraint api_keys_last4_length check (char_length(last4) = 4),
  created_by uuid not null,
  created_by_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz constraint api_keys_expire check (isfinite(expires_at)),
  last_used_at timestamptz,
  rotated_at timestamptz,
  revoked_at timestamptz,
  -- Only of an assistant's connection: its client, when the present secret expires, and the refresh token's hash. expires_at moves with use.
  client_id text constraint api_keys_client_id_length check (char_length(client_id) between 1 and 1000),
  secret_until timestamptz,
  refresh_hash bytea constraint api_keys_refresh_hash_length check (octet_length(refresh_hash) = 32),
  constraint api_keys_former_ends check ((former_hash is null) = (former_until is null)),
  constraint api_keys_of_assistants check (
    (client_id is null) = (secret_until is null) and (client_id is null) = (refresh_hash is null) and (client_id is null or expires_at is not null))
);
create index api_keys_of_workspace on public.api_keys (workspace_id, created_at desc);
create index api_keys_by_maker on public.api_keys (created_by, workspace_id);
create unique index api_keys_refresh_hash_key on public.api_keys (refresh_hash);

create policy "owners and admins read their workspace's keys" on public.api_keys for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}', true))));

grant select (id, workspace_id, name, scopes, former_until, start, last4, created_by, created_by_name, created_at, expires_at, last_used_at, rotated_at, revoked_at)
  on public.api_keys to authenticated, service_role;

create type public.api_key as (
  id uuid, name text, scopes text[], start text, last4 text, state text, created_by uuid, created_by_name text, created_at timestamptz,
  expires_at timestamptz, last_used_at timestamptz, rotated_at timestamptz, former_until timestamptz, revoked_at timestamptz
);
comment on column public.api_key.expires_at is 'Null: it works until it is revoked.';
comment on column public.api_key.last_used_at is 'Null: not yet.';
comment on column public.api_key.rotated_at is 'Null: never.';
comment on column public.api_key.former_until is 'Null: there is no secret but the present one.';
comment on column public.api_key.revoked_at is 'Null: it is not revoked.';

create function private.key_json(k public.api_keys) returns public.api_key
language plpgsql stable set search_path = '' as $$
begin
  return row(k.id, k.name, k.scopes, k.start, k.last4,
    case when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired' else 'active' end,
    k.created_by, k.created_by_name, k.created_at, k.expires_at, k.last_used_at, k.rotated_at,
    case when k.former_until > now() and k.revoked_at is null then k.former_until end, k.revoked_at);
end $$;

-- True if the key's maker is still a member, not banned, and lacks nothing that the workspace requires. Sessions don't matter.
create function private.is_active_member(person uuid, workspace uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.members m join auth.users u on u.id = m.user_id
    where m.workspace_id = workspace and m.user_id = person and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null
  ) and private.access_gap(person, workspace) is null;
end $$;

-- For key-calls.ts, on its own connection: the key with this hash, and one call counted. No row: invalid. `wait`: seconds until the next call, 0 for
-- now; `remaining`: calls left. `assistant`: valid for /api/mcp only. `network` is for the audit log (81-audit).
create function private.admit_key(hash bytea, size int, period_seconds int, network text default null) returns table (
  id uuid, workspace_id uuid, scopes text[], created_by uuid, wait int, remaining int, assistant boolean
)
language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  k public.api_keys;
begin
  select a.* into k from public.api_keys a where a.hash = admit_key.hash and (a.secret_until is null or a.secret_until > now());
  if k.id is null then select a.* into k from public.api_keys a where a.former_hash = admit_key.hash and a.former_until > now(); end if;
  if k.id is null or k.revoked_at is not null or k.expires_at <= now() or not private.is_active_member(k.created_by, k.workspace_id) then return; end if;
  wait := public.take_token('key', k.id::text, admit_key.size, make_interval(secs => admit_key.period_seconds));
  perform set_config('tidings.network', coalesce(admit_key.network, ''), true);
  if wait = 0 and (k.last_used_at is null or k.last_used_at < now() - interval '1 minute') then
    -- skip locked: someone else is writing the same.
    update public.api_keys a set last_used_at = now()
    from (select u.id from public.api_keys u where u.id = k.id for no key update skip locked) as free where a.id = free.id;
  end if;
  return query
    select k.id, k.workspace_id, k.scopes, k.created_by, wait,
      (select greatest(0, floor(r.tokens))::int from private.rate_limits r where r.bucket = 'key' and r.key = sha256(convert_to(k.id::text, 'UTF8'))),
      k.client_id is not null;
end $$;

-- The transaction acts for the key from here on, for one call. No one else can set this.
create function private.begin_key_call(key uuid, call text, network text default null) returns void
language plpgsql set search_path = '' as $$
declare
  k public.api_keys;
  allowed private.key_calls;
begin
  select a.* into k from public.api_keys a where a.id = key and a.revoked_at is null and (a.expires_at is null or a.expires_at > now());
  if k.id is null or not private.is_active_member(k.created_by, k.workspace_id) then perform private.refuse('unauthenticated'); end if;
  select c.* into allowed from private.key_calls c where c.call = begin_key_call.call;
  if allowed.call is null then perform private.refuse('forbidden', jsonb_build_object('call', begin_key_call.call)); end if;
  if not allowed.scopes && k.scopes then perform private.refuse('scope_missing', jsonb_build_object('scope', allowed.scopes[1])); end if;
  perform set_config('request.jwt.claims', jsonb_build_object('sub', k.created_by, 'role', 'authenticated', 'aud', 'authenticated',
    'key_id', k.id, 'key_workspace', k.workspace_id, 'key_scopes', k.scopes, 'key_call', allowed.call)::text, true);
  perform set_config('tidings.network', coalesce(begin_key_call.network, ''), true);
  -- As for people on hosted projects: set role doesn't apply a role's settings.
  perform set_config('statement_timeout', '8s', true), set_config('role', 'authenticated', true);
end $$;

create function public.my_key() returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.my_id();
begin
  if me is null or private.key_id() is null then perform private.refuse('not_found'); end if;
  return (
    select json_build_object(
      'key', json_build_object('id', k.id, 'name', k.name, 'scopes', k.scopes, 'start', k.start, 'last4', k.last4,
        'created_at', k.created_at, 'expires_at', k.expires_at),
      'workspace', json_build_object('id', w.id, 'name', w.name, 'subdomain', w.subdomain::text))
    from public.api_keys k join public.workspaces w on w.id = k.workspace_id where k.id = private.key_id()
  );
end $$;

-- Owners and admins. Locks the membership, so a concurrent removal or demotion waits.
create function private.require_key_manager(workspace uuid, even_suspended boolean default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  perform from public.workspaces w where w.id = workspace for no key update; -- serialised for the limit
  perform from public.members m where m.workspace_id = workspace and m.user_id = me for share;
  perform private.require_role(workspace, '{owner,admin}', even_suspended);
end $$;

-- Valid keys, and those that ended in the last 90 days, newest first.
create function public.list_api_keys(workspace_id uuid) returns setof public.api_key
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked, '{owner,admin}', true);
  return query
    select s.* from public.api_keys k, private.key_json(k) as s
    where k.workspace_id = asked and k.client_id is null and coalesce(least(k.revoked_at, k.expires_at) > now() - interval '90 days', true)
    order by k.created_at desc, k.id;
end $$;

-- `secret_hash`: SHA-256 in hex of a secret that the caller made and shows once (contract/rules/api-key.ts).
create function public.create_api_key(
  workspace_id uuid, name text, scopes text[], secret_hash text, start text, last4 text, expires_at timestamptz default null
) returns public.api_key
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := create_api_key.workspace_id;
  label constant text := private.clean_line(create_api_key.name);
  ends constant timestamptz := create_api_key.expires_at;
  known constant text[] := '{posts:read,posts:write,posts:publish,tags:write,media:write,subscribers:read,subscribers:write,stats:read,webhooks:write,access:write}';
  given constant text[] := create_api_key.scopes;
  wrong jsonb := '{}';
  made public.api_keys;
begin
  perform private.require_key_manager(asked);
  if coalesce(label, '') = '' then wrong := wrong || '{"name": "A key needs a name"}';
  elsif char_length(label) > 60 then wrong := wrong || '{"name": "Please use at most 60 characters"}'; end if;
  if coalesce(cardinality(given), 0) = 0 then wrong := wrong || '{"scopes": "Choose what this key can do"}';
  elsif not given <@ known then wrong := wrong || '{"scopes": "Please choose from the list"}'; end if;
  if ends <= now() or not isfinite(ends) then wrong := wrong || '{"expires_at": "Please choose a time in the future"}';
  elsif ends > now() + interval '10 years' then wrong := wrong || '{"expires_at": "Please choose a time within the next 10 years"}'; end if;
  if secret_hash !~ '^[0-9a-f]{64}$' is not false or create_api_key.start !~ '^tdk_[0-9A-Za-z]{4}$' is not false
    or create_api_key.last4 !~ '^[0-9A-Za-z]{4}$' is not false then
    wrong := wrong || '{"secret_hash": "Send the key''s hash, its first 8 and its last 4 characters"}';
  end if;
  if wrong = '{}' and (
    select count(*) >= 50 from public.api_keys k
    where k.workspace_id = asked and k.client_id is null and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
  ) then wrong := '{"name": "This workspace has 50 keys. Revoke one first."}'; end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  insert into public.api_keys (workspace_id, name, scopes, hash, start, last4, created_by, created_by_name, expires_at)
  values (asked, label, array(select s.scope from unnest(known) with ordinality as s (scope, place) where s.scope = any (given) order by s.place),
    decode(secret_hash, 'hex'), create_api_key.start, create_api_key.last4, private.my_id(), private.my_name(), date_trunc('milliseconds', ends))
  returning * into made;
  return private.key_json(made);
end $$;

-- Replaces the secret; the previous one is valid for a day. Only its maker can, since the key acts as that person.
create function public.rotate_api_key(workspace_id uuid, key_id uuid, secret_hash text, start text, last4 text) returns public.api_key
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := rotate_api_key.workspace_id;
  moment constant timestamptz := clock_timestamp();
  present public.api_keys;
begin
  perform private.require_key_manager(asked);
  select * into present from public.api_keys k where k.id = rotate_api_key.key_id and k.workspace_id = asked and k.client_id is null for update;
  if present.id is null then perform private.refuse('not_found'); end if;
  if present.created_by <> private.my_id() then perform private.refuse('forbidden'); end if;
  if present.revoked_at is not null or present.expires_at <= now() then
    perform private.refuse('validation_failed', '{"id": "This key has expired or was revoked. Create a new one."}');
  end if;
  if secret_hash !~ '^[0-9a-f]{64}$' is not false or rotate_api_key.start !~ '^tdk_[0-9A-Za-z]{4}$' is not false
    or rotate_api_key.last4 !~ '^[0-9A-Za-z]{4}$' is not false then
    perform private.refuse('validation_failed', '{"secret_hash": "Send the key''s hash, its first 8 and its last 4 characters"}');
  end if;
  update public.api_keys k set hash = decode(secret_hash, 'hex'), start = rotate_api_key.start, last4 = rotate_api_key.last4,
    former_hash = k.hash, former_until = moment + interval '24 hours', rotated_at = moment
  where k.id = present.id returning * into present;
  return private.key_json(present);
end $$;

-- Takes effect with the next call. Idempotent.
create function public.revoke_api_key(workspace_id uuid, key_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_key_manager(revoke_api_key.workspace_id, true);
  update public.api_keys k set revoked_at = coalesce(k.revoked_at, clock_timestamp())
  where k.id = revoke_api_key.key_id and k.workspace_id = revoke_api_key.workspace_id and k.client_id is null;
  if not found then perform private.refuse('not_found'); end if;
end $$;

-- Without posts:publish a key can't change what readers see or will see: no published or scheduled post. Checks the final row, whichever call or
-- trigger wrote it. What readers would see of a draft needs posts:write.
create function private.guard_posts_from_keys() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.key_id() is null then return null; end if;
  if 'published' in (old.status, new.status) or 'scheduled' in (old.status, new.status) then
    if old.* is distinct from new.* and not private.key_has('posts:publish') then
      perform private.refuse('scope_missing', '{"scope": "posts:publish"}');
    end if;
  end if;
  if private.is_visible_change(old, new) and not private.key_has('posts:write') then
    perform private.refuse('scope_missing', '{"scope": "posts:write"}');
  end if;
  return null;
end $$;

-- The same for tags that such posts carry, and their former keys.
create function private.guard_tags_from_keys() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  keys text[];
begin
  if not private.key_has('posts:publish') then
    keys := array[to_jsonb(old) ->> 'key', to_jsonb(new) ->> 'key', to_jsonb(old) ->> 'now_key', to_jsonb(new) ->> 'now_key'];
    if exists (
      select from public.posts p
      where p.workspace_id = coalesce(new.workspace_id, old.workspace_id) and p.status in ('published', 'scheduled') and p.tags && array_remove(keys, null)
    ) then perform private.refuse('scope_missing', '{"scope": "posts:publish"}'); end if;
  end if;
  return null;
end $$;
create trigger tags_15_key after insert or update or delete on public.tags
for each row execute function private.guard_tags_from_keys();
create trigger former_tags_15_key after insert or update or delete on private.former_tags
for each row execute function private.guard_tags_from_keys();

-- Team, profiles, workspace, appearance, add-ons, invitations and keys: never by a key. Once per statement.
create function private.refuse_keys() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.key_id() is not null then perform private.refuse('forbidden'); end if;
  return null;
end $$;
create trigger workspaces_15_key before insert or delete or update of name, subdomain, origin, allowed_origins, logo_url, public_changelog_enabled
on public.workspaces for each statement execute function private.refuse_keys();

grant execute on function public.my_key, public.list_api_keys, public.create_api_key, public.rotate_api_key, public.revoke_api_key
  to authenticated, service_role;

-- supabase/schemas/74-email-settings.sql

-- One @, no blanks or header characters, a domain of letters, digits and hyphens (IDN as xn--…: contract/mail.ts).
create function private.is_mail_address(address text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select char_length(address) <= 254
    and address ~ '^[A-Za-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&''*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$'
    and char_length(split_part(address, '@', 1)) <= 64
$$;

-- A workspace's email settings; without a row it sends no email to readers.
create table public.mail_settings (
  workspace_id uuid constraint mail_settings_pkey primary key
    constraint mail_settings_workspace_id_fkey references public.workspaces (id) on delete cascade,
  enabled boolean not null default true,
  undo_minutes int not null default 5 constraint mail_settings_undo_minutes check (undo_minutes between 0 and 60),
  sender_name text constraint mail_settings_sender_name check (char_length(sender_name) between 1 and 80),
  reply_to text constraint mail_settings_reply_to check (private.is_mail_address(reply_to)),
  time_zone text not null default 'UTC',
  updated_at timestamptz not null default now(),
  held_at timestamptz,
  held_reason text constraint mail_settings_held_reason check (held_reason in ('bounces', 'complaints')),
  released_at timestamptz, -- by the operator; earlier bounces no longer count
  constraint mail_settings_held check ((held_at is null) = (held_reason is null))
);

create policy "members read how their workspace mails" on public.mail_settings for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
-- Written by public.save_mail_settings.
grant select on public.mail_settings to authenticated;

create function private.create_mail_settings() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.mail_settings (workspace_id) values (new.id);
  return null;
end $$;
create trigger workspaces_70_begin_mail_settings after insert on public.workspaces
for each row execute function private.create_mail_settings();
create trigger mail_settings_60_raise_public_version after insert or update or delete on public.mail_settings
for each row execute function private.public_frame_changed();
alter table public.mail_settings enable always trigger mail_settings_60_raise_public_version;

-- Suppressed addresses as hashes, of one workspace or the installation.
create table private.suppressions (
  id uuid constraint suppressions_pkey primary key default gen_random_uuid(),
  address bytea not null, -- sha256 of the lower-case address
  workspace_id uuid constraint suppressions_workspace_id_fkey references public.workspaces (id) on delete cascade,
  reason text not null constraint suppressions_reason check (reason in ('bounce', 'complaint', 'erased')),
  created_at timestamptz not null default now(),
  constraint suppressions_key unique nulls not distinct (address, workspace_id)
);
create index suppressions_of_workspace on private.suppressions (workspace_id);

create function private.address_hash(email text) returns bytea
language sql immutable parallel safe set search_path = '' as $$
  select sha256(convert_to(lower(email), 'UTF8'))
$$;

create table private.mail_key (
  only_row boolean constraint mail_key_pkey primary key default true constraint mail_key_one check (only_row),
  key bytea not null default extensions.gen_random_bytes(32)
);
insert into private.mail_key default values;

-- The token in an email's links: id, the subscription's generation, and a MAC, 36 bytes together.
create function private.mail_token(purpose text, id uuid, generation int default null) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  subject constant bytea := uuid_send(mail_token.id) || coalesce(int4send(generation), '');
  mac constant bytea := extensions.hmac(convert_to(purpose, 'UTF8') || subject, (select k.key from private.mail_key k), 'sha256');
begin
  return translate(encode(subject || substr(mac, 1, 36 - octet_length(subject)), 'base64'), E'+/\n', '-_');
end $$;

-- Null for what isn't a token. Whether it is genuine, callers decide by hashes of it and of private.mail_token, against timing attacks.
create function private.id_of_mail_token(token text) returns uuid
language sql immutable parallel safe set search_path = '' as $$
  select case when token ~ '^[A-Za-z0-9_-]{48}$' then encode(substr(decode(translate(token, '-_', '+/'), 'base64'), 1, 16), 'hex')::uuid end
$$;

create function private.sends_email(workspace uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.workspaces w join public.mail_settings m on m.workspace_id = w.id
    where w.id = workspace and w.is_open and m.enabled
  );
end $$;

-- Merges the given settings; null clears the sender's name or reply-to address.
create function public.save_mail_settings(workspace_id uuid, settings jsonb) returns public.mail_settings
language plpgsql security definer set search_path = '' as $$
declare
  given constant jsonb := settings;
  wrong jsonb := '{}';
  saved public.mail_settings;
begin
  perform private.require_role(save_mail_settings.workspace_id, '{owner,admin}');
  if given ? 'undo_minutes' and (given ->> 'undo_minutes')::numeric is distinct from trunc(least(greatest((given ->> 'undo_minutes')::numeric, 0), 60)) then
    wrong := wrong || '{"undo_minutes": "Please choose 0 to 60 minutes"}';
  end if;
  if char_length(private.clean_line(given ->> 'sender_name')) > 80 then
    wrong := wrong || '{"sender_name": "Please use at most 80 characters"}';
  end if;
  if not private.is_mail_address(given ->> 'reply_to') then wrong := wrong || '{"reply_to": "Please enter a valid email address"}'; end if;
  if given ? 'time_zone' and not exists (select from pg_catalog.pg_timezone_names z where z.name = given ->> 'time_zone') then
    wrong := wrong || '{"time_zone": "Please choose a time zone from the list"}';
  end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  insert into public.mail_settings as m (workspace_id, enabled) values (save_mail_settings.workspace_id, false)
  on conflict on constraint mail_settings_pkey do nothing;
  update public.mail_settings m set
    enabled = coalesce((given ->> 'enabled')::boolean, m.enabled),
    undo_minutes = coalesce((given ->> 'undo_minutes')::int, m.undo_minutes),
    sender_name = case when given ? 'sender_name' then nullif(private.clean_line(given ->> 'sender_name'), '') else m.sender_name end,
    reply_to = case when given ? 'reply_to' then given ->> 'reply_to' else m.reply_to end,
    time_zone = coalesce(given ->> 'time_zone', m.time_zone),
    updated_at = clock_timestamp()
  where m.workspace_id = save_mail_settings.workspace_id returning m.* into saved;
  return saved;
end $$;

create function private.is_suppressed(email text, workspace uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from private.suppressions s
    where s.address = private.address_hash(is_suppressed.email) and (s.workspace_id is null or s.workspace_id = workspace)
  );
end $$;

grant execute on function public.save_mail_settings to authenticated, service_role;
grant execute on function private.is_mail_address to service_role;

-- supabase/schemas/75-subscribers.sql

-- Email subscribers, with double opt-in. Only the functions below write here. A subscriber's only secret is the token in their emails.
create type public.subscriber_status as enum ('pending', 'active', 'paused', 'left', 'suppressed');
create type public.subscriber_frequency as enum ('instant', 'daily', 'weekly');

create table public.subscribers (
  id uuid constraint subscribers_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint subscribers_workspace_id_fkey references public.workspaces (id) on delete cascade,
  email extensions.citext not null constraint subscribers_email_address check (private.is_mail_address(email::text)),
  status public.subscriber_status not null default 'pending',
  frequency public.subscriber_frequency not null default 'instant',
  tags text[], -- null: all; empty: none, as all chosen tags were deleted
  generation int not null default 1, -- raising it invalidates earlier links
  consent jsonb not null default '{}', -- {text, at, by}
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  left_at timestamptz,
  last_digest_at timestamptz, -- already sent up to here
  constraint subscribers_email_key unique (workspace_id, email),
  constraint subscribers_active_have_confirmed check (status <> 'active' or confirmed_at is not null)
);
-- Recipients of a post, and due digests.
create index subscribers_to_tell on public.subscribers (workspace_id, frequency, last_digest_at) where status = 'active';
create index subscribers_told_at_once on public.subscribers (workspace_id, id) where status = 'active' and frequency = 'instant';
-- Bounces apply to the address everywhere.
create index subscribers_of_address on public.subscribers (email);
create index subscribers_pending on public.subscribers (created_at) where status = 'pending';

-- Former tag keys become the present ones (37-tags); deleted ones are dropped.
create function private.follow_chosen_tags() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(cardinality(new.tags), 0) = 0 then return new; end if;
  if tg_op = 'UPDATE' and new.tags is not distinct from old.tags then return new; end if;
  if exists (select from private.former_tags f where f.workspace_id = new.workspace_id and f.key = any (new.tags)) then
    new.tags := private.tags_now(new.workspace_id, new.tags);
  end if;
  return new;
end $$;
create trigger subscribers_05_tags before insert or update of tags on public.subscribers
for each row execute function private.follow_chosen_tags();

-- Counts new and lost subscribers by day (70-analytics-counts); one entry for a bulk insert or delete. A restored backup (90-restores) brings its own counts.
create function private.count_subscribers() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
begin
  if tg_op = 'UPDATE' then
    insert into private.count_queue (workspace_id, what, day, source)
    values (new.workspace_id, case new.status when 'active' then 'subscribed' else 'left' end, today, 'page');
  elsif tg_op = 'DELETE' or not private.has_option('importing') then
    insert into private.count_queue (workspace_id, what, day, source, n)
    select c.workspace_id, case tg_op when 'INSERT' then 'subscribed' else 'left' end, today, 'page', count(*) from changed c
    where c.status = 'active' or tg_op = 'DELETE' and c.status = 'paused' group by 1;
  end if;
  return null;
end $$;
create trigger subscribers_70_count_added after insert on public.subscribers
referencing new table as changed for each statement execute function private.count_subscribers();
create trigger subscribers_70_count_changed after update of status on public.subscribers for each row
when (new.status = 'active' and old.status in ('pending', 'left') or new.status = 'left' and old.status in ('active', 'paused'))
execute function private.count_subscribers();
create trigger subscribers_70_count_removed after delete on public.subscribers
referencing old table as changed for each statement execute function private.count_subscribers();

create policy "owners and admins read their workspace's subscribers" on public.subscribers for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}', true))));
grant select on public.subscribers to authenticated;

-- The token's subscriber; null if it is invalid, revoked or of another workspace than the subdomain's. subdomain null: any workspace.
create function private.subscriber_of(subdomain text, token text) returns public.subscribers
language plpgsql stable security definer set search_path = '' as $$
declare
  found public.subscribers;
begin
  select s.* into found from public.subscribers s join public.workspaces w on w.id = s.workspace_id
  where s.id = private.id_of_mail_token(token) and (subscriber_of.subdomain is null or w.subdomain operator (extensions.=) subscriber_of.subdomain::extensions.citext);
  return case when private.token_hash(private.mail_token('', found.id, found.generation)) = private.token_hash(token) then found end;
end $$;

-- Subscribes an address. Returns whether the workspace takes subscriptions, and nothing about the address: subscribed, unsubscribed and suppressed
-- ones look alike, and the email is sent later. `limits`: tokens per network and address, {network, address}.
create function private.ask_subscription(
  subdomain text, email text, frequency text, tags text[], network text, limits jsonb
) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  workspace constant uuid := private.open_workspace(subdomain);
  wished constant text[] := nullif(private.clean_tags(ask_subscription.tags[1:20]), '{}');
  rhythm constant public.subscriber_frequency := ask_subscription.frequency::public.subscriber_frequency;
  consent constant jsonb := jsonb_build_object('text', 'public page, 1', 'by', 'page', 'at', now());
  known public.subscribers;
begin
  if workspace is null or not private.sends_email(workspace) then return false; end if;
  if public.take_token('subscribe', network, (limits ->> 'network')::int, interval '1 hour') > 0
    or public.take_token('subscribeMail', lower(ask_subscription.email), (limits ->> 'address')::int, interval '1 day') > 0
    or exists (
      select from private.suppressions s where s.address = private.address_hash(ask_subscription.email)
        and (s.workspace_id is null or s.workspace_id = workspace) and s.reason <> 'erased'
    ) then return true; end if;

  insert into public.subscribers as s (workspace_id, email, frequency, tags, consent)
  values (workspace, ask_subscription.email, rhythm, wished, consent)
  -- Someone else who types the address can't change a confirmed subscription.
  on conflict on constraint subscribers_email_key do update set
    status = case s.status when 'left' then 'pending' else s.status end,
    frequency = case when s.status in ('pending', 'left') then excluded.frequency else s.frequency end,
    tags = case when s.status in ('pending', 'left') then excluded.tags else s.tags end,
    consent = case when s.status in ('pending', 'left') then excluded.consent else s.consent end,
    created_at = case when s.status in ('pending', 'left') then now() else s.created_at end
  returning s.* into known;
  perform private.enqueue_subscriber_email(known, case when known.status = 'pending' then 'confirmation' else 'reminder' end);
  return true;
end $$;

create function private.subscription(subdomain text, token text) returns table (
  email text, status text, frequency text, tags text[], created_at timestamptz, confirmed_at timestamptz, consent jsonb,
  workspace_id uuid, workspace_name text, workspace_subdomain text
)
language plpgsql stable security definer set search_path = '' as $$
declare
  s constant public.subscribers := private.subscriber_of(subscription.subdomain, subscription.token);
begin
  return query
    select s.email::text, s.status::text, s.frequency::text, s.tags, s.created_at, s.confirmed_at, s.consent, w.id, w.name, w.subdomain::text
    from public.workspaces w where w.id = s.workspace_id;
end $$;

-- Changing the frequency loses and repeats nothing: immediate subscribers get what their digest would have contained so far, and a first digest
-- contains what wasn't sent yet. Posts sent or published before subscribing are left out.
create function private.change_rhythm(subscriber uuid, rhythm public.subscriber_frequency) returns void
language plpgsql security definer set search_path = '' as $$
declare
  reader public.subscribers;
  untold timestamptz;
  until timestamptz;
begin
  select s.* into reader from public.subscribers s where s.id = subscriber;
  if reader.id is null or rhythm is null or rhythm = reader.frequency then return; end if;
  -- Waits for running deliveries. Lock order: workspace, events, subscribers, as in deletion.
  perform from public.workspaces w where w.id = reader.workspace_id for key share;
  perform from private.events e
  where e.workspace_id = reader.workspace_id and e.told_at is null and e.due_at <= clock_timestamp() + interval '1 minute' order by e.id for share;
  select s.* into reader from public.subscribers s where s.id = subscriber for update;
  if reader.id is null or rhythm is null or rhythm = reader.frequency then return; end if;
  select min(e.happened_at) - interval '1 microsecond' into untold from private.events e
  where e.workspace_id = reader.workspace_id and e.told_at is null and e.due_at < 'infinity' and not e.quiet and (e.reached is null or e.reached < reader.id);
  until := least(clock_timestamp(), untold);
  update public.subscribers t set frequency = rhythm,
    last_digest_at = case when rhythm <> 'instant' and t.frequency <> 'instant' then t.last_digest_at else until end
  where t.id = reader.id;
  if rhythm <> 'instant' or reader.status <> 'active' or reader.last_digest_at is null then return; end if;
  insert into private.deliveries (workspace_id, kind, target_id, data)
  select reader.workspace_id, 'digest', reader.id, jsonb_build_object('from', reader.last_digest_at, 'to', until)
  where exists (
    select from private.posts_to_announce(reader.workspace_id, reader.last_digest_at, until) n where reader.tags is null or reader.tags && n.tags
  );
  insert into private.deliveries (event_id, workspace_id, kind, target_id)
  select e.id, reader.workspace_id, 'post', reader.id from private.events e join private.visible_posts v on v.id = e.post_id
  where e.workspace_id = reader.workspace_id and not e.quiet and e.happened_at > greatest(until, reader.last_digest_at)
    and (e.told_at is not null or e.reached >= reader.id) and (reader.tags is null or reader.tags && v.tags)
  on conflict on constraint deliveries_once do nothing;
end $$;

-- A token's actions: confirm, save (frequency and tags), leave, return, erase. False for an invalid token. Idempotent.
create function private.change_subscription(
  subdomain text, token text, action text, frequency text default null, tags text[] default null
) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  s constant public.subscribers := private.subscriber_of(change_subscription.subdomain, change_subscription.token);
begin
  if s.id is null then return false; end if;
  case action
    when 'confirm', 'return' then
      update public.subscribers t set status = 'active', left_at = null,
        confirmed_at = case when t.status = 'pending' then now() else coalesce(t.confirmed_at, now()) end,
        last_digest_at = case when t.status = 'active' then t.last_digest_at else now() end
      where t.id = s.id and t.status in ('pending', 'left', 'paused');
      delete from private.suppressions x
      where x.address = private.address_hash(s.email::text) and x.workspace_id = s.workspace_id and x.reason = 'erased';
    when 'save' then
      perform private.change_rhythm(s.id, change_subscription.frequency::public.subscriber_frequency);
      update public.subscribers t set tags = nullif(private.clean_tags(change_subscription.tags[1:20]), '{}') where t.id = s.id;
    when 'leave' then
      update public.subscribers t set status = 'left', left_at = now() where t.id = s.id and t.status not in ('left', 'suppressed');
    when 'erase' then
      insert into private.suppressions (address, workspace_id, reason)
      values (private.address_hash(s.email::text), s.workspace_id, 'erased') on conflict on constraint suppressions_key do nothing;
      delete from private.deliveries d where d.target_id = s.id and d.workspace_id = s.workspace_id;
      delete from public.subscribers t where t.id = s.id;
    else perform private.refuse('validation_failed', '{"action": "This isn''t a valid action"}');
  end case;
  return true;
end $$;

-- Subscribers by status, frequency and tag, and new ones in the last twelve weeks, the current one last. For every member: they identify no one.
create function public.subscriber_numbers(workspace_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := subscriber_numbers.workspace_id;
begin
  perform private.require_role(asked, '{owner,admin,editor,viewer}');
  return (
    select jsonb_build_object(
      'active', count(*) filter (where s.status = 'active'), 'pending', count(*) filter (where s.status = 'pending'),
      'paused', count(*) filter (where s.status = 'paused'), 'left', count(*) filter (where s.status = 'left'),
      'suppressed', count(*) filter (where s.status = 'suppressed'),
      'instant', count(*) filter (where s.status = 'active' and s.frequency = 'instant'),
      'daily', count(*) filter (where s.status = 'active' and s.frequency = 'daily'),
      'weekly', count(*) filter (where s.status = 'active' and s.frequency = 'weekly'),
      'everything', count(*) filter (where s.status = 'active' and s.tags is null),
      'tags', (
        select coalesce(jsonb_agg(jsonb_build_object('key', t.key, 'readers', t.readers) order by t.readers desc, t.key), '[]')
        from (
          select c.key, count(*) as readers from public.subscribers n, unnest(n.tags) as c (key)
          where n.workspace_id = asked and n.status = 'active' group by 1
        ) as t
      ),
      'weeks', (
        select jsonb_agg(coalesce(c.readers, 0) order by w.monday)
        from generate_series(date_trunc('week', now()) - interval '77 days', date_trunc('week', now()), interval '7 days') as w (monday)
        left join (
          select date_trunc('week', n.confirmed_at) as monday, count(*) as readers from public.subscribers n where n.workspace_id = asked group by 1
        ) as c using (monday)
      ))
    from public.subscribers s where s.workspace_id = asked
  );
end $$;

create function public.remove_subscriber(workspace_id uuid, subscriber uuid, erase boolean default false) returns void
language plpgsql security definer set search_path = '' as $$
declare
  s public.subscribers;
begin
  perform private.require_role(remove_subscriber.workspace_id, '{owner,admin}', true);
  select t.* into s from public.subscribers t where t.id = subscriber and t.workspace_id = remove_subscriber.workspace_id;
  if s.id is null then perform private.refuse('not_found'); end if;
  if erase then
    insert into private.suppressions (address, workspace_id, reason) values (private.address_hash(s.email::text), s.workspace_id, 'erased')
    on conflict on constraint suppressions_key do nothing;
  end if;
  delete from private.deliveries d where d.target_id = s.id and d.workspace_id = s.workspace_id;
  delete from public.subscribers t where t.id = s.id;
end $$;

create function private.subscriber_json(s public.subscribers) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object('id', s.id, 'email', s.email::text, 'status', s.status, 'frequency', s.frequency, 'tags', s.tags,
    'created_at', s.created_at, 'confirmed_at', s.confirmed_at);
end $$;

-- {"subscribers", "total"}: a page of matches, newest first. filter: {status, frequency, tag, q}, q part of an address.
create function public.list_subscribers(workspace_id uuid, filter jsonb default '{}', page int default 1, size int default 50) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := list_subscribers.workspace_id;
  of_status constant public.subscriber_status := filter ->> 'status';
  of_rhythm constant public.subscriber_frequency := filter ->> 'frequency';
  of_tag constant text := filter ->> 'tag';
  part constant text := lower(filter ->> 'q');
  rows_a_page constant int := least(greatest(coalesce(size, 50), 1), 100);
begin
  perform private.require_role(asked, '{owner,admin}', true);
  return (
    with found as materialized (
      select s.id, s.created_at, s.email from public.subscribers s
      where s.workspace_id = asked and (of_status is null or s.status = of_status) and (of_rhythm is null or s.frequency = of_rhythm)
        and (of_tag is null or s.tags @> array[of_tag]) and (part is null or strpos(lower(s.email::text), part) > 0)
    ), shown as (
      select f.id from found f order by f.created_at desc, f.email
      limit rows_a_page offset (greatest(coalesce(page, 1), 1) - 1)::bigint * rows_a_page
    )
    select jsonb_build_object('total', (select count(*) from found), 'subscribers', coalesce(
      (select jsonb_agg(private.subscriber_json(s) order by s.created_at desc, s.email) from shown h join public.subscribers s on s.id = h.id), '[]'))
  );
end $$;

-- The next subscribers after an address, in order, at most 1,000. filter: as in list_subscribers. Audited (81-audit); for API keys every ten minutes.
create function public.subscribers_after(workspace_id uuid, filter jsonb default '{}', after text default null, size int default 1000) returns jsonb
-- Reads in index order; sorting would read all the rest for each batch.
language plpgsql security definer set search_path = '' set enable_sort = off as $$
declare
  of_status constant public.subscriber_status := filter ->> 'status';
  of_rhythm constant public.subscriber_frequency := filter ->> 'frequency';
  of_tag constant text := filter ->> 'tag';
  part constant text := lower(filter ->> 'q');
begin
  perform private.require_role(subscribers_after.workspace_id, '{owner,admin}', true);
  perform private.audit_export(subscribers_after.workspace_id, 'subscribers_exported', subscribers_after.after is null and private.key_id() is null,
    jsonb_strip_nulls(jsonb_build_object('status', of_status, 'frequency', of_rhythm, 'tag', of_tag)));
  return (
    select coalesce(jsonb_agg(private.subscriber_json(p) order by p.email), '[]') from (
      select s.* from public.subscribers s
      where s.workspace_id = subscribers_after.workspace_id
        and (subscribers_after.after is null or s.email operator (extensions.>) subscribers_after.after::extensions.citext)
        and (of_status is null or s.status = of_status) and (of_rhythm is null or s.frequency = of_rhythm)
        and (of_tag is null or s.tags @> array[of_tag]) and (part is null or strpos(lower(s.email::text), part) > 0)
      order by s.email limit least(greatest(coalesce(size, 1000), 1), 1000)
    ) as p
  );
end $$;

-- Adds a subscriber, who is asked by email to confirm. An existing one stays unchanged; an unconfirmed one is asked again. {"added", "subscriber"}.
create function public.add_subscriber(workspace_id uuid, email text, frequency text default 'instant', tags text[] default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := add_subscriber.workspace_id;
  address constant text := add_subscriber.email;
  rhythm constant public.subscriber_frequency := add_subscriber.frequency;
  reader public.subscribers;
  added boolean := false;
begin
  perform private.require_role(asked, '{owner,admin}');
  if not coalesce(private.is_mail_address(address), false) then
    perform private.refuse('validation_failed', '{"email": "Please enter a valid email address"}');
  end if;
  if not private.sends_email(asked) then
    perform private.refuse('validation_failed',
      '{"email": "Turn on email to readers and make the changelog public first, so that we can ask by email"}');
  end if;
  select s.* into reader from public.subscribers s where s.workspace_id = asked and s.email operator (extensions.=) address::extensions.citext;
  if reader.id is null then
    if private.is_suppressed(address, asked) then
      perform private.refuse('validation_failed', '{"email": "We can''t send email to this address. Its owner opted out, or emails bounced."}');
    end if;
    insert into public.subscribers as s (workspace_id, email, frequency, tags, consent)
    values (asked, address, rhythm, nullif(private.clean_tags(add_subscriber.tags[1:20]), '{}'),
      jsonb_build_object('text', 'asked by a member, 1', 'by', 'member', 'actor', auth.uid(), 'at', now()))
    on conflict on constraint subscribers_email_key do nothing returning s.* into reader;
    added := reader.id is not null;
    if not added then
      select s.* into reader from public.subscribers s where s.workspace_id = asked and s.email operator (extensions.=) address::extensions.citext;
    end if;
  end if;
  if reader.status = 'pending' then
    if public.take_token('subscribeMail', lower(address), 4, interval '1 day') > 0 then perform private.refuse('rate_limited'); end if;
    perform private.enqueue_subscriber_email(reader, 'confirmation');
  end if;
  return jsonb_build_object('added', added, 'subscriber', private.subscriber_json(reader));
end $$;

-- Imports up to a thousand: [{email, frequency, tags, confirmed_at}]. Existing ones stay unchanged, so it is idempotent; suppressed ones and those
-- asked four times today are counted, never named. `declared`: the importer's statement of consent; without it each is asked by email. `trial`: no change.
create function public.import_subscribers(
  workspace_id uuid, readers jsonb, declared text default null, trial boolean default false
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := import_subscribers.workspace_id;
  consent constant jsonb := jsonb_build_object('text', coalesce(declared, 'import, to be confirmed, 1'), 'by', 'import', 'actor', auth.uid(), 'at', now());
  given int;
  there int;
  refused int;
  added int := 0;
  reader public.subscribers;
begin
  perform private.require_role(asked, '{owner,admin}');
  if jsonb_typeof(readers) is distinct from 'array' or jsonb_array_length(readers) > 1000 or char_length(declared) > 500 then
    perform private.refuse('validation_failed', '{"readers": "Please send at most 1,000 at once"}');
  end if;
  if declared is null and not trial and not private.sends_email(asked) then
    perform private.refuse('validation_failed',
      '{"readers": "Turn on email to readers and make the changelog public first, so that we can ask by email"}');
  end if;
  -- Serialises a workspace's imports by its rate limit's row.
  if public.take_token('importSubscribers', asked::text, 600, interval '1 hour') > 0 then perform private.refuse('rate_limited'); end if;

  select count(*), count(*) filter (where g.is_there), count(*) filter (where not g.is_there and private.is_suppressed(g.email, asked))
  into given, there, refused
  from (
    select e.email, exists (
      select from public.subscribers s where s.workspace_id = asked and s.email operator (extensions.=) e.email::extensions.citext
    ) as is_there
    from (select distinct on (lower(r.email)) r.email from jsonb_to_recordset(readers) as r (email text)) as e
  ) as g;

  if trial then return jsonb_build_object('added', given - there - refused, 'known', there, 'refused', refused); end if;

  for reader in
    insert into public.subscribers as s (workspace_id, email, status, frequency, tags, confirmed_at, last_digest_at, consent)
    select asked, g.email, case when declared is null then 'pending' else 'active' end::public.subscriber_status,
      coalesce(g.frequency, 'instant')::public.subscriber_frequency,
      case when g.tags is not null then private.clean_tags(g.tags[1:20]) end,
      case when declared is not null then least(coalesce(g.confirmed_at, now()), now()) end,
      case when declared is not null then now() end, consent
    from (
      select distinct on (lower(r.email)) r.* from rows from (
        jsonb_to_recordset(readers) as (email text, frequency text, tags text[], confirmed_at timestamptz)
      ) with ordinality as r (email, frequency, tags, confirmed_at, place)
      order by lower(r.email), r.place
    ) as g
    where case
      when private.is_suppressed(g.email, asked) then false
      when declared is not null then true
      when exists (select from public.subscribers s where s.workspace_id = asked and s.email operator (extensions.=) g.email::extensions.citext) then false
      else public.take_token('subscribeMail', lower(g.email), 4, interval '1 day') = 0 end
    on conflict on constraint subscribers_email_key do nothing
    returning s.*
  loop
    added := added + 1;
    if reader.status = 'pending' then perform private.enqueue_subscriber_email(reader, 'confirmation'); end if;
  end loop;
  return jsonb_build_object('added', added, 'known', there, 'refused', given - there - added);
end $$;

grant execute on function private.ask_subscription, private.subscription, private.change_subscription to anon, authenticated, service_role;
grant execute on function public.subscriber_numbers, public.remove_subscriber, public.list_subscribers, public.subscribers_after,
  public.add_subscriber, public.import_subscribers to authenticated, service_role;

-- supabase/schemas/76-email.sql

-- Emails. Events and deliveries are written in the transaction of their cause and sent later by jobs (29-jobs).

-- A publication. Its job, with the event's id, sends it once it can no longer be undone, in batches by subscriber id.
create table private.events (
  id uuid constraint events_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint events_workspace_id_fkey references public.workspaces (id) on delete cascade,
  kind text not null constraint events_kind check (kind in ('post.published')),
  post_id uuid,
  actor uuid,
  happened_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  told_at timestamptz,
  quiet boolean not null default false, -- never sent, nor in a digest
  reached uuid -- the last immediate recipient served, by id
);
create unique index events_once on private.events (post_id, kind); -- first publication once
create index events_of_workspace on private.events (workspace_id, happened_at desc);

-- One email to one recipient. Its job sends it, mostly with others; retries have the same id.
create table private.deliveries (
  id uuid constraint deliveries_pkey primary key default gen_random_uuid(),
  job_id uuid not null default gen_random_uuid(),
  event_id uuid constraint deliveries_event_id_fkey references private.events (id) on delete cascade,
  workspace_id uuid not null constraint deliveries_workspace_id_fkey references public.workspaces (id) on delete cascade,
  kind text not null constraint deliveries_kind check (kind in (
    'confirmation', 'reminder', 'post', 'digest', 'held', 'webhook_gone', 'webhook_failing', 'domain_live', 'domain_lost',
    'report', 'report_question', 'backup_failed', 'backup_works', 'review_asked', 'review_decided', 'mentioned', 'suspension')),
  target_id uuid not null, -- subscriber, member, or a report's recipient (78-reports)
  data jsonb not null default '{}', -- digest: {from, to}; report: {month}; owner: {about}; member: private.enqueue_member_email
  due_at timestamptz not null default clock_timestamp(),
  attempt int not null default 0, -- 0: not begun
  state text not null default 'waiting' constraint deliveries_state check (state in ('waiting', 'done', 'failed', 'dropped')),
  status int,
  error text constraint deliveries_error_length check (char_length(error) <= 500),
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  remote_id text constraint deliveries_remote_id_length check (char_length(remote_id) <= 200),
  bounce text constraint deliveries_bounce check (bounce in ('soft', 'hard', 'complaint')),
  constraint deliveries_once unique (event_id, target_id)
);
create index deliveries_of_job on private.deliveries (job_id, due_at, id) where state = 'waiting';
create index deliveries_of_workspace on private.deliveries (workspace_id);
create index deliveries_of_target on private.deliveries (target_id);
create index deliveries_of_remote on private.deliveries (remote_id) where remote_id is not null;
create index deliveries_misused on private.deliveries (workspace_id, ended_at) where kind = 'confirmation' and bounce = 'hard';
create index deliveries_sent on private.deliveries (workspace_id, ended_at desc) where state in ('done', 'failed');
-- A member's notice about one thing is queued once; one being sent doesn't count.
create unique index deliveries_to_member_once on private.deliveries (target_id, workspace_id, kind, (data ->> 'subject'))
where kind in ('review_asked', 'review_decided', 'mentioned', 'suspension') and state = 'waiting' and attempt = 0;
create index deliveries_ended on private.deliveries (ended_at) where state <> 'waiting';

-- Publications and digests wait for single emails.
create function private.add_email_jobs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.jobs (id, task, workspace_id, key, run_at, priority)
  select d.job_id, 'send_emails', d.workspace_id, d.workspace_id, min(d.due_at), max((d.kind in ('post', 'digest'))::int)
  from added d where d.state = 'waiting' group by d.job_id, d.workspace_id
  on conflict on constraint jobs_pkey do nothing;
  return null;
end $$;
create trigger deliveries_90_add_jobs after insert on private.deliveries referencing new table as added
for each statement execute function private.add_email_jobs();

-- 'owner', 'member', 'subscriber', or 'recipient' of reports. A suspension (53-operator) is sent even though the workspace is suspended.
create function private.email_audience(kind text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return case
    when kind in ('held', 'webhook_gone', 'webhook_failing', 'domain_live', 'domain_lost', 'backup_failed', 'backup_works') then 'owner'
    when kind in ('review_asked', 'review_decided', 'mentioned', 'suspension') then 'member'
    when kind in ('confirmation', 'reminder', 'post', 'digest') then 'subscriber'
    else 'recipient' end;
end $$;

-- Emails that people turned off, in all their workspaces. contract/profile.ts has the same list.
create table private.muted_emails (
  user_id uuid constraint muted_emails_pkey primary key constraint muted_emails_user_id_fkey references auth.users (id) on delete cascade,
  kinds text[] not null constraint muted_emails_kinds check (kinds <@ '{mentioned,review_asked,review_decided}')
);

create function public.my_muted_emails() returns text[]
language sql stable security definer set search_path = '' as $$
  select coalesce((select m.kinds from private.muted_emails m where m.user_id = private.person_id()), '{}')
$$;

create function public.set_muted_emails(kinds text[]) returns void
language sql security definer set search_path = '' as $$
  insert into private.muted_emails (user_id, kinds) values (private.person_id(), set_muted_emails.kinds)
  on conflict on constraint muted_emails_pkey do update set kinds = excluded.kinds
$$;

-- Emails sent per day (UTC) by a person's new workspaces. No foreign key: it outlives them for two days.
create table private.mail_days (
  owner_id uuid,
  day date,
  mails int not null default 0,
  constraint mail_days_pkey primary key (owner_id, day)
);

-- Queues an email to one subscriber that no event causes, at most one of a kind. After fifty bounced confirmations in a day those asked for on the
-- public page wait six hours: someone is typing invalid addresses.
create function private.enqueue_subscriber_email(subscriber public.subscribers, kind text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  is_misused constant boolean := kind = 'confirmation' and subscriber.consent ->> 'by' = 'page' and 50 <= (
    select count(*) from private.deliveries d join public.subscribers s on s.id = d.target_id and s.consent ->> 'by' = 'page'
    where d.workspace_id = subscriber.workspace_id and d.kind = 'confirmation' and d.bounce = 'hard' and d.ended_at > clock_timestamp() - interval '1 day'
  );
begin
  if exists (
    select from private.deliveries d where d.target_id = subscriber.id and d.kind = enqueue_subscriber_email.kind and d.state = 'waiting'
  ) then return; end if;
  insert into private.deliveries (workspace_id, kind, target_id, due_at)
  values (subscriber.workspace_id, enqueue_subscriber_email.kind, subscriber.id, clock_timestamp() + case when is_misused then interval '6 hours' else interval '0' end);
end $$;

-- Queues an email to a member. `data` (edge-functions/api/outbox/member-mails.ts) has `subject`, the id it is about:
-- one email of a kind and subject waits at a time. At most fifty a day per person and workspace; former members get none.
create function private.enqueue_member_email(workspace uuid, kind text, person uuid, data jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if private.email_audience(kind) <> 'member' or coalesce(data ->> 'subject', '') = '' then
    raise exception 'members are not told of % about %', kind, data ->> 'subject';
  end if;
  if not exists (select from public.members m where m.workspace_id = workspace and m.user_id = person) then return; end if;
  if 50 <= (
    select count(*) from private.deliveries d
    where d.target_id = person and d.workspace_id = workspace and private.email_audience(d.kind) = 'member'
      and d.created_at > clock_timestamp() - interval '1 day'
  ) then return; end if;
  insert into private.deliveries (workspace_id, kind, target_id, data) values (workspace, enqueue_member_email.kind, person, enqueue_member_email.data)
  on conflict do nothing;
end $$;

-- Locks events in the order of private.change_rhythm. Lock order: posts, then events. Prevents deadlocks.
create function private.lock_events(posts uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from private.events e where e.post_id = any (posts) order by e.id for no key update;
end $$;

-- A first publication is sent to subscribers unless tidings.quiet is 'on' (imports, publishing without email); 'off' reverts that. Archived before it
-- was sent, it is sent on republication; archived while it is being sent, the rest waits for republication (due_at infinity).
create function private.enqueue_publication() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  wish constant text := current_setting('tidings.quiet', true);
  event private.events;
  was constant public.post_status := case tg_op when 'UPDATE' then private.public_status(old) end;
  status constant public.post_status := case when tg_op <> 'DELETE' then private.public_status(new) end;
begin
  if tg_op = 'DELETE' then
    delete from private.events e where e.post_id = old.id;
    return null;
  elsif status <> 'scheduled' and (tg_op = 'INSERT' and status <> 'published' or was = status) then
    return null; -- a scheduled post may be due: any write publishes it
  end if;
  if status = 'published' or status = 'scheduled' and wish = 'on' then
    insert into private.events as e (workspace_id, kind, post_id, actor, due_at, told_at, quiet)
    select new.workspace_id, 'post.published', new.id, auth.uid(), clock_timestamp() + make_interval(mins => coalesce(
      (select m.undo_minutes from public.mail_settings m where m.workspace_id = new.workspace_id), 5)),
      case when wish = 'on' then clock_timestamp() end, coalesce(wish = 'on', false)
    on conflict (post_id, kind) do update set
      actor = excluded.actor, happened_at = excluded.happened_at, due_at = excluded.due_at, told_at = null, quiet = false,
      reached = null
    where e.quiet and wish = 'off'
    returning e.* into event;
    if not event.quiet and exists (select from private.webhooks w where w.workspace_id = new.workspace_id) then
      perform private.enqueue_webhooks(new.workspace_id, 'post.published', new.id, null, '{}', new.tags, event.due_at, array(
        select d.webhook_id from private.webhook_events e join private.webhook_deliveries d on d.event_id = e.id
        where e.post_id = new.id and e.kind = 'post.published' and (d.attempt > 0 or d.ended_at is null)));
    end if;
    update private.events e set due_at = clock_timestamp(), told_at = case when wish = 'on' then clock_timestamp() end, quiet = coalesce(wish = 'on', false)
    where e.post_id = new.id and e.told_at is null and e.due_at = 'infinity';
    perform private.add_job('send_emails', e.id, e.workspace_id, e.due_at, priority => 1) from private.events e
    where e.post_id = new.id and e.told_at is null;
  else
    update private.events e set due_at = 'infinity'
    where e.post_id = new.id and e.told_at is null and e.reached is not null and e.due_at < 'infinity';
    delete from private.events e where e.post_id = new.id
      and (e.told_at is null and e.reached is null or e.quiet and (status = 'draft' or status = 'scheduled' and wish = 'off'));
  end if;
  return null;
end $$;

-- Queues a due publication's emails to its next readers, by id. Posts that are no longer visible aren't sent, nor posts published while email was off.
create function private.enqueue_next_readers(event private.events, most int) returns void
language plpgsql security definer set search_path = '' as $$
declare
  readers uuid[];
begin
  if not private.sends_email(event.workspace_id) then
    update private.events e set told_at = clock_timestamp(), quiet = true where e.id = event.id;
    return;
  end if;
  readers := array(
    select s.id from public.subscribers s join private.visible_posts v on v.id = event.post_id
    where s.workspace_id = event.workspace_id and s.status = 'active' and s.frequency = 'instant' and (s.tags is null or s.tags && v.tags)
      and (event.reached is null or s.id > event.reached)
    order by s.id limit most
  );
  insert into private.deliveries (id, job_id, event_id, workspace_id, kind, target_id)
  select md5(event.id || r.id::text)::uuid, event.id, event.id, event.workspace_id, 'post', r.id -- the same id if a crash loses this commit
  from unnest(readers) as r (id)
  on conflict on constraint deliveries_once do nothing;
  update private.events e set reached = coalesce(readers[cardinality(readers)], e.reached),
    told_at = case when cardinality(readers) < most then clock_timestamp() end
  where e.id = event.id;
end $$;

-- Postgres' time zones change with its data, so a saved one may be unknown.
create function private.is_time_zone(name text) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  perform now() at time zone is_time_zone.name;
  return true;
exception when invalid_parameter_value then
  return false;
end $$;

-- The latest nine o'clock of the workspace's day, or Monday.
create function private.last_digest_time(time_zone text, rhythm public.subscriber_frequency, moment timestamptz default now()) returns timestamptz
language plpgsql stable set search_path = '' as $$
declare
  here constant timestamp := moment at time zone time_zone;
  nine timestamp := date_trunc(case rhythm when 'weekly' then 'week' else 'day' end, here) + interval '9 hours';
begin
  if nine > here then nine := nine - case rhythm when 'weekly' then interval '7 days' else interval '1 day' end; end if;
  return nine at time zone time_zone;
end $$;

-- Posts first published in a period that are still visible.
create function private.posts_to_announce(workspace uuid, since timestamptz, until timestamptz) returns table (id uuid, tags text[], published_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select v.id, v.tags, v.published_at from private.events e join private.visible_posts v on v.id = e.post_id
  where e.workspace_id = workspace and e.kind = 'post.published' and not e.quiet and e.happened_at > since and e.happened_at <= until
$$;

-- Queues due digests that aren't empty. A period ends where the next begins, so nothing is repeated. Waits until its posts can't be undone, and at
-- least a minute, so concurrent saves are seen. Ten thousand at a time, a thousand per workspace and frequency, in random order.
create function public.enqueue_digests() returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- Computed once per time zone and workspace: this runs every few seconds.
  with nines as materialized (
    select k.time_zone, k.undo_minutes, r.rhythm,
      private.last_digest_time(case when private.is_time_zone(k.time_zone) then k.time_zone else 'UTC' end, r.rhythm,
        now() - make_interval(mins => greatest(k.undo_minutes, 1))) as nine
    from (select distinct m.time_zone, m.undo_minutes from public.mail_settings m where m.enabled) as k,
      (values ('daily'::public.subscriber_frequency), ('weekly')) as r (rhythm)
  ), turns as materialized (
    select m.workspace_id, n.rhythm, n.nine from nines n
    join public.mail_settings m on m.enabled and m.time_zone = n.time_zone and m.undo_minutes = n.undo_minutes
    join public.workspaces w on w.id = m.workspace_id and w.is_open
    where exists (
      select from public.subscribers d
      where d.workspace_id = m.workspace_id and d.frequency = n.rhythm and d.status = 'active' and d.last_digest_at < n.nine
    )
    order by random() for key share of w skip locked -- lock order: workspace before subscribers
  ), due as (
    select s.id, t.workspace_id, s.last_digest_at as since, t.nine as until, s.tags from turns t,
      lateral ( -- the limit uses the index, so cost depends on workspaces, not subscribers
        select d.id, d.last_digest_at, d.tags from public.subscribers d
        where d.workspace_id = t.workspace_id and d.frequency = t.rhythm and d.status = 'active' and d.last_digest_at < t.nine
        order by d.last_digest_at limit 1000 for update skip locked
      ) as s
    limit 10000
  ), told as (
    update public.subscribers s set last_digest_at = d.until from due d where s.id = d.id returning d.id, d.workspace_id, d.since, d.until, d.tags
  ), periods as materialized (
    select gen_random_uuid() as job_id, t.workspace_id, t.since, t.until from told t group by t.workspace_id, t.since, t.until
  ), news as materialized (
    select p.job_id, v.tags from periods p, private.posts_to_announce(p.workspace_id, p.since, p.until) v
  )
  insert into private.deliveries (job_id, workspace_id, kind, target_id, data)
  select p.job_id, t.workspace_id, 'digest', t.id, jsonb_build_object('from', t.since, 'to', t.until)
  from told t join periods p on p.workspace_id = t.workspace_id and p.since = t.since and p.until = t.until
  where exists (select from news n where n.job_id = p.job_id and (t.tags is null or t.tags && n.tags));
end $$;

-- The next emails of a job, at most `batch`, with all they need except posts and report figures; of a digest the newest fifty posts, and one more if
-- there are more. Drops pointless ones (unsubscribed, turned off, post gone, workspace private). Readers' emails of a paused or suspended workspace wait, and
-- beyond `first_week` a day those of an owner's new workspaces. `about`: for owners, `told`: for members.
create function public.emails_to_send(job uuid, batch int default 100, first_week int default 500) returns table (
  id uuid, kind text, workspace_id uuid, workspace_name text, subdomain text, logo_url text, sender_name text, reply_to text,
  email text, token text, posts uuid[], month date, appearance jsonb, domain text, about text, told jsonb
)
language plpgsql security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  today constant date := (moment at time zone 'utc')::date;
  kind_of_job constant text := coalesce((select d.kind from private.deliveries d where d.job_id = job and d.state = 'waiting' limit 1), 'post');
  most int := least(greatest(batch, 1), 500);
  event private.events;
  w public.workspaces;
  m public.mail_settings;
  sender uuid;
begin
  -- Lock order: workspace, then event, as in deletion. A workspace being deleted is skipped.
  select x.* into w from public.workspaces x where x.id = (
    select d.workspace_id from private.deliveries d where d.job_id = job and d.state = 'waiting'
    union all select e.workspace_id from private.events e where e.id = job limit 1
  ) for key share skip locked;
  select x.* into m from public.mail_settings x where x.workspace_id = w.id;
  if w.id is null or w.suspension is not null and kind_of_job <> 'suspension' then return; end if;
  if private.email_audience(kind_of_job) not in ('owner', 'member') then
    if m.held_at is not null then return; end if;
    if w.created_at > now() - interval '7 days' then
      select k.user_id into sender from public.members k where k.workspace_id = w.id and k.role = 'owner';
      insert into private.mail_days (owner_id, day) values (sender, today) on conflict on constraint mail_days_pkey do nothing;
      select least(most, greatest(first_week - y.mails, 0)) into most from private.mail_days y
      where y.owner_id = sender and y.day = today for update; -- two workers don't use the same quota
    end if;
    select e.* into event from private.events e where e.id = job and e.told_at is null and e.due_at <= moment for update;
    if event.id is not null and most > 0 then
      perform private.enqueue_next_readers(event, greatest(0, most - (
        select count(*)::int from private.deliveries d where d.job_id = job and d.state = 'waiting' and d.due_at <= moment)));
    end if;
  end if;

  return query
    with due as (
      select d.* from private.deliveries d where d.job_id = job and d.state = 'waiting' and d.due_at <= clock_timestamp()
      order by d.due_at, d.id limit most
    ), complete as (
      select d.id, d.kind, d.attempt, d.data, s, r.id as recipient, p.posts,
        coalesce(s.email::text, o.email::text, case when r.id is not null then private.report_address(r) end) as email
      from due d
      left join private.events e on e.id = d.event_id
      left join public.subscribers s on s.id = d.target_id and s.workspace_id = d.workspace_id and private.email_audience(d.kind) = 'subscriber'
        and m.enabled and w.is_open and s.status = any (case d.kind
          when 'confirmation' then '{pending}' when 'reminder' then '{active,paused}' else '{active}' end::public.subscriber_status[])
      left join auth.users o on o.id = d.target_id and (private.email_audience(d.kind) = 'owner' and (d.kind <> 'held' or m.held_at is not null)
        or private.email_audience(d.kind) = 'member'
        and exists (select from public.members k where k.workspace_id = d.workspace_id and k.user_id = d.target_id)
        and not exists (select from private.muted_emails k where k.user_id = d.target_id and d.kind = any (k.kinds)))
      left join private.report_recipients r on r.id = d.target_id
        and r.state = case d.kind when 'report' then 'active' when 'report_question' then 'asked' end
      left join lateral (
        select array_agg(v.id order by v.published_at desc, v.id desc) as posts from (
          select v.id, v.published_at from private.visible_posts v where d.kind = 'post' and v.id = e.post_id
          union all
          (select v.id, v.published_at
          from private.posts_to_announce(d.workspace_id, (d.data ->> 'from')::timestamptz, (d.data ->> 'to')::timestamptz) v
          where d.kind = 'digest' and (s.tags is null or s.tags && v.tags) order by v.published_at desc, v.id desc limit 51)
        ) as v
      ) as p on true
    ), pointless as (
      update private.deliveries d set state = 'dropped', ended_at = moment
      from complete c where d.id = c.id and (c.email is null or c.kind in ('post', 'digest') and c.posts is null)
      returning d.id
    ), sent as (
      select c.* from complete c where c.id not in (select p.id from pointless p)
    ), begun as (
      update private.deliveries d set attempt = 1 from sent s where d.id = s.id and s.attempt = 0 returning d.id
    ), counted as (
      update private.mail_days y set mails = y.mails + (select count(*) from begun) where y.owner_id = sender and y.day = today
    )
    select s.id, s.kind, w.id, w.name, w.subdomain::text, w.logo_url, m.sender_name, m.reply_to,
      s.email, coalesce(private.mail_token('', (s.s).id, (s.s).generation), private.mail_token('report', s.recipient), ''), coalesce(s.posts, '{}'),
      (s.data ->> 'month')::date, (select jsonb_build_object('settings', a.settings, 'logo_dark_url', a.logo_dark_url, 'favicon_url', a.favicon_url)
        from public.appearances a where a.workspace_id = w.id),
      private.domain_of(w.id), s.data ->> 'about', case when private.email_audience(s.kind) = 'member' then s.data end
    from sent s;
end $$;

-- Read when sending, so posts that are no longer visible are missing. Of a changelog that not everyone may read, only titles, unless it is set otherwise.
create function public.mail_posts(ids uuid[]) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz, version int, details jsonb,
  images jsonb
)
language sql stable security definer set search_path = '' as $$
  select v.id, v.slug, v.title, case when a.told then v.excerpt else '' end, v.tags, case when a.told then v.content_raw else '{"blocks": []}' end, v.author_name,
    v.published_at, v.version, case when a.told then v.details else '{}' end,
    case when a.told and not private.admits(v.workspace_id) then
      private.image_addresses(v.workspace_id, array(select split_part(i, '/', 2) from private.image_paths(v.content_raw, v.workspace_id) as i), 30) end
  from private.visible_posts v,
    lateral (select private.admits(v.workspace_id) or (private.access_of(v.workspace_id)).emails_content as told) as a
  where v.id = any (mail_posts.ids[1:50])
$$;

-- Results of a job's emails: [{id, outcome: done|again|failed|dropped, status, error, after, bounce: hard|soft, remote}]. 'again' is retried by the
-- task's schedule, not sooner than `after` seconds, then fails. A refusal by the recipient's server counts as a bounce. Returns the seconds until the
-- next email of the job is due; null: none is left.
create function public.settle_emails(job uuid, outcomes jsonb) returns numeric
language plpgsql security definer set search_path = '' as $$
declare
  waits constant int[] := (select t.retry_after from private.job_tasks t where t.task = 'send_emails');
  told record;
  sent uuid[] := '{}';
begin
  for told in
    update private.deliveries d set
      state = case when o.outcome <> 'again' then o.outcome when d.attempt > cardinality(waits) then 'failed' else 'waiting' end,
      due_at = case o.outcome when 'again' then clock_timestamp() + interval '1 second'
        * greatest(least(coalesce(o.after, 0), 86400), waits[d.attempt]) else d.due_at end,
      ended_at = case when o.outcome <> 'again' or d.attempt > cardinality(waits) then clock_timestamp() end,
      attempt = d.attempt + (o.outcome = 'again' and d.attempt <= cardinality(waits))::int,
      status = o.status, error = left(o.error, 500), remote_id = coalesce(left(o.remote, 200), d.remote_id)
    from jsonb_to_recordset(outcomes) as o (id uuid, outcome text, status int, error text, after numeric, bounce text, remote text)
    where d.id = o.id and d.state = 'waiting'
    returning d as mail, o.bounce
  loop
    if (told.mail).state = 'done' then sent := sent || (told.mail).id; end if;
    if told.bounce in ('hard', 'soft') then
      perform private.record_mail_event('sent:' || (told.mail).id, told.bounce, told.mail, null, clock_timestamp());
    end if;
  end loop;
  -- Counted as the post's, a digest as the workspace's (70-analytics).
  insert into private.count_queue (workspace_id, post_id, what, day, source, n)
  select d.workspace_id, e.post_id, 'mail_sent', (now() at time zone 'utc')::date, 'mail', count(*)
  from private.deliveries d left join private.events e on e.id = d.event_id
  where d.id = any (sent) and d.kind in ('post', 'digest') group by 1, 2;
  return extract(epoch from least(
    (select min(d.due_at) from private.deliveries d where d.job_id = settle_emails.job and d.state = 'waiting'),
    (select e.due_at from private.events e where e.id = settle_emails.job and e.told_at is null and e.due_at < 'infinity')
  ) - clock_timestamp());
end $$;

-- Recipients of a post with these tags once readers see it: {enabled, now, digests, undo_minutes, quiet, told}; `quiet`: scheduled without email,
-- `told`: sent before. For every member, since numbers identify no one.
create function public.mail_audience(workspace_id uuid, tags text[] default '{}', post_id uuid default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := mail_audience.workspace_id;
  wanted constant text[] := private.clean_tags(mail_audience.tags[1:20]);
  post constant uuid := mail_audience.post_id;
begin
  perform private.require_role(asked, '{owner,admin,editor,viewer}');
  return (
    select jsonb_build_object(
      'enabled', exists (select from public.mail_settings m where m.workspace_id = asked and m.enabled),
      'now', count(*) filter (where s.frequency = 'instant'), 'digests', count(*) filter (where s.frequency <> 'instant'),
      'undo_minutes', coalesce((select m.undo_minutes from public.mail_settings m where m.workspace_id = asked), 5),
      'quiet', exists (select from private.events e where e.post_id = post and e.workspace_id = asked and e.quiet),
      'told', exists (select from private.events e where e.post_id = post and e.workspace_id = asked and (e.told_at is not null or e.reached is not null) and not e.quiet))
    from public.subscribers s where s.workspace_id = asked and s.status = 'active' and (s.tags is null or s.tags && wanted)
  );
end $$;
grant execute on function public.mail_audience, public.my_muted_emails, public.set_muted_emails to authenticated, service_role;

grant execute on function public.emails_to_send, public.mail_posts, public.settle_emails, public.enqueue_digests to service_role;

-- supabase/schemas/77-bounces.sql

-- Bounces and complaints: suppressed addresses, and paused workspaces.

-- `key` is the provider's id, so duplicates count once.
create table private.mail_events (
  key text constraint mail_events_pkey primary key constraint mail_events_key_length check (char_length(key) between 1 and 300),
  kind text not null constraint mail_events_kind check (kind in ('hard', 'soft', 'complaint', 'left')),
  workspace_id uuid constraint mail_events_workspace_id_fkey references public.workspaces (id) on delete cascade,
  subscriber_id uuid constraint mail_events_subscriber_id_fkey references public.subscribers (id) on delete cascade,
  delivery_id uuid,
  happened_at timestamptz not null,
  noted_at timestamptz not null default clock_timestamp()
);
create index mail_events_of_workspace on private.mail_events (workspace_id);
create index mail_events_of_subscriber on private.mail_events (subscriber_id);
create index mail_events_noted on private.mail_events (noted_at);

-- Pauses a workspace, and its owner's others, when too many of its last thousand emails bounced, until the operator releases it
-- (supabase/sql/release-mails.sql): all share one sender address. A small number decides nothing, and neither do confirmations asked for on the
-- public page (private.enqueue_subscriber_email).
create function private.pause_harmful_sender(workspace uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  mails int;
  complaints int;
  bounces int;
  reason text;
begin
  select count(*), count(*) filter (where l.bounce = 'complaint'), count(*) filter (where l.bounce = 'hard') into mails, complaints, bounces from (
    select d.bounce from private.deliveries d
    where d.workspace_id = workspace and d.state in ('done', 'failed') and (d.state = 'done' or d.bounce is not null)
      and private.email_audience(d.kind) in ('subscriber', 'recipient')
      -- one row each: exists() would read all subscribers first
      and (d.kind <> 'confirmation' or (select s.consent ->> 'by' is distinct from 'page' from public.subscribers s where s.id = d.target_id))
      and d.ended_at > coalesce((select m.released_at from public.mail_settings m where m.workspace_id = workspace), '-infinity')
    order by d.ended_at desc limit 1000
  ) as l;
  reason := case when complaints >= 3 and complaints > mails * 0.003 then 'complaints' when bounces >= 10 and bounces > mails * 0.05 then 'bounces' end;
  if reason is null then return; end if;
  if not exists (select from public.mail_settings m where m.workspace_id = workspace and m.held_at is null) then return; end if;
  update public.mail_settings m set held_at = clock_timestamp(), held_reason = reason
  where m.held_at is null and m.workspace_id in (
    select theirs.workspace_id from public.members here join public.members theirs on theirs.user_id = here.user_id and theirs.role = 'owner'
    where here.workspace_id = workspace and here.role = 'owner'
  );
  insert into private.deliveries (workspace_id, kind, target_id)
  select m.workspace_id, 'held', m.user_id from public.members m where m.workspace_id = workspace and m.role = 'owner';
end $$;

-- Pauses a new workspace of a paused owner, also a restored one.
create function private.pause_new_workspace() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.mail_settings as m (workspace_id, enabled, held_at, held_reason)
  select new.workspace_id, false, s.held_at, s.held_reason from public.members o join public.mail_settings s on s.workspace_id = o.workspace_id
  where o.user_id = new.user_id and o.role = 'owner' and s.held_at is not null order by s.held_at limit 1
  on conflict on constraint mail_settings_pkey do update set held_at = excluded.held_at, held_reason = excluded.held_reason;
  return null;
end $$;
create trigger members_70_hold_new_workspace after insert on public.members
for each row when (new.role = 'owner') execute function private.pause_new_workspace();

-- Records a bounce or complaint once. An unknown address is suppressed everywhere, a complaint in this workspace; a mailbox that refused three times
-- in fourteen days is paused. True if it was new.
create function private.record_mail_event(key text, kind text, mail private.deliveries, email text, happened timestamptz) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  reader public.subscribers;
  recipient uuid;
  address text;
begin
  if private.email_audience(mail.kind) in ('owner', 'member') then return false; end if;
  select s.* into reader from public.subscribers s
  where s.id = mail.target_id and s.workspace_id = mail.workspace_id and private.email_audience(mail.kind) = 'subscriber';
  if mail.kind in ('report', 'report_question') then
    select r.id, coalesce(r.email::text, u.email) into recipient, address
    from private.report_recipients r left join auth.users u on u.id = r.user_id where r.id = mail.target_id;
  end if;
  -- Our own record of the recipient is more reliable.
  address := coalesce(reader.email::text, address, case when private.is_mail_address(record_mail_event.email) then record_mail_event.email end);
  insert into private.mail_events (key, kind, workspace_id, subscriber_id, delivery_id, happened_at)
  values (record_mail_event.key, record_mail_event.kind, mail.workspace_id, reader.id, mail.id, least(happened, clock_timestamp()))
  on conflict on constraint mail_events_pkey do nothing;
  if not found then return false; end if;
  update private.deliveries d set bounce = record_mail_event.kind
  where d.id = mail.id and array_position('{soft,hard,complaint}'::text[], record_mail_event.kind)
      > coalesce(array_position('{soft,hard,complaint}'::text[], d.bounce), 0);
  case record_mail_event.kind
    when 'hard' then
      if address is not null then
        insert into private.suppressions (address, reason) values (private.address_hash(address), 'bounce')
        on conflict on constraint suppressions_key do update set reason = 'bounce';
        update public.subscribers s set status = 'suppressed' where s.email operator (extensions.=) address::extensions.citext and s.status <> 'suppressed';
      end if;
    when 'complaint' then
      if address is not null and mail.workspace_id is not null then
        insert into private.suppressions (address, workspace_id, reason) values (private.address_hash(address), mail.workspace_id, 'complaint')
        on conflict on constraint suppressions_key do update set reason = 'complaint';
      end if;
      update public.subscribers s set status = 'suppressed' where s.id = reader.id and s.status <> 'suppressed';
    when 'soft' then
      update public.subscribers s set status = 'paused' where s.id = reader.id and s.status = 'active' and 3 <= (
        select count(distinct coalesce(e.delivery_id::text, e.key)) from private.mail_events e
        where e.subscriber_id = reader.id and e.kind = 'soft' and e.happened_at > clock_timestamp() - interval '14 days'
      );
    else
      update public.subscribers s set status = 'left', left_at = clock_timestamp() where s.id = reader.id and s.status not in ('left', 'suppressed');
  end case;
  if record_mail_event.kind <> 'soft' then
    perform private.stop_reports(r) from private.report_recipients r where r.id = recipient;
  end if;
  if mail.workspace_id is not null and record_mail_event.kind in ('hard', 'complaint') then perform private.pause_harmful_sender(mail.workspace_id); end if;
  return true;
end $$;

-- Providers' reports: [{key, kind: hard|soft|complaint|left, delivery, remote, email, at}]. Returns how many were new.
create function public.note_mail_events(events jsonb) returns int
language plpgsql security definer set search_path = '' as $$
declare
  told record;
  mail private.deliveries;
  noted int := 0;
begin
  for told in
    select * from jsonb_to_recordset(events) as e (key text, kind text, delivery uuid, remote text, email text, at timestamptz) order by e.key limit 200
  loop
    -- By our id, the provider's id, or the last one to the address.
    select d.* into mail from private.deliveries d where d.id = told.delivery;
    if mail.id is null then
      select d.* into mail from private.deliveries d where d.remote_id = told.remote order by d.created_at desc limit 1;
    end if;
    if mail.id is null then
      select d.* into mail from public.subscribers s join private.deliveries d on d.target_id = s.id and d.workspace_id = s.workspace_id
      where s.email operator (extensions.=) told.email::extensions.citext and d.attempt > 0
      order by coalesce(d.ended_at, d.due_at) desc limit 1;
    end if;
    noted := noted + private.record_mail_event(told.key, told.kind, mail, told.email, coalesce(told.at, clock_timestamp()))::int;
  end loop;
  return noted;
end $$;

grant execute on function public.note_mail_events to service_role;

-- supabase/schemas/78-reports.sql

-- The reports add-on: an email on the first of the month about the month before. For members, and others who confirm.

-- A recipient, invited or stopped. The owner's row is created when first needed. A member's address is the present one.
create table private.report_recipients (
  id uuid constraint report_recipients_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint report_recipients_workspace_id_fkey references public.workspaces (id) on delete cascade,
  user_id uuid,
  email extensions.citext constraint report_recipients_address check (private.is_mail_address(email::text)),
  state text not null constraint report_recipients_state check (state in ('asked', 'active', 'stopped')),
  named boolean not null default true,
  active_since timestamptz, -- earlier ones aren't sent
  told_month date, -- the last month sent, or skipped as empty
  created_at timestamptz not null default now(),
  constraint report_recipients_member_fkey foreign key (workspace_id, user_id) references public.members (workspace_id, user_id) on delete cascade,
  constraint report_recipients_member unique (workspace_id, user_id),
  constraint report_recipients_email unique (workspace_id, email),
  constraint report_recipients_one_of_them check ((user_id is null) <> (email is null))
);

-- When the report of the month before `month` (its first day) is due: nine in the workspace's time zone, at least 15 minutes after the UTC month.
create function private.report_due(month date, time_zone text) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return greatest((month + time '09:00') at time zone time_zone, (month + time '00:15') at time zone 'UTC');
end $$;

-- The address for a report or the confirmation; null: none. A member who erased themselves as a subscriber still gets it.
create function private.report_address(recipient private.report_recipients) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_add_on(recipient.workspace_id, 'reports') then return null; end if;
  if recipient.user_id is null then
    return case when not private.is_suppressed(recipient.email::text, recipient.workspace_id) then recipient.email::text end;
  end if;
  return (
    select u.email::text from public.members m join auth.users u on u.id = m.user_id
    where m.workspace_id = recipient.workspace_id and m.user_id = recipient.user_id and (recipient.named or m.role = 'owner')
      and not exists (
        select from private.suppressions s where s.address = private.address_hash(u.email) and s.reason <> 'erased'
          and (s.workspace_id is null or s.workspace_id = recipient.workspace_id)
      )
  );
end $$;

-- The token's recipient, or null.
create function private.report_recipient_of(token text) returns private.report_recipients
language plpgsql stable security definer set search_path = '' as $$
declare
  found private.report_recipients;
begin
  select r.* into found from private.report_recipients r where r.id = private.id_of_mail_token(token);
  return case when private.token_hash(private.mail_token('report', found.id)) = private.token_hash(token) then found end;
end $$;

-- Queues reports due at `moment`, at most 500, once a month per recipient, up to six days late. None for an empty month or a paused workspace.
-- Unanswered confirmations are deleted after thirty days.
create function public.enqueue_reports(moment timestamptz default clock_timestamp()) returns void
language plpgsql security definer set search_path = '' as $$
declare
  month constant date := date_trunc('month', moment at time zone 'UTC');
  told constant date := month - interval '1 month';
begin
  if moment >= (month + 8)::timestamp at time zone 'UTC' then return; end if; -- past in every time zone

  delete from private.report_recipients r where r.state = 'asked' and r.created_at < moment - interval '30 days';
  insert into private.report_recipients (workspace_id, user_id, state, named)
  select a.workspace_id, m.user_id, 'active', false
  from public.workspace_add_ons a join public.members m on m.workspace_id = a.workspace_id and m.role = 'owner'
  where a.add_on = 'reports'
    and not exists (select from private.report_recipients r where r.workspace_id = a.workspace_id and r.user_id = m.user_id)
  on conflict on constraint report_recipients_member do nothing;

  with zoned as materialized (
    select a.workspace_id, a.granted_at, coalesce(s.time_zone, 'UTC') as time_zone
    from public.workspace_add_ons a left join public.mail_settings s on s.workspace_id = a.workspace_id
    where a.add_on = 'reports' and s.held_at is null
  ), zones as materialized (
    select z.time_zone, private.report_due(month, case when private.is_time_zone(z.time_zone) then z.time_zone else 'UTC' end) as due_at
    from (select distinct time_zone from zoned) as z
  ), due as (
    select z.workspace_id, n.due_at from zoned z join zones n on n.time_zone = z.time_zone
    where n.due_at <= moment and moment < n.due_at + interval '6 days' and z.granted_at <= n.due_at
  ), taken as (
    select r.id from due d join private.report_recipients r on r.workspace_id = d.workspace_id
    where r.state = 'active' and coalesce(r.active_since, '-infinity') <= d.due_at and coalesce(r.told_month, '-infinity') < told
    order by r.id limit 500 for update of r skip locked
  ), noted as (
    update private.report_recipients r set told_month = told from taken t where r.id = t.id returning r.*
  ), addressed as (
    select n.id, n.workspace_id, n.user_id, private.report_address(n) as address from noted n
  ), newsworthy as materialized (
    select gen_random_uuid() as job_id, w.workspace_id from (select distinct n.workspace_id from noted n) as w
    where exists (
      select from private.workspace_counts c where c.workspace_id = w.workspace_id and c.views > 0 and c.day >= told and c.day < month
    ) or exists (select from private.published_in(w.workspace_id, told))
  )
  insert into private.deliveries (job_id, workspace_id, kind, target_id, data)
  select distinct on (a.workspace_id, lower(a.address)) w.job_id, w.workspace_id, 'report', a.id, jsonb_build_object('month', told)
  from addressed a join newsworthy w on w.workspace_id = a.workspace_id
  where a.address is not null
  order by a.workspace_id, lower(a.address), a.user_id nulls last;
end $$;

-- Posts published in a UTC month and still visible, newest first.
create function private.published_in(workspace uuid, month date) returns table (id uuid, title text, slug text, published_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select p.id, p.title, p.slug, p.published_at from public.posts p
  where p.workspace_id = published_in.workspace and p.status = 'published' and p.details -> 'audience' is null
    and p.published_at >= published_in.month::timestamp at time zone 'UTC'
    and p.published_at < (published_in.month + interval '1 month') at time zone 'UTC'
  order by p.published_at desc, p.id desc
$$;

-- A month's report (`month`: its first day), the same for every recipient, by UTC days. `open`: the page is public; `analytics`: the workspace has
-- the add-on. Anyone can fake referrers and searches, so those below three, and searches like an address, are left out.
create function public.report_numbers(workspace_id uuid, month date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := report_numbers.workspace_id;
  first constant date := date_trunc('month', report_numbers.month);
  next constant date := first + interval '1 month';
  totals jsonb; -- of this month and the one before
  views jsonb;
  named jsonb;
begin
  select jsonb_agg(t.sums order by t.month desc) into totals from (
    select m.month, jsonb_build_object('views', coalesce(sum(c.views), 0), 'readers', coalesce(sum(c.readers), 0),
      'widget_opens', coalesce(sum(c.widget_opens), 0), 'clicks', coalesce(sum(c.clicks), 0), 'subscribed', coalesce(sum(c.subscribed), 0),
      'left', coalesce(sum(c."left"), 0), 'mails_sent', coalesce(sum(c.mails_sent), 0)) as sums
    from (values (first), ((first - interval '1 month')::date)) as m (month)
      left join private.workspace_counts c on c.workspace_id = asked and c.day >= m.month and c.day < m.month + interval '1 month'
    group by m.month
  ) as t;
  select jsonb_object_agg(v.post_id, v.n) into views from (
    select c.post_id, c.views as n from private.post_counts c
    where c.workspace_id = asked and c.span = 'month' and c.first_day = first and c.views > 0
  ) as v;
  select jsonb_object_agg(k.what, k.names) into named from (
    select r.what, jsonb_agg(jsonb_build_object('name', r.source, 'count', r.n) order by r.n desc, r.source) as names from (
      select c.what, c.source, sum(c.n) as n, row_number() over (partition by c.what order by sum(c.n) desc, c.source) as place
      from public.daily_counts c
      where c.workspace_id = asked and c.what in ('referrer', 'search_none') and c.post_id is null and c.source <> 'other'
        and c.day >= first and c.day < next and (c.what = 'referrer' or c.source !~ '://|www\.|[[:alnum:]]\.[[:alpha:]]{2}')
      group by 1, 2 having sum(c.n) >= 3
    ) as r where r.place <= case r.what when 'referrer' then 3 else 5 end group by 1
  ) as k;
  return (
    select jsonb_build_object(
      'open', w.public_changelog_enabled, 'analytics', private.has_add_on(asked, 'analytics'),
      'totals', totals -> 0, 'previous', totals -> 1,
      'published', (select count(*) from private.published_in(asked, first)),
      'posts', (
        select coalesce(jsonb_agg(jsonb_build_object('title', p.title, 'slug', p.slug, 'views', coalesce((views ->> p.id::text)::bigint, 0))
          order by p.published_at desc, p.id desc), '[]')
        from (select * from private.published_in(asked, first) limit 10) as p
      ),
      'most_read', (
        select coalesce(jsonb_agg(jsonb_build_object('title', t.title, 'slug', t.slug, 'views', t.n) order by t.n desc, t.title), '[]') from (
          select p.title, p.slug, v.value::bigint as n from jsonb_each_text(coalesce(views, '{}')) v join public.posts p on p.id = v.key::uuid
          where p.workspace_id = asked and private.public_status(p) = 'published' order by 3 desc, 1 limit 5
        ) as t
      ),
      'referrers', coalesce(named -> 'referrer', '[]'), 'searches', coalesce(named -> 'search_none', '[]'))
    from public.workspaces w where w.id = asked
  );
end $$;

create function private.require_reports(workspace uuid, even_suspended boolean default null) returns public.member_role
language plpgsql stable security definer set search_path = '' as $$
declare
  mine constant public.member_role := private.require_role(workspace, '{owner,admin}', even_suspended);
begin
  if not private.has_add_on(workspace, 'reports') then perform private.refuse('add_on_required'); end if;
  return mine;
end $$;

create function private.report_recipient_json(recipient private.report_recipients) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object('id', recipient.id, 'email', coalesce(recipient.email::text, u.email::text), 'name', p.full_name,
      'kind', case when m.role = 'owner' then 'owner' when m.role is not null then 'member' else 'address' end, 'state', recipient.state)
    from (select) as one
    left join public.members m on m.workspace_id = recipient.workspace_id and m.user_id = recipient.user_id
    left join auth.users u on u.id = m.user_id left join public.profiles p on p.user_id = m.user_id
  );
end $$;

-- {"recipients", "mine", "next_at", "last_month", "held"}: the owner first, then by address; `mine`: the caller gets it.
create function public.workspace_reports(workspace_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := workspace_reports.workspace_id;
  mine constant public.member_role := private.require_reports(asked, true);
  month constant date := date_trunc('month', now() at time zone 'UTC');
  time_zone constant text := coalesce((select s.time_zone from public.mail_settings s where s.workspace_id = asked), 'UTC');
  own constant private.report_recipients := (
    select r from private.report_recipients r where r.workspace_id = asked and r.user_id = private.my_id());
begin
  return jsonb_build_object(
    'recipients', (
      select coalesce(jsonb_agg(s.shown order by s.shown ->> 'kind' <> 'owner', s.shown ->> 'email'), '[]') from (
        select private.report_recipient_json(r) as shown from private.report_recipients r
        where r.workspace_id = asked and (r.named or exists (
          select from public.members m where m.workspace_id = asked and m.user_id = r.user_id and m.role = 'owner'))
        union all
        select jsonb_build_object('id', null, 'email', u.email, 'name', p.full_name, 'kind', 'owner', 'state', 'active')
        from public.members m join auth.users u on u.id = m.user_id left join public.profiles p on p.user_id = m.user_id
        where m.workspace_id = asked and m.role = 'owner'
          and not exists (select from private.report_recipients r where r.workspace_id = asked and r.user_id = m.user_id)
      ) as s
    ),
    'mine', case when own.id is null then mine = 'owner' else own.state = 'active' and (own.named or mine = 'owner') end,
    'next_at', (
      select min(d.at) from (
        values (private.report_due(month, time_zone)), (private.report_due((month + interval '1 month')::date, time_zone))
      ) as d (at) where d.at > now()
    ),
    'last_month', (month - interval '1 month')::date,
    'held', exists (select from public.mail_settings s where s.workspace_id = asked and s.held_at is not null));
end $$;

-- Adds a recipient: a member at once, another address after confirmation, at most two in thirty days. {"added" (false: was one), "recipient"}.
create function public.add_report_recipient(workspace_id uuid, email text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := add_report_recipient.workspace_id;
  address constant text := add_report_recipient.email;
  mine constant public.member_role := private.require_reports(asked);
  member uuid;
  recipient private.report_recipients;
  added boolean := false;
begin
  if not coalesce(private.is_mail_address(address), false) then
    perform private.refuse('validation_failed', '{"email": "Please enter a valid email address"}');
  end if;
  -- Serialised by the rate limit's row.
  if public.take_token('reportRecipients', asked::text, 60, interval '1 hour') > 0 then perform private.refuse('rate_limited'); end if;
  select m.user_id into member from public.members m join auth.users u on u.id = m.user_id
  where m.workspace_id = asked and lower(u.email) = lower(address);
  select r.* into recipient from private.report_recipients r
  where r.workspace_id = asked and (r.user_id = member or r.email operator (extensions.=) address::extensions.citext)
  order by r.user_id nulls last limit 1;
  if recipient.state = 'stopped' then
    perform private.refuse('validation_failed',
      '{"email": "The reports were stopped at this address. Its owner can start them again, by the link in the last one or in the settings"}');
  end if;
  if recipient.id is null and (
    select count(*) from private.report_recipients r where r.workspace_id = asked and r.named and r.state <> 'stopped'
  ) >= 20 then
    perform private.refuse('validation_failed', '{"email": "A report goes to at most 20 who are named. Remove one first"}');
  end if;

  if member is not null then
    insert into private.report_recipients as r (workspace_id, user_id, state, active_since) values (asked, member, 'active', clock_timestamp())
    on conflict on constraint report_recipients_member do update set named = true, active_since = clock_timestamp()
    where not r.named returning r.* into recipient;
    added := found;
    if not added then select r.* into recipient from private.report_recipients r where r.workspace_id = asked and r.user_id = member; end if;
    if added then perform private.audit(asked, 'report_recipient_named', member, private.audited_name(member)); end if;
    return jsonb_build_object('added', added, 'recipient', private.report_recipient_json(recipient));
  end if;

  if recipient.state is distinct from 'active' then
    if private.is_suppressed(address, asked) then
      perform private.refuse('validation_failed', '{"email": "Nothing is sent to this address: its owner did not want it, or mails came back"}');
    end if;
    if public.take_token('reportQuestions', asked::text, 20, interval '1 day') > 0 then perform private.refuse('rate_limited'); end if;
    if public.take_token('reportQuestion', asked || ' ' || lower(address), 2, interval '30 days') > 0 then
      perform private.refuse('validation_failed', '{"email": "This address was asked twice in thirty days. It is asked no more for now"}');
    end if;
    -- One limit per address over all workspaces.
    if public.take_token('subscribeMail', lower(address), 4, interval '1 day') > 0 then perform private.refuse('rate_limited'); end if;
  end if;
  if recipient.id is null then
    insert into private.report_recipients as r (workspace_id, email, state) values (asked, address, 'asked') returning r.* into recipient;
    added := true;
    perform private.audit(asked, 'report_recipient_named', recipient.id); -- without the address, which is deleted on removal
  end if;
  if recipient.state = 'asked' and not exists (
    select from private.deliveries d where d.target_id = recipient.id and d.kind = 'report_question' and d.state = 'waiting'
  ) then
    insert into private.deliveries (workspace_id, kind, target_id) values (asked, 'report_question', recipient.id);
  end if;
  return jsonb_build_object('added', added, 'recipient', private.report_recipient_json(recipient));
end $$;

create function public.remove_report_recipient(workspace_id uuid, recipient uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := remove_report_recipient.workspace_id;
  mine constant public.member_role := private.require_reports(asked);
  former private.report_recipients;
begin
  select r.* into former from private.report_recipients r
  where r.id = remove_report_recipient.recipient and r.workspace_id = asked and r.named for update;
  if former.id is null then perform private.refuse('not_found'); end if;
  perform private.audit(asked, 'report_recipient_removed', coalesce(former.user_id, former.id), private.audited_name(former.user_id));
  -- Opting out survives being added again.
  if former.state = 'stopped'
    or exists (select from public.members m where m.workspace_id = asked and m.user_id = former.user_id and m.role = 'owner') then
    update private.report_recipients r set named = false where r.id = former.id;
    return;
  end if;
  delete from private.deliveries d where d.target_id = former.id and d.state = 'waiting';
  delete from private.report_recipients r where r.id = former.id;
end $$;

-- Stops every row of the recipient: by address, as member, as owner.
create function private.stop_reports(recipient private.report_recipients) returns void
language plpgsql security definer set search_path = '' as $$
declare
  address constant text := lower(coalesce(recipient.email::text, (select u.email from auth.users u where u.id = recipient.user_id)));
begin
  update private.report_recipients r set state = 'stopped'
  where r.workspace_id = recipient.workspace_id and r.state <> 'stopped' and (r.id = recipient.id or lower(r.email::text) = address
    or r.user_id in (select u.id from auth.users u join public.members m on m.user_id = u.id
      where m.workspace_id = recipient.workspace_id and lower(u.email) = address));
end $$;

create function public.set_my_report(workspace_id uuid, gets boolean) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := set_my_report.workspace_id;
  mine constant public.member_role := private.require_reports(asked);
  wish constant text := case when set_my_report.gets then 'active' else 'stopped' end;
  own private.report_recipients;
begin
  insert into private.report_recipients as r (workspace_id, user_id, state, named, active_since)
  values (asked, private.my_id(), wish, mine <> 'owner', case when mine <> 'owner' then clock_timestamp() end)
  on conflict on constraint report_recipients_member do update set state = excluded.state, named = r.named or excluded.named,
    active_since = case when r.state = excluded.state and (r.named or not excluded.named) then r.active_since else clock_timestamp() end
  returning r.* into own;
  if not set_my_report.gets then perform private.stop_reports(own); end if;
  return set_my_report.gets;
end $$;

-- For the link's page: {"workspace", "email", "state"}, or null.
create function public.report_link(token text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  r constant private.report_recipients := private.report_recipient_of(report_link.token);
begin
  return (
    select jsonb_build_object('workspace', w.name, 'email', private.report_recipient_json(r) -> 'email', 'state', r.state)
    from public.workspaces w where w.id = r.workspace_id
  );
end $$;

-- start or stop. False for an invalid token. Idempotent.
create function public.change_report(token text, action text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  own constant private.report_recipients := private.report_recipient_of(change_report.token);
begin
  if own.id is null then return false; end if;
  if change_report.action = 'start' then
    update private.report_recipients r set state = 'active', active_since = clock_timestamp() where r.id = own.id and r.state <> 'active';
  else
    perform private.stop_reports(own);
  end if;
  return true;
end $$;

grant execute on function public.workspace_reports, public.add_report_recipient, public.remove_report_recipient, public.set_my_report
  to authenticated, service_role;
grant execute on function public.enqueue_reports, public.report_numbers, public.report_link, public.change_report to service_role;

-- supabase/schemas/79-webhook-deliveries.sql

-- Webhooks and chat messages: subscriptions, events, deliveries and attempts. Separate from email (76-email), so neither delays the other.

-- `sealed`: the signing secret, or a chat's URL, encrypted for this row with a key that only the functions have (edge-functions/_shared/seal.ts).
create table private.webhooks (
  id uuid constraint webhooks_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint webhooks_workspace_id_fkey references public.workspaces (id) on delete cascade,
  kind text not null constraint webhooks_kind check (kind in ('webhook', 'slack', 'discord', 'teams')),
  name text not null default '' constraint webhooks_name_length check (char_length(name) <= 80),
  url text not null constraint webhooks_url_shape check (url ~ '^https?://' and char_length(url) <= 2000), -- of a chat without its secret part
  sealed text not null constraint webhooks_sealed_length check (char_length(sealed) between 20 and 4000),
  sealed_before text, -- previous secret,
  rotated_at timestamptz, -- which also signs for a day
  events text[] not null constraint webhooks_events check (cardinality(events) > 0 and events <@
    '{post.published,post.updated,post.unpublished,post.scheduled,subscriber.confirmed,subscriber.left}'::text[]),
  tags text[] constraint webhooks_tags check (cardinality(tags) between 1 and 20), -- null: any
  off_at timestamptz,
  off_reason text constraint webhooks_off_reason check (off_reason in ('by_hand', 'gone', 'failing')),
  failing_since timestamptz,
  failed_tries int not null default 0,
  last_success_at timestamptz,
  last_try_at timestamptz,
  wait_until timestamptz, -- Retry-After
  created_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  constraint webhooks_off check ((off_at is null) = (off_reason is null))
);
create index webhooks_of_workspace on private.webhooks (workspace_id, created_at);

-- Ids, and snapshots of what was deleted; the rest is read when it is sent.
create table private.webhook_events (
  id uuid constraint webhook_events_pkey primary key default gen_random_uuid(), -- the header webhook-id
  workspace_id uuid not null constraint webhook_events_workspace_id_fkey references public.workspaces (id) on delete cascade,
  kind text not null constraint webhook_events_kind check (kind in (
    'post.published', 'post.updated', 'post.unpublished', 'post.scheduled', 'subscriber.confirmed', 'subscriber.left', 'webhook.ping')),
  post_id uuid,
  subscriber_id uuid,
  data jsonb not null default '{}',
  happened_at timestamptz not null default clock_timestamp()
);
create index webhook_events_of_workspace on private.webhook_events (workspace_id);
create index webhook_events_of_post on private.webhook_events (post_id) where post_id is not null;
create index webhook_events_happened on private.webhook_events (happened_at);

-- One event for one webhook, sent by the job with its id; resending by hand makes another row.
create table private.webhook_deliveries (
  id uuid constraint webhook_deliveries_pkey primary key default gen_random_uuid(),
  event_id uuid not null constraint webhook_deliveries_event_id_fkey references private.webhook_events (id) on delete cascade,
  webhook_id uuid not null constraint webhook_deliveries_webhook_id_fkey references private.webhooks (id) on delete cascade,
  workspace_id uuid not null constraint webhook_deliveries_workspace_id_fkey references public.workspaces (id) on delete cascade,
  attempt int not null default 0,
  state text not null default 'waiting' constraint webhook_deliveries_state check (state in ('waiting', 'sending', 'done', 'failed', 'dropped')),
  again boolean not null default false,
  status int,
  error text constraint webhook_deliveries_error_length check (char_length(error) <= 500),
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint webhook_deliveries_ended check ((ended_at is null) = (state in ('waiting', 'sending')))
);
create index webhook_deliveries_open on private.webhook_deliveries (webhook_id) where ended_at is null;
create index webhook_deliveries_of_webhook on private.webhook_deliveries (webhook_id, created_at desc, id desc);
create index webhook_deliveries_of_event on private.webhook_deliveries (event_id);
create index webhook_deliveries_of_workspace on private.webhook_deliveries (workspace_id);
create index webhook_deliveries_ended_at on private.webhook_deliveries (ended_at) where ended_at is not null;

create table private.delivery_attempts (
  delivery_id uuid not null constraint delivery_attempts_delivery_id_fkey references private.webhook_deliveries (id) on delete cascade,
  attempt int not null,
  at timestamptz not null default clock_timestamp(),
  status int,
  ms int not null,
  error text constraint delivery_attempts_error_length check (char_length(error) <= 500),
  answer text constraint delivery_attempts_answer_length check (octet_length(answer) <= 2100),
  constraint delivery_attempts_pkey primary key (delivery_id, attempt)
);

-- Queues an event for every webhook that subscribes to it. `tags`: the post's, or null; `but`: webhooks to skip.
create function private.enqueue_webhooks(
  workspace uuid, kind text, post uuid, subscriber uuid, data jsonb, tags text[], due timestamptz default clock_timestamp(), but uuid[] default '{}'
) returns void
language sql security definer set search_path = '' as $$
  with targets as (
    select w.id, w.wait_until from private.webhooks w
    where w.workspace_id = workspace and w.off_at is null and enqueue_webhooks.kind = any (w.events) and not w.id = any (but)
      and (w.tags is null or enqueue_webhooks.tags is null or private.tags_now(workspace, w.tags) && enqueue_webhooks.tags)
  ), event as (
    insert into private.webhook_events (workspace_id, kind, post_id, subscriber_id, data)
    select workspace, enqueue_webhooks.kind, post, subscriber, enqueue_webhooks.data where exists (select from targets)
    returning id
  ), made as (
    insert into private.webhook_deliveries (event_id, webhook_id, workspace_id) select e.id, t.id, workspace from event e, targets t
    returning id, webhook_id
  )
  insert into private.jobs (id, task, workspace_id, key, run_at, priority)
  select d.id, 'send_webhook', workspace, t.id, greatest(due, t.wait_until), 0 from made d join targets t on t.id = d.webhook_id
$$;

create function private.queue_delivery(event uuid, webhook private.webhooks, again boolean) returns private.webhook_deliveries
language plpgsql security definer set search_path = '' as $$
declare
  delivery private.webhook_deliveries;
begin
  insert into private.webhook_deliveries (event_id, webhook_id, workspace_id, again)
  values (queue_delivery.event, webhook.id, webhook.workspace_id, queue_delivery.again) returning * into delivery;
  perform private.add_job('send_webhook', delivery.id, webhook.workspace_id, key => webhook.id);
  return delivery;
end $$;

-- Changes of published and scheduled posts, other than the first publication (76-email).
create function private.enqueue_webhooks_of_post() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  post constant public.posts := coalesce(new, old);
  was constant boolean := tg_op <> 'INSERT' and private.public_status(old) = 'published';
  is_one constant boolean := tg_op <> 'DELETE' and private.public_status(new) = 'published';
  waits constant boolean := tg_op <> 'DELETE' and private.public_status(new) = 'scheduled';
  unheard uuid[]; -- they don't know of the publication yet, or will read the present state
begin
  if not (was or is_one or waits)
    or coalesce(current_setting('tidings.tag_from', true), '') <> '' -- not an edit
    or private.has_option('importing') or not exists (select from private.webhooks w where w.workspace_id = post.workspace_id) then return null; end if;
  if was or is_one then
    unheard := array(
      select d.webhook_id from private.webhook_events e join private.webhook_deliveries d on d.event_id = e.id
      where e.post_id = post.id and e.kind in ('post.published', 'post.updated') group by 1
      having max(d.attempt) filter (where e.kind = 'post.published') = 0
          and bool_or(e.kind = 'post.published' and d.state in ('waiting', 'dropped'))
        or is_one and bool_or(d.state = 'waiting'));
  end if;
  if was and not is_one then
    update private.webhook_deliveries d set state = 'dropped', ended_at = clock_timestamp()
    from private.webhook_events e
    where e.post_id = post.id and e.kind in ('post.published', 'post.updated') and d.event_id = e.id and d.state = 'waiting';
    if exists (select from public.workspaces w where w.id = post.workspace_id and w.public_changelog_enabled) then
      perform private.enqueue_webhooks(post.workspace_id, 'post.unpublished', post.id, null,
        jsonb_build_object('title', old.title, 'slug', old.slug, 'tags', to_jsonb(old.tags)), old.tags, but => unheard);
    end if;
  elsif was then
    if (new.content_updated_at, new.slug, new.author_name) is distinct from (old.content_updated_at, old.slug, old.author_name) then
      perform private.enqueue_webhooks(post.workspace_id, 'post.updated', post.id, null, jsonb_strip_nulls(jsonb_build_object(
        'title', nullif(old.title, new.title), 'slug', nullif(old.slug, new.slug),
        'tags', case when old.tags <> new.tags then to_jsonb(old.tags) end)), old.tags || new.tags, but => unheard);
    end if;
  elsif is_one and tg_op = 'UPDATE' and old.published_at is not null then
    -- Published again: an update for those who know of it.
    perform private.enqueue_webhooks(post.workspace_id, 'post.updated', post.id, null, '{}', new.tags, but => unheard);
  elsif waits then
    if tg_op = 'INSERT' or private.public_status(old) <> 'scheduled' or old.publish_at is distinct from new.publish_at then
      perform private.enqueue_webhooks(post.workspace_id, 'post.scheduled', post.id, null, '{}', new.tags);
    end if;
  end if;
  return null;
end $$;

-- Confirmed and lost subscribers, except by import.
create function private.enqueue_webhooks_of_subscriber() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from private.webhooks w where w.workspace_id = new.workspace_id) then
    perform private.enqueue_webhooks(new.workspace_id, case new.status when 'left' then 'subscriber.left' else 'subscriber.confirmed' end,
      null, new.id, '{}', null);
  end if;
  return null;
end $$;
create trigger subscribers_90_tell_webhooks after update of status on public.subscribers
for each row when (old.status <> new.status and (new.status = 'left' and old.status <> 'pending' or new.status = 'active' and old.status in ('pending', 'left')))
execute function private.enqueue_webhooks_of_subscriber();

-- Disables a webhook and fails what waits, so it can be resent by hand. Owners are emailed unless a person did it.
create function private.disable_webhook(webhook uuid, reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  workspace uuid;
begin
  update private.webhooks w set off_at = clock_timestamp(), off_reason = reason where w.id = webhook and w.off_at is null
  returning w.workspace_id into workspace;
  if workspace is null then return; end if;
  update private.webhook_deliveries d set state = 'failed', ended_at = clock_timestamp(),
    error = coalesce(d.error, 'The webhook was switched off before this was sent')
  where d.webhook_id = webhook and d.state = 'waiting';
  if reason <> 'by_hand' then
    insert into private.deliveries (workspace_id, kind, target_id)
    select m.workspace_id, case reason when 'gone' then 'webhook_gone' else 'webhook_failing' end, m.user_id
    from public.members m where m.workspace_id = workspace and m.role = 'owner';
  end if;
end $$;

-- The event that a job's delivery sends, with the post as it is now and `own_tags`; no row once it has ended, is pointless or its webhook is off.
create function public.webhook_to_send(delivery uuid) returns table (
  event_id uuid, type text, happened_at timestamptz, webhook_id uuid, kind text, url text, sealed text, sealed_before text,
  workspace_id uuid, workspace_name text, subdomain text, domain text, post jsonb, facts jsonb
)
language plpgsql security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  d private.webhook_deliveries;
  e private.webhook_events;
  w private.webhooks;
  k public.workspaces;
  v private.visible_posts;
  p public.posts;
  s public.subscribers;
  r text[];
  is_pointless boolean;
begin
  select x.* into d from private.webhook_deliveries x where x.id = delivery and x.ended_at is null for update;
  if d.id is null then return; end if;
  select x.* into e from private.webhook_events x where x.id = d.event_id;
  select x.* into w from private.webhooks x where x.id = d.webhook_id;
  select x.* into k from public.workspaces x where x.id = d.workspace_id;
  select x.* into v from private.visible_posts x where x.id = e.post_id;
  select x.* into p from public.posts x where x.id = e.post_id and e.kind = 'post.scheduled' and private.public_status(x) = 'scheduled' and x.publish_at > moment;
  select x.* into s from public.subscribers x where x.id = e.subscriber_id;
  select x.requests into r from public.posts x where x.id = e.post_id;
  is_pointless := e.kind <> all (w.events || 'webhook.ping'::text) or case e.kind
    when 'post.published' then v.id is null
    when 'post.updated' then v.id is null
    when 'post.unpublished' then v.id is not null or not k.public_changelog_enabled
    when 'post.scheduled' then p.id is null
    when 'webhook.ping' then false
    else s.id is null
  end;
  if is_pointless or w.off_at is not null then
    update private.webhook_deliveries x set state = case when is_pointless then 'dropped' else 'failed' end, ended_at = moment,
      error = case when is_pointless then x.error else coalesce(x.error, 'The webhook was switched off before this was sent') end
    where x.id = d.id;
    return;
  end if;
  update private.webhook_deliveries x set state = 'sending', attempt = x.attempt + 1 where x.id = d.id;
  return query select e.id, e.kind, e.happened_at, w.id, w.kind, w.url, w.sealed,
    case when w.rotated_at > moment - interval '24 hours' then w.sealed_before end, k.id, k.name, k.subdomain::text, private.domain_of(k.id),
    case when v.id is not null then to_jsonb(v) - '{workspace_id,version,imported}'::text[] || jsonb_build_object('requests', to_jsonb(r), 'own_tags', coalesce((
      select jsonb_agg(jsonb_build_object('key', t.key, 'label', t.label, 'colour', t.colour)) from public.tags t
      where t.workspace_id = k.id and t.key = any (v.tags)
    ), '[]')) end,
    case
      when e.kind = 'post.updated' then e.data
      when e.kind = 'post.unpublished' then e.data || jsonb_build_object('id', e.post_id)
      when e.kind = 'post.scheduled' then jsonb_build_object('id', p.id, 'title', p.title, 'tags', to_jsonb(p.tags), 'scheduled_for', p.publish_at)
      when s.id is not null then jsonb_build_object('id', s.id, 'email', s.email, 'frequency', s.frequency, 'tags', to_jsonb(s.tags))
      else '{}'
    end;
end $$;

-- Records an attempt and ends its job: {outcome: done|again|failed|gone (410), status, ms, error, answer, after, slower}. `again` is retried by the
-- task's schedule, or `after` seconds (Retry-After, at most a day), then fails. `slower` (429, 503): pauses the webhook for at least half a minute.
-- Lock order: webhook, delivery, jobs.
create function public.settle_webhook(delivery uuid, lease uuid, result jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  outcome constant text := result ->> 'outcome';
  problem constant text := left(result ->> 'error', 500);
  ms constant int := coalesce((result ->> 'ms')::int, 0);
  asked constant numeric := least(greatest(coalesce((result ->> 'after')::numeric, 0), 0), 86400);
  pause constant interval := case when outcome <> 'done' and (asked > 0 or (result ->> 'slower')::boolean) then interval '1 second' * greatest(asked, 30) end;
  present private.webhook_deliveries;
  target private.webhooks;
  once_more boolean;
begin
  select w.* into target from private.webhooks w
  where w.id = (select d.webhook_id from private.webhook_deliveries d where d.id = delivery) for no key update;
  select d.* into present from private.webhook_deliveries d where d.id = delivery and d.state = 'sending' for update;
  select outcome = 'again' and j.attempts <= cardinality(t.retry_after) and target.off_at is null into once_more
  from private.jobs j join private.job_tasks t on t.task = j.task where j.id = present.id and j.locked_by = settle_webhook.lease;
  if once_more is null then return; end if;
  update private.webhook_deliveries d set
    state = case when once_more then 'waiting' when outcome = 'done' then 'done' else 'failed' end,
    ended_at = case when not once_more then moment end, status = (result ->> 'status')::int, error = problem
  where d.id = present.id;
  insert into private.delivery_attempts (delivery_id, attempt, at, status, ms, error, answer)
  values (present.id, present.attempt, moment - make_interval(secs => ms / 1000.0), (result ->> 'status')::int, ms, problem, result ->> 'answer');
  update private.webhooks w set
    last_try_at = moment,
    last_success_at = case when outcome = 'done' then moment else w.last_success_at end,
    failing_since = case when outcome <> 'done' then coalesce(w.failing_since, moment) end,
    failed_tries = case when outcome = 'done' then 0 else w.failed_tries + 1 end,
    wait_until = coalesce(moment + pause, w.wait_until)
  where w.id = target.id;
  perform private.end_job(present.id, lease, case when once_more then coalesce(problem, '') end, case when once_more then extract(epoch from coalesce(pause, '0')) end);
  if pause is not null then
    update private.jobs j set run_at = moment + pause where j.task = 'send_webhook' and j.key = target.id and j.locked_by is null and j.run_at < moment + pause;
  elsif outcome = 'done' and target.failing_since is not null then
    update private.jobs j set last_error = null where j.task = 'send_webhook' and j.key = target.id and j.last_error is not null;
  end if;
  if outcome = 'gone' then
    perform private.disable_webhook(target.id, 'gone');
  elsif outcome <> 'done' and target.failing_since < moment - interval '3 days' and target.failed_tries >= 19 then
    perform private.disable_webhook(target.id, 'failing');
  end if;
end $$;
grant execute on function public.webhook_to_send(uuid), public.settle_webhook(uuid, uuid, jsonb) to service_role;

-- supabase/schemas/80-assistants.sql

-- Assistants connected by OAuth. A connection is an API key (72-api-keys) of the person who allowed it, with the same limits and end. Access tokens
-- last an hour; refresh tokens work once. Only hashes are stored, of 256 or 178 random bits.

-- Authorisation codes: valid for a minute, once.
create table private.assistant_codes (
  hash bytea constraint assistant_codes_pkey primary key constraint assistant_codes_hash_length check (octet_length(hash) = 32),
  workspace_id uuid not null constraint assistant_codes_workspace_id_fkey references public.workspaces (id) on delete cascade,
  person_id uuid not null constraint assistant_codes_person_id_fkey references auth.users (id) on delete cascade,
  client_id text not null,
  name text not null,
  redirect_uri text not null,
  challenge text not null, -- PKCE, S256 in base64url
  scopes text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz,
  key_id uuid not null default gen_random_uuid()
);
create index assistant_codes_of_person on private.assistant_codes (person_id, workspace_id);
create index assistant_codes_of_workspace on private.assistant_codes (workspace_id);
create index assistant_codes_by_age on private.assistant_codes (created_at);

-- Used refresh tokens. Later use means theft.
create table private.spent_refreshes (
  hash bytea constraint spent_refreshes_pkey primary key,
  key_id uuid not null constraint spent_refreshes_key_id_fkey references public.api_keys (id) on delete cascade,
  spent_at timestamptz not null default clock_timestamp()
);
create index spent_refreshes_of_key on private.spent_refreshes (key_id);
create index spent_refreshes_by_age on private.spent_refreshes (spent_at);

-- Scopes an assistant can get from a person with this role (contract/oauth.ts).
create function private.scopes_of_assistants(role public.member_role) returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select case role when 'viewer' then '{posts:read,stats:read}' else '{posts:read,posts:write,posts:publish,media:write,stats:read}' end::text[]
$$;

create function public.assistant_places(client_id text) returns table (id uuid, name text, role public.member_role, connected boolean)
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  return query
    select w.id, w.name, m.role, exists (
      select from public.api_keys k
      where k.created_by = me and k.workspace_id = w.id and k.client_id = assistant_places.client_id and k.revoked_at is null and k.expires_at > now())
    from public.members m join public.workspaces w on w.id = m.workspace_id where m.user_id = me order by lower(w.name), w.id;
end $$;

-- Creates an authorisation code. asked: {client_id, name, redirect_uri, challenge}, checked by /api against the client's metadata.
create function public.approve_assistant(workspace_id uuid, asked jsonb, scopes text[], code_hash text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  place constant uuid := approve_assistant.workspace_id;
  given constant text[] := approve_assistant.scopes;
  me constant uuid := private.person_id();
  label constant text := left(private.clean_line(asked ->> 'name'), 60);
  allowed text[];
  made private.assistant_codes;
begin
  -- Locks the membership: serialised for the limit, and removal waits.
  perform from public.members m where m.workspace_id = place and m.user_id = me for no key update;
  allowed := private.scopes_of_assistants(private.require_role(place, even_suspended => false));
  if coalesce(cardinality(given), 0) = 0 then perform private.refuse('validation_failed', '{"scopes": "Choose what this assistant can do"}'); end if;
  if not given <@ allowed then
    perform private.refuse('validation_failed', '{"scopes": "Your role in this workspace doesn''t allow all of these"}');
  end if;
  if (asked ->> 'client_id') ~ '^https?://[^[:space:]]+$' is not true or char_length(asked ->> 'client_id') > 1000 or coalesce(label, '') = ''
    or (asked ->> 'redirect_uri') ~ '^[a-z][a-z0-9+.-]*:[^[:space:]]+$' is not true or char_length(asked ->> 'redirect_uri') > 2000
    or (asked ->> 'challenge') ~ '^[0-9A-Za-z_-]{43}$' is not true or code_hash ~ '^[0-9a-f]{64}$' is not true then
    perform private.refuse('validation_failed', '{"request": "This isn''t a valid request from an assistant"}');
  end if;
  if public.take_token('assistantCode', me::text, 60, interval '10 minutes') > 0 then perform private.refuse('rate_limited'); end if;
  -- Web clients have one connection, replaced in private.connect_assistant.
  if (
    select count(*) from public.api_keys k
    where k.created_by = me and k.workspace_id = place and k.client_id <> asked ->> 'client_id' and k.revoked_at is null and k.expires_at > now()
  ) + (
    select count(*) from private.assistant_codes c
    where c.person_id = me and c.workspace_id = place and c.used_at is null and c.created_at > now() - interval '1 minute'
  ) >= 20 then perform private.refuse('too_many_assistants'); end if;
  insert into private.assistant_codes (hash, workspace_id, person_id, client_id, name, redirect_uri, challenge, scopes)
  values (decode(code_hash, 'hex'), place, me, asked ->> 'client_id', label, asked ->> 'redirect_uri', asked ->> 'challenge',
    array(select s.scope from unnest(allowed) with ordinality as s (scope, ordinal) where s.scope = any (given) order by s.ordinal))
  returning * into made;
  -- Audited here, with the person's network rather than the assistant's server's.
  perform private.audit(place, 'assistant_connected', made.key_id, label,
    jsonb_build_object('host', private.host_of(made.client_id), 'scopes', made.scopes));
end $$;

create type public.assistant as (
  id uuid, name text, client_id text, host text, scopes text[], created_by uuid, created_by_name text, created_at timestamptz,
  last_used_at timestamptz, expires_at timestamptz
);
comment on column public.assistant.last_used_at is 'Null: not yet.';

-- The caller's, for owners and admins everyone's; newest first.
create function public.list_assistants(workspace_id uuid) returns setof public.assistant
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
  mine constant public.member_role := private.require_role(list_assistants.workspace_id);
begin
  return query
    select k.id, k.name, k.client_id, private.host_of(k.client_id), k.scopes, k.created_by, k.created_by_name, k.created_at, k.last_used_at, k.expires_at
    from public.api_keys k
    where k.workspace_id = list_assistants.workspace_id and k.client_id is not null and k.revoked_at is null and k.expires_at > now()
      and (k.created_by = me or mine in ('owner', 'admin'))
    order by k.created_at desc, k.id;
end $$;

-- Takes effect with the next call: one's own, for owners and admins any. Idempotent.
create function public.end_assistant(workspace_id uuid, assistant_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  me constant uuid := private.person_id();
  mine constant public.member_role := private.require_role(asked);
begin
  update public.api_keys k set revoked_at = coalesce(k.revoked_at, clock_timestamp())
  where k.id = assistant_id and k.workspace_id = asked and k.client_id is not null and (k.created_by = me or mine in ('owner', 'admin'));
  if not found then perform private.refuse('not_found'); end if;
end $$;

-- These are for key-calls.ts, on its own connection: assistants have no session. No row is a refusal without a reason.
-- Exchanges a code. The connection expires after 90 days without use. A reused code revokes it. secret: {hash, start, last4, refresh_hash}, in hex.
create function private.connect_assistant(
  code_hash bytea, client_id text, redirect_uri text, challenge text, secret jsonb, network text default null
) returns table (scopes text[], seconds int)
language plpgsql set search_path = '' as $$
declare
  c private.assistant_codes;
begin
  select a.* into c from private.assistant_codes a where a.hash = connect_assistant.code_hash;
  if c.hash is null then return; end if;
  -- Lock order: member, then code, as in approval. Serialised for the limit; removal waits.
  perform from public.members m where m.workspace_id = c.workspace_id and m.user_id = c.person_id for no key update;
  select a.* into c from private.assistant_codes a where a.hash = connect_assistant.code_hash for update;
  if c.hash is null then return; end if;
  perform set_config('tidings.network', coalesce(connect_assistant.network, ''), true);
  if c.used_at is not null then
    update public.api_keys k set revoked_at = clock_timestamp() where k.id = c.key_id and k.revoked_at is null;
    return;
  end if;
  if c.created_at < clock_timestamp() - interval '1 minute' or c.client_id <> connect_assistant.client_id
    or c.redirect_uri <> connect_assistant.redirect_uri or c.challenge <> connect_assistant.challenge
    or not private.is_active_member(c.person_id, c.workspace_id) then return; end if;
  -- A web client has one connection per person, so the new one replaces it. Native ones have one per device: the five used last stay.
  update public.api_keys k set revoked_at = clock_timestamp()
  where k.id in (
    select f.id from public.api_keys f
    where f.created_by = c.person_id and f.workspace_id = c.workspace_id and f.client_id = c.client_id and f.revoked_at is null
    order by coalesce(f.last_used_at, f.created_at) desc, f.id offset case when c.redirect_uri like 'https:%' then 0 else 4 end
  );
  insert into public.api_keys (id, workspace_id, name, scopes, hash, start, last4, created_by, created_by_name, expires_at, client_id, secret_until, refresh_hash)
  values (c.key_id, c.workspace_id, c.name, c.scopes, decode(secret ->> 'hash', 'hex'), secret ->> 'start', secret ->> 'last4', c.person_id,
    coalesce((select p.full_name from public.profiles p where p.user_id = c.person_id), ''), now() + interval '90 days', c.client_id, now() + interval '1 hour', decode(secret ->> 'refresh_hash', 'hex'));
  update private.assistant_codes a set used_at = clock_timestamp() where a.hash = c.hash;
  return query select c.scopes, 3600;
end $$;

-- Refreshes. The answer is derived from refresh_hash, so a retry within a minute gets the same one; later reuse is theft and revokes the connection.
create function private.refresh_assistant(refresh_hash bytea, client_id text, secret jsonb, network text default null)
returns table (scopes text[], seconds int)
language plpgsql set search_path = '' as $$
declare
  next_hash constant bytea := decode(secret ->> 'hash', 'hex');
  next_refresh constant bytea := decode(secret ->> 'refresh_hash', 'hex');
  k public.api_keys;
  spent private.spent_refreshes;
begin
  perform set_config('tidings.network', coalesce(refresh_assistant.network, ''), true);
  select a.* into k from public.api_keys a where a.refresh_hash = refresh_assistant.refresh_hash for update;
  if k.id is null then
    select s.* into spent from private.spent_refreshes s where s.hash = refresh_assistant.refresh_hash;
    select a.* into k from public.api_keys a where a.id = spent.key_id for update;
    if k.id is null or k.revoked_at is not null or k.client_id <> refresh_assistant.client_id then return; end if;
    if spent.spent_at < clock_timestamp() - interval '1 minute' then
      update public.api_keys a set revoked_at = clock_timestamp() where a.id = k.id;
    elsif k.hash = next_hash and k.refresh_hash = next_refresh and private.is_active_member(k.created_by, k.workspace_id) then
      return query select k.scopes, greatest(1, extract(epoch from k.secret_until - now())::int);
    end if;
    return;
  end if;
  if k.revoked_at is not null or k.expires_at <= now() or k.client_id <> refresh_assistant.client_id
    or not private.is_active_member(k.created_by, k.workspace_id) then return; end if;
  -- One an hour is enough; each is stored for a month.
  if public.take_token('assistantRefresh', k.id::text, 30, interval '1 hour') > 0 then perform private.refuse('rate_limited'); end if;
  insert into private.spent_refreshes (hash, key_id) values (k.refresh_hash, k.id);
  update public.api_keys a set hash = next_hash, start = secret ->> 'start', last4 = secret ->> 'last4', refresh_hash = next_refresh,
    -- Requests in flight: the previous token stays valid until it expires.
    former_hash = case when k.secret_until > now() then k.hash end, former_until = case when k.secret_until > now() then k.secret_until end,
    secret_until = now() + interval '1 hour', expires_at = now() + interval '90 days', rotated_at = now()
  where a.id = k.id;
  return query select k.scopes, 3600;
end $$;

create function private.disconnect_assistant(secret_hash bytea, client_id text, network text default null) returns void
language plpgsql set search_path = '' as $$
declare
  k public.api_keys;
begin
  select a.* into k from public.api_keys a
  where a.client_id = disconnect_assistant.client_id and (
    a.hash = secret_hash or a.former_hash = secret_hash or a.refresh_hash = secret_hash
    or a.id = (select s.key_id from private.spent_refreshes s where s.hash = secret_hash))
  limit 1 for update;
  if k.id is null or k.revoked_at is not null then return; end if;
  perform set_config('tidings.network', coalesce(disconnect_assistant.network, ''), true);
  update public.api_keys a set revoked_at = clock_timestamp() where a.id = k.id;
end $$;

grant execute on function public.assistant_places, public.approve_assistant, public.list_assistants, public.end_assistant
  to authenticated, service_role;

-- supabase/schemas/81-audit.sql

-- The audit log: who did what, when and from which network, for owners and admins. Written in the transaction of the change. Lines end after 400 days
-- or with the workspace; when an account is deleted, its name is removed.
create table private.audit_log (
  id bigint generated always as identity constraint audit_log_pkey primary key,
  workspace_id uuid not null constraint audit_log_workspace_id_fkey references public.workspaces (id) on delete cascade,
  happened_at timestamptz not null default clock_timestamp(),
  kind text not null constraint audit_log_kind check (kind in (
    'signed_in',
    'workspace_made', 'member_joined', 'member_left', 'member_removed', 'role_changed', 'ownership_handed_over',
    'invitation_made', 'invitation_changed', 'invitation_revoked',
    'key_made', 'key_used', 'key_rotated', 'key_revoked', 'assistant_connected', 'assistant_ended',
    'webhook_made', 'webhook_changed', 'webhook_on', 'webhook_off', 'webhook_secret_rotated', 'webhook_removed',
    'workspace_exported', 'subscribers_exported', 'audit_exported',
    'workspace_changed', 'changelog_opened', 'changelog_closed', 'access_changed', 'mail_changed', 'widget_changed', 'appearance_changed',
    'report_recipient_named', 'report_recipient_removed',
    'domain_added', 'domain_removed', 'domain_live', 'domain_lost',
    'backup_changed', 'backup_removed', 'backup_restored',
    'post_published', 'post_scheduled', 'post_archived', 'post_restored', 'post_purged', 'posts_imported', 'import_undone',
    'security_changed', 'email_domain_added', 'email_domain_proven', 'email_domain_lost', 'email_domain_removed', 'single_sign_on_tested',
    'break_glass_used', 'factor_reset_requested', 'factor_reset', 'review_rule_changed', 'review_asked', 'review_approved', 'review_refused', 'proposal_accepted', 'proposal_refused',
    'preview_link_made', 'preview_link_revoked', 'house_style_changed'
  )),
  actor_kind text not null constraint audit_log_actor_kind check (actor_kind in ('person', 'key', 'system')),
  actor_id uuid, -- no foreign keys: the line outlives them
  actor_name text,
  network cidr, -- IPv4 /24 or IPv6 /48; null: unknown
  subject_id uuid,
  subject text,
  details jsonb not null default '{}',
  -- The person an assistant acted for.
  person_id uuid,
  person_name text,
  constraint audit_log_actor check ((actor_kind = 'system') = (actor_id is null)),
  constraint audit_log_network check (masklen(network) = case family(network) when 4 then 24 else 48 end)
);
-- No grants, not even to the service role: only the functions below.
create index audit_log_of_workspace on private.audit_log (workspace_id, id desc);
create index audit_log_of_actor on private.audit_log (workspace_id, actor_id, id desc);
create index audit_log_actors on private.audit_log (actor_id); -- deleted accounts
create index audit_log_persons on private.audit_log (person_id) where person_id is not null;
create index audit_log_subjects on private.audit_log (subject_id);
create index audit_log_by_age on private.audit_log (happened_at);

-- Key for /api's signed network header (edge-functions/_shared/network-seal.ts): direct callers of PostgREST could claim any network.
create function public.network_key() returns text
language sql stable security definer set search_path = '' as $$
  select encode(extensions.hmac('network', k.key, 'sha256'), 'hex') from private.mail_key k
$$;

-- The caller's network, from /api's header (valid five minutes for one person) or the transaction's setting (API keys); else null.
create function private.network() returns cidr
language plpgsql stable security definer set search_path = '' as $$
declare
  told text := nullif(current_setting('tidings.network', true), '');
  sealed constant text[] := regexp_match(
    nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-tidings-network', '^([0-9a-f.:/]{4,49}) ([0-9]{10}) ([0-9a-f]{64})$');
begin
  if told is null and sealed is not null and abs(extract(epoch from clock_timestamp()) - sealed[2]::bigint) < 300 then
    -- Compares hashes, against timing attacks.
    if sha256(convert_to(sealed[3], 'UTF8')) = sha256(convert_to(encode(extensions.hmac(
      convert_to(concat_ws(' ', sealed[1], sealed[2], auth.uid()), 'UTF8'), convert_to(public.network_key(), 'UTF8'), 'sha256'), 'hex'), 'UTF8'))
    then told := sealed[1]; end if;
  end if;
  return case when masklen(told::cidr) = case family(told::cidr) when 4 then 24 else 48 end then told::cidr end;
exception when invalid_text_representation then
  return null;
end $$;

-- Writes a line for the current actor: a key, an assistant with its person, a person, or the system.
create function private.audit(
  workspace uuid, kind text, subject_id uuid default null, subject text default null, details jsonb default '{}', of_key uuid default null
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  key constant uuid := coalesce(of_key, private.key_id());
  person constant uuid := auth.uid();
  in_place_of uuid;
begin
  if not exists (select from public.workspaces w where w.id = workspace) then return; end if; -- the workspace is being deleted
  if key is not null then select k.created_by into in_place_of from public.api_keys k where k.id = key and k.client_id is not null; end if;
  insert into private.audit_log (workspace_id, kind, actor_kind, actor_id, actor_name, network, subject_id, subject, details, person_id, person_name)
  values (workspace, audit.kind, case when key is not null then 'key' when person is not null then 'person' else 'system' end,
    coalesce(key, person), case when key is null then private.my_name() else (select k.name from public.api_keys k where k.id = key) end,
    private.network(), audit.subject_id, audit.subject, audit.details, in_place_of, private.audited_name(in_place_of));
end $$;

-- {"column": [before, after]} of changed columns; absent is null.
create function private.changes(before jsonb, after jsonb) returns jsonb
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(jsonb_object_agg(n.key, jsonb_build_array(before -> n.key, n.value)), '{}')
  from jsonb_each(after) as n where n.value is distinct from coalesce(before -> n.key, 'null')
$$;

-- Null for an account being deleted.
create function private.audited_name(person uuid) returns text
language sql stable security definer set search_path = '' as $$
  select p.full_name from public.profiles p join auth.users u on u.id = p.user_id where p.user_id = person
$$;

-- Also for deleted accounts. On member-left { user_id } servers close that person's sockets.
create function private.record_member_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  what constant text := case when tg_op = 'INSERT' then 'member_joined' when tg_op = 'UPDATE' and new.role = 'owner' then 'ownership_handed_over'
    when tg_op = 'UPDATE' then 'role_changed' when old.user_id = auth.uid() then 'member_left' else 'member_removed' end;
  member constant public.members := coalesce(new, old);
begin
  perform private.audit(member.workspace_id, what, member.user_id, private.audited_name(member.user_id), jsonb_build_object('role',
    case tg_op when 'UPDATE' then jsonb_build_array(old.role, new.role) else to_jsonb(member.role) end));
  if tg_op = 'DELETE' then
    perform private.record_activity(old.workspace_id, what, coalesce((select p.full_name from public.profiles p where p.user_id = old.user_id), 'Someone'));
    perform private.announce(old.workspace_id, 'member-left', jsonb_build_object('user_id', old.user_id));
  end if;
  return null;
end $$;
create trigger members_85_record after insert or delete on public.members for each row execute function private.record_member_change();
create trigger members_85_record_role after update of role on public.members
for each row when (old.role is distinct from new.role) execute function private.record_member_change();

-- Without the invitation's address, which public.list_audit reads while it exists.
create function private.audit_invite() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.audit(new.workspace_id, 'invitation_made', new.id, null, jsonb_build_object('role', new.role));
  elsif new.revoked_at is not null and old.revoked_at is null then
    perform private.audit(new.workspace_id, 'invitation_revoked', new.id, null, jsonb_build_object('role', new.role));
  elsif new.role is distinct from old.role then
    perform private.audit(new.workspace_id, 'invitation_changed', new.id, null, jsonb_build_object('role', jsonb_build_array(old.role, new.role)));
  end if;
  return null;
end $$;
create trigger invites_85_audit after insert or update of role, revoked_at on public.invites
for each row execute function private.audit_invite();

create function private.record_workspace_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  settings constant text[] := '{name,subdomain,origin,allowed_origins,logo_url}';
  switch constant text := case when new.public_changelog_enabled then 'changelog_opened' else 'changelog_closed' end;
  changed jsonb;
begin
  if tg_op = 'INSERT' then
    perform private.audit(new.id, 'workspace_made', new.id, new.name);
    return null;
  end if;
  select private.changes(jsonb_object_agg(s.name, to_jsonb(old) -> s.name), jsonb_object_agg(s.name, to_jsonb(new) -> s.name))
  into changed from unnest(settings) as s (name);
  if changed <> '{}' then perform private.audit(new.id, 'workspace_changed', new.id, new.name, changed); end if;
  if old.public_changelog_enabled is distinct from new.public_changelog_enabled then
    perform private.audit(new.id, switch, new.id, new.name);
    perform private.record_activity(new.id, switch, new.name);
  end if;
  return null;
end $$;
create trigger workspaces_85_record after insert or update on public.workspaces for each row execute function private.record_workspace_change();

-- Changed settings of email, widget (as "group.field") or appearance; the argument is the kind of line.
create function private.audit_settings() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  before constant jsonb := case tg_op when 'UPDATE' then to_jsonb(old) else '{}' end;
  changed jsonb := private.changes(before, to_jsonb(new) - '{workspace_id,updated_at,held_at,held_reason,released_at,settings}'::text[]);
begin
  if tg_table_name = 'widget_settings' then
    select coalesce(jsonb_object_agg(g.key || '.' || f.key, f.value), '{}') into changed
    from jsonb_each(new.settings) as g, jsonb_each(private.changes(coalesce(before #> array['settings', g.key], '{}'), g.value)) as f;
  elsif tg_table_name = 'appearances' then
    changed := changed || private.changes(coalesce(before -> 'settings', '{}'), new.settings);
  end if;
  if changed <> '{}' then perform private.audit(new.workspace_id, tg_argv[0], null, null, changed); end if;
  return null;
end $$;
create trigger mail_settings_85_audit after update on public.mail_settings
for each row execute function private.audit_settings('mail_changed');
create trigger widget_settings_85_audit after insert or update on public.widget_settings
for each row execute function private.audit_settings('widget_changed');
create trigger appearances_85_audit after insert or update on public.appearances
for each row execute function private.audit_settings('appearance_changed');

-- API keys: created, first used, rotated, revoked. Not the hourly refresh of assistants, nor their creation, which is audited in 80-assistants.
create function private.audit_key() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.client_id is not null then
    if tg_op = 'UPDATE' and old.revoked_at is distinct from new.revoked_at then
      perform private.audit(new.workspace_id, 'assistant_ended', new.id, new.name, jsonb_build_object('host', private.host_of(new.client_id)),
        case when auth.uid() is null then new.id end);
    end if;
  elsif tg_op = 'INSERT' then
    perform private.audit(new.workspace_id, 'key_made', new.id, new.name, jsonb_build_object('scopes', new.scopes, 'expires_at', new.expires_at));
  elsif old.revoked_at is distinct from new.revoked_at then
    perform private.audit(new.workspace_id, 'key_revoked', new.id, new.name);
  elsif old.hash is distinct from new.hash then
    perform private.audit(new.workspace_id, 'key_rotated', new.id, new.name);
  else
    perform private.audit(new.workspace_id, 'key_used', new.id, new.name, '{}', new.id);
  end if;
  return null;
end $$;
create trigger api_keys_85_audit after insert on public.api_keys for each row execute function private.audit_key();
create trigger api_keys_85_audit_changes after update on public.api_keys for each row when (
  old.revoked_at is null and new.revoked_at is not null or old.hash is distinct from new.hash or old.last_used_at is null and new.last_used_at is not null
) execute function private.audit_key();

-- The host only: the path may be a secret.
create function private.host_of(url text) returns text
language sql immutable parallel safe set search_path = '' as $$ select substring(url from '^https?://([^/?#]+)') $$;

create function private.audit_webhook() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  webhook constant private.webhooks := case tg_op when 'DELETE' then old else new end;
  title constant text := coalesce(nullif(webhook.name, ''), private.host_of(webhook.url));
  changed jsonb;
begin
  if tg_op = 'INSERT' then
    perform private.audit(webhook.workspace_id, 'webhook_made', webhook.id, title, jsonb_strip_nulls(jsonb_build_object(
      'kind', webhook.kind, 'url', private.host_of(webhook.url), 'events', webhook.events, 'tags', webhook.tags)));
    return null;
  elsif tg_op = 'DELETE' then
    perform private.audit(webhook.workspace_id, 'webhook_removed', webhook.id, title);
    return null;
  end if;
  changed := private.changes(jsonb_build_object('name', old.name, 'url', private.host_of(old.url), 'events', old.events, 'tags', old.tags),
    jsonb_build_object('name', new.name, 'url', private.host_of(new.url), 'events', new.events, 'tags', new.tags));
  if old.rotated_at is distinct from new.rotated_at then
    perform private.audit(webhook.workspace_id, 'webhook_secret_rotated', webhook.id, title);
  elsif not changed ? 'url' and (old.url, old.sealed) is distinct from (new.url, new.sealed) then
    changed := changed || '{"url": "changed"}';
  end if;
  if changed <> '{}' then perform private.audit(webhook.workspace_id, 'webhook_changed', webhook.id, title, changed); end if;
  if old.off_at is null and new.off_at is not null then
    perform private.audit(webhook.workspace_id, 'webhook_off', webhook.id, title, jsonb_build_object('reason', new.off_reason));
  elsif old.off_at is not null and new.off_at is null then
    perform private.audit(webhook.workspace_id, 'webhook_on', webhook.id, title);
  end if;
  return null;
end $$;
create trigger webhooks_85_audit after insert or delete on private.webhooks for each row execute function private.audit_webhook();
-- Not the columns that each delivery updates.
create trigger webhooks_85_audit_changes after update on private.webhooks for each row when (
  (old.name, old.url, old.sealed, old.events, old.tags, old.rotated_at, old.off_at)
    is distinct from (new.name, new.url, new.sealed, new.events, new.tags, new.rotated_at, new.off_at)
) execute function private.audit_webhook();

-- A sign-in, in each of the person's workspaces, once per session.
create function private.audit_sign_in(person uuid, session uuid, began timestamptz, network cidr) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.audit_log (workspace_id, happened_at, kind, actor_kind, actor_id, actor_name, network, subject_id)
  select m.workspace_id, began, 'signed_in', 'person', person, private.audited_name(person), audit_sign_in.network, session
  from public.members m where m.user_id = person and m.created_at <= began
    and not exists (select from private.audit_log a where a.subject_id = session and a.kind = 'signed_in');
end $$;

-- For /api, which knows the network, right after sign-in.
create function public.note_sign_in() returns void
language plpgsql security definer set search_path = '' as $$
begin
  if private.my_id() is null then perform private.refuse('unauthenticated'); end if;
  perform pg_advisory_xact_lock(hashtextextended(private.session_id()::text, 0)); -- serialised
  perform private.join_by_domain(private.my_id());
  perform private.audit_sign_in(private.my_id(), s.id, s.created_at, private.network()) from auth.sessions s where s.id = private.session_id();
end $$;

-- Audits an export: its first page, and a later one if none was audited in the last ten minutes.
create function private.audit_export(workspace uuid, kind text, first_page boolean, details jsonb default '{}') returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not first_page and exists (
    select from private.audit_log a where a.workspace_id = workspace and a.actor_id = coalesce(private.key_id(), auth.uid()) and a.kind = audit_export.kind
      and a.happened_at > now() - interval '10 minutes'
  ) then return; end if;
  perform private.audit(workspace, audit_export.kind, null, null, audit_export.details);
end $$;

-- {"lines", "next", "actors"}: lines that match {actor: id or "system", kinds, from, until}, newest first, after `before`; the cursor or null; with the
-- first page all actors. With `exported` up to 1,000 lines without actors, which is audited.
create function public.list_audit(
  workspace_id uuid, filter jsonb default '{}', before bigint default null, size int default 50, exported boolean default false
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant int := case when exported then 1000 else least(greatest(coalesce(size, 50), 1), 200) end;
  of_actor constant uuid := nullif(filter ->> 'actor', 'system');
  by_system constant boolean := coalesce(filter ->> 'actor' = 'system', false);
  of_kinds constant text[] := case when filter ? 'kinds' then array(select jsonb_array_elements_text(filter -> 'kinds')) end;
  from_when constant timestamptz := filter ->> 'from';
  until_when constant timestamptz := filter ->> 'until';
  lines jsonb;
  actors jsonb := '[]';
begin
  perform private.require_role(asked, '{owner,admin}', true);
  if exported then
    perform private.audit_export(asked, 'audit_exported', before is null, jsonb_strip_nulls(jsonb_build_object('filter', nullif(filter, '{}'))));
  end if;
  select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'happened_at', l.happened_at, 'kind', l.kind,
    'actor', jsonb_build_object('kind', l.actor_kind, 'id', l.actor_id, 'name', l.actor_name, 'person', l.person), 'network', l.network::text,
    'subject', case when l.kind in ('invitation_made', 'invitation_changed', 'invitation_revoked') then ( -- by link or deleted: null
      select case when i.accepted_by is not null then private.audited_name(i.accepted_by) else i.email::text end
      from public.invites i where i.id = l.subject_id) else l.subject end,
    'details', l.details) order by l.id desc), '[]') into lines
  from (
    select a.*, case when a.person_id is not null then jsonb_build_object('id', a.person_id, 'name', a.person_name) end as person
    from private.audit_log a
    where a.workspace_id = asked and (before is null or a.id < before) and (of_actor is null or a.actor_id = of_actor)
      and (not by_system or a.actor_id is null) and (of_kinds is null or a.kind = any (of_kinds))
      and (from_when is null or a.happened_at >= from_when) and (until_when is null or a.happened_at < until_when)
    order by a.id desc limit wanted + 1
  ) as l;
  if before is null and not exported then
    with recursive found as ( -- loose index scan
      (select a.actor_id from private.audit_log a where a.workspace_id = asked and a.actor_id is not null order by a.actor_id limit 1)
      union all
      select (select a.actor_id from private.audit_log a where a.workspace_id = asked and a.actor_id > f.actor_id order by a.actor_id limit 1)
      from found f where f.actor_id is not null
    )
    select coalesce(jsonb_agg(jsonb_build_object('kind', l.actor_kind, 'id', f.actor_id, 'name', l.actor_name, 'person',
      case when l.person_id is not null then jsonb_build_object('id', l.person_id, 'name', l.person_name) end)
      order by l.actor_kind desc, lower(l.actor_name), lower(l.person_name)), '[]') into actors
    from found f cross join lateral (
      select a.actor_kind, a.actor_name, a.person_id, a.person_name from private.audit_log a
      where a.workspace_id = asked and a.actor_id = f.actor_id order by a.id desc limit 1
    ) as l;
  end if;
  return jsonb_build_object(
    'lines', case when jsonb_array_length(lines) > wanted then lines - wanted else lines end,
    'next', case when jsonb_array_length(lines) > wanted then lines #> array[(wanted - 1)::text, 'id'] end,
    'actors', actors);
end $$;

grant execute on function public.note_sign_in, public.list_audit to authenticated, service_role;
grant execute on function public.network_key to service_role;

-- supabase/schemas/82-v1.sql

-- Calls that only /api/v1 makes (contract/v1), as the caller.

-- The public page's address and whether it is public.
create function public.workspace_address(workspace_id uuid) returns json
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_role(workspace_address.workspace_id);
  return (
    select json_build_object('name', w.name, 'subdomain', w.subdomain, 'open', w.public_changelog_enabled, 'domain', private.domain_of(w.id))
    from public.workspaces w where w.id = workspace_address.workspace_id
  );
end $$;

-- {"posts", "next", "address"}: posts after a cursor {at, id}; next null: the end. Last edited first, without archived ones; with `updated_since`
-- oldest first and with archived ones, so a sync misses nothing that is edited meanwhile. filter: {status, tag, updated_since, total}.
-- With `total`, the answer has the number of posts on all pages.
create function public.posts_after(workspace_id uuid, filter jsonb default '{}', after jsonb default null, size int default 50) returns json
language plpgsql stable set search_path = '' as $$
declare
  wanted constant text := coalesce(filter ->> 'status', 'all');
  since constant timestamptz := filter ->> 'updated_since';
  most constant int := least(greatest(coalesce(size, 50), 1), 100);
  -- Worded to match posts_recent or posts_by_status.
  parts constant text[] := case wanted
    when 'all' then array['p.status <> ''archived'''] || case when since is null then '{}'::text[] else array['p.status = ''archived'''] end
    when 'published' then array['p.status <> ''archived'' and p.status <> ''draft'' and (p.status <> ''scheduled'' or p.publish_at <= now())']
    when 'scheduled' then array['p.status = ''scheduled'' and p.publish_at > now()']
    else array[format('p.status = %L', wanted)] end;
  direction constant text := case when since is null then 'desc' else 'asc' end;
  part text;
  pieces text[] := '{}';
  total bigint;
  found_ids uuid[];
begin
  perform private.require_role(posts_after.workspace_id);
  perform private.list_status(wanted);
  foreach part in array parts loop
    pieces := pieces || format(
      '(select p.id, p.updated_at from public.posts p where p.workspace_id = $1 and %s and (p.updated_at, p.id) %s ($2, $3)%s order by p.updated_at %s, p.id %4$s limit $5)',
      part, case when since is null then '<' else '>' end, case when filter ? 'tag' then ' and p.tags @> array[$4]' else '' end, direction);
  end loop;
  execute format('select array(select f.id from (%s) as f order by f.updated_at %s, f.id %2$s limit $5)', array_to_string(pieces, ' union all '), direction)
  into found_ids
  using posts_after.workspace_id, coalesce((after ->> 'at')::timestamptz, since, 'infinity'),
    coalesce((after ->> 'id')::uuid, case when since is null then 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid else '00000000-0000-0000-0000-000000000000'::uuid end),
    filter ->> 'tag', most + 1;
  if filter ? 'total' then
    execute format('select count(*) from public.posts p where p.workspace_id = $1 and (%s) and ($2 is null or p.updated_at >= $2)%s',
      array_to_string(parts, ' or '), case when filter ? 'tag' then ' and p.tags @> array[$3]' else '' end)
    into total using posts_after.workspace_id, since, filter ->> 'tag';
  end if;
  return json_build_object(
    'total', total,
    'posts', coalesce((
      select json_agg(l order by l.place) from (
        select f.place, p.id, p.external_id, p.title, p.slug, coalesce(p.summary, p.excerpt) as excerpt, p.summary, p.status, p.tags, p.publish_at,
          p.published_at, p.created_at, p.updated_at, p.archived_at, p.author_name, p.version, p.requests, p.details
        from unnest(found_ids[:most]) with ordinality as f (id, place) join public.posts p on p.id = f.id
      ) as l), '[]'),
    'next', case when cardinality(found_ids) > most then (
      select json_build_object('at', p.updated_at, 'id', p.id) from public.posts p where p.id = found_ids[most]) end,
    'address', public.workspace_address(posts_after.workspace_id)
  );
end $$;

-- Upsert by external_id: {"created", "post"}. Absent keys of the patch stay. Idempotent, and concurrent calls are serialised, so a release sent twice
-- is one post and one notification. `only_new`: refused if it exists.
create function public.put_post(
  workspace_id uuid, external_id text, post jsonb, expected_version int default null, only_new boolean default false
) returns json
language plpgsql set search_path = '' as $$
declare
  present public.posts;
  patch jsonb := post;
  answer public.post_details;
begin
  perform private.require_role(workspace_id, '{owner,admin,editor}');
  perform pg_advisory_xact_lock(hashtextextended(workspace_id || '/by-external-id/' || external_id, 0));
  select p.* into present from public.posts p where p.workspace_id = put_post.workspace_id and p.external_id = put_post.external_id;
  if present.id is null and expected_version is not null then perform private.refuse('not_found'); end if;
  if present.id is not null and only_new then perform private.explain_refusal(present.id); end if;
  if present.id is null then
    answer := public.create_post(workspace_id => workspace_id, external_id => external_id, title => post ->> 'title',
      content_raw => post -> 'content_raw', tags => private.text_array(post -> 'tags'), publish_at => (post ->> 'publish_at')::timestamptz,
      status => post ->> 'status', summary => post ->> 'summary', published_at => (post ->> 'published_at')::timestamptz,
      notify => (post ->> 'notify')::boolean, slug => post ->> 'slug', details => post -> 'details');
  else
    -- Already published on schedule.
    if present.status = 'published' and patch ->> 'status' = 'scheduled'
      and date_trunc('milliseconds', (patch ->> 'publish_at')::timestamptz) = present.publish_at then patch := patch - 'status' - 'publish_at'; end if;
    answer := public.save_post(present.id, patch, expected_version);
  end if;
  return json_build_object('created', present.id is null, 'post', to_jsonb(answer));
end $$;

-- {"posts", "views"}: posts by status, and views of the last 30 days by post, most first, at most a hundred; null without the analytics add-on.
create function public.workspace_stats(workspace_id uuid) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  return json_build_object(
    'posts', (
      select json_build_object(
        'draft', count(*) filter (where p.status = 'draft'),
        'scheduled', count(*) filter (where p.status = 'scheduled' and p.publish_at > now()),
        'published', count(*) filter (where p.status = 'published' or p.status = 'scheduled' and p.publish_at <= now()),
        'archived', count(*) filter (where p.status = 'archived'))
      from public.posts p where p.workspace_id = asked),
    'views', case when private.has_add_on(asked, 'analytics') then json_build_object(
      'total', (
        select coalesce(sum(d.n), 0) from public.daily_counts d
        where d.workspace_id = asked and d.post_id is null and d.what = 'view' and d.day > (now() at time zone 'utc')::date - 30),
      'posts', coalesce((
        select json_agg(l order by l.views desc, l.id) from (
          select p.id, p.title, sum(c.views) as views from private.post_counts c join public.posts p on p.id = c.post_id
          where c.workspace_id = asked and p.workspace_id = asked and c.span = 'day' and c.first_day > (now() at time zone 'utc')::date - 30 and c.views > 0
          group by p.id order by 3 desc, p.id limit 100
        ) as l), '[]')
    ) end
  );
end $$;

-- {"address", "total", "releases"}: search of the public page, newest first; nothing while it is private. For assistants.
create function public.search_public(workspace_id uuid, term text, size int default 10) returns json
language plpgsql stable set search_path = '' as $$
declare
  place constant json := public.workspace_address(workspace_id);
begin
  return (
    select json_build_object('address', place, 'total', coalesce(max(r.total), 0), 'releases', coalesce(
      json_agg(json_build_object('id', r.id, 'slug', r.slug, 'title', r.title, 'excerpt', r.excerpt, 'tags', r.tags, 'published_at', r.published_at)
        order by r.published_at desc, r.id desc), '[]'))
    from private.search_releases(place ->> 'subdomain', term, 1, least(greatest(coalesce(size, 10), 1), 50)) as r
  );
end $$;

-- A post's versions, newest first, below `before`; without who saved them.
create function public.post_versions(post_id uuid, before int default null, size int default 50) returns json
language plpgsql stable set search_path = '' as $$
begin
  perform private.require_role((select p.workspace_id from public.posts p where p.id = post_versions.post_id));
  return (
    select coalesce(json_agg(v order by v.version desc), '[]') from (
      select r.version, r.title, r.summary, r.status, r.tags, r.post_author_name as author, r.published_at, r.created_at
      from public.post_revisions r
      where r.post_id = post_versions.post_id and (post_versions.before is null or r.version < post_versions.before)
      order by r.version desc limit least(greatest(coalesce(size, 50), 1), 101)
    ) as v
  );
end $$;

create function public.post_version(post_id uuid, version int) returns json
language plpgsql stable set search_path = '' as $$
declare
  found_one public.post_revisions;
begin
  select * into found_one from public.post_revisions r where r.post_id = post_version.post_id and r.version = post_version.version;
  if found_one.post_id is null then perform private.refuse('not_found'); end if;
  return json_build_object('version', found_one.version, 'title', found_one.title, 'summary', found_one.summary, 'status', found_one.status,
    'tags', found_one.tags, 'author', found_one.post_author_name, 'published_at', found_one.published_at, 'created_at', found_one.created_at,
    'content_raw', found_one.content_raw);
end $$;

-- Readers may know other posts, so those are archived.
create function public.delete_draft(post_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  delete from public.posts p where p.id = delete_draft.post_id and p.status = 'draft';
  if found then return; end if;
  perform private.require_role((select p.workspace_id from public.posts p where p.id = delete_draft.post_id), '{owner,admin,editor}');
  perform private.refuse('validation_failed', '{"status": "Only a draft can be deleted. Archive this post."}');
end $$;

grant execute on function public.search_public, public.workspace_address, public.posts_after, public.post_versions, public.post_version,
  public.delete_draft, public.put_post, public.workspace_stats to authenticated, service_role;

-- supabase/schemas/83-live.sql

-- Live updates over Realtime's private channels. workspace:{id}: the database broadcasts changes to members. presence:{workspace}:{post}: members in
-- a post. Realtime asks these policies when a channel is joined or a token refreshed; they answer false instead of raising.
create function private.may_join(topic text, speaking boolean) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  part constant text[] := string_to_array(topic, ':');
  workspace uuid;
begin
  if topic !~ '^(workspace:[0-9a-f-]{36}|presence:[0-9a-f-]{36}:[0-9a-f-]{36})$' then return false; end if;
  if not private.has_session() then return false; end if;
  workspace := part[2]::uuid;
  if private.my_role(workspace) is null then return false; end if;
  if part[1] = 'workspace' then return not speaking; end if; -- only the database sends
  return exists (select from public.posts p where p.id = part[3]::uuid and p.workspace_id = workspace);
exception when invalid_text_representation then
  return false;
end $$;

create policy "members listen to their workspace and its posts" on realtime.messages for select to authenticated
using (private.may_join((select realtime.topic()), false));
create policy "members speak where a post is open" on realtime.messages for insert to authenticated
with check (private.may_join((select realtime.topic()), true));

-- Broadcasts an event with { workspace_id } and `more`, without content: on hosted Supabase a removed member keeps the channel until the token is
-- refreshed, up to an hour. Sent after commit. Without Realtime nothing is sent, and its failure never fails a save.
create function private.announce(workspace uuid, event text, more jsonb default '{}') returns void
language plpgsql security definer set search_path = '' as $$
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is not null then
    perform realtime.send(jsonb_build_object('workspace_id', workspace) || more, event, 'workspace:' || workspace, true);
  end if;
exception when others then
  raise warning 'announcement of % not sent: %', event, sqlerrm;
end $$;

-- session-ended { workspace_id, user_id }: servers check that person's sessions.
create function private.announce_session_end() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.announce(m.workspace_id, 'session-ended', jsonb_build_object('user_id', old.user_id))
  from public.members m where m.user_id = old.user_id;
  return null;
end $$;
-- Where the auth service's table allows no trigger, sockets notice within 25 s.
do $$
begin
  if has_table_privilege('auth.sessions', 'trigger') then
    create trigger sessions_announce_their_end after delete on auth.sessions
    for each row execute function private.announce_session_end();
  end if;
end $$;

grant execute on function private.may_join to authenticated, service_role;

-- supabase/schemas/84-imports.sql

-- Imports from other products: their history and each entry's result.

-- `finished_at`: every entry has a result. `undone_at`: undo began; nothing more is written.
create table public.imports (
  id uuid constraint imports_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint imports_workspace_id_fkey references public.workspaces (id) on delete cascade,
  source text not null constraint imports_source check (source in (
    'changelog', 'github', 'feed', 'headway', 'beamer', 'csv', 'announcekit', 'canny', 'launchnotes', 'quackback', 'changes-page', 'ghost', 'wordpress', 'markdown', 'tidings'
  )),
  name text not null constraint imports_name_length check (char_length(name) <= 200),
  total int not null constraint imports_total check (total between 1 and 10000),
  created_by uuid,
  created_by_name text,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  undone_at timestamptz,
  activity_id bigint
);
create index imports_of_workspace on public.imports (workspace_id, created_at desc, id desc);

create policy "owners and admins read their workspace's imports" on public.imports for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}', true))));
grant select on public.imports to authenticated;

-- An entry's result. `version`: the post's after the import; an equal one means unedited since. `before`: the replaced version. `undone`: of the undo.
create table private.import_entries (
  import_id uuid not null constraint import_entries_import_id_fkey references public.imports (id) on delete cascade,
  external_id text collate "C" not null,
  workspace_id uuid not null constraint import_entries_workspace_id_fkey references public.workspaces (id) on delete cascade,
  place int not null,
  title text not null,
  outcome text not null constraint import_entries_outcome check (outcome in ('made', 'replaced', 'failed')),
  problem text,
  post_id uuid, -- no foreign key: outlives the post
  fingerprint text not null constraint import_entries_fingerprint check (fingerprint ~ '^[0-9a-f]{64}$'),
  version int,
  before int,
  was_quiet boolean,
  undone text constraint import_entries_undone check (undone in ('gone', 'restored', 'left')),
  made_at timestamptz not null default clock_timestamp(),
  constraint import_entries_pkey primary key (import_id, external_id),
  constraint import_entries_post check ((outcome = 'failed') = (post_id is null) and (outcome = 'failed') = (version is null)
    and (outcome = 'failed') = (problem is not null) and (outcome = 'replaced') = (before is not null))
);
create index import_entries_by_name on private.import_entries (workspace_id, external_id, made_at desc);
create index import_entries_of_import on private.import_entries (import_id, outcome, undone) include (place);

-- Images of other sites: stored or failed.
create table private.import_images (
  import_id uuid not null constraint import_images_import_id_fkey references public.imports (id) on delete cascade,
  url_hash bytea not null, -- SHA-256, since URLs exceed the key size
  kept jsonb not null, -- {url, width, height} or {problem}
  made_at timestamptz not null default clock_timestamp(),
  constraint import_images_pkey primary key (import_id, url_hash)
);

-- Shape: workspaceImport in contract/imports.ts.
create function private.import_json(i public.imports) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object('id', i.id, 'source', i.source, 'name', i.name, 'created_at', i.created_at, 'created_by_name', i.created_by_name,
      'total', i.total, 'made', count(*) filter (where e.outcome = 'made'), 'replaced', count(*) filter (where e.outcome = 'replaced'),
      'failed', count(*) filter (where e.outcome = 'failed'), 'finished_at', i.finished_at, 'undone_at', i.undone_at,
      'left', count(*) filter (where e.undone = 'left'))
    from private.import_entries e where e.import_id = i.id
  );
end $$;

-- The import, for owners and admins. `writes`: locked against other writes and undo.
create function private.import_of(workspace uuid, import uuid, writes boolean default false, even_suspended boolean default false)
returns public.imports
language plpgsql security definer set search_path = '' as $$
declare
  found_import public.imports;
begin
  perform private.person_id();
  perform private.require_role(workspace, '{owner,admin}', even_suspended);
  if writes then perform pg_advisory_xact_lock(hashtextextended('imports/' || workspace, 0)); end if;
  select i.* into found_import from public.imports i where i.id = import and i.workspace_id = workspace;
  if found_import.id is null then perform private.refuse('not_found'); end if;
  if writes and found_import.undone_at is not null then perform private.refuse('import_over'); end if;
  return found_import;
end $$;

-- {"import"}: a new one; the same for the same idempotency key.
create function public.begin_import(workspace_id uuid, source text, name text, total int, idempotency_key text default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  title constant text := coalesce(private.clean_line(name), '');
  earlier jsonb;
  made public.imports;
begin
  perform private.person_id();
  perform private.require_role(workspace_id, '{owner,admin}');
  earlier := private.claim_request(idempotency_key, jsonb_build_array('begin_import', workspace_id, source, name, total)::text);
  if earlier is not null then
    return jsonb_build_object('import', private.import_json(private.import_of(workspace_id, (earlier ->> 'id')::uuid)));
  end if;
  if source is null or source not in ('changelog', 'github', 'feed', 'headway', 'beamer', 'csv', 'announcekit', 'canny', 'launchnotes', 'quackback',
    'changes-page', 'ghost', 'wordpress', 'markdown', 'tidings') then
    perform private.refuse('validation_failed', '{"source": "Please choose a source"}');
  elsif char_length(title) > 200 then
    perform private.refuse('validation_failed', '{"name": "Please use at most 200 characters"}');
  elsif total is null or total < 1 then
    perform private.refuse('validation_failed', '{"total": "Please choose at least one post"}');
  elsif total > 10000 then
    perform private.refuse('validation_failed', '{"total": "An import can have at most 10,000 posts"}');
  end if;
  insert into public.imports (workspace_id, source, name, total, created_by, created_by_name)
  values (workspace_id, source, title, total, auth.uid(), private.my_name()) returning * into made;
  perform private.settle_request(idempotency_key, jsonb_build_object('id', made.id, 'workspace_id', workspace_id));
  return jsonb_build_object('import', private.import_json(made));
end $$;

create function public.list_imports(workspace_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.person_id();
  perform private.require_role(workspace_id, '{owner,admin}', true);
  return jsonb_build_object('imports', coalesce((
    select jsonb_agg(private.import_json(l.i) order by l.created_at desc, l.id desc)
    from (
      select i, i.created_at, i.id from public.imports i where i.workspace_id = list_imports.workspace_id
      order by i.created_at desc, i.id desc limit 50
    ) as l), '[]'));
end $$;

-- {"import", "entries"}: results so far, in order. Deleted posts have no id.
create function public.read_import(workspace_id uuid, import_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked public.imports;
begin
  asked := private.import_of(workspace_id, import_id, even_suspended => true);
  return jsonb_build_object('import', private.import_json(asked), 'entries', coalesce((
    select jsonb_agg(jsonb_build_object('external_id', e.external_id, 'title', e.title, 'outcome', e.outcome, 'post_id', p.id, 'problem', e.problem)
      order by e.place)
    from private.import_entries e left join public.posts p on p.id = e.post_id and p.workspace_id = e.workspace_id
    where e.import_id = asked.id), '[]'));
end $$;

-- {"import", "entries"}: writes up to 25 posts, each in its own subtransaction. Written ones stay; failed ones can be sent again.
create function public.write_entries(workspace_id uuid, import_id uuid, entries jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  asked public.imports;
  entry jsonb;
  known private.import_entries;
  answers jsonb := '[]';
  done record;
  problem text;
  code text;
  details text;
  line text;
  amount int;
  written int := 0;
  place int;
begin
  asked := private.import_of(workspace_id, import_id, true);
  if jsonb_typeof(entries) is distinct from 'array' or jsonb_array_length(entries) not between 1 and 25 then
    perform private.refuse('validation_failed', '{"entries": "Please send between 1 and 25 posts at once"}');
  elsif exists (
    select from jsonb_array_elements(entries) as e (entry)
    where (char_length(e.entry ->> 'external_id') between 1 and 200 and e.entry ->> 'fingerprint' ~ '^[0-9a-f]{64}$') is not true
  ) then perform private.refuse('validation_failed', '{"entries": "Send each post''s external id and fingerprint"}'); end if;
  select count(*), coalesce(max(e.place), 0) into amount, place from private.import_entries e where e.import_id = asked.id;
  if amount + (
    select count(distinct e.entry ->> 'external_id') from jsonb_array_elements(entries) as e (entry)
    where not exists (select from private.import_entries k where k.import_id = asked.id and k.external_id = e.entry ->> 'external_id')
  ) > asked.total then
    perform private.refuse('validation_failed', jsonb_build_object('entries', 'This import was started for fewer posts'));
  end if;

  -- Lock order: existing posts first, as in a save.
  perform private.lock_events(array(
    select p.id from public.posts p
    where p.id = any (array(select private.post_by_external_id(workspace_id, e.entry ->> 'external_id') from jsonb_array_elements(entries) as e (entry)))
    order by p.id for no key update
  ));
  perform private.set_importing(true);
  for entry in select e.entry from jsonb_array_elements(entries) with ordinality as e (entry, place) order by e.place loop
    select k.* into known from private.import_entries k where k.import_id = asked.id and k.external_id = entry ->> 'external_id';
    if known.outcome <> 'failed' then
      answers := answers || jsonb_build_object('external_id', known.external_id, 'title', known.title, 'outcome', 'there',
        'post_id', (select p.id from public.posts p where p.id = known.post_id and p.workspace_id = known.workspace_id), 'problem', null);
      continue;
    end if;
    begin
      select f.* into done from private.import_post(workspace_id, entry) as f;
      problem := null;
      written := written + 1;
    exception
      when raise_exception then
        get stacked diagnostics problem = message_text, code = pg_exception_hint, details = pg_exception_detail;
        if code in ('unauthenticated', 'forbidden', 'not_found', '') then raise; end if;
        if code = 'validation_failed' then problem := (select d.value from jsonb_each_text(details::jsonb) as d limit 1); end if;
      -- Only direct callers of the database get here.
      when data_exception or integrity_constraint_violation or program_limit_exceeded then
        problem := 'This post can''t be imported as it is';
    end;
    if problem is not null then
      select 'failed' as outcome, null::uuid as post_id, null::int as version, null::int as before, null::boolean as was_quiet into done;
    end if;
    place := place + 1;
    insert into private.import_entries as k (import_id, external_id, workspace_id, place, title, outcome, problem, post_id, fingerprint, version, before,
      was_quiet)
    values (asked.id, entry ->> 'external_id', workspace_id, place, left(coalesce(private.clean_line(entry ->> 'title'), ''), 200), done.outcome, problem,
      done.post_id, entry ->> 'fingerprint', done.version, done.before, done.was_quiet)
    on conflict on constraint import_entries_pkey do update set title = excluded.title, outcome = excluded.outcome, problem = excluded.problem,
      post_id = excluded.post_id, fingerprint = excluded.fingerprint, version = excluded.version, before = excluded.before,
      was_quiet = excluded.was_quiet, made_at = excluded.made_at;
    answers := answers || jsonb_build_object('external_id', entry ->> 'external_id', 'title', left(coalesce(private.clean_line(entry ->> 'title'), ''), 200),
      'outcome', done.outcome, 'post_id', done.post_id, 'problem', problem);
  end loop;
  if written > 0 then -- one activity and one audit line per import, counting its posts
    select count(*) into amount from private.import_entries e where e.import_id = asked.id and e.outcome <> 'failed';
    line := amount || case amount when 1 then ' post from ' else ' posts from ' end || coalesce(nullif(asked.name, ''), asked.source);
    if amount = written then
      perform private.audit(workspace_id, 'posts_imported', asked.id, asked.name, jsonb_build_object('source', asked.source, 'total', asked.total));
    end if;
    update public.activities a set title = line, created_at = clock_timestamp() where a.id = asked.activity_id;
    if not found then
      insert into public.activities (workspace_id, kind, actor_id, actor_name, title)
      values (workspace_id, 'posts_imported', auth.uid(), private.my_name(), line) returning id into asked.activity_id;
    end if;
  end if;
  perform private.set_importing(false, case when written > 0 then workspace_id end);
  update public.imports i set activity_id = asked.activity_id, finished_at = coalesce(i.finished_at,
    case when i.total = (select count(*) from private.import_entries e where e.import_id = asked.id) then clock_timestamp() end)
  where i.id = asked.id returning i.* into asked;
  return jsonb_build_object('import', private.import_json(asked), 'entries', answers);
end $$;

-- {"import", "unfinished"}: undoes up to 200 posts: created ones are deleted, replaced ones restored, edited ones left. Call again while unfinished.
create function public.undo_import(workspace_id uuid, import_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked public.imports;
  posts int;
  chosen private.import_entries[];
  entry record;
  became text;
  batch int := 0;
begin
  perform private.import_of(workspace_id, import_id); -- strangers get no lock
  perform pg_advisory_xact_lock(hashtextextended('imports/' || workspace_id, 0));
  asked := private.import_of(workspace_id, import_id);
  if asked.undone_at is null then
    update public.imports i set undone_at = clock_timestamp() where i.id = asked.id returning i.* into asked;
    select count(*) into posts from private.import_entries e where e.import_id = asked.id and e.outcome <> 'failed';
    if posts > 0 then
      perform private.audit(workspace_id, 'import_undone', asked.id, asked.name, jsonb_build_object('source', asked.source));
      perform private.record_activity(workspace_id, 'import_undone',
        posts || case posts when 1 then ' post from ' else ' posts from ' end || coalesce(nullif(asked.name, ''), asked.source));
    end if;
  end if;

  chosen := array(
    select e from private.import_entries e
    where e.import_id = asked.id and e.outcome in ('made', 'replaced') and e.undone is null order by e.outcome, e.place limit 200
  );
  perform private.lock_events(array(
    select p.id from public.posts p -- a restored backup may name any
    where p.workspace_id = asked.workspace_id and p.id = any (array(select c.post_id from unnest(chosen) as c)) order by p.id for update
  ));
  perform private.set_importing(true);
  for entry in
    select c.*, h.id is not null as is_there, h.version = c.version as is_untouched
    from unnest(chosen) as c left join public.posts h on h.id = c.post_id and h.workspace_id = asked.workspace_id
    order by c.place desc -- latest first, as two may have replaced the same post
  loop
    batch := batch + 1;
    if not entry.is_there then became := 'gone';
    elsif not entry.is_untouched then became := 'left';
    elsif entry.outcome = 'made' then
      delete from public.posts p where p.id = entry.post_id;
      became := 'gone';
    else became := private.restore_replaced_post(entry.post_id, entry.before, entry.was_quiet); end if;
    update private.import_entries e set undone = became where e.import_id = asked.id and e.external_id = entry.external_id;
  end loop;
  perform private.set_importing(false, case when batch > 0 then workspace_id end);
  return jsonb_build_object('import', private.import_json(asked), 'unfinished', exists (
    select from private.import_entries e where e.import_id = asked.id and e.outcome in ('made', 'replaced') and e.undone is null));
end $$;

-- {"entries"}: how up to 500 entries relate to existing posts, in order.
create function public.compare_entries(workspace_id uuid, entries jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_variable
begin
  perform private.person_id();
  perform private.require_role(workspace_id, '{owner,admin}');
  if jsonb_typeof(entries) is distinct from 'array' or jsonb_array_length(entries) not between 1 and 500 then
    perform private.refuse('validation_failed', '{"entries": "Please compare between 1 and 500 posts at once"}');
  end if;
  return jsonb_build_object('entries', (
    select jsonb_agg(jsonb_build_object('external_id', a.external_id, 'post_id', p.id, 'version', p.version, 'title', p.title, 'state', case
        when p.id is null then case when e.external_id is null then 'new' else 'gone' end
        when e.post_id is distinct from p.id then 'here'
        when e.version <> p.version then case when e.fingerprint = a.fingerprint then 'here' else 'both' end
        when e.fingerprint <> a.fingerprint then 'there'
        else 'same' end) order by a.place)
    from (
      select coalesce(g.entry ->> 'external_id', '') as external_id, coalesce(g.entry ->> 'fingerprint', '') as fingerprint, g.place
      from jsonb_array_elements(entries) with ordinality as g (entry, place)
    ) as a
    left join lateral (
      select k.external_id, k.post_id, k.version, k.fingerprint from private.import_entries k
      where k.workspace_id = compare_entries.workspace_id and k.external_id = a.external_id and k.outcome <> 'failed'
        and (k.undone is null or k.undone = 'left')
      order by k.made_at desc limit 1
    ) as e on true
    left join public.posts p on p.id = private.post_by_external_id(workspace_id, a.external_id)));
end $$;

-- Stores what came of fetching an image, {url, width, height} or {problem}, and returns it; the first of concurrent ones wins. Without `kept`: the stored
-- one, or null. Expires after three weeks, before unused files are deleted (96-clock).
create function public.keep_import_image(workspace_id uuid, import_id uuid, url text, kept jsonb default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  asked public.imports;
  stored jsonb;
  folder constant text := '/storage/v1/object/public/post-images/';
begin
  asked := private.import_of(workspace_id, import_id, kept is not null);
  if asked.undone_at is not null then perform private.refuse('import_over'); end if;
  select k.kept into stored from private.import_images k
  where k.import_id = asked.id and k.url_hash = sha256(convert_to(url, 'UTF8')) and k.made_at > now() - interval '21 days';
  if stored is null and (select count(*) from private.import_images k where k.import_id = asked.id) >= 5000 then
    stored := '{"problem": "An import can have at most 5,000 images"}';
  end if;
  if stored is not null or kept is null then return stored; end if;
  if (case
    when kept ? 'problem' then char_length(kept ->> 'problem') between 1 and 500
    else starts_with(kept ->> 'url', folder || workspace_id || '/') and private.is_image_path(substr(kept ->> 'url', char_length(folder) + 1))
      and (kept ->> 'width')::int > 0 and (kept ->> 'height')::int > 0
    end) is not true or char_length(url) between 1 and 2048 is not true then
    perform private.refuse('validation_failed', '{"kept": "Send the stored image, or the problem with it"}');
  end if;
  insert into private.import_images as k (import_id, url_hash, kept)
  values (asked.id, sha256(convert_to(url, 'UTF8')), case when kept ? 'problem' then jsonb_build_object('problem', kept -> 'problem')
    else jsonb_build_object('url', kept -> 'url', 'width', kept -> 'width', 'height', kept -> 'height') end)
  on conflict on constraint import_images_pkey do update set kept = excluded.kept, made_at = excluded.made_at
  returning k.kept into stored;
  return stored;
end $$;

grant execute on function public.begin_import, public.list_imports, public.read_import, public.write_entries, public.undo_import,
  public.compare_entries, public.keep_import_image to authenticated, service_role;

-- supabase/schemas/85-webhook-settings.sql

-- Webhooks, managed by owners and admins (79-webhook-deliveries sends). Secrets arrive encrypted and are never returned.

create function private.webhook_json(webhook private.webhooks) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return jsonb_build_object(
    'id', webhook.id, 'kind', webhook.kind, 'name', webhook.name, 'url', webhook.url, 'events', to_jsonb(webhook.events),
    'tags', case when webhook.tags is not null then to_jsonb(private.tags_now(webhook.workspace_id, webhook.tags)) end,
    'enabled', webhook.off_at is null, 'off_reason', webhook.off_reason, 'off_at', webhook.off_at,
    'old_secret_until', case when webhook.sealed_before is not null and webhook.rotated_at > now() - interval '24 hours'
      then webhook.rotated_at + interval '24 hours' end,
    'failing_since', webhook.failing_since, 'last_success_at', webhook.last_success_at, 'last_try_at', webhook.last_try_at,
    'waiting', (select count(*) from private.webhook_deliveries d where d.webhook_id = webhook.id and d.ended_at is null),
    'created_at', webhook.created_at);
end $$;

-- A webhook, locked, for owners and admins.
create function private.webhook_of(workspace uuid, webhook uuid) returns private.webhooks
language plpgsql security definer set search_path = '' as $$
declare
  found_one private.webhooks;
begin
  perform private.require_role(workspace, '{owner,admin}');
  select w.* into found_one from private.webhooks w where w.id = webhook and w.workspace_id = workspace for no key update;
  if found_one.id is null then perform private.refuse('not_found'); end if;
  return found_one;
end $$;

create function public.list_webhooks(workspace_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role(list_webhooks.workspace_id, '{owner,admin}', true);
  return coalesce((
    select jsonb_agg(private.webhook_json(w) order by w.created_at, w.id) from private.webhooks w where w.workspace_id = list_webhooks.workspace_id
  ), '[]');
end $$;

-- Keys need the scopes to read what the events contain (subscribers, unpublished titles).
create function private.require_event_scopes(events text[]) returns void
language plpgsql stable set search_path = '' as $$
begin
  if 'post.scheduled' = any (events) and not private.key_has('posts:read') then
    perform private.refuse('scope_missing', '{"scope": "posts:read"}');
  end if;
  if events && '{subscriber.confirmed,subscriber.left}' and not private.key_has('subscribers:read') then
    perform private.refuse('scope_missing', '{"scope": "subscribers:read"}');
  end if;
end $$;

-- `webhook`: {id, kind, name, url, sealed, events, tags}.
create function public.create_webhook(workspace_id uuid, webhook jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := create_webhook.workspace_id;
  made private.webhooks;
begin
  perform private.require_role(asked, '{owner,admin}');
  perform from public.workspaces w where w.id = asked for no key update; -- serialised for the limit
  if (select count(*) from private.webhooks w where w.workspace_id = asked) >= 100 then perform private.refuse('too_many_webhooks'); end if;
  insert into private.webhooks (id, workspace_id, kind, name, url, sealed, events, tags, created_by)
  values (coalesce((webhook ->> 'id')::uuid, gen_random_uuid()), asked, webhook ->> 'kind', coalesce(private.clean_line(webhook ->> 'name'), ''), webhook ->> 'url',
    webhook ->> 'sealed', private.text_array(webhook -> 'events'),
    case when jsonb_typeof(webhook -> 'tags') = 'array' then private.text_array(webhook -> 'tags') end, private.my_id())
  returning * into made;
  perform private.require_event_scopes(made.events);
  return private.webhook_json(made);
end $$;

-- Merges the given fields. `sealed` comes with a chat's URL.
create function public.change_webhook(workspace_id uuid, webhook uuid, changes jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  former private.webhooks;
  present private.webhooks;
begin
  present := private.webhook_of(change_webhook.workspace_id, webhook);
  former := present;
  perform private.require_event_scopes(former.events);
  if present.kind <> 'webhook' and private.text_array(changes -> 'events') && '{subscriber.confirmed,subscriber.left}'::text[] then
    perform private.refuse('validation_failed', '{"events": "Chats only get post events"}');
  end if;
  if present.kind <> 'webhook' and (changes ? 'url') <> (changes ? 'sealed') then
    perform private.refuse('validation_failed', '{"url": "Please enter an address"}');
  end if;
  update private.webhooks w set
    url = coalesce(changes ->> 'url', w.url),
    sealed = case when w.kind = 'webhook' then w.sealed else coalesce(changes ->> 'sealed', w.sealed) end,
    name = coalesce(private.clean_line(changes ->> 'name'), w.name),
    events = case when changes ? 'events' then private.text_array(changes -> 'events') else w.events end,
    tags = case jsonb_typeof(changes -> 'tags') when 'array' then private.text_array(changes -> 'tags') when 'null' then null else w.tags end
  where w.id = webhook returning * into present;
  perform private.require_event_scopes(present.events);
  if (present.url, present.kind <> 'webhook' and present.sealed <> former.sealed) is distinct from (former.url, false) then
    -- Also those in flight: a retry would go to the new URL.
    update private.webhook_deliveries d set state = 'dropped', ended_at = clock_timestamp(), error = 'The URL was changed before this was sent'
    where d.webhook_id = webhook and d.ended_at is null;
  end if;
  if (changes ->> 'enabled')::boolean then
    update private.webhooks w set off_at = null, off_reason = null, failing_since = null, failed_tries = 0, wait_until = null
    where w.id = webhook and w.off_at is not null;
  elsif not (changes ->> 'enabled')::boolean then
    perform private.disable_webhook(webhook, 'by_hand');
  end if;
  return (select private.webhook_json(w) from private.webhooks w where w.id = webhook);
end $$;

create function public.remove_webhook(workspace_id uuid, webhook uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.webhook_of(remove_webhook.workspace_id, webhook);
  delete from private.webhooks w where w.id = webhook;
end $$;

-- Replaces the secret; the previous one also signs for a day.
create function public.rotate_webhook(workspace_id uuid, webhook uuid, sealed text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  present private.webhooks;
begin
  present := private.webhook_of(rotate_webhook.workspace_id, webhook);
  if present.kind <> 'webhook' then perform private.refuse('validation_failed', '{"id": "A chat has no secret of ours: change its address instead"}'); end if;
  update private.webhooks w set sealed_before = w.sealed, sealed = rotate_webhook.sealed, rotated_at = clock_timestamp()
  where w.id = webhook returning * into present;
  return private.webhook_json(present);
end $$;

create function private.delivery_json(delivery private.webhook_deliveries) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  event private.webhook_events;
  reads_posts boolean;
  reads_answers boolean;
begin
  select e.* into event from private.webhook_events e where e.id = delivery.event_id;
  reads_posts := private.key_has('posts:read');
  reads_answers := reads_posts and private.key_has('subscribers:read'); -- an answer may echo the payload
  return jsonb_build_object(
    'id', delivery.id,
    'event', jsonb_build_object('id', event.id, 'type', event.kind, 'post_id', event.post_id, 'happened_at', event.happened_at,
      'about', case
        when reads_posts then coalesce((select p.title from public.posts p where p.id = event.post_id), event.data ->> 'title')
        else (select v.title from private.visible_posts v where v.id = event.post_id)
      end),
    'state', delivery.state, 'again', delivery.again, 'status', delivery.status, 'error', delivery.error,
    'tries', coalesce((
      select jsonb_agg(jsonb_build_object('at', a.at, 'status', a.status, 'ms', a.ms, 'error', a.error,
        'answer', case when reads_answers then a.answer end) order by a.attempt)
      from private.delivery_attempts a where a.delivery_id = delivery.id
    ), '[]'),
    'created_at', delivery.created_at, 'next_try_at', case when delivery.state = 'waiting' then (select j.run_at from private.jobs j where j.id = delivery.id) end, 'ended_at', delivery.ended_at);
end $$;

-- Newest first, before {at, id}.
create function public.webhook_deliveries(
  workspace_id uuid, webhook uuid, state text default null, before jsonb default null, size int default 50
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := webhook_deliveries.workspace_id;
begin
  perform private.require_role(asked, '{owner,admin}', true);
  if not exists (select from private.webhooks w where w.id = webhook and w.workspace_id = asked) then perform private.refuse('not_found'); end if;
  return coalesce((
    select jsonb_agg(private.delivery_json(s.delivery) order by (s.delivery).created_at desc, (s.delivery).id desc) from (
      select d as delivery from private.webhook_deliveries d
      where d.webhook_id = webhook and (webhook_deliveries.state is null or d.state = webhook_deliveries.state)
        and (before is null or (d.created_at, d.id) < ((before ->> 'at')::timestamptz, (before ->> 'id')::uuid))
      order by d.created_at desc, d.id desc limit least(greatest(size, 1), 101)
    ) as s
  ), '[]');
end $$;

-- Refuses for a disabled webhook; ends its pause (Retry-After).
create function private.resume_webhook(webhook private.webhooks) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if webhook.off_at is not null then perform private.refuse('webhook_off'); end if;
  if webhook.wait_until is null then return; end if;
  update private.webhooks w set wait_until = null where w.id = webhook.id;
  update private.jobs j set run_at = clock_timestamp() where j.task = 'send_webhook' and j.key = webhook.id and j.locked_by is null and j.run_at = webhook.wait_until;
end $$;

create function public.ping_webhook(workspace_id uuid, webhook uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  present private.webhooks;
  event uuid;
begin
  present := private.webhook_of(ping_webhook.workspace_id, webhook);
  perform private.resume_webhook(present);
  insert into private.webhook_events (workspace_id, kind) values (present.workspace_id, 'webhook.ping') returning id into event;
  return private.delivery_json(private.queue_delivery(event, present, false));
end $$;

-- Resends a finished delivery as another of the same event; one that waits becomes due now. `webhook`: restricts it to one.
create function public.resend_delivery(workspace_id uuid, delivery uuid, webhook uuid default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := resend_delivery.workspace_id;
  former private.webhook_deliveries;
  present private.webhooks;
  made private.webhook_deliveries;
begin
  perform private.require_role(asked, '{owner,admin}');
  select d.* into former from private.webhook_deliveries d
  where d.id = delivery and d.workspace_id = asked and (resend_delivery.webhook is null or d.webhook_id = resend_delivery.webhook);
  if former.id is null then perform private.refuse('not_found'); end if;
  perform private.require_event_scopes(array(select e.kind from private.webhook_events e where e.id = former.event_id));
  present := private.webhook_of(asked, former.webhook_id); -- lock: two clicks resend once
  perform private.resume_webhook(present);
  select d.* into made from private.webhook_deliveries d
  where d.event_id = former.event_id and d.webhook_id = former.webhook_id and d.ended_at is null limit 1;
  if made.id is not null then
    update private.jobs j set run_at = least(j.run_at, clock_timestamp()) where j.id = made.id and j.locked_by is null and made.attempt > 0;
  else
    made := private.queue_delivery(former.event_id, present, true);
  end if;
  return private.delivery_json(made);
end $$;

-- Resends what failed since, hasn't arrived otherwise and is still subscribed. Returns the number.
create function public.resend_failed(workspace_id uuid, webhook uuid, since timestamptz) returns int
language plpgsql security definer set search_path = '' as $$
declare
  present private.webhooks;
  amount int;
begin
  present := private.webhook_of(resend_failed.workspace_id, webhook);
  perform private.require_event_scopes(present.events);
  perform private.resume_webhook(present);
  perform private.queue_delivery(f.event_id, present, true) from (
    select d.event_id, max(d.ended_at) as ended_at from private.webhook_deliveries d join private.webhook_events e on e.id = d.event_id
    where d.webhook_id = present.id and d.state = 'failed' and d.ended_at >= since and e.kind = any (present.events || 'webhook.ping'::text)
    group by 1
  ) as f
  where not exists (
    select from private.webhook_deliveries o
    where o.event_id = f.event_id and o.webhook_id = present.id and (o.state = 'done' or o.ended_at is null)
  )
  order by f.ended_at limit 1000;
  get diagnostics amount = row_count;
  return amount;
end $$;

grant execute on function public.list_webhooks, public.create_webhook, public.change_webhook, public.remove_webhook, public.rotate_webhook,
  public.webhook_deliveries, public.ping_webhook, public.resend_delivery, public.resend_failed to authenticated, service_role;

-- supabase/schemas/86-og-images.sql

-- Open Graph images of posts and workspaces, drawn by the function `og` after publication, never in a reader's request, and stored in Storage.

-- `path`: null until drawn. Drawn by the job with its id.
create table private.link_pictures (
  id uuid constraint link_pictures_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint link_pictures_workspace_id_fkey references public.workspaces (id) on delete cascade,
  post_id uuid constraint link_pictures_post_id_fkey references public.posts (id) on delete cascade, -- null: the workspace's
  path text constraint link_pictures_path_length check (char_length(path) <= 200),
  look_changed boolean not null default false, -- of the workspace's: redraw its posts' next
  constraint link_pictures_once unique nulls not distinct (workspace_id, post_id)
);
create index link_pictures_of_post on private.link_pictures (post_id);

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('link-pictures', 'link-pictures', true, 1048576, '{image/png}')
on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create trigger link_pictures_discard_their_former_file after update of path on private.link_pictures
for each row when (old.path is distinct from new.path) execute function private.discard_former_file('link-pictures', 'path', 'workspace_id');
create trigger link_pictures_discard_their_file after delete on private.link_pictures
for each row execute function private.discard_former_file('link-pictures', 'path', 'workspace_id');

-- A visible post's image. When the title changes, the workspace's image is used until it is redrawn. Frequent changes are debounced.
create function private.queue_og_image() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  was constant boolean := tg_op = 'UPDATE' and private.public_status(old) in ('published', 'scheduled');
  is_one constant boolean := private.public_status(new) in ('published', 'scheduled');
  shown constant timestamptz := coalesce(new.published_at, new.publish_at);
  image uuid;
begin
  if not was and not is_one then return null; end if;
  if not is_one then
    delete from private.link_pictures l where l.post_id = new.id;
  elsif not was or new.title is distinct from old.title or shown is distinct from coalesce(old.published_at, old.publish_at) then
    insert into private.link_pictures as l (workspace_id, post_id) values (new.workspace_id, new.id)
    on conflict on constraint link_pictures_once do update set path = case when was and new.title = old.title then l.path end
    returning l.id into image;
    perform private.add_job('draw_og_image', image, new.workspace_id, priority => private.has_option('importing')::int,
      run_at => greatest(clock_timestamp(), case when new.status = 'scheduled' then new.publish_at end)
        + case when exists (select from private.jobs j where j.id = image and j.locked_by is null and j.run_at < 'infinity') then interval '5 seconds' else '0' end);
  end if;
  return null;
end $$;

-- The workspace's image, debounced, and then its newest posts'. One row, so that saving appearance stays fast.
create function private.queue_workspace_og_image() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_new constant boolean := tg_table_name = 'workspaces' and tg_op = 'INSERT';
  workspace constant uuid := coalesce(to_jsonb(new) ->> 'workspace_id', to_jsonb(new) ->> 'id');
  image private.link_pictures;
begin
  insert into private.link_pictures as l (workspace_id, look_changed) values (workspace, not is_new)
  on conflict on constraint link_pictures_once do update set look_changed = true returning * into image;
  perform private.add_job('draw_og_image', image.id, workspace,
    run_at => clock_timestamp() + case when is_new or image.path is null then '0' else '20 seconds' end::interval);
  return null;
end $$;
create trigger workspaces_50_want_first_picture after insert on public.workspaces
for each row execute function private.queue_workspace_og_image();
create trigger workspaces_50_want_pictures after update on public.workspaces
for each row when ((old.name, old.logo_url, old.is_open) is distinct from (new.name, new.logo_url, new.is_open))
execute function private.queue_workspace_og_image();

create trigger appearances_50_want_first_pictures after insert on public.appearances
for each row execute function private.queue_workspace_og_image();
-- Links and footer aren't drawn.
create trigger appearances_50_want_pictures after update on public.appearances
for each row when (
  (old.settings - '{layout,links,footer,branding}'::text[], old.logo_dark_url)
  is distinct from (new.settings - '{layout,links,footer,branding}'::text[], new.logo_dark_url)
)
execute function private.queue_workspace_og_image();

-- Content of a job's image; no row if readers can't see it now. After a change of appearance the newest hundred posts follow, and undrawn ones.
create function public.og_image_to_draw(id uuid) returns table (
  workspace_name text, logo_url text, logo_dark_url text, appearance jsonb, title text, published_at timestamptz
)
language plpgsql security definer set search_path = '' as $$
declare
  image private.link_pictures;
begin
  update private.link_pictures l set look_changed = false where l.id = og_image_to_draw.id and l.look_changed returning l.* into image;
  insert into private.jobs as j (id, task, workspace_id, key, run_at, priority)
  select l.id, 'draw_og_image', l.workspace_id, l.workspace_id, clock_timestamp(), 1
  from private.link_pictures l
  where l.workspace_id = image.workspace_id and l.post_id is not null and (l.path is null or l.post_id in (
    select p.id from public.posts p where p.workspace_id = image.workspace_id order by p.published_at desc nulls last limit 100))
  on conflict on constraint jobs_pkey do update set run_at = excluded.run_at, attempts = 0 where j.run_at = 'infinity';
  return query
    select w.name, w.logo_url, a.logo_dark_url, coalesce(a.settings, '{}'), v.title, v.published_at
    from private.link_pictures l join public.workspaces w on w.id = l.workspace_id and w.is_open
    left join public.appearances a on a.workspace_id = l.workspace_id left join private.visible_posts v on v.id = l.post_id
    where l.id = og_image_to_draw.id and (l.post_id is null or v.id is not null);
end $$;

-- Records a drawing, and ends its job. One that is outdated is discarded. True if it is now shown.
create function public.settle_og_image(id uuid, lease uuid, path text) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform from private.link_pictures l where l.id = settle_og_image.id for update;
  if found and private.end_job(settle_og_image.id, lease) then
    update private.link_pictures l set path = settle_og_image.path where l.id = settle_og_image.id;
    return true;
  end if;
  insert into private.discarded_files (bucket, path) values ('link-pictures', settle_og_image.path)
  on conflict on constraint discarded_files_pkey do nothing;
  return false;
end $$;

grant execute on function public.og_image_to_draw, public.settle_og_image to service_role;

-- The file of a visible post's image, else the workspace's, else null.
create function private.og_image_path(subdomain text, post uuid default null) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  workspace constant uuid := private.open_workspace(og_image_path.subdomain);
begin
  return coalesce(
    (select l.path from private.link_pictures l join private.visible_posts v on v.id = l.post_id
      where l.post_id = og_image_path.post and l.workspace_id = workspace),
    (select l.path from private.link_pictures l where l.workspace_id = workspace and l.post_id is null)
  );
end $$;
grant execute on function private.og_image_path to anon, authenticated, service_role;

-- supabase/schemas/87-backups.sql

-- The add-on backup: a daily copy to the owner's own bucket, made by the functions (edge-functions/api/backups). Restoring: 90-restores.

-- `sealed_*`: encrypted for this workspace and field with a key that only the functions have (edge-functions/_shared/seal.ts).
create table private.backups (
  workspace_id uuid constraint backups_pkey primary key
    constraint backups_workspace_id_fkey references public.workspaces (id) on delete cascade,
  endpoint text not null constraint backups_endpoint_shape check (endpoint ~ '^https?://[^/?#\s]' and char_length(endpoint) <= 2048),
  region text not null constraint backups_region_shape check (region ~ '^[a-z0-9-]{1,60}$'),
  bucket text not null constraint backups_bucket_shape check (bucket ~ '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$'),
  key_id text not null constraint backups_key_id_length check (char_length(key_id) between 1 and 256),
  sealed_secret text not null constraint backups_sealed_secret_length check (char_length(sealed_secret) between 20 and 4000),
  sealed_passphrase text constraint backups_sealed_passphrase_length check (char_length(sealed_passphrase) between 20 and 8000), -- null: not encrypted
  keep_days int not null constraint backups_keep_days check (keep_days between 1 and 365),
  next_at timestamptz not null, -- a random minute of the day, to spread the load
  failing_since timestamptz, -- since then every run failed; the owner was emailed
  created_at timestamptz not null default clock_timestamp()
);
create index backups_due on private.backups (next_at);

create table private.backup_runs (
  id uuid constraint backup_runs_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint backup_runs_workspace_id_fkey references public.workspaces (id) on delete cascade,
  state text not null default 'running' constraint backup_runs_state check (state in ('running', 'done', 'failed')),
  by_hand boolean not null default false, -- not retried: its owner is waiting
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  key text constraint backup_runs_key_length check (char_length(key) <= 1024),
  bytes bigint,
  posts int,
  images int,
  problem text constraint backup_runs_problem_length check (char_length(problem) <= 500),
  constraint backup_runs_ended check ((ended_at is null) = (state = 'running') and (problem is null) = (state <> 'failed')
    and (key is null) = (state <> 'done'))
);
create unique index backup_runs_one_at_a_time on private.backup_runs (workspace_id) where ended_at is null;
create index backup_runs_of_workspace on private.backup_runs (workspace_id, started_at desc, id desc);

-- For the owner in person, never by an API key. /api asks before the bucket is contacted.
create function public.require_backup(workspace_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role(workspace_id, '{owner}');
  if not private.has_add_on(workspace_id, 'backup') then perform private.refuse('add_on_required'); end if;
end $$;

-- Shape: backup in contract/backups.ts, without secrets.
create function public.read_backup(workspace_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role(read_backup.workspace_id, '{owner}', true);
  return jsonb_build_object(
    'settings', (
      select jsonb_build_object('endpoint', b.endpoint, 'region', b.region, 'bucket', b.bucket, 'key_id', b.key_id,
        'encrypted', b.sealed_passphrase is not null, 'keep_days', b.keep_days, 'next_at', b.next_at)
      from private.backups b where b.workspace_id = read_backup.workspace_id),
    'runs', coalesce((
      select jsonb_agg(to_jsonb(l.r) - '{workspace_id,by_hand}'::text[] order by l.started_at desc, l.id desc)
      from (
        select r, r.started_at, r.id from private.backup_runs r where r.workspace_id = read_backup.workspace_id
        order by r.started_at desc, r.id desc limit 30
      ) as l), '[]'));
end $$;

-- {endpoint, region, bucket, key_id, keep_days, sealed_secret, sealed_passphrase}: absent secrets stay; null removes the passphrase.
create function public.save_backup(workspace_id uuid, settings jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  was private.backups;
  moment constant timestamptz := clock_timestamp();
begin
  perform public.require_backup(workspace_id);
  perform from public.workspaces w where w.id = workspace_id for no key update; -- serialised
  select b.* into was from private.backups b where b.workspace_id = save_backup.workspace_id;
  if coalesce(settings ->> 'sealed_secret', was.sealed_secret) is null then
    perform private.refuse('validation_failed', '{"secret": "Please enter the key''s secret"}');
  end if;
  begin
    insert into private.backups as b (workspace_id, endpoint, region, bucket, key_id, sealed_secret, sealed_passphrase, keep_days, next_at)
    values (workspace_id, settings ->> 'endpoint', settings ->> 'region', settings ->> 'bucket', settings ->> 'key_id',
      coalesce(settings ->> 'sealed_secret', was.sealed_secret),
      case when settings ? 'sealed_passphrase' then settings ->> 'sealed_passphrase' else was.sealed_passphrase end,
      (settings ->> 'keep_days')::int, moment + random() * interval '1 day')
    on conflict on constraint backups_pkey do update set endpoint = excluded.endpoint, region = excluded.region, bucket = excluded.bucket,
      key_id = excluded.key_id, sealed_secret = excluded.sealed_secret, sealed_passphrase = excluded.sealed_passphrase, keep_days = excluded.keep_days;
  exception when check_violation or not_null_violation or data_exception then -- direct callers
    perform private.refuse('validation_failed', '{"settings": "Please check where the copies go"}');
  end;
  perform private.audit(workspace_id, 'backup_changed', null, private.host_of(settings ->> 'endpoint'),
    jsonb_build_object('bucket', settings ->> 'bucket', 'keep_days', settings -> 'keep_days'));
  return public.read_backup(workspace_id);
end $$;

-- A running copy notices and stops.
create function public.remove_backup(workspace_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  host text;
begin
  perform private.require_role(workspace_id, '{owner}');
  delete from private.backups b where b.workspace_id = remove_backup.workspace_id returning private.host_of(b.endpoint) into host;
  if host is null then return; end if;
  update private.backup_runs r set state = 'failed', ended_at = clock_timestamp(), problem = 'Backups were switched off meanwhile'
  where r.workspace_id = remove_backup.workspace_id and r.ended_at is null;
  perform private.audit(workspace_id, 'backup_removed', null, host);
end $$;

-- Starts a copy, or a waiting one now. An owner's copies are made one after the other.
create function private.start_backup(workspace uuid, by_hand boolean) returns private.backup_runs
language plpgsql security definer set search_path = '' as $$
declare
  run private.backup_runs;
begin
  insert into private.backup_runs as r (workspace_id, by_hand) values (workspace, start_backup.by_hand)
  on conflict (workspace_id) where ended_at is null do update set by_hand = r.by_hand or excluded.by_hand returning * into run;
  if not exists (select from private.jobs j where j.id = run.id and j.locked_by is not null) then
    perform private.add_job('backup', run.id, workspace,
      key => (select m.user_id from public.members m where m.workspace_id = workspace and m.role = 'owner'));
  end if;
  return run;
end $$;

-- {"run"}: a new one, or the one in progress.
create function public.run_backup(workspace_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  perform public.require_backup(run_backup.workspace_id);
  if not exists (select from private.backups b where b.workspace_id = run_backup.workspace_id) then
    perform private.refuse('validation_failed', '{"endpoint": "Please say first where the copies go"}');
  end if;
  return jsonb_build_object('run', to_jsonb(private.start_backup(run_backup.workspace_id, true)) - '{workspace_id,by_hand}'::text[]);
end $$;

grant execute on function public.read_backup, public.require_backup, public.save_backup, public.remove_backup, public.run_backup
  to authenticated, service_role;

-- Records a run's end by the worker that holds it. The owner is emailed about the first failure and the recovery.
create function private.settle_backup(run uuid, outcome jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  why constant text := left(outcome ->> 'problem', 500);
  workspace uuid;
  was timestamptz;
  is_on boolean;
begin
  -- Lock order: backup, then run.
  select b.failing_since into was from private.backups b
  where b.workspace_id = (select r.workspace_id from private.backup_runs r where r.id = run) for update;
  is_on := found;
  update private.backup_runs r set state = case when why is null then 'done' else 'failed' end, ended_at = moment,
    problem = why, key = case when why is null then outcome ->> 'key' end, bytes = (outcome ->> 'bytes')::bigint,
    posts = (outcome ->> 'posts')::int, images = (outcome ->> 'images')::int
  where r.id = run and r.ended_at is null returning r.workspace_id into workspace;
  if not is_on or workspace is null or (why is null) = (was is null) then return; end if;
  update private.backups b set failing_since = case when why is not null then moment end where b.workspace_id = workspace;
  insert into private.deliveries (workspace_id, kind, target_id, data)
  select m.workspace_id, case when why is null then 'backup_works' else 'backup_failed' end, m.user_id, jsonb_build_object('about', coalesce(why, ''))
  from public.members m where m.workspace_id = workspace and m.role = 'owner';
end $$;

create function private.start_due_backups() returns void
language plpgsql security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  due record;
begin
  for due in
    update private.backups b set next_at = b.next_at + make_interval(days => ceil(extract(epoch from moment - b.next_at) / 86400)::int + (b.next_at = moment)::int)
    where b.next_at <= moment and (b.next_at <= moment - interval '1 day' or private.has_add_on(b.workspace_id, 'backup')) returning b.workspace_id
  loop
    if private.has_add_on(due.workspace_id, 'backup') then
      perform private.start_backup(due.workspace_id, false);
      delete from private.backup_runs r where r.workspace_id = due.workspace_id and r.ended_at < moment - interval '100 days';
    end if;
  end loop;
end $$;

-- Settings for a job's copy; null if it has ended, or fails because it was interrupted three times.
create function public.backup_to_make(run uuid, attempt int) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if backup_to_make.attempt > 3 then
    perform private.settle_backup(run, '{"problem": "It was broken off three times: it takes longer, or needs more, than this installation allows"}');
  end if;
  return (
    select jsonb_build_object('workspace_id', w.id, 'name', w.name, 'subdomain', w.subdomain,
      'owner', (select m.user_id from public.members m where m.workspace_id = w.id and m.role = 'owner'),
      'endpoint', b.endpoint, 'region', b.region, 'bucket', b.bucket, 'key_id', b.key_id, 'sealed_secret', b.sealed_secret,
      'sealed_passphrase', b.sealed_passphrase, 'keep_days', b.keep_days)
    from private.backup_runs r join private.backups b on b.workspace_id = r.workspace_id join public.workspaces w on w.id = r.workspace_id
    where r.id = run and r.ended_at is null
  );
end $$;

-- Extends the lease by two minutes. The workspace; null: the lease, the run or the add-on has ended.
create function public.keep_backup(run uuid, lease uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  workspace uuid;
begin
  update private.jobs j set run_at = clock_timestamp() + interval '2 minutes' from private.backup_runs r
  where j.id = run and j.locked_by = lease and r.id = j.id and r.ended_at is null and private.has_add_on(r.workspace_id, 'backup')
  returning r.workspace_id into workspace;
  return workspace;
end $$;

-- A page of a part, as public.export_rows.
create function public.backup_rows(run uuid, lease uuid, part text, after text default null) returns json
language plpgsql security definer set search_path = '' as $$
declare
  workspace constant uuid := public.keep_backup(run, lease);
begin
  if workspace is null then perform private.refuse('not_found'); end if;
  return private.page_of_export(workspace, part, after);
end $$;

-- {key, bytes, posts, images} or {problem, retry}: `retry` tries a daily copy again, twice.
create function public.end_backup(run uuid, lease uuid, outcome jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  by_hand constant boolean := (select r.by_hand from private.backup_runs r where r.id = run and r.ended_at is null for update);
  attempt constant int := (select j.attempts from private.jobs j where j.id = run and j.locked_by = end_backup.lease);
begin
  if attempt is null then return; end if;
  if (outcome ->> 'retry')::boolean and not by_hand and attempt < 3 then
    perform private.end_job(run, lease, outcome ->> 'problem');
  else
    perform private.settle_backup(run, outcome);
    perform private.end_job(run, lease);
  end if;
end $$;

-- With secrets, for callers already checked.
create function public.backup_settings(workspace_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select to_jsonb(b) from private.backups b where b.workspace_id = backup_settings.workspace_id
$$;

grant execute on function public.backup_to_make, public.keep_backup, public.backup_rows, public.end_backup, public.backup_settings to service_role;

-- supabase/schemas/88-workspace-deletion.sql

-- Export of a workspace as one JSON document, and its deletion. supabase/sql has both for operators.

-- Queues all files of a deleted workspace, also those no post showed.
create function private.discard_files() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.discarded_files (bucket, path)
  select o.bucket_id, o.name from storage.objects o
  where o.bucket_id in ('post-images', 'logos', 'link-pictures') and o.name like old.id || '/%'
  on conflict on constraint discarded_files_pkey do nothing;
  return old;
end $$;
create trigger workspaces_discard_their_files before delete on public.workspaces for each row execute function private.discard_files();

-- By the owner, confirmed by the name (product decision 18). The subdomain stays reserved for 30 days.
create function public.delete_workspace(workspace_id uuid, name text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked, '{owner}', true);
  if not exists (select from public.workspaces w where w.id = asked and w.name = private.clean_line(delete_workspace.name)) then
    perform private.refuse('validation_failed', '{"name": "Please type the workspace''s name"}');
  end if;
  delete from public.workspaces w where w.id = asked;
end $$;

-- The export by pages, since a value in Postgres holds at most a gigabyte (jsonb a quarter) and a statement takes seconds. /api joins the pages,
-- private.export_document does so for operators. Secrets are left out.

-- The query of a part: cursor and row. $1 workspace, $2 cursor or null, $3 limit. Content is fetched after sorting by key alone.
create function private.export_query(part text) returns text
language plpgsql stable set search_path = '' as $$
declare
  source constant regclass := coalesce(to_regclass('public.' || quote_ident(part)), to_regclass('private.' || quote_ident(part)));
  keys constant text[] := case part when 'post_slugs' then '{slug}' when 'post_redirects' then '{host,path}' when 'tags' then '{key}'
    when 'former_tags' then '{key}' when 'domains' then '{host}' when 'import_entries' then '{external_id,import_id}' when 'imports' then '{created_at,id}'
    when 'invites' then '{created_at,id}' when 'upgrade_requests' then '{created_at,id}' else '{id}' end;
  line constant text := case part when 'imports' then $r$ - 'activity_id'$r$ when 'invites' then $r$ - 'token_hash'$r$
    when 'domains' then $r$ - '{token,found}'::text[]$r$ when 'webhooks' then $r$ - '{sealed,sealed_before}'::text[]
      || jsonb_build_object('url', regexp_replace(t.url, '^(https?://[^/]+/).+(.{4})$', '\1…\2'))$r$ else '' end;
begin
  if part in ('post_slugs', 'post_redirects', 'imports', 'import_entries', 'tags', 'former_tags', 'templates', 'comment_threads', 'comments', 'reviews',
    'invites', 'domains', 'webhooks', 'upgrade_requests', 'activities', 'subscribers', 'report_recipients', 'suppressions') then
    return (
      select format($q$
        select jsonb_build_array(%1$s), to_jsonb(t)%2$s from %3$s t
        where t.workspace_id = $1 and ($2 is null or t.%4$I >= %5$s and (%1$s) > (%6$s)) order by %1$s limit $3 $q$,
        string_agg(format('t.%I', k.name), ', ' order by k.place), line, source, keys[1], min(c.value) filter (where k.place = 1),
        string_agg(c.value, ', ' order by k.place))
      from unnest(keys) with ordinality as k (name, place) join pg_catalog.pg_attribute a on a.attrelid = source and a.attname = k.name
        cross join lateral (select format('($2 ->> %s)::%s', k.place - 1, a.atttypid::regtype)) as c (value)
    );
  end if;
  return case part
    when 'workspace' then $q$ select '[]'::jsonb, to_jsonb(w) - '{is_open,suspension}'::text[] from public.workspaces w where w.id = $1 and $2 is null limit $3 $q$
    when 'reader_access' then $q$
      select '[]'::jsonb, to_jsonb(a) - '{password_hash,generation}'::text[]
      from private.reader_access a where a.workspace_id = $1 and $2 is null limit $3 $q$
    when 'widget_settings' then $q$
      select '[]'::jsonb, s.settings from public.widget_settings s where s.workspace_id = $1 and $2 is null limit $3 $q$
    when 'appearance' then $q$
      select '[]'::jsonb, a.settings || jsonb_build_object('logo_dark_url', a.logo_dark_url, 'favicon_url', a.favicon_url)
      from public.appearances a where a.workspace_id = $1 and $2 is null limit $3 $q$
    when 'mail_settings' then $q$
      select '[]'::jsonb, to_jsonb(s) from public.mail_settings s where s.workspace_id = $1 and $2 is null limit $3 $q$
    when 'house_style' then $q$
      select '[]'::jsonb, to_jsonb(h) from public.house_styles h where h.workspace_id = $1 and $2 is null limit $3 $q$
    when 'review_rules' then $q$
      select '[]'::jsonb, to_jsonb(r) from private.review_rules r where r.workspace_id = $1 and $2 is null limit $3 $q$
    when 'backup' then $q$
      select '[]'::jsonb, to_jsonb(b) - '{sealed_secret,sealed_passphrase,next_at,failing_since}'::text[]
      from private.backups b where b.workspace_id = $1 and $2 is null limit $3 $q$
    when 'members' then $q$
      select jsonb_build_array(m.created_at, m.user_id), to_jsonb(m) || jsonb_build_object('full_name', p.full_name, 'email', u.email)
      from public.members m join public.profiles p on p.user_id = m.user_id join auth.users u on u.id = m.user_id
      where m.workspace_id = $1 and ($2 is null or (m.created_at, m.user_id) > (($2 ->> 0)::timestamptz, ($2 ->> 1)::uuid))
      order by m.created_at, m.user_id limit $3 $q$
    when 'posts' then $q$
      select jsonb_build_array(k.created_at, k.id), r.line from (
        select p.created_at, p.id from public.posts p
        where p.workspace_id = $1 and ($2 is null or (p.created_at, p.id) > (($2 ->> 0)::timestamptz, ($2 ->> 1)::uuid))
        order by p.created_at, p.id limit $3
      ) as k, lateral (select to_jsonb(p) as line from public.posts p where p.id = k.id offset 0) as r order by k.created_at, k.id $q$
    when 'post_revisions' then $q$
      select jsonb_build_array(k.post_id, k.version), r.line from (
        select v.post_id, v.version from public.posts p join public.post_revisions v on v.post_id = p.id
        where p.workspace_id = $1
          and ($2 is null or p.id >= ($2 ->> 0)::uuid and (v.post_id, v.version) > (($2 ->> 0)::uuid, ($2 ->> 1)::int))
        order by v.post_id, v.version limit $3
      ) as k, lateral (
        select to_jsonb(v) as line from public.post_revisions v where v.post_id = k.post_id and v.version = k.version offset 0
      ) as r order by k.post_id, k.version $q$
    when 'proposals' then $q$
      select jsonb_build_array(k.id), r.line from (
        select p.id from private.proposals p where p.workspace_id = $1 and ($2 is null or p.id > ($2 ->> 0)::uuid) order by p.id limit $3
      ) as k, lateral (select to_jsonb(p) as line from private.proposals p where p.id = k.id offset 0) as r order by k.id $q$
    when 'add_ons' then $q$
      select jsonb_build_array(a.add_on), to_jsonb(a) from public.workspace_add_ons a
      where a.workspace_id = $1 and ($2 is null or a.add_on > $2 ->> 0) order by a.add_on limit $3 $q$
    -- The workspace's first, then the posts', by key, which is null for the workspace.
    when 'daily_counts' then $q$
      select jsonb_build_array(d.post_id, d.what, d.day, d.source), to_jsonb(d) from (
        (select d.* from public.daily_counts d
        where d.workspace_id = $1 and d.post_id is null and (d.what <> 'country' or d.n >= 5) -- fewer would identify people
          and ($2 is null or $2 ->> 0 is null and (d.what, d.day, d.source) > ($2 ->> 1, ($2 ->> 2)::date, $2 ->> 3))
        order by d.what, d.day, d.source limit $3)
        union all
        (select d.* from public.daily_counts d
        where d.workspace_id = $1 and d.post_id is not null and ($2 is null or $2 ->> 0 is null or d.post_id >= ($2 ->> 0)::uuid
          and (d.post_id, d.what, d.day, d.source) > (($2 ->> 0)::uuid, $2 ->> 1, ($2 ->> 2)::date, $2 ->> 3))
        order by d.post_id, d.what, d.day, d.source limit $3)
      ) as d order by d.post_id nulls first, d.what, d.day, d.source limit $3 $q$
    when 'files' then $q$
      select jsonb_build_array(o.bucket_id, o.name), jsonb_build_object('bucket', o.bucket_id, 'path', o.name) from storage.objects o
      where o.bucket_id in ('post-images', 'logos') and o.name like $1 || '/%'
        and ($2 is null or (o.bucket_id, o.name) > ($2 ->> 0, $2 ->> 1))
      order by o.bucket_id, o.name limit $3 $q$
  end;
end $$;

-- Rows as JSON, comma-separated, until `enough` bytes or 5,000 rows, and the next cursor or null. Small pages keep the server responsive.
create function private.export_page(workspace uuid, part text, after jsonb, enough int default 1048576, out lines text, out next jsonb)
language plpgsql stable set search_path = '' as $$
declare
  most constant int := 5000;
  source refcursor;
  place jsonb;
  line text;
  page text[] := '{}';
  size bigint := 0;
begin
  open source for execute private.export_query(part) using workspace, after, most;
  loop
    fetch source into place, line;
    exit when not found;
    page := array_append(page, line);
    size := size + octet_length(line);
    if size >= enough or cardinality(page) = most then
      next := place;
      exit;
    end if;
  end loop;
  close source;
  lines := array_to_string(page, ',');
end $$;

-- As a JSON array. The header x-next-rows is the next cursor.
create function private.page_of_export(workspace uuid, part text, after text) returns json
language plpgsql set search_path = '' as $$
declare
  page record;
begin
  select * into page from private.export_page(workspace, part, convert_from(decode(after, 'hex'), 'UTF8')::jsonb);
  if page.next is not null then
    perform set_config('response.headers',
      jsonb_build_array(jsonb_build_object('x-next-rows', encode(convert_to(page.next::text, 'UTF8'), 'hex')))::text, true);
  end if;
  return ('[' || page.lines || ']')::json;
end $$;

create function public.export_rows(workspace_id uuid, part text, after text default null) returns json
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_role(workspace_id, '{owner}', true);
  perform private.audit_export(workspace_id, 'workspace_exported', part = 'workspace' and after is null);
  return private.page_of_export(workspace_id, part, after);
end $$;

-- For /api: half a megabyte of posts and the next cursor or null; the first page has the header. For the owner, and keys that can read posts. `form`:
-- contract/workspace-export.ts; `markdown` has all posts in a stable order, the others visible posts, latest first.
create function public.export_posts(workspace_id uuid, form text, after jsonb default null) returns json
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  most constant int := 200;
  enough constant int := 524288; -- bytes
  of_all constant boolean := form = 'markdown';
  keys refcursor;
  place jsonb;
  found_id uuid;
  line json;
  lines json[] := '{}';
  size bigint := 0;
  next jsonb;
begin
  if private.key_id() is null then perform private.require_role(asked, '{owner}', true); else perform private.require_role(asked); end if;
  perform private.audit_export(asked, 'workspace_exported', after is null, jsonb_build_object('format', form));
  if of_all then
    open keys for select jsonb_build_object('id', p.id), p.id from public.posts p
      where p.workspace_id = asked and (after is null or p.id > (after ->> 'id')::uuid) order by p.id limit most;
  else
    open keys for select jsonb_build_object('at', coalesce(p.published_at, p.publish_at), 'id', p.id), p.id from public.posts p
      where p.workspace_id = asked and p.status in ('published', 'scheduled') and (p.status = 'published' or p.publish_at <= now())
        and p.details -> 'audience' is null
        and (after is null or (coalesce(p.published_at, p.publish_at), p.id) < ((after ->> 'at')::timestamptz, (after ->> 'id')::uuid))
      order by coalesce(p.published_at, p.publish_at) desc, p.id desc limit most;
  end if;
  loop
    fetch keys into place, found_id;
    exit when not found;
    select private.content_of(to_jsonb(p)) || jsonb_build_object('id', p.id, 'external_id', p.external_id, 'slug', p.slug, 'status', p.status,
      'excerpt', coalesce(p.summary, p.excerpt), 'author_name', p.author_name, 'publish_at', p.publish_at, 'published_at', p.published_at,
      'updated_at', p.content_updated_at, 'requests', p.requests)
    into line from public.posts p where p.id = found_id;
    lines := array_append(lines, line);
    size := size + octet_length(line::text);
    if size >= enough or cardinality(lines) = most then
      next := place;
      exit;
    end if;
  end loop;
  close keys;
  return json_build_object('posts', array_to_json(lines), 'next', next, 'workspace', case when after is null then (
    select json_build_object('id', w.id, 'name', w.name, 'subdomain', w.subdomain, 'open', w.public_changelog_enabled, 'logo_url', w.logo_url,
      'tags', coalesce((select json_agg(json_build_object('key', t.key, 'label', t.label, 'colour', t.colour) order by t.key)
        from public.tags t where t.workspace_id = asked), '[]'))
    from public.workspaces w where w.id = asked) end);
end $$;

-- The whole document in parts, in one snapshot.
create function private.export_document(workspace uuid, enough int default 4194304) returns setof text
language plpgsql stable set search_path = '' as $$
declare
  part text;
  page record;
begin
  if not exists (select from public.workspaces w where w.id = workspace) then return; end if;
  return next '{"format": "tidings-workspace-1", "exported_at": ' || to_jsonb(now())::text;
  foreach part in array '{workspace,reader_access,widget_settings,appearance,mail_settings,house_style,review_rules,backup}'::text[] loop
    return next ', "' || part || '": ' || coalesce(nullif((private.export_page(workspace, part, null)).lines, ''), '{}');
  end loop;
  foreach part in array
    '{members,posts,post_revisions,post_slugs,post_redirects,imports,import_entries,tags,former_tags,templates,comment_threads,comments,reviews,proposals,invites,add_ons,domains,webhooks,upgrade_requests,activities,daily_counts,subscribers,report_recipients,suppressions,files}'::text[]
  loop
    select * into page from private.export_page(workspace, part, null, enough);
    return next ', "' || part || '": [' || page.lines;
    while page.next is not null loop
      select * into page from private.export_page(workspace, part, page.next, enough);
      if page.lines <> '' then return next ',' || page.lines; end if;
    end loop;
    return next ']';
  end loop;
  return next '}';
end $$;

grant execute on function public.delete_workspace, public.export_rows, public.export_posts to authenticated, service_role;

-- supabase/schemas/89-preview-links.sql

-- Preview links: anyone with the link reads one unpublished post and may comment. The 256-bit token is stored readable, so writers can copy it again;
-- a reader of this table reads the posts anyway. A link ends when it expires, is revoked, or its maker loses the right to write. While the post is
-- archived it is invalid; once it is public it redirects. All invalid links look alike.
create table private.post_previews (
  id uuid constraint post_previews_pkey primary key default gen_random_uuid(),
  post_id uuid not null constraint post_previews_post_id_fkey references public.posts (id) on delete cascade,
  token text not null constraint post_previews_token_shape check (token ~ '^[A-Za-z0-9_-]{43}$'),
  token_hash bytea not null generated always as (private.token_hash(token)) stored constraint post_previews_token_hash_key unique,
  allows_comments boolean not null,
  created_by uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  constraint post_previews_expire check (expires_at > created_at and expires_at <= created_at + interval '30 days 1 hour')
);
create index post_previews_of_post on private.post_previews (post_id, created_at desc);
create index post_previews_by_maker on private.post_previews (created_by);
create index post_previews_by_end on private.post_previews (expires_at);

create type public.preview_link as (
  id uuid, created_at timestamptz, created_by_name text, expires_at timestamptz, allows_comments boolean, token text
);
comment on column public.preview_link.created_by_name is 'Null: without a name.';

-- The valid link of a token's hash for a post that isn't public, else null.
create function private.open_preview(token_hash bytea) returns private.post_previews
language plpgsql stable security definer set search_path = '' as $$
declare
  found private.post_previews;
begin
  select v.* into found from private.post_previews v join public.posts p on p.id = v.post_id
  where v.token_hash = open_preview.token_hash and v.expires_at > now() and p.status <> 'archived'
    and not exists (select from private.visible_posts s where s.id = p.id);
  return found;
end $$;

-- True if a closed changelog has a link. Its host needs a certificate then; others without one don't show that they exist.
create function private.has_preview_link(label text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.workspaces w join public.posts p on p.workspace_id = w.id join private.post_previews v on v.post_id = p.id
    where w.subdomain operator (extensions.=) label::extensions.citext and v.expires_at > now()
  )
$$;

create function public.list_preview_links(post_id uuid) returns setof public.preview_link
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role((select p.workspace_id from public.posts p where p.id = list_preview_links.post_id), '{owner,admin,editor}', true);
  return query
    select v.id, v.created_at, p.full_name, v.expires_at, v.allows_comments, v.token
    from private.post_previews v left join public.profiles p on p.user_id = v.created_by
    where v.post_id = list_preview_links.post_id and v.expires_at > now() order by v.created_at desc, v.id;
end $$;

-- `token`: 256 random bits from the caller.
create function public.create_preview_link(post_id uuid, token text, days int default 7, allows_comments boolean default false)
returns public.preview_link
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
  post constant public.posts := private.lock_post(create_preview_link.post_id, '{owner,admin,editor}');
  wrong jsonb := '{}';
  made private.post_previews;
begin
  if post.status = 'archived' then perform private.refuse('archived_post_locked'); end if;
  if create_preview_link.days between 1 and 30 is not true then wrong := wrong || '{"days": "Please choose 1 to 30 days"}'; end if;
  if create_preview_link.token !~ '^[A-Za-z0-9_-]{43}$' is not false then wrong := wrong || '{"token": "Send a token of 43 characters"}'; end if;
  if wrong = '{}' and exists (select from private.visible_posts s where s.id = post.id) then
    wrong := '{"post": "Readers can already see this post. Share its link instead."}';
  end if;
  if wrong = '{}' and (select count(*) >= 20 from private.post_previews v where v.post_id = post.id and v.expires_at > now()) then
    wrong := '{"days": "This post has 20 links. Revoke one first."}';
  end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  insert into private.post_previews (post_id, token, allows_comments, created_by, expires_at)
  values (post.id, create_preview_link.token, coalesce(create_preview_link.allows_comments, false), me,
    clock_timestamp() + make_interval(days => create_preview_link.days))
  returning * into made;
  perform private.audit(post.workspace_id, 'preview_link_made', post.id, post.title);
  return (select l from public.list_preview_links(post.id) as l where l.id = made.id);
end $$;

create function public.revoke_preview_link(post_id uuid, link_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  post constant public.posts := private.lock_post(post_id, '{owner,admin,editor}');
begin
  perform private.person_id();
  delete from private.post_previews v where v.id = link_id and v.post_id = post.id and v.expires_at > now();
  if not found then perform private.refuse('not_found'); end if;
  perform private.audit(post.workspace_id, 'preview_link_revoked', post.id, post.title);
end $$;

-- The preview page without its text, or no row if invalid. `wait` > 0: rate-limited. `moved_to`: the public URL. Also for private workspaces.
create function private.read_preview(subdomain text, token_hash bytea, network text, size int, period_seconds int) returns table (
  wait int, moved_to text, workspace jsonb, id uuid, slug text, title text, excerpt text, tags text[], own_tags jsonb, author_name text,
  published_at timestamptz, updated_at timestamptz, version int, cover_image jsonb, details jsonb, status text, is_open boolean, allows_comments boolean
)
language plpgsql security definer set search_path = '' as $$
declare
  v private.post_previews;
  p public.posts;
  w public.workspaces;
  here timestamptz;
begin
  wait := public.take_token('previewRead.address', read_preview.network, read_preview.size, make_interval(secs => read_preview.period_seconds));
  if wait > 0 then
    return next;
    return;
  end if;
  select l.* into v from private.post_previews l where l.token_hash = read_preview.token_hash and l.expires_at > now();
  if v.id is null then return; end if;
  select o.* into p from public.posts o where o.id = v.post_id and o.status <> 'archived';
  select s.* into w from public.workspaces s
  where s.id = p.workspace_id and s.subdomain operator (extensions.=) read_preview.subdomain::extensions.citext;
  if w.id is null then return; end if;
  moved_to := (select s.slug from private.visible_posts s where s.id = p.id);
  if moved_to is not null then
    return next;
    return;
  end if;
  here := coalesce(p.published_at, p.publish_at, now());
  return query
    select 0, null::text,
      jsonb_build_object(
        'id', w.id, 'name', w.name, 'subdomain', w.subdomain, 'origin', w.origin, 'logo_url', w.logo_url,
        'mails', private.sends_email(w.id), 'settings', (select s.settings from public.widget_settings s where s.workspace_id = w.id), 'domain', case when w.is_open then private.domain_of(w.id) end,
        'appearance', (select jsonb_build_object('settings', a.settings, 'logo_dark_url', a.logo_dark_url, 'favicon_url', a.favicon_url)
          from public.appearances a where a.workspace_id = w.id)),
      p.id, p.slug, p.title, coalesce(p.summary, p.excerpt), p.tags,
      (select coalesce(jsonb_agg(jsonb_build_object('key', t.key, 'label', t.label, 'colour', t.colour)), '[]')
        from public.tags t where t.workspace_id = w.id and t.key = any (p.tags)),
      p.author_name, here, greatest(p.content_updated_at, here), p.version, p.cover_image, p.details, p.status::text, w.public_changelog_enabled,
      v.allows_comments;
end $$;

-- The text, read only if this version isn't rendered yet.
create function private.preview_content(token_hash bytea) returns table (version int, content_raw jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select p.version, p.content_raw from public.posts p where p.id = (private.open_preview(preview_content.token_hash)).post_id;
end $$;

grant execute on function private.read_preview, private.preview_content, private.has_preview_link to anon, authenticated, service_role;
grant execute on function public.list_preview_links, public.create_preview_link, public.revoke_preview_link to authenticated, service_role;

-- supabase/schemas/90-restores.sql

-- Restoring a workspace's copy (87-backups) as a new workspace.

-- Workspaces being restored, or restored. Until `done_at` they have no members, so no one sees half of one; abandoned ones are deleted. `keeps_ids`:
-- the original is gone, so ids stay and feed readers see no duplicates; otherwise rows get new ids.
create table private.restores (
  workspace_id uuid constraint restores_pkey primary key
    constraint restores_workspace_id_fkey references public.workspaces (id) on delete cascade,
  source_id uuid not null,
  asked_in uuid not null, -- whose bucket the copy is in
  key text not null,
  person uuid not null,
  keeps_ids boolean not null,
  alive_at timestamptz not null default clock_timestamp(),
  done_at timestamptz
);
create index restores_of_source on private.restores (source_id);
create index restores_unfinished on private.restores (alive_at) where done_at is null;

-- Ids in the copy that other workspaces have, also maliciously; their rows get new ids.
create table private.taken_ids (
  workspace_id uuid constraint taken_ids_workspace_id_fkey references public.workspaces (id) on delete cascade,
  id uuid,
  constraint taken_ids_pkey primary key (workspace_id, id)
);

-- Deletes restores without activity for ten minutes, in batches.
create function private.delete_abandoned_restores(most int default 500) returns void
language plpgsql security definer set search_path = '' as $$
declare
  dead record;
  part record;
  dropped int;
begin
  for dead in
    select r.workspace_id from private.restores r where r.done_at is null and r.alive_at < clock_timestamp() - interval '10 minutes'
    order by random() limit 3 for update skip locked
  loop
    begin
      dropped := 0;
      for part in
        select * from (values ('public.posts', most), ('public.subscribers', 10 * most), ('public.daily_counts', 40 * most), ('private.post_counts', 40 * most),
          ('private.import_entries', 10 * most)) as p (name, rows)
      loop
        exit when dropped > 0;
        execute format('delete from %1$s t where t.ctid = any (array(select d.ctid from %1$s d where d.workspace_id = $1 limit $2))', part.name)
        using dead.workspace_id, part.rows;
        get diagnostics dropped = row_count;
      end loop;
      if dropped = 0 then perform public.drop_restore(dead.workspace_id); end if;
    exception when others then
      raise warning 'the restore into % is not dropped: %', dead.workspace_id, sqlerrm;
    end;
  end loop;
end $$;
grant execute on function private.delete_abandoned_restores to service_role;

-- Begins a restore: {workspace_id, state: "new", "running" or "done"}. The caller becomes the owner. Idempotent by key.
create function public.begin_restore(
  workspace_id uuid, source_id uuid, key text, name text, subdomain text, idempotency_key text default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  wrong jsonb;
  availability text;
  earlier jsonb;
  known private.restores;
  made uuid;
begin
  perform public.require_backup(workspace_id);
  earlier := private.claim_request(idempotency_key, jsonb_build_array('restore', workspace_id, key, name, subdomain)::text);
  if earlier is not null then
    select r.* into known from private.restores r where r.workspace_id = (earlier ->> 'id')::uuid;
    if known.workspace_id is null then perform private.refuse('not_found'); end if;
    return jsonb_build_object('workspace_id', known.workspace_id, 'state', case when known.done_at is null then 'running' else 'done' end);
  end if;
  wrong := private.workspace_faults(private.clean_line(name), null);
  availability := public.subdomain_status(subdomain);
  if availability = 'invalid' then
    wrong := wrong || '{"subdomain": "Please use 3 to 63 letters, digits and hyphens, beginning and ending with a letter or digit"}';
  end if;
  -- An abandoned restore still holds ids for ten minutes.
  if exists (
    select from private.restores r join public.workspaces w on w.id = r.workspace_id
    where r.person = auth.uid() and r.done_at is null and r.alive_at < clock_timestamp() - interval '2 minutes'
      and (r.source_id = begin_restore.source_id and r.keeps_ids or lower(w.subdomain::text) = lower(btrim(begin_restore.subdomain)))
  ) then
    wrong := wrong || '{"subdomain": "A restore of yours is not done, or has broken off and is being cleared away. Please try again in a quarter of an hour"}';
  end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  if availability <> 'free' then perform private.refuse(availability); end if;
  begin
    insert into public.workspaces (name, subdomain) values (name, lower(btrim(subdomain))) returning id into made;
  exception when unique_violation then
    perform private.refuse('subdomain_taken');
  end;
  insert into public.workspace_add_ons (workspace_id, add_on, granted_by) values (made, 'teams', auth.uid());
  perform pg_advisory_xact_lock(hashtextextended('restores/' || source_id, 0)); -- serialised per source
  insert into private.restores (workspace_id, source_id, asked_in, key, person, keeps_ids)
  values (made, source_id, workspace_id, key, auth.uid(),
    not exists (select from public.workspaces w where w.id = source_id)
      and not exists (select from private.restores r where r.source_id = begin_restore.source_id and r.person = auth.uid() and r.keeps_ids));
  if idempotency_key is not null then perform private.settle_request(idempotency_key, jsonb_build_object('id', made)); end if;
  return jsonb_build_object('workspace_id', made, 'state', 'new');
end $$;
grant execute on function public.begin_restore to authenticated, service_role;

-- A row's id in the restored workspace; stable.
create function private.restored_id(r private.restores, id uuid) returns uuid
language sql stable set search_path = '' as $$
  select case when r.keeps_ids and not exists (select from private.taken_ids t where t.workspace_id = r.workspace_id and t.id = restored_id.id) then id
    else overlay(overlay(md5(r.workspace_id || '/' || id) placing '4' from 13 for 1) placing '8' from 17 for 1)::uuid end
$$;

-- The last before-trigger on posts restores every column; derived ones (excerpt, search text) stay.
create function private.restore_columns() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  return jsonb_populate_record(new, current_setting('tidings.restored')::jsonb);
end $$;

-- One post. A past schedule becomes a draft; a future one notifies, unless the original workspace still exists.
create function private.restore_post(r private.restores, line jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  was constant public.posts := jsonb_populate_record(null::public.posts, line);
  is_due constant boolean := was.status = 'scheduled' and was.publish_at <= clock_timestamp();
begin
  perform private.set_notify_subscribers(case when was.status = 'scheduled' and r.keeps_ids then null else false end);
  perform set_config('tidings.restored', jsonb_build_object(
    'status', case when is_due then 'draft' else was.status end, 'publish_at', case when not is_due then was.publish_at end,
    'published_at', was.published_at, 'archived_at', was.archived_at, 'slug', was.slug,
    'version', case when was.version > 1000000000 then 1000000000 else was.version end, -- leaves room for later versions
    'created_by', case when was.created_by = r.person then was.created_by end, 'created_by_name', was.created_by_name,
    'author_id', case when was.author_id = r.person then was.author_id end, 'author_name', was.author_name,
    'updated_by', case when was.updated_by = r.person then was.updated_by end, 'updated_by_name', was.updated_by_name,
    'created_at', was.created_at, 'updated_at', was.updated_at, 'content_updated_at', was.content_updated_at,
    'external_id', was.external_id, 'imported_at', was.imported_at, 'requests', coalesce(was.requests, '{}'))::text, true);
  perform set_config('tidings.autosave', 'on', true); -- drafts can lack a title
  insert into public.posts select p.* from jsonb_populate_record(null::public.posts, private.content_of(line)
    || jsonb_build_object('id', private.restored_id(r, was.id), 'workspace_id', r.workspace_id, 'status', 'draft', 'requests', '[]'::jsonb)) as p;
  perform set_config('tidings.restored', '', true), set_config('tidings.autosave', '', true);
end $$;

-- Refuses dates outside years 1 to 9999, which break jobs.
create function private.require_finite_dates(shape regclass, rows jsonb) returns void
language plpgsql stable set search_path = '' as $$
declare
  field text;
begin
  for field in
    select a.attname from pg_catalog.pg_attribute a
    where a.attrelid = shape and not a.attisdropped and a.atttypid in ('timestamptz'::regtype, 'date'::regtype)
  loop
    if exists (
      select from jsonb_array_elements(rows) as e
      where (e.value ->> field)::timestamptz < '0001-01-01' or (e.value ->> field)::timestamptz >= '10000-01-01'
    ) then raise exception 'a date of the copy is out of range' using errcode = 'datetime_field_overflow'; end if;
  end loop;
end $$;

-- A restore in progress, marked as active; a refusal if it ended or was inactive too long.
create function private.live_restore(workspace uuid) returns private.restores
language plpgsql security definer set search_path = '' as $$
declare
  r private.restores;
begin
  update private.restores t set alive_at = clock_timestamp()
  where t.workspace_id = workspace and t.done_at is null and t.alive_at > clock_timestamp() - interval '10 minutes' returning t.* into r;
  if r.workspace_id is null then perform private.refuse('not_found'); end if;
  return r;
end $$;

-- Rows of one part (contract/workspace-export.ts), posts before what belongs to them. No members, invitations, report recipients, add-ons, domains.
create function public.restore_rows(workspace_id uuid, part text, rows jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  place constant regclass := coalesce(to_regclass('public.' || quote_ident(part)), to_regclass('private.' || quote_ident(part)));
  r constant private.restores := private.live_restore(workspace_id);
  line jsonb;
begin
  if r.keeps_ids and part in ('posts', 'imports', 'templates', 'comment_threads', 'comments', 'subscribers', 'suppressions') then
    perform pg_advisory_xact_lock(hashtextextended('restores/' || r.source_id, 0)); -- two people may restore the same copy
    execute format('insert into private.taken_ids (workspace_id, id) select $1, t.id from %s t
      where t.id = any (array(select (e.value ->> ''id'')::uuid from jsonb_array_elements($2) as e)) and t.workspace_id is distinct from $1
      on conflict on constraint taken_ids_pkey do nothing', place) using r.workspace_id, rows;
  end if;
  perform private.require_finite_dates(place, rows);
  perform private.set_importing(true);
  case part
    when 'posts' then
      for line in select e.value from jsonb_array_elements(rows) as e loop
        perform private.restore_post(r, line);
      end loop;
      perform private.set_notify_subscribers(false);
    when 'post_revisions' then
      -- Restoring the post recorded one.
      delete from public.post_revisions v using jsonb_populate_recordset(null::public.post_revisions, rows) as x
      where v.workspace_id = r.workspace_id and v.post_id = private.restored_id(r, x.post_id) and v.version = x.version;
      insert into public.post_revisions
      select v.* from jsonb_populate_recordset(null::public.post_revisions, rows) as x
      join public.posts p on p.id = private.restored_id(r, x.post_id) and p.workspace_id = r.workspace_id
      cross join lateral jsonb_populate_record(x, jsonb_build_object('post_id', p.id, 'workspace_id', r.workspace_id,
        'author_id', case when x.author_id = r.person then x.author_id end)) as v
      where x.version <= p.version; -- saved while the copy was made
    when 'post_slugs' then
      insert into public.post_slugs (workspace_id, slug, post_id, created_at)
      select r.workspace_id, x.slug, p.id, x.created_at from jsonb_populate_recordset(null::public.post_slugs, rows) as x
      join public.posts p on p.id = private.restored_id(r, x.post_id) and p.workspace_id = r.workspace_id
      on conflict on constraint post_slugs_pkey do update set created_at = excluded.created_at, post_id = excluded.post_id;
    when 'post_redirects' then
      insert into public.post_redirects (workspace_id, host, path, post_id)
      select r.workspace_id, x.host, x.path, p.id from jsonb_populate_recordset(null::public.post_redirects, rows) as x
      join public.posts p on p.id = private.restored_id(r, x.post_id) and p.workspace_id = r.workspace_id;
    when 'imports' then
      insert into public.imports (id, workspace_id, source, name, total, created_by, created_by_name, created_at, finished_at, undone_at)
      select private.restored_id(r, x.id), r.workspace_id, x.source, x.name, x.total, case when x.created_by = r.person then x.created_by end,
        x.created_by_name, x.created_at, x.finished_at, x.undone_at
      from jsonb_populate_recordset(null::public.imports, rows) as x;
    when 'import_entries' then
      insert into private.import_entries (import_id, external_id, workspace_id, place, title, outcome, problem, post_id, fingerprint, version, before,
        was_quiet, undone, made_at)
      select i.id, x.external_id, r.workspace_id, x.place, x.title, x.outcome, x.problem, private.restored_id(r, x.post_id), x.fingerprint, x.version,
        x.before, x.was_quiet, x.undone, x.made_at
      from jsonb_populate_recordset(null::private.import_entries, rows) as x
      join public.imports i on i.id = private.restored_id(r, x.import_id) and i.workspace_id = r.workspace_id;
    when 'tags' then
      insert into public.tags (workspace_id, label, colour, created_at)
      select r.workspace_id, x.label, x.colour, x.created_at from jsonb_populate_recordset(null::public.tags, rows) as x;
    when 'former_tags' then
      insert into private.former_tags (workspace_id, key, now_key)
      select r.workspace_id, x.key, x.now_key from jsonb_populate_recordset(null::private.former_tags, rows) as x;
    when 'templates' then
      insert into public.templates (id, workspace_id, name, title, summary, tags, content_raw, updated_by, updated_by_name, created_at, updated_at)
      select private.restored_id(r, x.id), r.workspace_id, x.name, x.title, x.summary, x.tags, x.content_raw,
        case when x.updated_by = r.person then x.updated_by end, x.updated_by_name, x.created_at, x.updated_at
      from jsonb_populate_recordset(null::public.templates, rows) as x;
    when 'comment_threads' then
      insert into private.comment_threads (id, workspace_id, post_id, block_id, quote, by_visitor, created_at, resolved_at, resolved_by_name)
      select private.restored_id(r, x.id), r.workspace_id, p.id, x.block_id, x.quote, x.by_visitor, x.created_at, x.resolved_at, x.resolved_by_name
      from jsonb_populate_recordset(null::private.comment_threads, rows) as x
      join public.posts p on p.id = private.restored_id(r, x.post_id) and p.workspace_id = r.workspace_id;
    when 'comments' then -- attributed to the restorer, since a copy can claim anything
      insert into private.comments (id, workspace_id, thread_id, user_id, name, text, mentions, created_at, edited_at)
      select private.restored_id(r, x.id), r.workspace_id, t.id,
        case when x.user_id = r.person then x.user_id when x.user_id is not null then gen_random_uuid() end, x.name, x.text, coalesce((
          select jsonb_agg(jsonb_build_object('user_id', gen_random_uuid(), 'name', m.person ->> 'name'))
          from jsonb_array_elements(private.as_list(x.mentions)) as m (person) where m.person ->> 'name' <> ''), '[]'), x.created_at, x.edited_at
      from jsonb_populate_recordset(null::private.comments, rows) as x
      join private.comment_threads t on t.id = private.restored_id(r, x.thread_id) and t.workspace_id = r.workspace_id;
    when 'activities' then
      insert into public.activities (workspace_id, post_id, kind, actor_id, actor_name, title, created_at)
      select r.workspace_id, private.restored_id(r, x.post_id), x.kind, case when x.actor_id = r.person then x.actor_id end, x.actor_name, x.title,
        x.created_at
      from jsonb_populate_recordset(null::public.activities, rows) with ordinality as x order by x.ordinality;
    when 'daily_counts' then
      insert into public.daily_counts (workspace_id, post_id, what, day, source, n)
      select r.workspace_id, private.restored_id(r, x.post_id), x.what, x.day, x.source, case when x.n > 1000000000 then 1000000000 else x.n end
      from jsonb_populate_recordset(null::public.daily_counts, rows) as x;
    when 'subscribers' then
      insert into public.subscribers (id, workspace_id, email, status, frequency, tags, generation, consent, created_at, confirmed_at, left_at,
        last_digest_at)
      select private.restored_id(r, x.id), r.workspace_id, x.email, x.status, x.frequency, x.tags, x.generation, x.consent, x.created_at,
        x.confirmed_at, x.left_at, x.last_digest_at
      from jsonb_populate_recordset(null::public.subscribers, rows) as x;
    when 'suppressions' then
      insert into private.suppressions (id, address, workspace_id, reason, created_at)
      select private.restored_id(r, x.id), x.address, r.workspace_id, x.reason, x.created_at
      from jsonb_populate_recordset(null::private.suppressions, rows) as x;
    else perform private.refuse('validation_failed', '{"part": "This does not come back"}');
  end case;
  perform private.set_importing(false);
end $$;

-- Single rows: workspace, who can read it, widget, email, appearance and house style. The page stays off. A copy has no password, so only members can read
-- what needed one.
create function public.restore_objects(workspace_id uuid, document jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  r constant private.restores := private.live_restore(workspace_id);
  was constant public.workspaces := jsonb_populate_record(null::public.workspaces, document -> 'workspace');
  look constant public.appearances := jsonb_populate_record(null::public.appearances, document -> 'appearance');
  mails constant public.mail_settings := jsonb_populate_record(null::public.mail_settings, document -> 'mail_settings');
begin
  perform private.require_finite_dates('public.mail_settings', jsonb_build_array(document -> 'mail_settings'));
  perform private.require_finite_dates('public.house_styles', jsonb_build_array(document -> 'house_style'));
  update public.workspaces w set origin = was.origin, allowed_origins = coalesce(was.allowed_origins, '{}'), logo_url = was.logo_url
  where w.id = r.workspace_id;
  if document #>> '{reader_access,access}' in ('unlisted', 'link', 'password', 'token', 'members') then
    insert into private.reader_access (workspace_id, access, emails_content, remembers_readers)
    values (r.workspace_id, replace(document #>> '{reader_access,access}', 'password', 'members'),
      coalesce((document #>> '{reader_access,emails_content}')::boolean, false),
      coalesce((document #>> '{reader_access,remembers_readers}')::boolean, false))
    on conflict on constraint reader_access_pkey do nothing;
  end if;
  if jsonb_typeof(document -> 'widget_settings') = 'object' and document -> 'widget_settings' <> '{}' then
    insert into public.widget_settings (workspace_id, settings) values (r.workspace_id, document -> 'widget_settings')
    on conflict on constraint widget_settings_pkey do update set settings = excluded.settings;
  end if;
  if jsonb_typeof(document -> 'appearance') = 'object' and document -> 'appearance' <> '{}' then
    insert into public.appearances (workspace_id, settings, logo_dark_url, favicon_url)
    values (r.workspace_id, (document -> 'appearance') - '{logo_dark_url,favicon_url}'::text[], look.logo_dark_url, look.favicon_url)
    on conflict on constraint appearances_pkey do update set settings = excluded.settings, logo_dark_url = excluded.logo_dark_url,
      favicon_url = excluded.favicon_url;
  end if;
  if mails.workspace_id is null then
    delete from public.mail_settings m where m.workspace_id = r.workspace_id;
  else
    update public.mail_settings m set enabled = mails.enabled, undo_minutes = mails.undo_minutes, sender_name = mails.sender_name,
      reply_to = mails.reply_to, time_zone = case when private.is_time_zone(mails.time_zone) then mails.time_zone else 'UTC' end,
      held_at = mails.held_at, held_reason = mails.held_reason, released_at = case when mails.released_at > now() then now() else mails.released_at end
    where m.workspace_id = r.workspace_id;
  end if;
  if jsonb_typeof(document -> 'house_style') = 'object' and document -> 'house_style' <> '{}' then
    insert into public.house_styles (workspace_id, text, updated_by, updated_by_name, updated_at)
    select r.workspace_id, x.text, case when x.updated_by = r.person then x.updated_by end, x.updated_by_name, x.updated_at
    from jsonb_populate_record(null::public.house_styles, document -> 'house_style') as x
    on conflict on constraint house_styles_pkey do nothing;
  end if;
end $$;

-- Finishes. `ours`: this installation made the copy for the same owner, unchanged. Otherwise subscribers confirm again: a list can be forged.
create function public.finish_restore(workspace_id uuid, ours boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  r constant private.restores := private.live_restore(workspace_id);
  title text;
begin
  update private.restores t set done_at = clock_timestamp() where t.workspace_id = r.workspace_id;
  -- The caller may no longer own the source workspace.
  if not exists (select from public.members m where m.workspace_id = r.asked_in and m.user_id = r.person and m.role = 'owner') then
    perform private.refuse('forbidden');
  end if;
  perform private.set_importing(true);
  if not ours then
    delete from public.subscribers s where s.workspace_id = r.workspace_id;
    delete from private.suppressions s where s.workspace_id = r.workspace_id;
  else -- unsubscribed, erased, complained and bouncing since: no email (a deleted workspace: bounces only)
    insert into private.suppressions (address, workspace_id, reason)
    select x.address, r.workspace_id, x.reason from private.suppressions x where x.workspace_id = r.source_id
    on conflict on constraint suppressions_key do nothing;
    delete from public.subscribers s using private.suppressions x
    where s.workspace_id = r.workspace_id and x.workspace_id = r.source_id and x.reason = 'erased' and x.address = private.address_hash(s.email::text);
    update public.subscribers s set status = 'suppressed'
    where s.workspace_id = r.workspace_id and s.status <> 'suppressed' and exists (
      select from private.suppressions x where x.address = private.address_hash(s.email::text)
        and (x.workspace_id is null or x.workspace_id = r.source_id and x.reason <> 'erased')
    );
    update public.subscribers s set status = case n.status when 'pending' then 'left' else n.status end, left_at = n.left_at from public.subscribers n
    where s.workspace_id = r.workspace_id and s.status in ('pending', 'active', 'paused') and n.workspace_id = r.source_id
      and n.email operator (extensions.=) s.email and (n.status in ('left', 'paused', 'suppressed') or n.status = 'pending' and n.left_at is not null);
  end if;
  delete from private.taken_ids t where t.workspace_id = r.workspace_id;
  delete from private.count_queue q where q.workspace_id = r.workspace_id; -- not today's events
  insert into private.post_counts (workspace_id, span, first_day, post_id, views, widget_opens, clicks, mails_sent, mails_followed)
  select d.workspace_id, l.span, l.first_day, d.post_id,
    coalesce(sum(d.n) filter (where d.what = 'view'), 0), coalesce(sum(d.n) filter (where d.what = 'view' and d.source = 'widget'), 0),
    coalesce(sum(d.n) filter (where d.what = 'link_click'), 0), coalesce(sum(d.n) filter (where d.what = 'mail_sent'), 0),
    coalesce(sum(d.n) filter (where d.what = 'view' and d.source = 'mail'), 0)
  from public.daily_counts d, lateral (values ('day', d.day), ('month', date_trunc('month', d.day)::date)) as l (span, first_day)
  where d.workspace_id = r.workspace_id and d.post_id is not null group by 1, 2, 3, 4;
  insert into private.workspace_counts (workspace_id, day, views, readers, widget_opens, clicks, widget_shown, mails_sent, mails_followed, subscribed, "left")
  select d.workspace_id, d.day, coalesce(sum(d.n) filter (where d.what = 'view'), 0), coalesce(sum(d.n) filter (where d.what = 'reader'), 0),
    coalesce(sum(d.n) filter (where d.what = 'widget_open'), 0), coalesce(sum(d.n) filter (where d.what = 'link_click'), 0),
    coalesce(sum(d.n) filter (where d.what = 'widget_shown'), 0), coalesce(sum(d.n) filter (where d.what = 'mail_sent'), 0),
    coalesce(sum(d.n) filter (where d.what = 'view' and d.source = 'mail'), 0),
    coalesce(sum(d.n) filter (where d.what = 'subscribed'), 0), coalesce(sum(d.n) filter (where d.what = 'left'), 0)
  from public.daily_counts d
  where d.workspace_id = r.workspace_id and d.post_id is null and d.what not in ('referrer', 'search_none', 'country', 'language') group by 1, 2;
  insert into private.name_days (workspace_id, day)
  select distinct d.workspace_id, d.day from public.daily_counts d
  where d.workspace_id = r.workspace_id and d.post_id is null and d.what in ('referrer', 'search_none', 'country', 'language')
    and d.day >= (now() at time zone 'utc')::date
  on conflict on constraint name_days_pkey do nothing;
  insert into public.members (workspace_id, user_id, role) values (r.workspace_id, r.person, 'owner');
  perform private.set_importing(false, r.workspace_id);
  select w.name into title from public.workspaces w where w.id = r.workspace_id;
  perform private.audit(r.asked_in, 'backup_restored', r.workspace_id, title, jsonb_build_object('key', r.key));
end $$;

-- Deletes an unfinished workspace and frees its subdomain.
create function public.drop_restore(workspace_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  free text;
begin
  delete from public.workspaces w using private.restores r
  where w.id = drop_restore.workspace_id and r.workspace_id = w.id and r.done_at is null returning lower(w.subdomain::text) into free;
  delete from private.released_subdomains s where s.label = free;
end $$;

grant execute on function public.restore_rows, public.restore_objects, public.finish_restore, public.drop_restore to service_role;

-- supabase/schemas/91-comments.sql

-- Comments in threads, on a block or the whole post. Members read, writers write, by the calls below; visitors comment by a preview link that allows
-- it (89-preview-links). Names beside ids: comments outlive accounts.

create table private.comment_threads (
  id uuid constraint comment_threads_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint comment_threads_workspace_id_fkey references public.workspaces (id) on delete cascade,
  post_id uuid not null constraint comment_threads_post_id_fkey references public.posts (id) on delete cascade,
  block_id text collate "C" constraint comment_threads_block_id_shape check (block_id ~ '^[A-Za-z0-9_-]{1,64}$'), -- null: the whole post
  quote text not null constraint comment_threads_quote_length check (char_length(quote) <= 200), -- the block's text then
  by_visitor boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  resolved_at timestamptz,
  resolved_by_name text,
  constraint comment_threads_resolved_by_somebody check ((resolved_at is null) = (resolved_by_name is null))
);
create index comment_threads_of_post on private.comment_threads (post_id, created_at, id);
create index comment_threads_of_workspace on private.comment_threads (workspace_id, id);

create table private.comments (
  id uuid constraint comments_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint comments_workspace_id_fkey references public.workspaces (id) on delete cascade,
  thread_id uuid not null constraint comments_thread_id_fkey references private.comment_threads (id) on delete cascade,
  user_id uuid, -- null: a visitor
  name text not null constraint comments_name_length check (char_length(name) between 1 and 200),
  text text not null constraint comments_text_length check (char_length(text) between 1 and 5000),
  mentions jsonb not null default '[]' constraint comments_mentions_are_a_list check (jsonb_typeof(mentions) = 'array'), -- [{user_id, name}]
  created_at timestamptz not null default clock_timestamp(),
  edited_at timestamptz
);
create index comments_of_thread on private.comments (thread_id, created_at, id);
create index comments_of_workspace on private.comments (workspace_id, id);

-- Shape: contract/comments.ts, with present names and avatars.
create function private.thread_json(t private.comment_threads) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return jsonb_build_object('id', t.id, 'block_id', t.block_id, 'quote', t.quote, 'created_at', t.created_at, 'resolved_at', t.resolved_at,
    'resolved_by_name', t.resolved_by_name, 'comments', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'user_id', c.user_id, 'name', coalesce(nullif(btrim(p.full_name), ''), c.name),
        'avatar_url', p.avatar_url, 'text', c.text, 'mentions', c.mentions, 'created_at', c.created_at, 'edited_at', c.edited_at)
        order by c.created_at, c.id), '[]')
      from private.comments c left join public.profiles p on p.user_id = c.user_id where c.thread_id = t.id
    ));
end $$;

create function public.post_threads(post_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role((select p.workspace_id from public.posts p where p.id = post_threads.post_id));
  return coalesce((
    select jsonb_agg(private.thread_json(t) order by t.created_at, t.id) from private.comment_threads t where t.post_id = post_threads.post_id
  ), '[]');
end $$;

create function private.require_thread(post uuid, thread uuid) returns private.comment_threads
language plpgsql security definer set search_path = '' as $$
declare
  found_one private.comment_threads;
begin
  select t.* into found_one from private.comment_threads t where t.id = thread and t.post_id = post;
  if found_one.id is null then perform private.refuse('not_found'); end if;
  return found_one;
end $$;

create function private.comment_text(text text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  said constant text := btrim(replace(replace(coalesce(text, ''), E'\r\n', E'\n'), E'\r', E'\n'), E' \t\n\u00a0\ufeff');
begin
  if said = '' then perform private.refuse('validation_failed', '{"text": "Please write a comment"}'); end if;
  if char_length(said) > 5000 then
    perform private.refuse('validation_failed', '{"text": "A comment can have at most 5,000 characters"}');
  end if;
  return said;
end $$;

-- Mentioned members: [{user_id, name}].
create function private.mentioned(workspace uuid, people uuid[]) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if cardinality(people) > 20 then
    perform private.refuse('validation_failed', '{"mentions": "A comment can mention at most 20 people"}');
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object('user_id', p.user_id, 'name', p.full_name) order by p.full_name, p.user_id), '[]')
    from public.members m join public.profiles p on p.user_id = m.user_id
    where m.workspace_id = workspace and m.user_id = any (people) and btrim(p.full_name) <> ''
  );
end $$;

-- Adds to a thread, or begins one, within the limits: all comments of a post are one response. Without `person`: a visitor's.
create function private.insert_comment(
  post public.posts, thread uuid, person uuid, name text, said text, mentions jsonb, block_id text, quote text
) returns private.comments
language plpgsql security definer set search_path = '' as $$
declare
  made private.comments;
begin
  if thread is null and 500 <= (select count(*) from private.comment_threads t where t.post_id = post.id) then
    perform private.refuse('validation_failed', '{"text": "This post has 500 threads. Please delete some first."}');
  end if;
  if 200 <= (select count(*) from private.comments c where c.thread_id = thread) then
    perform private.refuse('validation_failed', '{"text": "This thread has 200 comments. Start another one."}');
  end if;
  if 2000 <= (
    select count(*) from private.comment_threads t join private.comments c on c.thread_id = t.id where t.post_id = post.id
  ) then perform private.refuse('validation_failed', '{"text": "This post has 2,000 comments. Please delete some first."}'); end if;
  if 500000 < char_length(said) + (
    select coalesce(sum(char_length(c.text)), 0) from private.comment_threads t join private.comments c on c.thread_id = t.id where t.post_id = post.id
  ) then perform private.refuse('validation_failed', '{"text": "The comments on this post have reached their maximum length. Delete some first."}'); end if;
  if thread is null then
    insert into private.comment_threads (workspace_id, post_id, block_id, quote, by_visitor)
    values (post.workspace_id, post.id, insert_comment.block_id, left(private.clean_line(coalesce(insert_comment.quote, '')), 200),
      person is null)
    returning id into thread;
  end if;
  insert into private.comments (workspace_id, thread_id, user_id, name, text, mentions)
  values (post.workspace_id, thread, person, left(insert_comment.name, 200), said, insert_comment.mentions) returning * into made;
  return made;
end $$;

create function private.text_of_block(content jsonb, block_id text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select coalesce(case when jsonb_typeof(b.block -> 'data') = 'object' then private.text_of(b.block -> 'data') end, '')
    from jsonb_array_elements(private.as_list(content -> 'blocks')) as b (block)
    where b.block ->> 'id' = text_of_block.block_id limit 1
  );
end $$;

create function private.email_mentioned(post public.posts, said private.comments, before jsonb default '[]') returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.enqueue_member_email(post.workspace_id, 'mentioned', (m.person ->> 'user_id')::uuid, jsonb_build_object(
    'subject', said.thread_id, 'thread_id', said.thread_id, 'comment_id', said.id, 'post_id', post.id, 'title', post.title, 'by', said.name,
    'text', said.text))
  from jsonb_array_elements(said.mentions) as m (person)
  where (m.person ->> 'user_id')::uuid is distinct from said.user_id
    and not exists (select from jsonb_array_elements(before) as b (person) where b.person ->> 'user_id' = m.person ->> 'user_id');
end $$;

-- Updates a waiting email: no longer sent for a deleted comment or removed mention, unless another comment of the thread mentions the member.
create function private.update_mention_emails() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  untold private.deliveries;
  other private.comments;
begin
  for untold in
    delete from private.deliveries d
    where d.target_id in (select (m.person ->> 'user_id')::uuid from jsonb_array_elements(old.mentions) as m (person))
      and d.kind = 'mentioned' and d.state = 'waiting' and d.data ->> 'comment_id' = old.id::text
      and (tg_op = 'DELETE' or not exists (
        select from jsonb_array_elements(new.mentions) as m (person) where m.person ->> 'user_id' = d.target_id::text))
    returning d.*
  loop
    select c.* into other from private.comments c
    where c.thread_id = old.thread_id and c.id <> old.id and c.user_id is distinct from untold.target_id
      and c.mentions @> jsonb_build_array(jsonb_build_object('user_id', untold.target_id))
      and coalesce(c.edited_at, c.created_at) >= untold.created_at
    order by c.created_at desc, c.id desc limit 1;
    if other.id is not null then
      perform private.enqueue_member_email(untold.workspace_id, 'mentioned', untold.target_id,
        untold.data || jsonb_build_object('comment_id', other.id, 'by', other.name, 'text', other.text));
    end if;
  end loop;
  if tg_op = 'UPDATE' then
    update private.deliveries d set data = d.data || jsonb_build_object('text', new.text)
    where d.target_id in (select (m.person ->> 'user_id')::uuid from jsonb_array_elements(new.mentions) as m (person))
      and d.kind = 'mentioned' and d.state = 'waiting' and d.data ->> 'comment_id' = new.id::text;
  end if;
  return null;
end $$;
create trigger comments_retell_mentioned after delete or update of text, mentions on private.comments
for each row when (old.mentions <> '[]') execute function private.update_mention_emails();

-- Adds to a thread and reopens it; without `thread_id`, begins one, at a block if named. `quote`: the text of a block that isn't saved yet.
create function public.add_comment(
  post_id uuid, text text, thread_id uuid default null, block_id text default null, mentions uuid[] default '{}', quote text default null,
  idempotency_key text default null
) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  post constant public.posts := private.lock_post(post_id, '{owner,admin,editor}', true);
  said constant text := private.comment_text(text);
  earlier jsonb;
  made private.comments;
begin
  earlier := private.claim_request(idempotency_key, jsonb_build_array('add_comment', post_id, thread_id, block_id, text, mentions)::text);
  if earlier is not null then
    perform private.require_role((earlier ->> 'workspace_id')::uuid, '{owner,admin,editor}');
    return private.thread_json(private.require_thread((earlier ->> 'id')::uuid, (earlier ->> 'thread_id')::uuid));
  end if;
  if thread_id is not null then
    perform private.require_thread(post_id, thread_id);
    update private.comment_threads t set resolved_at = null, resolved_by_name = null where t.id = thread_id;
  elsif block_id !~ '^[A-Za-z0-9_-]{1,64}$' then
    perform private.refuse('validation_failed', '{"block_id": "This is not a valid id"}');
  end if;
  made := private.insert_comment(post, thread_id, private.my_id(), coalesce(private.my_name(), 'Someone'), said,
    private.mentioned(post.workspace_id, mentions), block_id,
    coalesce(private.text_of_block(post.content_raw, block_id), case when block_id is not null then quote end));
  perform private.email_mentioned(post, made);
  perform private.announce(post.workspace_id, 'comments-changed', jsonb_build_object('post_id', post.id));
  perform private.settle_request(idempotency_key, jsonb_build_object('workspace_id', post.workspace_id, 'id', post.id, 'thread_id', made.thread_id));
  return private.thread_json(private.require_thread(post_id, made.thread_id));
end $$;

create function public.settle_thread(post_id uuid, thread_id uuid, resolved boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  post constant public.posts := private.lock_post(post_id, '{owner,admin,editor}', true);
  thread private.comment_threads := private.require_thread(post_id, thread_id);
begin
  if resolved is null then perform private.refuse('validation_failed', '{"resolved": "Send true or false"}'); end if;
  if resolved <> (thread.resolved_at is not null) then
    update private.comment_threads t set resolved_at = case when resolved then clock_timestamp() end,
      resolved_by_name = case when resolved then left(coalesce(private.my_name(), 'Someone'), 200) end
    where t.id = thread.id returning t.* into thread;
    perform private.announce(post.workspace_id, 'comments-changed', jsonb_build_object('post_id', post.id));
  end if;
  return private.thread_json(thread);
end $$;

-- One's own. Emails new mentions.
create function public.change_comment(post_id uuid, thread_id uuid, comment_id uuid, text text, mentions uuid[] default '{}') returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  post constant public.posts := private.lock_post(post_id, '{owner,admin,editor}', true);
  said constant text := private.comment_text(text);
  thread constant private.comment_threads := private.require_thread(post_id, thread_id);
  was private.comments;
  becomes private.comments;
begin
  select c.* into was from private.comments c where c.id = comment_id and c.thread_id = thread.id;
  if was.id is null then perform private.refuse('not_found'); end if;
  if was.user_id is distinct from private.my_id() then perform private.refuse('forbidden'); end if;
  update private.comments c set text = said, mentions = private.mentioned(post.workspace_id, change_comment.mentions),
    edited_at = case when c.text = said then c.edited_at else clock_timestamp() end
  where c.id = was.id returning c.* into becomes;
  perform private.email_mentioned(post, becomes, was.mentions);
  perform private.announce(post.workspace_id, 'comments-changed', jsonb_build_object('post_id', post.id));
  return private.thread_json(thread);
end $$;

-- One's own; for owners and admins any. Deletes an empty thread.
create function public.remove_comment(post_id uuid, thread_id uuid, comment_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  post constant public.posts := private.lock_post(post_id, '{owner,admin,editor}', true);
  thread constant private.comment_threads := private.require_thread(post_id, thread_id);
  gone private.comments;
begin
  select c.* into gone from private.comments c where c.id = comment_id and c.thread_id = thread.id;
  if gone.id is null then perform private.refuse('not_found'); end if;
  if gone.user_id is distinct from private.my_id() then perform private.require_role(post.workspace_id, '{owner,admin}'); end if;
  delete from private.comments c where c.id = gone.id;
  delete from private.comment_threads t where t.id = thread.id and not exists (select from private.comments c where c.thread_id = t.id);
  perform private.announce(post.workspace_id, 'comments-changed', jsonb_build_object('post_id', post.id));
end $$;

grant execute on function public.post_threads, public.add_comment, public.settle_thread, public.change_comment,
  public.remove_comment to authenticated, service_role;

-- supabase/schemas/92-preview-comments.sql

-- The link of a visitor's thread (91-comments): only visitors with the same link see it.
create table private.preview_threads (
  thread_id uuid constraint preview_threads_pkey primary key
    constraint preview_threads_thread_id_fkey references private.comment_threads (id) on delete cascade,
  preview_id uuid not null constraint preview_threads_preview_id_fkey references private.post_previews (id) on delete cascade
);
create index preview_threads_of_preview on private.preview_threads (preview_id);

-- A visitor's comment by a link that allows it. `wait` > 0: rate-limited. At most a hundred of a post, to leave room for writers.
create function private.create_preview_comment(
  subdomain text, token_hash bytea, name text, body text, block_id text, network text, size int, period_seconds int
) returns table (wait int, thread uuid)
language plpgsql security definer set search_path = '' as $$
declare
  link private.post_previews := private.open_preview(token_hash);
  who constant text := private.clean_line(coalesce(name, ''));
  said text;
  post public.posts;
  words text;
begin
  if not exists (
    select from public.posts p join public.workspaces w on w.id = p.workspace_id
    where p.id = link.post_id and w.subdomain operator (extensions.=) create_preview_comment.subdomain::extensions.citext
  ) then perform private.refuse('not_found'); end if;
  wait := public.take_token('previewComment.address', network, size, make_interval(secs => period_seconds));
  if wait > 0 then
    return next;
    return;
  end if;
  if link.allows_comments is not true then perform private.refuse('not_found'); end if;
  if who = '' then perform private.refuse('validation_failed', '{"name": "Please enter your name"}'); end if;
  if char_length(who) > 120 then perform private.refuse('validation_failed', '{"name": "Please use at most 120 characters"}'); end if;
  said := private.comment_text(body);
  perform pg_advisory_xact_lock(hashtextextended('comments/' || link.post_id, 0));
  select p.* into post from public.posts p where p.id = link.post_id for key share;
  link := private.open_preview(token_hash); -- may be revoked by now
  if post.id is null or link.allows_comments is not true then perform private.refuse('not_found'); end if;
  if 100 <= (
    select count(*) from private.comment_threads t join private.comments c on c.thread_id = t.id where t.post_id = post.id and c.user_id is null
  ) then
    perform private.refuse('validation_failed', '{"text": "This draft can''t have more comments. Tell the person who sent you the link."}');
  end if;
  words := private.text_of_block(post.content_raw, block_id);
  thread := (private.insert_comment(post, null, null, who, said, '[]', case when words is not null then block_id end, words)).thread_id;
  -- The link may have been revoked meanwhile.
  insert into private.preview_threads (thread_id, preview_id) select thread, v.id from private.post_previews v where v.id = link.id for key share;
  perform private.announce(post.workspace_id, 'comments-changed', jsonb_build_object('post_id', post.id));
  return next;
end $$;

-- Open threads of visitors with this link, and answers: [{id, block_id, created_at, comments: [{name, visitor, text, created_at}]}].
create function private.preview_link_threads(token_hash bytea) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  link constant private.post_previews := private.open_preview(token_hash);
begin
  if link.allows_comments is not true then return '[]'; end if;
  return coalesce((
    select jsonb_agg(jsonb_build_object('id', t.id, 'block_id', t.block_id, 'created_at', t.created_at, 'comments', (
      select jsonb_agg(jsonb_build_object('name', c.name, 'visitor', c.user_id is null, 'text', c.text, 'created_at', c.created_at)
        order by c.created_at, c.id)
      from private.comments c where c.thread_id = t.id
    )) order by t.created_at, t.id)
    from private.preview_threads o join private.comment_threads t on t.id = o.thread_id
    where o.preview_id = link.id and t.resolved_at is null
  ), '[]');
end $$;

grant execute on function private.create_preview_comment, private.preview_link_threads to anon, authenticated, service_role;

-- supabase/schemas/93-house-style.sql

-- A workspace's writing guidelines for assistants (contract/house-style.ts). Members read them, owners and admins write them.
create table public.house_styles (
  workspace_id uuid constraint house_styles_pkey primary key
    constraint house_styles_workspace_id_fkey references public.workspaces (id) on delete cascade,
  text text not null constraint house_styles_text_length check (char_length(text) <= 4000), -- "": removed
  updated_by uuid,
  updated_by_name text,
  updated_at timestamptz not null default clock_timestamp()
);

create policy "members read their workspace's house style" on public.house_styles for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
grant select on public.house_styles to authenticated;

-- An unchanged text isn't audited and keeps its author.
create function public.save_house_style(workspace_id uuid, text text) returns public.house_styles
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := save_house_style.workspace_id;
  said constant text := btrim(replace(replace(coalesce(save_house_style.text, ''), E'\r\n', E'\n'), E'\r', E'\n'), E' \t\n\u00a0\ufeff');
  present public.house_styles;
  saved public.house_styles;
begin
  perform private.require_role(asked, '{owner,admin}');
  if char_length(said) > 4000 then perform private.refuse('validation_failed', '{"text": "Please use at most 4,000 characters"}'); end if;
  perform pg_advisory_xact_lock(hashtextextended('house style/' || asked, 0)); -- serialised
  select h.* into present from public.house_styles h where h.workspace_id = asked;
  if present.text is not distinct from said then return present; end if;
  insert into public.house_styles as h (workspace_id, text, updated_by, updated_by_name) values (asked, said, auth.uid(), private.my_name())
  on conflict on constraint house_styles_pkey do update set text = excluded.text, updated_by = excluded.updated_by,
    updated_by_name = excluded.updated_by_name, updated_at = clock_timestamp()
  returning h.* into saved;
  perform private.audit(asked, 'house_style_changed', null, null,
    jsonb_build_object('characters', jsonb_build_array(char_length(coalesce(present.text, '')), char_length(said))));
  return saved;
end $$;

-- Context before drafting: {"workspace", "language", "house_style", "tags", "carried", "published", "more_published", "unpublished",
-- "more_unpublished"}. Posts since a date, at most 50, else the last 20; the next 20 scheduled and the 30 drafts edited last.
create function public.release_notes_context(workspace_id uuid, since timestamptz default null) returns json
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := release_notes_context.workspace_id;
  most constant int := case when since is null then 20 else 50 end;
  out_ids uuid[];
  scheduled_ids uuid[];
  draft_ids uuid[];
  tags json;
begin
  perform private.require_role(asked);
  tags := public.list_tags(asked);
  -- One more than shown. Worded to match posts_public, posts_upcoming, posts_by_status.
  out_ids := array(
    select p.id from public.posts p
    where p.workspace_id = asked and p.status in ('published', 'scheduled') and (p.status = 'published' or p.publish_at <= now())
      and p.details -> 'audience' is null
      and coalesce(p.published_at, p.publish_at) >= coalesce(since, '-infinity')
    order by coalesce(p.published_at, p.publish_at) desc, p.id desc limit most + 1
  );
  scheduled_ids := array(
    select p.id from public.posts p where p.workspace_id = asked and p.status = 'scheduled' and p.publish_at > now() order by p.publish_at, p.id limit 21
  );
  draft_ids := array(
    select p.id from public.posts p where p.workspace_id = asked and p.status = 'draft' order by p.updated_at desc, p.id desc limit 31
  );
  return json_build_object(
    'workspace', public.workspace_address(asked),
    'language', coalesce((select a.settings ->> 'locale' from public.appearances a where a.workspace_id = asked), 'en'),
    'house_style', (select nullif(h.text, '') from public.house_styles h where h.workspace_id = asked),
    'tags', tags -> 'tags',
    'carried', tags -> 'carried',
    'published', coalesce((
      select json_agg(l order by l.place) from (
        select f.place, p.id, p.title, p.slug, coalesce(p.summary, p.excerpt) as summary, p.tags, coalesce(p.published_at, p.publish_at) as published_at
        from unnest(out_ids[:most]) with ordinality as f (id, place) join public.posts p on p.id = f.id
      ) as l), '[]'),
    'more_published', cardinality(out_ids) > most,
    'unpublished', coalesce((
      select json_agg(l order by l.place) from (
        select f.place, p.id, p.external_id, p.title, coalesce(p.summary, p.excerpt) as summary, p.tags, p.status, p.publish_at, p.updated_at, p.version
        from unnest(scheduled_ids[:20] || draft_ids[:30]) with ordinality as f (id, place) join public.posts p on p.id = f.id
      ) as l), '[]'),
    'more_unpublished', cardinality(scheduled_ids) > 20 or cardinality(draft_ids) > 30
  );
end $$;

grant execute on function public.save_house_style, public.release_notes_context to authenticated, service_role;

-- supabase/schemas/94-templates.sql

-- Templates of posts (contract/templates.ts). Members read, writers write, by the calls below, which enforce the limit and unique names.
create table public.templates (
  id uuid not null default gen_random_uuid() constraint templates_pkey primary key,
  workspace_id uuid not null constraint templates_workspace_id_fkey references public.workspaces (id) on delete cascade,
  name text not null constraint templates_name_length check (char_length(name) between 1 and 60),
  title text not null default '' constraint templates_title_length check (char_length(title) <= 119),
  summary text constraint templates_summary_length check (char_length(summary) between 1 and 300),
  tags text[] not null default '{}',
  content_raw jsonb not null constraint templates_content_is_blocks check (jsonb_typeof(content_raw -> 'blocks') = 'array'),
  updated_by uuid,
  updated_by_name text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create unique index templates_name on public.templates (workspace_id, lower(name));

create policy "members read their workspace's templates" on public.templates for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
grant select on public.templates to authenticated;

-- Like private.clean_post, but title and text are optional.
create function private.clean_template() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  wrong jsonb;
begin
  new.name := private.clean_line(new.name);
  new.title := coalesce(private.clean_line(new.title), '');
  new.summary := nullif(private.clean_line(new.summary), '');
  new.tags := private.clean_tags(new.tags);
  wrong := private.content_faults(new.title, new.summary, new.tags, coalesce(new.content_raw, '{}'));
  if coalesce(new.name, '') = '' then wrong := wrong || '{"name": "Please enter a name"}';
  elsif char_length(new.name) > 60 then wrong := wrong || '{"name": "Please use at most 60 characters"}'; end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  return new;
end $$;
create trigger templates_are_tidy before insert or update on public.templates for each row execute function private.clean_template();

-- Images a template shows are kept when their post is deleted (private.discard_images).
create table private.template_images (
  template_id uuid not null constraint template_images_template_id_fkey references public.templates (id) on delete cascade,
  path text collate "C" not null,
  constraint template_images_pkey primary key (template_id, path)
);
create index template_images_by_path on private.template_images (path);

-- Records a template's images. Unused ones are queued for deletion.
create function private.record_template_images() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  template constant uuid := coalesce(new.id, old.id);
  shown text[] := '{}';
begin
  if tg_op <> 'DELETE' then shown := array(select private.image_paths(new.content_raw, new.workspace_id));
  elsif not exists (select from public.workspaces w where w.id = old.workspace_id) then return old; end if; -- all its files are queued
  insert into private.discarded_files (bucket, path)
  select 'post-images', i.path from private.template_images i
  where i.template_id = template and i.path <> all (shown)
    and not exists (select from private.post_images p where p.path = i.path)
    and not exists (select from private.template_images o where o.path = i.path and o.template_id <> template)
  on conflict on constraint discarded_files_pkey do nothing;
  if tg_op = 'DELETE' then return old; end if;
  delete from private.template_images i where i.template_id = template and i.path <> all (shown);
  insert into private.template_images (template_id, path) select template, s.path from unnest(shown) as s (path)
  on conflict on constraint template_images_pkey do nothing;
  return null;
end $$;
create trigger templates_70_images after insert or update of content_raw on public.templates
for each row execute function private.record_template_images();
create trigger templates_70_discard_images before delete on public.templates for each row execute function private.record_template_images();

create function public.read_template(workspace_id uuid, template_id uuid) returns public.templates
language plpgsql stable security definer set search_path = '' as $$
declare
  answer public.templates;
begin
  perform private.require_role(workspace_id);
  select t.* into answer from public.templates t where t.id = template_id and t.workspace_id = read_template.workspace_id;
  if answer.id is null then perform private.refuse('not_found'); end if;
  answer.tags := private.tags_now(workspace_id, answer.tags);
  return answer;
end $$;

-- Creates a template, or changes the one with `template_id`.
create function public.save_template(
  workspace_id uuid, name text, content_raw jsonb, title text default '', summary text default null, tags text[] default '{}',
  template_id uuid default null
) returns public.templates
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  most constant int := 100;
  answer public.templates;
begin
  perform private.require_role(workspace_id, '{owner,admin,editor}');
  if template_id is not null then
    update public.templates t set name = name, title = title, summary = summary, tags = coalesce(tags, '{}'), content_raw = content_raw,
      updated_by = auth.uid(), updated_by_name = private.my_name(), updated_at = clock_timestamp()
    where t.id = template_id and t.workspace_id = save_template.workspace_id returning t.* into answer;
    if answer.id is null then perform private.refuse('not_found'); end if;
    return answer;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('templates/' || workspace_id, 0)); -- serialised for the limit
  if (select count(*) from public.templates t where t.workspace_id = save_template.workspace_id) >= most then
    perform private.refuse('too_many_templates');
  end if;
  insert into public.templates (workspace_id, name, title, summary, tags, content_raw, updated_by, updated_by_name)
  values (workspace_id, name, title, summary, coalesce(tags, '{}'), content_raw, auth.uid(), private.my_name())
  returning * into answer;
  return answer;
exception when unique_violation then
  perform private.refuse('template_name_taken');
end $$;

create function public.delete_template(workspace_id uuid, template_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_role(workspace_id, '{owner,admin,editor}');
  delete from public.templates t where t.id = template_id and t.workspace_id = delete_template.workspace_id;
  if not found then perform private.refuse('not_found'); end if;
end $$;

-- A draft with the post's content. Locks the post, so that its images aren't deleted before the copy shows them.
create function public.duplicate_post(post_id uuid, idempotency_key text default null) returns public.post_details
language plpgsql set search_path = '' as $$
declare
  suffix constant text := ' (copy)';
  earlier jsonb;
  source public.posts;
  answer public.post_details;
begin
  earlier := private.claim_request(idempotency_key, jsonb_build_array('duplicate_post', post_id)::text);
  if earlier is not null then
    perform private.require_role((earlier ->> 'workspace_id')::uuid, '{owner,admin,editor}');
    return jsonb_populate_record(null::public.post_details, earlier);
  end if;
  select * into source from public.posts p where p.id = post_id for key share;
  if source.id is null then perform private.explain_refusal(post_id); end if;
  answer := public.create_post(
    workspace_id => source.workspace_id, content_raw => source.content_raw, tags => source.tags, summary => source.summary,
    cover_image => source.cover_image, autosaved => true,
    title => case when source.title = '' then '' else btrim(left(source.title, 119 - char_length(suffix))) || suffix end
  );
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
  return answer;
end $$;

grant execute on function public.read_template, public.save_template, public.delete_template, public.duplicate_post
  to authenticated, service_role;

-- supabase/schemas/95-rate-limits.sql

-- Token buckets shared by all function instances: `size` tokens refill over `period`, each call takes one. Keys are hashed; they must come from the
-- connection or token, never from a client's header.
create unlogged table private.rate_limits ( -- a crash loses nothing important
  bucket text not null,
  key bytea not null,
  tokens double precision not null,
  granted boolean not null, -- the last call's answer
  updated_at timestamptz not null,
  full_at timestamptz not null, -- full again: the row can go
  constraint rate_limits_pkey primary key (bucket, key)
);
create index rate_limits_full on private.rate_limits (full_at);

-- Seconds to wait, 0 for allowed. One statement: concurrent calls with a key queue on its row.
create function public.take_token(bucket text, key text, size int, period interval) returns int
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  moment constant timestamptz := clock_timestamp();
  rate constant double precision := size / extract(epoch from period); -- tokens per second
  state private.rate_limits;
begin
  insert into private.rate_limits as r (bucket, key, tokens, granted, updated_at, full_at)
  values (bucket, sha256(convert_to(key, 'UTF8')), size - 1, true, moment, moment + make_interval(secs => 1 / rate))
  on conflict on constraint rate_limits_pkey do update set (tokens, granted, updated_at, full_at) = (
    -- A refused call takes nothing, so retries don't extend the wait.
    select now_has - (now_has >= 1)::int, now_has >= 1, greatest(moment, r.updated_at), moment + make_interval(secs => (size + 1 - now_has) / rate)
    from least(size, r.tokens + rate * greatest(extract(epoch from moment - r.updated_at), 0)::double precision) as now_has
  )
  returning r.* into state;
  return case when state.granted then 0 else ceil((1 - state.tokens) / rate) end;
end $$;

-- Returns a token, for limits on failures only (passwords).
create function public.give_back_token(bucket text, key text, size int) returns void
language sql security definer set search_path = '' as $$
  update private.rate_limits r set tokens = least(give_back_token.size, r.tokens + 1)
  where r.bucket = give_back_token.bucket and r.key = sha256(convert_to(give_back_token.key, 'UTF8'))
$$;

grant execute on function public.take_token, public.give_back_token to service_role;

-- supabase/schemas/96-clock.sql

-- By pg_cron if available, else by the embedded stack's clock.
create function private.schedule(name text, at text, what text) returns void
language plpgsql set search_path = '' as $$
begin
  if exists (select from pg_available_extensions e where e.name = 'pg_cron') then
    create extension if not exists pg_cron;
    perform cron.schedule(schedule.name, schedule.at, schedule.what);
  end if;
end $$;

-- Turns due posts into published ones, with activity and live event; readers see them without it (private.visible_posts). One failure stops no other.
-- Any number of callers share the work with skip locked, without workspaces being deleted.
create function private.publish_due_posts(batch int default 200) returns int
language plpgsql security definer set search_path = '' as $$
declare
  due uuid[];
  published int := 0;
  post uuid;
begin
  begin
    due := array(
      select p.id from public.posts p join public.workspaces w on w.id = p.workspace_id
      where p.status = 'scheduled' and p.publish_at <= clock_timestamp() and w.suspension is null
      order by p.publish_at limit batch for key share of w skip locked for update of p skip locked
    );
    perform private.lock_events(due);
    update public.posts p set status = 'published' from unnest(due) as d (id) where p.id = d.id;
    get diagnostics published = row_count;
    return published;
  exception when others then
    null; -- one of them can't be published, so each is tried alone
  end;
  due := array(
    select p.id from public.posts p join public.workspaces w on w.id = p.workspace_id
    where p.status = 'scheduled' and p.publish_at <= clock_timestamp() and w.suspension is null
    order by p.publish_at for key share of w skip locked for update of p skip locked
  );
  perform private.lock_events(due);
  foreach post in array due loop
    exit when published >= batch;
    begin
      update public.posts p set status = 'published' where p.id = post;
      published := published + 1;
    exception when others then
      raise warning 'post % is due and cannot be published: %', post, sqlerrm;
    end;
  end loop;
  return published;
end $$;

select private.schedule('publish-due-posts', '* * * * *', 'select private.publish_due_posts()');

-- Hourly clean-up: idempotency keys, full rate limits, yesterday's readers, released subdomains, addresses of invitations accepted a week ago,
-- unconfirmed subscribers. Nothing depends on it.
create function private.tidy_up() returns void
language sql security definer set search_path = '' as $$
  delete from private.request_keys k where k.created_at < now() - interval '1 day';
  delete from private.rate_limits r where r.full_at < now();
  delete from auth.sessions s where s.created_at < now() - interval '180 days'
    or coalesce(s.refreshed_at at time zone 'utc', s.created_at) < now() - interval '30 days';
  delete from auth.users u where u.is_sso_user and u.created_at < now() - interval '1 day'; -- of SAML responses past /api (43-single-sign-on)
  delete from private.view_salts s where s.day < (now() at time zone 'utc')::date;
  delete from private.view_readers r where r.day < (now() at time zone 'utc')::date;
  -- Of a past day's names, the fifty most frequent of each kind stay, and countries with at least five readers; the rest is 'other'.
  with over as (
    delete from private.name_days n where n.day < (now() at time zone 'utc')::date returning n.workspace_id, n.day
  ), rare as (
    select r.* from (
      select d.workspace_id, d.what, d.day, d.source, d.n, row_number() over (partition by d.workspace_id, d.what, d.day order by d.n desc, d.source) as place
      from over o join public.daily_counts d on d.workspace_id = o.workspace_id and d.post_id is null
        and d.what = any ('{referrer,search_none,country,language}') and d.day = o.day and d.source <> 'other'
    ) as r
    where r.place > 50 or r.what = 'country' and r.n < 5
  ), gone as (
    delete from public.daily_counts d using rare r
    where d.workspace_id = r.workspace_id and d.post_id is null and d.what = r.what and d.day = r.day and d.source = r.source
    returning d.workspace_id, d.what, d.day, d.n
  )
  insert into public.daily_counts as d (workspace_id, post_id, what, day, source, n)
  select g.workspace_id, null, g.what, g.day, 'other', least(sum(g.n), 2147483647) from gone g group by 1, 3, 4 order by 1, 3, 4
  on conflict on constraint daily_counts_key do update set n = least(d.n::bigint + excluded.n, 2147483647);
  delete from private.released_subdomains r where r.released_at < now() - interval '30 days';
  delete from public.invites i where i.accepted_at is null and least(i.revoked_at, i.expires_at) < now() - interval '30 days';
  update public.invites i set email = null where i.email is not null and i.accepted_at < now() - interval '7 days';
  delete from private.post_previews v where v.expires_at < now();
  -- Unsubscribed, then asked again without an answer: unsubscribed.
  update public.subscribers s set status = 'left' where s.status = 'pending' and s.left_at is not null and s.created_at < now() - interval '7 days';
  delete from public.subscribers s where s.status = 'pending' and s.created_at < now() - interval '7 days';
  delete from private.deliveries d where d.state <> 'waiting' and d.ended_at < now() - interval '30 days';
  delete from private.webhook_deliveries d where d.ended_at < now() - interval '30 days';
  delete from private.jobs j where j.run_at = 'infinity' and j.locked_at < now() - interval '30 days';
  delete from private.webhook_events e where e.happened_at < now() - interval '30 days'
    and not exists (select from private.webhook_deliveries d where d.event_id = e.id);
  delete from private.proposals p where p.decided_at < now() - interval '90 days';
  delete from private.mail_events e where e.noted_at < now() - interval '90 days';
  delete from private.assistant_codes c where c.created_at < now() - interval '1 day';
  delete from private.spent_refreshes s where s.spent_at < now() - interval '30 days';
  delete from public.api_keys k where k.client_id is not null and least(k.revoked_at, k.expires_at) < now() - interval '90 days';
  delete from private.verified_sessions v where not exists (select from auth.sessions s where s.id = v.session_id);
  delete from private.provider_sessions p where not exists (select from auth.sessions s where s.id = p.session_id);
  select private.finish_factor_resets();
  delete from private.factors f where f.confirmed_at is null and f.created_at < now() - interval '1 day';
  delete from private.password_changes p where p.changed_at < now() - interval '1 day';
  delete from private.jobs j using private.account_mails m
  where m.id = j.id and (j.run_at = 'infinity' or j.run_at < now() - case when m.email is null then interval '7 days' else interval '1 day' end);
  delete from private.email_changes c where coalesce(c.changed_at, c.requested_at) < now() - interval '30 days';
  delete from private.mail_days m where m.day < (now() at time zone 'utc')::date - 1;
  delete from private.reader_marks m where m.marked_at < now() - interval '13 months';
  delete from private.audit_log a where a.happened_at < now() - interval '400 days';
  -- Sessions of the last day that began at the auth service directly, without a network.
  select private.audit_sign_in(s.user_id, s.id, s.created_at, null) from auth.sessions s
  where s.created_at between now() - interval '1 day' and now() - interval '1 minute'
    and exists (select from public.members m where m.user_id = s.user_id)
    and not exists (select from private.audit_log a where a.subject_id = s.id and a.kind = 'signed_in');
  -- Images that no post has shown for 30 days, and those whose worker died before it recorded them.
  insert into private.discarded_files (bucket, path)
  select o.bucket_id, o.name from storage.objects o
  where o.bucket_id = 'post-images' and o.created_at < now() - interval '30 days'
      and not exists (select from private.post_images i where i.path = o.name)
      and not exists (select from private.template_images i where i.path = o.name)
    or o.bucket_id = 'link-pictures' and o.created_at < now() - interval '1 day'
      and not exists (select from private.link_pictures l where l.workspace_id::text = split_part(o.name, '/', 1) and l.path = o.name)
  on conflict on constraint discarded_files_pkey do nothing;
$$;

select private.schedule('tidy-up', '17 * * * *', 'select private.tidy_up()');

select private.schedule('settle-tags', '* * * * *', 'select private.settle_tags()');

select private.schedule('start-due-backups', '* * * * *', 'select private.start_due_backups()');
select private.schedule('drop-dead-restores', '* * * * *', 'select private.delete_abandoned_restores()');

select private.schedule('roll-up-counts', '* * * * *', 'select private.roll_up_counts()');

-- 76-email, 78-reports: run by the functions, if they can send email
select private.add_job(t.task, gen_random_uuid(), null) from unnest('{enqueue_digests,enqueue_reports}'::text[]) as t (task);

-- pg_cron keeps its log forever, some 4,300 rows a day; a week is enough.
select private.schedule('forget-job-records', '23 3 * * *',
  'delete from cron.job_run_details where end_time < now() - interval ''7 days''');

grant execute on function private.publish_due_posts, private.tidy_up to service_role;

-- supabase/schemas/97-account-access.sql

-- What acts for a person without a session, for recovering an account: their API keys, assistants, open invitations and preview links. A rotated key
-- or renewed invitation counts from then, since the secret is new.
create type public.account_access as (
  kind text, id uuid, name text, workspace_id uuid, workspace_name text, made_at timestamptz, last_used_at timestamptz, expires_at timestamptz
);
comment on column public.account_access.last_used_at is 'Null: not yet, or not known.';
comment on column public.account_access.expires_at is 'Null: never.';

-- Revokes what a removed or demoted member has made and could no longer make.
create function private.revoke_access_of_member() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if old.role in ('owner', 'admin') then
    update public.invites i set revoked_at = clock_timestamp()
    where i.created_by = old.user_id and i.workspace_id = old.workspace_id and i.accepted_at is null and i.revoked_at is null
      and not private.may_invite(i.created_by, i.workspace_id, i.role);
  end if;
  if tg_op = 'DELETE' then
    update public.api_keys k set revoked_at = clock_timestamp()
    where k.created_by = old.user_id and k.workspace_id = old.workspace_id and k.revoked_at is null;
  end if;
  if tg_op = 'DELETE' or new.role = 'viewer' then
    delete from private.post_previews v using public.posts p
    where v.created_by = old.user_id and p.id = v.post_id and p.workspace_id = old.workspace_id;
  end if;
  return null;
end $$;
create trigger members_take_their_access_along after delete or update of role on public.members
for each row execute function private.revoke_access_of_member();

create function public.list_account_access(since timestamptz) returns setof public.account_access
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  return query
    select a.kind, a.id, a.name, w.id, w.name, a.made_at, a.last_used_at, a.expires_at
    from public.members m join public.workspaces w on w.id = m.workspace_id cross join lateral (
      select case when k.client_id is null then 'api_key' else 'assistant' end as kind, k.id, k.name,
        case when k.client_id is null then greatest(k.created_at, k.rotated_at) else k.created_at end as made_at, k.last_used_at, k.expires_at
      from public.api_keys k
      where k.created_by = me and k.workspace_id = w.id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      union all
      select 'invitation', i.id, coalesce(i.email::text, 'Anyone with the link') || ' (' || i.role || ')',
        greatest(i.created_at, (select max(t.created_at) from private.more_invite_tokens t where t.invite_id = i.id)), null, i.expires_at
      from public.invites i
      where i.created_by = me and i.workspace_id = w.id and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
      union all
      select 'preview_link', v.id, coalesce(nullif(p.title, ''), 'Untitled'), v.created_at, null, v.expires_at
      from private.post_previews v join public.posts p on p.id = v.post_id
      where v.created_by = me and p.workspace_id = w.id and v.expires_at > now()
    ) as a
    where m.user_id = me and a.made_at >= list_account_access.since
    order by a.made_at desc, a.id;
end $$;

create function public.end_account_access(since timestamptz) returns int
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
  one record;
  post uuid;
  ended int := 0;
begin
  delete from private.assistant_codes c where c.person_id = me and c.used_at is null; -- would become connections
  for one in select a.* from public.list_account_access(end_account_access.since) a loop
    case one.kind
      when 'invitation' then update public.invites i set revoked_at = clock_timestamp() where i.id = one.id and i.accepted_at is null and i.revoked_at is null;
      when 'preview_link' then
        delete from private.post_previews v where v.id = one.id returning v.post_id into post;
        perform private.audit(one.workspace_id, 'preview_link_revoked', post, one.name);
      else update public.api_keys k set revoked_at = clock_timestamp() where k.id = one.id and k.revoked_at is null;
    end case;
    ended := ended + 1;
  end loop;
  return ended;
end $$;

grant execute on function public.list_account_access, public.end_account_access to authenticated;

-- supabase/schemas/98-every-table.sql

-- Applied to every table, so that a new one is closed until its own file opens it: row-level security, and the rights of API keys
-- (72-api-keys). tests/database/330-catalog lists the exceptions.
do $$
declare
  -- Keys see these in their own workspace only, and nothing of the others, whatever other policies allow.
  seen_by_keys constant text[] := '{posts,post_slugs,post_revisions,tags,workspaces,workspace_add_ons,daily_counts}';
  -- Keys' calls write these, also by triggers. workspaces has a trigger of its own.
  written_by_keys constant text[] := '{posts,post_slugs,post_revisions,post_redirects,tags,activities,daily_counts,subscribers,workspaces}';
  t record;
begin
  for t in
    select c.relname as name, c.oid::regclass as path, c.relnamespace = 'public'::regnamespace as is_public from pg_class c
    where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
  loop
    execute format('alter table %s enable row level security', t.path);
    continue when not t.is_public;
    if t.name <> 'api_keys' then execute format('grant select, insert, update, delete on %s to service_role', t.path); end if;
    if t.name = any (seen_by_keys) then
      execute format('create policy "keys stay in their workspace" on %s as restrictive for all to authenticated
        using ((select private.key_workspace()) is null or %I = (select private.key_workspace()))',
        t.path, case t.name when 'workspaces' then 'id' else 'workspace_id' end);
    else
      execute format('create policy "keys see nothing of this" on %s as restrictive for all to authenticated
        using ((select private.key_workspace()) is null)', t.path);
    end if;
    if t.name <> all (written_by_keys) then
      execute format('create trigger %I before insert or update or delete on %s for each statement execute function private.refuse_keys()',
        t.name || '_15_key', t.path);
    end if;
  end loop;
end $$;

-- supabase/schemas/99-post-triggers.sql

-- Everything that runs when a post is written, in order: Postgres fires triggers of one kind by name (docs/guide/life-of-a-post.md).

-- Guard: clean what was written, or refuse it.
create trigger posts_10_guard_content before insert or update on public.posts for each row execute function private.clean_post();
create trigger posts_11_guard_status before insert or update on public.posts for each row execute function private.apply_status_rules();
create trigger posts_12_guard_author before insert or update of author_id on public.posts for each row execute function private.set_author_name();

-- Derive: columns that callers don't write. Renamed tags and restored copies come after the version, which they don't raise.
create trigger posts_20_derive_slug before insert or update on public.posts for each row execute function private.choose_slug();
create trigger posts_21_derive_version before insert or update on public.posts for each row execute function private.raise_version();
create trigger posts_22_derive_renamed_tags before update on public.posts
for each row when (coalesce(current_setting('tidings.tag_from', true), '') <> '') execute function private.retag_post();
create trigger posts_23_derive_approval before update on public.posts for each row execute function private.void_reviews();
create trigger posts_24_derive_restored_copy before insert on public.posts
for each row when (coalesce(current_setting('tidings.restored', true), '') <> '') execute function private.restore_columns();

-- Two guards that run after row-level security, on the final row.
create trigger posts_30_guard_key after insert or update or delete on public.posts for each row execute function private.guard_posts_from_keys();
create trigger posts_31_guard_review after insert or update on public.posts for each row execute function private.apply_review_rule();

-- Record: what follows from the change. Statement triggers run last, so the public version's row is locked briefly.
create trigger posts_40_record_discarded_images before delete on public.posts for each row execute function private.discard_images();
create trigger posts_41_record_history after insert or update on public.posts for each row execute function private.record_post_history();
create trigger posts_42_record_og_image after insert or update on public.posts for each row execute function private.queue_og_image();
create trigger posts_43_record_activity after insert or update or delete on public.posts
for each row execute function private.record_post_activity();
create trigger posts_45_record_publication after insert or update or delete on public.posts for each row execute function private.enqueue_publication();
create trigger posts_46_record_webhooks after insert or update or delete on public.posts
for each row execute function private.enqueue_webhooks_of_post();
create trigger posts_47_record_public_insert after insert on public.posts
referencing new table as changed for each statement execute function private.public_posts_changed();
create trigger posts_47_record_public_update after update on public.posts
referencing old table as former new table as changed for each statement execute function private.public_posts_changed();
create trigger posts_47_record_public_delete after delete on public.posts
referencing old table as changed for each statement execute function private.public_posts_changed();
alter table public.posts enable always trigger posts_47_record_public_insert;
alter table public.posts enable always trigger posts_47_record_public_update;
alter table public.posts enable always trigger posts_47_record_public_delete;
