-- Invitations: one link, one person, one role. Only the SHA-256 of the 256-bit token is stored, so that whoever reads
-- the table cannot join. An invitation ends when it is used, revoked or expired; to the one who holds the link all
-- three look like a link that never was (product decision 3).
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
  revoked_at timestamptz
);
alter table public.invites enable row level security;
create index invites_of_workspace on public.invites (workspace_id, created_at desc); -- the team page's list, the cascade
-- "Whose invitations end with this member?"
create index invites_by_inviter on public.invites (created_by, workspace_id);

create policy "owners and admins read their workspace's invitations" on public.invites for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))));
-- No insert, update, delete: create_invite, accept_invite, revoke_invite.

-- Every column but the hash.
grant select (id, workspace_id, role, email, created_by, created_by_name, created_at, expires_at, accepted_at, accepted_by, revoked_at)
  on public.invites to authenticated;
grant select, insert, update, delete on public.invites to service_role;

-- Whoever is removed or may no longer invite leaves no open door behind.
create function private.revoke_invites_of_member() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.role in ('owner', 'admin') then return null; end if;
  update public.invites i set revoked_at = clock_timestamp()
  where i.created_by = old.user_id and i.workspace_id = old.workspace_id and i.accepted_at is null and i.revoked_at is null;
  return null;
end $$;
create trigger members_take_their_invites_along after delete or update of role on public.members
for each row when (old.role in ('owner', 'admin')) execute function private.revoke_invites_of_member();
