-- Making, reading, accepting and revoking an invitation. All run as their owner: the invited person is no member yet.

-- An invitation as the one who made it gets it: once, with its token.
create type public.new_invite as (id uuid, workspace_id uuid, role public.member_role, email text, expires_at timestamptz, created_at timestamptz, token text);
-- What the link tells whoever holds it.
create type public.invite_info as (workspace_id uuid, workspace_name text, invited_role public.member_role);

create function private.token_hash(token text) returns bytea
language sql immutable strict parallel safe set search_path = '' as $$ select sha256(convert_to(token, 'UTF8')) $$;

-- Owners invite admins, editors and viewers; admins editors and viewers. Repeated with the same key, the earlier
-- invitation is revoked and a new one made: its token cannot be told twice.
create function public.create_invite(
  workspace_id uuid, role text, email text default null, expires_at timestamptz default null, idempotency_key text default null
) returns public.new_invite
language plpgsql security definer set search_path = '' as $$
declare
  mine constant public.member_role := private.require_role(workspace_id, '{owner,admin}');
  secret constant text := rtrim(translate(encode(extensions.gen_random_bytes(32), 'base64'), '+/', '-_'), '=');
  address constant text := nullif(btrim(email), '');
  until constant timestamptz := coalesce(expires_at, now() + interval '7 days');
  earlier jsonb;
  made public.invites;
begin
  if role is null or role not in ('admin', 'editor', 'viewer') then
    perform private.refuse('validation_failed', '{"role": "Please choose viewer, editor or admin"}');
  elsif role = 'admin' and mine <> 'owner' then
    perform private.refuse('forbidden');
  elsif not isfinite(until) or until <= now() or until > now() + interval '1 year' then
    perform private.refuse('validation_failed', '{"expires_at": "Please choose a time within the next year"}');
  elsif address is not null and (address !~ '^[^@\s]{1,64}@[^@\s]+\.[^@\s]+$' or char_length(address) > 254) then
    perform private.refuse('validation_failed', '{"email": "Please enter a valid e-mail address"}');
  end if;
  earlier := private.claim_request(idempotency_key, jsonb_build_array('create_invite', workspace_id, role, address, expires_at)::text);
  if earlier is not null then
    update public.invites i set revoked_at = clock_timestamp() where i.id = (earlier ->> 'id')::uuid and i.accepted_at is null;
  end if;
  insert into public.invites (workspace_id, role, email, token_hash, created_by, created_by_name, expires_at)
  values (workspace_id, role::public.member_role, address, private.token_hash(secret), auth.uid(), private.my_name(), until)
  returning * into made;
  if idempotency_key is not null then perform private.settle_request(idempotency_key, jsonb_build_object('id', made.id)); end if;
  return row(made.id, made.workspace_id, made.role, made.email::text, made.expires_at, made.created_at, secret);
end $$;

-- The open invitation behind a token, or a refusal that is the same for wrong, used, revoked and expired ones.
create function private.open_invite(token text) returns public.invites
language plpgsql stable set search_path = '' as $$
declare
  invite public.invites;
begin
  select * into invite from public.invites i where i.token_hash = private.token_hash(open_invite.token)
    and i.accepted_at is null and i.revoked_at is null and i.expires_at > now();
  if invite.id is null then perform private.refuse('invalid_invitation'); end if;
  return invite;
end $$;

-- For the invitation page: anybody who holds the link, with or without a session.
create function public.read_invite(token text) returns public.invite_info
language plpgsql stable security definer set search_path = '' as $$
declare
  invite constant public.invites := private.open_invite(token);
begin
  return row(invite.workspace_id, (select w.name from public.workspaces w where w.id = invite.workspace_id), invite.role);
end $$;

-- The caller becomes a member; answers the workspace. Whoever used this very invitation and is still a member gets the
-- same answer again, so that a lost answer can be asked for again; for everybody else it is spent.
create function public.accept_invite(token text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  invite public.invites;
begin
  if auth.uid() is null then perform private.refuse('unauthenticated'); end if;
  select * into invite from public.invites i where i.token_hash = private.token_hash(accept_invite.token) for update; -- one at a time
  if invite.accepted_by = auth.uid() and private.my_role(invite.workspace_id) is not null then return invite.workspace_id; end if;
  invite := private.open_invite(token);
  if invite.email is not null and not exists (
    select from auth.users u where u.id = auth.uid() and lower(u.email) = lower(invite.email::text)
  ) then perform private.refuse('wrong_invitation_account'); end if;
  if private.my_role(invite.workspace_id) is not null then perform private.refuse('already_member'); end if;
  insert into public.members (workspace_id, user_id, role) values (invite.workspace_id, auth.uid(), invite.role)
  on conflict on constraint members_pkey do nothing;
  if not found then perform private.refuse('already_member'); end if;
  update public.invites i set accepted_at = clock_timestamp(), accepted_by = auth.uid() where i.id = invite.id;
  perform private.record_activity(invite.workspace_id, 'member_joined', private.my_name());
  return invite.workspace_id;
end $$;

-- Revoking what is already over changes nothing.
create function public.revoke_invite(invite_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  workspace constant uuid := (select i.workspace_id from public.invites i where i.id = invite_id);
begin
  if workspace is null then perform private.refuse('not_found'); end if;
  perform private.require_role(workspace, '{owner,admin}');
  update public.invites i set revoked_at = clock_timestamp() where i.id = invite_id and i.accepted_at is null and i.revoked_at is null;
end $$;

revoke all on function public.create_invite(uuid, text, text, timestamptz, text), public.read_invite(text), public.accept_invite(text),
  public.revoke_invite(uuid) from public, anon;
grant execute on function public.create_invite(uuid, text, text, timestamptz, text), public.accept_invite(text), public.revoke_invite(uuid)
  to authenticated, service_role;
grant execute on function public.read_invite(text) to anon, authenticated, service_role;
