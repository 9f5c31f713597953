-- A person's sessions, which the auth service lists to nobody: to see where one is signed in, and to end what one does not know.
-- An ended session is not renewed; the token it has already runs out within the hour.

create type public.my_session as (id uuid, user_agent text, created_at timestamptz, last_used_at timestamptz, current boolean);

create function private.session_id() returns uuid
language sql stable set search_path = '' as $$ select (auth.jwt() ->> 'session_id')::uuid $$;

-- The one that asks comes first, then by last use: the last renewal, which happens about hourly.
create function public.my_sessions() returns setof public.my_session
language sql stable security definer set search_path = '' as $$
  select s.id, s.user_agent, s.created_at, used.at, coalesce(s.id = private.session_id(), false) as current
  from auth.sessions s cross join lateral (select coalesce(s.refreshed_at at time zone 'utc', s.created_at)) as used (at)
  where s.user_id = auth.uid() and (s.not_after is null or s.not_after > now())
  order by current desc, used.at desc, s.id
$$;

-- Whether there was one to end.
create function public.end_session(session_id uuid) returns boolean
language sql security definer set search_path = '' as $$
  with ended as (delete from auth.sessions s where s.id = end_session.session_id and s.user_id = auth.uid() returning s.id)
  select exists (select from ended)
$$;

create function public.end_other_sessions() returns void
language sql security definer set search_path = '' as $$
  delete from auth.sessions s where s.user_id = auth.uid() and s.id is distinct from private.session_id()
$$;

revoke all on function private.session_id(), public.my_sessions(), public.end_session(uuid), public.end_other_sessions() from public, anon;
grant execute on function public.my_sessions(), public.end_session(uuid), public.end_other_sessions() to authenticated, service_role;
