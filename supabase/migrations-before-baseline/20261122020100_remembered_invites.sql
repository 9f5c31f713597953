-- The invitation that an account was signed up with, until its address is confirmed: which one, never its token. The account's
-- metadata would carry it in plain text, into every access token too.
create table private.remembered_invites (
  user_id uuid constraint remembered_invites_pkey primary key
    constraint remembered_invites_user_id_fkey references auth.users (id) on delete cascade,
  invite_id uuid not null constraint remembered_invites_invite_id_fkey references public.invites (id) on delete cascade,
  created_at timestamptz not null default now()
);
alter table private.remembered_invites enable row level security;
create index remembered_invites_of_invite on private.remembered_invites (invite_id); -- the cascade

-- The newest sign-up with an address counts; one without an invitation takes the earlier one's away. Nothing happens to an
-- account whose address is confirmed: anybody can sign up with any address.
create function public.remember_invite(email text, token text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  invite constant uuid := private.invite_of_token(token);
begin
  delete from private.remembered_invites r using auth.users u
  where u.id = r.user_id and u.email = lower(remember_invite.email) and u.email_confirmed_at is null;
  insert into private.remembered_invites (user_id, invite_id)
  select u.id, invite from auth.users u
  where u.email = lower(remember_invite.email) and u.email_confirmed_at is null and invite is not null
  on conflict on constraint remembered_invites_pkey do update set invite_id = excluded.invite_id;
end $$;
revoke all on function public.remember_invite(text, text) from public, anon, authenticated;
grant execute on function public.remember_invite(text, text) to service_role;

-- The invitation, if it is open, or a refusal that is the same for wrong, used, revoked and expired ones.
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
revoke all on function private.require_open_invite(uuid) from public, anon, authenticated;

create or replace function private.open_invite(token text) returns public.invites
language plpgsql stable set search_path = '' as $$
begin
  return private.require_open_invite(private.invite_of_token(token));
end $$;

-- The caller becomes a member by an invitation; what accept_invite was, for the two ways to name one.
create function private.join_by_invite(invite_id uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  invite public.invites;
begin
  select * into invite from public.invites i where i.id = invite_id for update; -- one at a time
  if invite.accepted_by = auth.uid() and private.my_role(invite.workspace_id) is not null then return invite.workspace_id; end if;
  invite := private.require_open_invite(invite_id);
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
revoke all on function private.join_by_invite(uuid) from public, anon, authenticated;

create or replace function public.accept_invite(token text) returns uuid
language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null then perform private.refuse('unauthenticated'); end if;
  return private.join_by_invite(private.invite_of_token(token));
end $$;

-- By the invitation that the caller's account was signed up with; none is refused like a wrong one.
create function public.accept_remembered_invite() returns uuid
language sql security definer set search_path = '' as $$
  select private.join_by_invite((select r.invite_id from private.remembered_invites r where r.user_id = auth.uid()))
$$;
revoke all on function public.accept_remembered_invite() from public, anon;
grant execute on function public.accept_remembered_invite() to authenticated, service_role;

-- Tokens that earlier versions left in the metadata of accounts.
insert into private.remembered_invites (user_id, invite_id)
select kept.user_id, kept.invite_id
from (
  select u.id as user_id, private.invite_of_token(u.raw_user_meta_data ->> 'invite_token') as invite_id
  from auth.users u where u.raw_user_meta_data ? 'invite_token'
) as kept
where kept.invite_id is not null
on conflict on constraint remembered_invites_pkey do nothing;
update auth.users set raw_user_meta_data = raw_user_meta_data - 'invite_token' where raw_user_meta_data ? 'invite_token';
update auth.identities set identity_data = identity_data - 'invite_token' where identity_data ? 'invite_token';
