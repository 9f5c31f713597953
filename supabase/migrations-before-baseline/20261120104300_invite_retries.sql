-- Repeating the making of an invitation with the same key makes no second one and takes nothing back: the first link
-- stays good. Only a token's hash is kept, so the repeat is told a token of its own that opens the same invitation; who
-- comes first with either uses it up. `repeated` and `mailed` keep the function from writing the mail twice.
create table private.more_invite_tokens (
  token_hash bytea constraint more_invite_tokens_pkey primary key,
  invite_id uuid not null constraint more_invite_tokens_invite_id_fkey references public.invites (id) on delete cascade,
  created_at timestamptz not null default now()
);
alter table private.more_invite_tokens enable row level security;
create index more_invite_tokens_of_invite on private.more_invite_tokens (invite_id); -- the cascade

alter table public.invites add column mailed_at timestamptz;
grant select (mailed_at) on public.invites to authenticated;

alter type public.new_invite add attribute repeated boolean, add attribute mailed boolean;

-- The invitation that a token belongs to, whatever became of it; null when there is none.
create function private.invite_of_token(token text) returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(
    (select i.id from public.invites i where i.token_hash = private.token_hash(token)),
    (select m.invite_id from private.more_invite_tokens m where m.token_hash = private.token_hash(token)));
end $$;

create or replace function private.open_invite(token text) returns public.invites
language plpgsql stable set search_path = '' as $$
declare
  invite public.invites;
begin
  select * into invite from public.invites i where i.id = private.invite_of_token(open_invite.token)
    and i.accepted_at is null and i.revoked_at is null and i.expires_at > now();
  if invite.id is null then perform private.refuse('invalid_invitation'); end if;
  return invite;
end $$;

create or replace function public.create_invite(
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
    select * into made from public.invites i where i.id = (earlier ->> 'id')::uuid;
    insert into private.more_invite_tokens (token_hash, invite_id) values (private.token_hash(secret), made.id);
  else
    insert into public.invites (workspace_id, role, email, token_hash, created_by, created_by_name, expires_at)
    values (workspace_id, role::public.member_role, address, private.token_hash(secret), auth.uid(), private.my_name(), until)
    returning * into made;
    if idempotency_key is not null then perform private.settle_request(idempotency_key, jsonb_build_object('id', made.id)); end if;
  end if;
  return row(made.id, made.workspace_id, made.role, made.email::text, made.expires_at, made.created_at, secret, earlier is not null,
    made.mailed_at is not null);
end $$;

create or replace function public.accept_invite(token text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  invite public.invites;
begin
  if auth.uid() is null then perform private.refuse('unauthenticated'); end if;
  select * into invite from public.invites i where i.id = private.invite_of_token(accept_invite.token) for update; -- one at a time
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

-- The mail transport has taken the invitation's mail; said by whoever made the invitation.
create function public.note_invite_mailed(invite_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update public.invites i set mailed_at = clock_timestamp() where i.id = invite_id and i.created_by = auth.uid() and i.mailed_at is null;
  if not found and not exists (select from public.invites i where i.id = invite_id and i.created_by = auth.uid()) then
    perform private.refuse('not_found');
  end if;
end $$;
revoke all on function public.note_invite_mailed(uuid) from public, anon;
grant execute on function public.note_invite_mailed(uuid) to authenticated, service_role;
