-- Invitations: one link, one person, one role. Only the token's SHA-256 is stored. Used, revoked and expired links look alike (product decision 3).
create table public.invites (
  id uuid constraint invites_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint invites_workspace_id_fkey references public.workspaces (id) on delete cascade,
  role public.member_role not null constraint invites_role_not_owner check (role <> 'owner'),
  email extensions.citext constraint invites_email_length check (char_length(email::text) between 3 and {{emailMaxLength}}), -- only for this address
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
  elsif address is not null and (address !~ '^[^@\s]{1,{{emailLocalPartMaxLength}}}@[^@\s]+\.[^@\s]+$' or char_length(address::text) > {{emailMaxLength}}) then
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
  if emails is null or cardinality(emails) not between 1 and {{invitesAtOnce}} or '' = any (emails) is not false then
    perform private.refuse('validation_failed', '{"emails": "Please enter 1 to {{invitesAtOnce}} email addresses"}');
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
