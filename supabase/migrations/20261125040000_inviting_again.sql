-- An address has one open invitation in a workspace, whose role can be changed; editors see who is in the team.

-- Of several open invitations for one address the newest stays.
update public.invites i set revoked_at = now()
where i.email is not null and i.accepted_at is null and i.revoked_at is null and exists (
  select from public.invites n
  where n.workspace_id = i.workspace_id and n.email = i.email and n.accepted_at is null and n.revoked_at is null
    and (n.created_at, n.id) > (i.created_at, i.id)
);
-- squawk-ignore require-concurrent-index-creation
create unique index invites_open_by_address on public.invites (workspace_id, email)
where email is not null and accepted_at is null and revoked_at is null;

alter type public.new_invite add attribute renewed boolean;

create function private.require_inviter(workspace uuid, before public.member_role, after text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  mine public.member_role;
begin
  -- First the workspace, as its deletion and a hand-over do, then the caller's role: it stays what it is until the end.
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
revoke all on function private.require_inviter(uuid, public.member_role, text) from public, anon, authenticated;

create or replace function public.create_invite(
  workspace_id uuid, role text, email text default null, expires_at timestamptz default null, idempotency_key text default null
) returns public.new_invite
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := workspace_id;
  secret constant text := rtrim(translate(encode(extensions.gen_random_bytes(32), 'base64'), '+/', '-_'), '=');
  address constant extensions.citext := nullif(btrim(email), '');
  until constant timestamptz := coalesce(expires_at, now() + interval '7 days');
  earlier jsonb;
  made public.invites;
begin
  perform private.require_inviter(asked, null, role);
  if not isfinite(until) or until <= now() or until > now() + interval '1 year' then
    perform private.refuse('validation_failed', '{"expires_at": "Please choose a time within the next year"}');
  elsif address is not null and (address !~ '^[^@\s]{1,64}@[^@\s]+\.[^@\s]+$' or char_length(address::text) > 254) then
    perform private.refuse('validation_failed', '{"email": "Please enter a valid email address"}');
  end if;
  earlier := private.claim_request(idempotency_key, jsonb_build_array('create_invite', asked, role, address, expires_at)::text);
  if earlier is not null then
    select * into made from public.invites i where i.id = (earlier ->> 'id')::uuid;
  else
    if exists (
      select from public.members m join auth.users u on u.id = m.user_id
      where m.workspace_id = asked and lower(u.email) = lower(address::text)
    ) then perform private.refuse('already_member'); end if;
    -- Of two that ask for one address at once the second finds the first one's here, and waits for it.
    insert into public.invites as i (workspace_id, role, email, token_hash, created_by, created_by_name, expires_at)
    values (asked, role::public.member_role, address, private.token_hash(secret), private.my_id(), private.my_name(), until)
    on conflict (workspace_id, email) where email is not null and accepted_at is null and revoked_at is null
    do update set role = excluded.role, created_by = excluded.created_by, created_by_name = excluded.created_by_name,
      expires_at = excluded.expires_at, mailed_at = null
    where private.require_inviter(i.workspace_id, i.role, excluded.role::text)
    returning * into made;
    if idempotency_key is not null then
      perform private.settle_request(idempotency_key, jsonb_build_object('id', made.id, 'workspace_id', asked));
    end if;
  end if;
  if made.token_hash <> private.token_hash(secret) then
    insert into private.more_invite_tokens (token_hash, invite_id) values (private.token_hash(secret), made.id);
  end if;
  return row(made.id, made.workspace_id, made.role, made.email::text, made.expires_at, made.created_at, secret, earlier is not null,
    made.mailed_at is not null, earlier is null and made.token_hash <> private.token_hash(secret));
end $$;

create function public.set_invite_role(workspace_id uuid, invite_id uuid, role text) returns public.member_role
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant text := role;
  invite public.invites;
begin
  perform private.require_inviter(asked, null, 'viewer'); -- whoever may not look learns nothing of the invitation
  select * into invite from public.invites i where i.id = invite_id and i.workspace_id = asked for update; -- or it is accepted first
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
revoke all on function public.set_invite_role(uuid, uuid, text) from public, anon;
grant execute on function public.set_invite_role(uuid, uuid, text) to authenticated, service_role;

comment on column public.team_member.email is 'Null: told to owners and admins only.';

create or replace function public.team_members(workspace_id uuid) returns setof public.team_member
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  mine constant public.member_role := private.require_role(asked, '{owner,admin,editor}');
begin
  return query
    select m.user_id, p.full_name, case when mine in ('owner', 'admin') then u.email::text end, m.role, p.avatar_url, m.created_at
    from public.members m
    join auth.users u on u.id = m.user_id
    join public.profiles p on p.user_id = m.user_id
    where m.workspace_id = asked
    order by m.role <> 'owner', lower(p.full_name), m.user_id;
end $$;

-- "Email" is written one way.
create or replace function private.refuse(code text, detail jsonb default null) returns void
language plpgsql set search_path = '' as $$
declare
  sentence constant text := case code
    when 'unauthenticated' then 'Please sign in to continue.'
    when 'forbidden' then 'Your role in this workspace does not allow this.'
    when 'not_found' then 'This does not exist, or you have no access to it.'
    when 'subdomain_taken' then 'This subdomain is already taken.'
    when 'subdomain_reserved' then 'This subdomain is reserved. Please choose another one.'
    when 'slug_taken' then 'Another post of this workspace already has this address.'
    when 'version_conflict' then 'Post updated elsewhere'
    when 'published_post_locked' then 'Published posts cannot be scheduled or moved back to draft status'
    when 'archived_post_locked' then 'This post is archived. Restore it before you change it.'
    when 'already_member' then 'This person is already a member of the workspace.'
    when 'owner_required' then 'Hand ownership over to another member first.'
    when 'invalid_invitation' then 'This invitation link is invalid or has expired.'
    when 'wrong_invitation_account' then 'This invitation was sent to another email address.'
    when 'validation_failed' then 'Please check the highlighted fields.'
  end;
begin
  if sentence is null then
    raise exception 'no sentence for refusal %', code;
  end if;
  raise exception using errcode = 'P0001', message = sentence, hint = code, detail = coalesce(detail::text, '');
end $$;
