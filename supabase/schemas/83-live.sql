-- Live updates over Realtime's private channels. workspace:{id}: the database broadcasts changes to members. presence:{workspace}:{post}: members in
-- a post. Realtime asks these policies when a channel is joined or a token refreshed; they answer false instead of raising.
create function private.may_join(topic text, speaking boolean) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  part constant text[] := string_to_array(topic, ':');
  workspace uuid;
begin
  if topic !~ '^(workspace:[0-9a-f-]{36}|presence:[0-9a-f-]{36}:[0-9a-f-]{36})$' then return false; end if;
  if not private.has_session() then return false; end if;
  workspace := part[2]::uuid;
  if private.my_role(workspace) is null then return false; end if;
  if part[1] = 'workspace' then return not speaking; end if; -- only the database sends
  return exists (select from public.posts p where p.id = part[3]::uuid and p.workspace_id = workspace);
exception when invalid_text_representation then
  return false;
end $$;

create policy "members listen to their workspace and its posts" on realtime.messages for select to authenticated
using (private.may_join((select realtime.topic()), false));
create policy "members speak where a post is open" on realtime.messages for insert to authenticated
with check (private.may_join((select realtime.topic()), true));

-- Broadcasts an event with { workspace_id } and `more`, without content: on hosted Supabase a removed member keeps the channel until the token is
-- refreshed, up to an hour. Sent after commit. Without Realtime nothing is sent, and its failure never fails a save.
create function private.announce(workspace uuid, event text, more jsonb default '{}') returns void
language plpgsql security definer set search_path = '' as $$
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is not null then
    perform realtime.send(jsonb_build_object('workspace_id', workspace) || more, event, 'workspace:' || workspace, true);
  end if;
exception when others then
  raise warning 'announcement of % not sent: %', event, sqlerrm;
end $$;

-- session-ended { workspace_id, user_id }: servers check that person's sessions.
create function private.announce_session_end() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.announce(m.workspace_id, 'session-ended', jsonb_build_object('user_id', old.user_id))
  from public.members m where m.user_id = old.user_id;
  return null;
end $$;
-- Where the auth service's table allows no trigger, sockets notice within 25 s.
do $$
begin
  if has_table_privilege('auth.sessions', 'trigger') then
    create trigger sessions_announce_their_end after delete on auth.sessions
    for each row execute function private.announce_session_end();
  end if;
end $$;

grant execute on function private.may_join to authenticated, service_role;
