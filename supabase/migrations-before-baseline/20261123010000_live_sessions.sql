-- An access token outlives its session: it is good until it expires, an hour at most. So wherever rights are decided, the session
-- it was given for is looked up: one question by primary key. Whoever has signed out, ended a session elsewhere or chosen a new password
-- is out with the next statement, at /api, PostgREST, Storage and Realtime alike. A token without a session gives no rights at all.

create function private.has_session() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from auth.sessions s
    where s.id = (auth.jwt() ->> 'session_id')::uuid and s.user_id = auth.uid() and (s.not_after is null or s.not_after > now())
  );
end $$;

-- Who is asking: null for the system (no token, or one that is nobody's), a refusal for a token whose session has ended. What is asked
-- is refused rather than answered with nothing, so that nobody takes an ended session for an empty workspace.
create function private.my_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := auth.uid();
begin
  if me is null then return null; end if;
  -- As in has_session, but asked by every statement: a call less.
  perform from auth.sessions s
  where s.id = (auth.jwt() ->> 'session_id')::uuid and s.user_id = me and (s.not_after is null or s.not_after > now());
  if not found then perform private.refuse('unauthenticated'); end if;
  return me;
end $$;
revoke all on function private.has_session(), private.my_id() from public, anon;
grant execute on function private.has_session(), private.my_id() to authenticated, service_role;

-- Every function that decides by who is asking now asks private.my_id(). Triggers that only note who wrote go on with auth.uid():
-- what they note was allowed before.
do $$
declare
  decides regprocedure;
begin
  foreach decides in array '{
    "private.my_workspace_ids(public.member_role[])", private.my_teammate_ids(), private.my_role(uuid),
    public.my_workspaces(), "public.create_workspace(text, text, text, text, text)", public.leave_workspace(uuid),
    "private.claim_request(text, text)",
    "public.create_invite(uuid, text, text, timestamptz, text)", public.note_invite_mailed(uuid),
    public.accept_invite(text), private.join_by_invite(uuid), public.accept_remembered_invite(),
    public.my_sessions(), public.end_session(uuid), public.end_other_sessions()
  }'::regprocedure[] loop
    execute replace(pg_get_functiondef(decides), 'auth.uid()', 'private.my_id()');
  end loop;
end $$;

-- Asks on behalf of somebody, too, although the answer is the same for everybody.
create or replace function public.subdomain_status(subdomain text) returns text
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

alter policy "people change their own profile" on public.profiles
using (user_id = (select private.my_id())) with check (user_id = (select private.my_id()));
alter policy "people read their own and their teammates' profiles" on public.profiles
using (user_id = (select private.my_id()) or user_id = any (array(select private.my_teammate_ids())));
alter policy "owners remove others, everybody but the owner leaves" on public.members
using (role <> 'owner' and (user_id = (select private.my_id()) or workspace_id = any (array(select private.my_workspace_ids('{owner}')))));

-- Realtime asks when a channel is joined or its token changes; it knows yes and no, no refusals.
create or replace function private.may_join(topic text, speaking boolean) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  part constant text[] := string_to_array(topic, ':');
  workspace uuid;
begin
  if topic !~ '^(workspace:[0-9a-f-]{36}|presence:[0-9a-f-]{36}:[0-9a-f-]{36})$' then return false; end if;
  if not private.has_session() then return false; end if;
  workspace := part[2]::uuid;
  if private.my_role(workspace) is null then return false; end if;
  if part[1] = 'workspace' then return not speaking; end if; -- only the database speaks there
  return exists (select from public.posts p where p.id = part[3]::uuid and p.workspace_id = workspace);
exception when invalid_text_representation then
  return false;
end $$;

-- Event session-ended { workspace_id, user_id }: whoever holds a socket for that person asks whether its session is still there.
create function private.announce_session_end() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.announce(m.workspace_id, 'session-ended', jsonb_build_object('workspace_id', m.workspace_id, 'user_id', old.user_id))
  from public.members m where m.user_id = old.user_id;
  return null;
end $$;
-- The table is the auth service's. Where it lets nobody add a trigger, sockets hear of the end when they ask next (25 s).
do $$
begin
  if has_table_privilege('auth.sessions', 'trigger') then
    create trigger sessions_announce_their_end after delete on auth.sessions
    for each row execute function private.announce_session_end();
  end if;
end $$;
