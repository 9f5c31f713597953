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
