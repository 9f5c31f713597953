-- An access token outlives its session by up to an hour, so rights are decided by looking the session up by primary key. After sign-out, a revoked
-- session or a new password, the next statement has no rights, whether by /api, PostgREST, Storage or Realtime.

create function private.has_session() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.is_live(auth.uid(), private.session_id()) and private.is_verified(auth.uid(), private.session_id());
end $$;

-- A banned account's sessions end, and not only their renewal.
create function private.end_sessions_of_banned() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.sessions s where s.user_id = new.id;
  return null;
end $$;
create trigger users_banned_have_no_sessions after update of banned_until, deleted_at on auth.users
for each row when (new.banned_until > now() or new.deleted_at is not null) execute function private.end_sessions_of_banned();

-- A request with an API key acts as the person who made the key; the transaction's claims name it (72-api-keys). Null for people and the system.
create function private.key_id() returns uuid
language plpgsql stable set search_path = '' as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
begin
  if claims is null or strpos(claims, '"key_id"') = 0 then return null; end if;
  return (claims::jsonb ->> 'key_id')::uuid;
end $$;
create function private.key_workspace() returns uuid
language plpgsql stable set search_path = '' as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
begin
  if claims is null or strpos(claims, '"key_id"') = 0 then return null; end if;
  return (claims::jsonb ->> 'key_workspace')::uuid;
end $$;

-- True if the key in use has the scope, and for requests without a key.
create function private.key_has(scope text) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return private.key_id() is null or coalesce(current_setting('request.jwt.claims', true)::jsonb -> 'key_scopes' ? scope, false);
end $$;

-- The caller's id. Null for the system; a refusal if the session has ended or the key no longer works, so that no one mistakes an ended session for
-- an empty workspace. Every function that decides by caller calls this; triggers that only record the caller use auth.uid().
create function private.my_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := auth.uid();
  has_factor boolean;
begin
  if me is null then return null; end if;
  -- private.has_session and private.is_active_member inlined: every statement runs this.
  select exists (select from private.factors f where f.user_id = me and f.confirmed_at is not null) into has_factor from auth.sessions s
  where s.id = (auth.jwt() ->> 'session_id')::uuid and s.user_id = me and (s.not_after is null or s.not_after > now());
  if found and (not has_factor or private.is_verified(me, private.session_id())) then return me; end if;
  perform from public.api_keys k join private.key_calls c on c.call = auth.jwt() ->> 'key_call'
    join public.members m on m.workspace_id = k.workspace_id and m.user_id = k.created_by join auth.users u on u.id = m.user_id
  where k.id = private.key_id() and k.created_by = me and k.workspace_id = private.key_workspace() and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > now()) and (c.scopes is null or c.scopes && k.scopes)
    and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null and private.access_gap(me, k.workspace_id) is null;
  if not found then perform private.refuse('unauthenticated'); end if;
  return me;
end $$;

-- Lists and ends a person's sessions, since the auth service has no call for it. An ended session can't be renewed.

create type public.my_session as (id uuid, user_agent text, created_at timestamptz, last_used_at timestamptz, current boolean);
comment on column public.my_session.user_agent is 'Null: the auth service was told none.';

create function private.session_id() returns uuid
language sql stable set search_path = '' as $$ select (auth.jwt() ->> 'session_id')::uuid $$;

-- private.my_id without API keys, for personal settings.
create function private.person_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.key_id() is not null then perform private.refuse('forbidden'); end if;
  return private.my_id();
end $$;

create function public.my_sessions() returns setof public.my_session
language sql stable security definer set search_path = '' as $$
  select s.id, s.user_agent, s.created_at, used.at, coalesce(s.id = private.session_id(), false) as current
  from auth.sessions s cross join lateral (select coalesce(s.refreshed_at at time zone 'utc', s.created_at)) as used (at)
  where s.user_id = private.person_id() and (s.not_after is null or s.not_after > now())
  order by current desc, used.at desc, s.id
$$;

-- True if there was one. An unconfirmed email change ends with it (12-email-changes).
create function public.end_session(session_id uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  delete from auth.sessions s where s.id = end_session.session_id and s.user_id = me;
  if not found then return false; end if;
  perform private.cancel_email_changes(me);
  return true;
end $$;

create function public.end_other_sessions() returns void
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  delete from auth.sessions s where s.user_id = me and s.id is distinct from private.session_id();
  perform private.cancel_email_changes(me);
end $$;

grant execute on function private.key_id, private.key_workspace, private.key_has, private.has_session, private.my_id, public.my_sessions,
  public.end_session, public.end_other_sessions to authenticated, service_role;
