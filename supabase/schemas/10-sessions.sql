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

-- A program that comes with an API key acts as the person who made it, in a transaction whose claims name the key (77-api-keys). These say which
-- key and for which workspace; null for people and for the system. Every statement asks them, so for people they end at the first look.
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

-- Whether the key that is asking may do this; people's limits are their roles alone, so for them it is always true.
create function private.key_has(scope text) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return private.key_id() is null or coalesce(current_setting('request.jwt.claims', true)::jsonb -> 'key_scopes' ? scope, false);
end $$;
grant execute on function private.key_id(), private.key_workspace(), private.key_has(text) to authenticated, service_role;

-- Who is asking: null for the system (no token, or one that is nobody's), a refusal for a token whose session has ended and for a key that does
-- not work any more. What is asked is refused rather than answered with nothing, so that nobody takes an ended session for an empty workspace.
-- Every function that decides by who is asking asks this one; triggers that only note who wrote go on with auth.uid(): what they note was
-- allowed before.
create function private.my_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := auth.uid();
begin
  if me is null then return null; end if;
  -- As in has_session, but asked by every statement: a call less.
  perform from auth.sessions s
  where s.id = (auth.jwt() ->> 'session_id')::uuid and s.user_id = me and (s.not_after is null or s.not_after > now());
  if not found and not private.key_acts_for(me) then perform private.refuse('unauthenticated'); end if;
  return me;
end $$;
revoke all on function private.has_session(), private.my_id() from public, anon;
grant execute on function private.has_session(), private.my_id() to authenticated, service_role;

-- A person's sessions, which the auth service lists to nobody: to see where one is signed in, and to end what one does not know.
-- An ended session is not renewed, and its token gives no rights any more.

create type public.my_session as (id uuid, user_agent text, created_at timestamptz, last_used_at timestamptz, current boolean);
comment on column public.my_session.user_agent is 'Null: the auth service was told none.';

create function private.session_id() returns uuid
language sql stable set search_path = '' as $$ select (auth.jwt() ->> 'session_id')::uuid $$;

-- As private.my_id, for what is a person's alone: no key does it.
create function private.person_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.key_id() is not null then perform private.refuse('forbidden'); end if;
  return private.my_id();
end $$;
revoke all on function private.person_id() from public, anon, authenticated;

-- The one that asks comes first, then by last use: the last renewal, which happens about hourly.
create function public.my_sessions() returns setof public.my_session
language sql stable security definer set search_path = '' as $$
  select s.id, s.user_agent, s.created_at, used.at, coalesce(s.id = private.session_id(), false) as current
  from auth.sessions s cross join lateral (select coalesce(s.refreshed_at at time zone 'utc', s.created_at)) as used (at)
  where s.user_id = private.person_id() and (s.not_after is null or s.not_after > now())
  order by current desc, used.at desc, s.id
$$;

-- True if there was one to end. A change of address that is not confirmed ends with it (12-email-changes).
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

revoke all on function private.session_id(), public.my_sessions(), public.end_session(uuid), public.end_other_sessions() from public, anon;
grant execute on function public.my_sessions(), public.end_session(uuid), public.end_other_sessions() to authenticated, service_role;
