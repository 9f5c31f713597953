-- The Realtime server's schema: policies on realtime.messages authorize private channels.
create schema if not exists realtime;
grant usage on schema realtime to postgres, anon, authenticated, service_role;
grant usage, create on schema realtime to supabase_realtime_admin;

-- Partitioned like hosted's, but with one partition, because sent messages are deleted immediately.
create table if not exists realtime.messages (
  id uuid not null default gen_random_uuid(),
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default now(),
  inserted_at timestamp not null default now(),
  primary key (id, inserted_at)
) partition by range (inserted_at);
do $$
begin
  if (select relkind from pg_catalog.pg_class where oid = 'realtime.messages'::regclass) = 'p' then -- not partitioned in older data folders
    create table if not exists realtime.messages_of_all_days partition of realtime.messages default;
    alter table realtime.messages_of_all_days owner to supabase_realtime_admin;
    alter table realtime.messages_of_all_days enable row level security;
  end if;
end
$$;
alter table realtime.messages enable row level security;
alter table realtime.messages owner to supabase_realtime_admin;
grant select, insert, update on realtime.messages to postgres, anon, authenticated, service_role;

create or replace function realtime.topic() returns text language sql stable
as $$ select nullif(current_setting('realtime.topic', true), '') $$;

-- Like hosted: sends on commit only, and a failure is a warning, so the write succeeds.
create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true)
returns void language plpgsql as $$
declare
  message_id uuid := gen_random_uuid();
begin
  perform set_config('realtime.topic', send.topic, true);
  insert into realtime.messages (id, payload, event, topic, private, extension)
  values (
    message_id,
    case when send.payload ? 'id' then send.payload else send.payload || jsonb_build_object('id', message_id) end,
    send.event, send.topic, send.private, 'broadcast'
  );
exception when others then
  raise warning 'ErrorSendingBroadcastMessage: %', sqlerrm;
end
$$;

-- Hosted reads the WAL; here the supervisor is notified and deletes the row. Policy checks insert without an event and roll back.
create or replace function realtime.announce() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_catalog.pg_notify('realtime_messages', new.id::text);
  return null;
end
$$;
create or replace trigger announce after insert on realtime.messages
  for each row when (new.extension = 'broadcast' and new.event is not null) execute function realtime.announce();
