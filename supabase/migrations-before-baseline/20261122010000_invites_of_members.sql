-- An invitation is worth what its maker may do now: one that he could no longer make opens nothing. Making one waits for
-- a removal, demotion or hand-over that is under way, and these wait for it, so that none slips through between them.
create function private.may_invite(person uuid, workspace uuid, invited public.member_role) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.members m where m.workspace_id = workspace and m.user_id = person
      and (m.role = 'owner' or m.role = 'admin' and invited <> 'admin')
  );
end $$;

-- Whoever is removed or may no longer invite leaves no open door behind; a former owner no door for admins.
create or replace function private.revoke_invites_of_member() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.invites i set revoked_at = clock_timestamp()
  where i.created_by = old.user_id and i.workspace_id = old.workspace_id and i.accepted_at is null and i.revoked_at is null
    and not private.may_invite(i.created_by, i.workspace_id, i.role);
  return null;
end $$;

update public.invites i set revoked_at = clock_timestamp()
where i.accepted_at is null and i.revoked_at is null and not private.may_invite(i.created_by, i.workspace_id, i.role);

create or replace function private.open_invite(token text) returns public.invites
language plpgsql stable set search_path = '' as $$
declare
  invite public.invites;
begin
  select * into invite from public.invites i where i.id = private.invite_of_token(open_invite.token)
    and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
    and private.may_invite(i.created_by, i.workspace_id, i.role);
  if invite.id is null then perform private.refuse('invalid_invitation'); end if;
  return invite;
end $$;

create or replace function public.create_invite(
  workspace_id uuid, role text, email text default null, expires_at timestamptz default null, idempotency_key text default null
) returns public.new_invite
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  secret constant text := rtrim(translate(encode(extensions.gen_random_bytes(32), 'base64'), '+/', '-_'), '=');
  address constant text := nullif(btrim(email), '');
  until constant timestamptz := coalesce(expires_at, now() + interval '7 days');
  mine public.member_role;
  earlier jsonb;
  made public.invites;
begin
  -- First the workspace, as its deletion and a hand-over do, then the caller's role: it stays what it is until the end.
  perform from public.workspaces w where w.id = asked for key share;
  perform from public.members m where m.workspace_id = asked and m.user_id = auth.uid() for share;
  mine := private.require_role(asked, '{owner,admin}');
  if role is null or role not in ('admin', 'editor', 'viewer') then
    perform private.refuse('validation_failed', '{"role": "Please choose viewer, editor or admin"}');
  elsif role = 'admin' and mine <> 'owner' then
    perform private.refuse('forbidden');
  elsif not isfinite(until) or until <= now() or until > now() + interval '1 year' then
    perform private.refuse('validation_failed', '{"expires_at": "Please choose a time within the next year"}');
  elsif address is not null and (address !~ '^[^@\s]{1,64}@[^@\s]+\.[^@\s]+$' or char_length(address) > 254) then
    perform private.refuse('validation_failed', '{"email": "Please enter a valid e-mail address"}');
  end if;
  earlier := private.claim_request(idempotency_key, jsonb_build_array('create_invite', asked, role, address, expires_at)::text);
  if earlier is not null then
    select * into made from public.invites i where i.id = (earlier ->> 'id')::uuid;
    insert into private.more_invite_tokens (token_hash, invite_id) values (private.token_hash(secret), made.id);
  else
    insert into public.invites (workspace_id, role, email, token_hash, created_by, created_by_name, expires_at)
    values (asked, role::public.member_role, address, private.token_hash(secret), auth.uid(), private.my_name(), until)
    returning * into made;
    if idempotency_key is not null then
      perform private.settle_request(idempotency_key, jsonb_build_object('id', made.id, 'workspace_id', asked));
    end if;
  end if;
  return row(made.id, made.workspace_id, made.role, made.email::text, made.expires_at, made.created_at, secret, earlier is not null,
    made.mailed_at is not null);
end $$;
