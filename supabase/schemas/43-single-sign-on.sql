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
  issuer text not null constraint identity_providers_issuer_length check (char_length(issuer) between 8 and {{issuerMaxLength}}),
  client_id text not null constraint identity_providers_client_id_length check (char_length(client_id) between 1 and {{clientIdMaxLength}}),
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

-- The caller's session was made by the provider, at most {{providerSessionDays}} days ago. Keys and assistants work for those who have an account there.
create function private.signed_in_by_provider(person uuid, workspace uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if person = auth.uid() and private.session_id() is not null then
    return exists (select from private.provider_sessions s where s.session_id = private.session_id() and s.user_id = person
      and s.workspace_id = workspace and s.created_at > now() - interval '{{providerSessionDays}} days');
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
  if (select count(*) from private.email_domains d where d.workspace_id = add_email_domain.workspace_id) >= {{emailDomainsMax}} then
    perform private.refuse('validation_failed', '{"domain": "A workspace can have {{emailDomainsMax}} email domains. Remove one first"}');
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
  delete from private.provider_sessions s where s.user_id = person and s.created_at < now() - interval '{{providerSessionDays}} days';
  insert into private.provider_sessions (session_id, workspace_id, user_id) values (session, workspace, person);
end $$;

grant execute on function public.read_single_sign_on, public.save_identity_provider, public.remove_identity_provider, public.use_break_glass_code,
  public.set_join_by_domain, public.add_email_domain, public.email_domain_of, public.remove_email_domain to authenticated;
grant execute on function public.email_domain_to_check, public.settle_email_domain, public.identity_provider_for, public.record_provider_test,
  public.sign_in_by_provider, public.record_provider_session to service_role;
