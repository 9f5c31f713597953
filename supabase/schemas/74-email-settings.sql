-- One @, no blanks or header characters, a domain of letters, digits and hyphens (IDN as xn--…: contract/mail.ts).
create function private.is_mail_address(address text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select char_length(address) <= {{emailMaxLength}}
    and address ~ '^[A-Za-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&''*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$'
    and char_length(split_part(address, '@', 1)) <= {{emailLocalPartMaxLength}}
$$;

-- A workspace's email settings; without a row it sends no email to readers.
create table public.mail_settings (
  workspace_id uuid constraint mail_settings_pkey primary key
    constraint mail_settings_workspace_id_fkey references public.workspaces (id) on delete cascade,
  enabled boolean not null default true,
  undo_minutes int not null default 5 constraint mail_settings_undo_minutes check (undo_minutes between 0 and {{undoMinutesMax}}),
  sender_name text constraint mail_settings_sender_name check (char_length(sender_name) between 1 and {{senderNameMaxLength}}),
  reply_to text constraint mail_settings_reply_to check (private.is_mail_address(reply_to)),
  time_zone text not null default 'UTC',
  updated_at timestamptz not null default now(),
  held_at timestamptz,
  held_reason text constraint mail_settings_held_reason check (held_reason in ('bounces', 'complaints')),
  released_at timestamptz, -- by the operator; earlier bounces no longer count
  constraint mail_settings_held check ((held_at is null) = (held_reason is null))
);

create policy "members read how their workspace mails" on public.mail_settings for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
-- Written by public.save_mail_settings.
grant select on public.mail_settings to authenticated;

create function private.create_mail_settings() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.mail_settings (workspace_id) values (new.id);
  return null;
end $$;
create trigger workspaces_70_begin_mail_settings after insert on public.workspaces
for each row execute function private.create_mail_settings();
create trigger mail_settings_60_raise_public_version after insert or update or delete on public.mail_settings
for each row execute function private.public_frame_changed();
alter table public.mail_settings enable always trigger mail_settings_60_raise_public_version;

-- Suppressed addresses as hashes, of one workspace or the installation.
create table private.suppressions (
  id uuid constraint suppressions_pkey primary key default gen_random_uuid(),
  address bytea not null, -- sha256 of the lower-case address
  workspace_id uuid constraint suppressions_workspace_id_fkey references public.workspaces (id) on delete cascade,
  reason text not null constraint suppressions_reason check (reason in ('bounce', 'complaint', 'erased')),
  created_at timestamptz not null default now(),
  constraint suppressions_key unique nulls not distinct (address, workspace_id)
);
create index suppressions_of_workspace on private.suppressions (workspace_id);

create function private.address_hash(email text) returns bytea
language sql immutable parallel safe set search_path = '' as $$
  select sha256(convert_to(lower(email), 'UTF8'))
$$;

create table private.mail_key (
  only_row boolean constraint mail_key_pkey primary key default true constraint mail_key_one check (only_row),
  key bytea not null default extensions.gen_random_bytes(32)
);
insert into private.mail_key default values;

-- The token in an email's links: id, the subscription's generation, and a MAC, 36 bytes together.
create function private.mail_token(purpose text, id uuid, generation int default null) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  subject constant bytea := uuid_send(mail_token.id) || coalesce(int4send(generation), '');
  mac constant bytea := extensions.hmac(convert_to(purpose, 'UTF8') || subject, (select k.key from private.mail_key k), 'sha256');
begin
  return translate(encode(subject || substr(mac, 1, 36 - octet_length(subject)), 'base64'), E'+/\n', '-_');
end $$;

-- Null for what isn't a token. Whether it is genuine, callers decide by hashes of it and of private.mail_token, against timing attacks.
create function private.id_of_mail_token(token text) returns uuid
language sql immutable parallel safe set search_path = '' as $$
  select case when token ~ '^[A-Za-z0-9_-]{48}$' then encode(substr(decode(translate(token, '-_', '+/'), 'base64'), 1, 16), 'hex')::uuid end
$$;

create function private.sends_email(workspace uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.workspaces w join public.mail_settings m on m.workspace_id = w.id
    where w.id = workspace and w.is_open and m.enabled
  );
end $$;

-- Merges the given settings; null clears the sender's name or reply-to address.
create function public.save_mail_settings(workspace_id uuid, settings jsonb) returns public.mail_settings
language plpgsql security definer set search_path = '' as $$
declare
  given constant jsonb := settings;
  wrong jsonb := '{}';
  saved public.mail_settings;
begin
  perform private.require_role(save_mail_settings.workspace_id, '{owner,admin}');
  if given ? 'undo_minutes' and (given ->> 'undo_minutes')::numeric is distinct from trunc(least(greatest((given ->> 'undo_minutes')::numeric, 0), {{undoMinutesMax}})) then
    wrong := wrong || '{"undo_minutes": "Please choose 0 to {{undoMinutesMax}} minutes"}';
  end if;
  if char_length(private.clean_line(given ->> 'sender_name')) > {{senderNameMaxLength}} then
    wrong := wrong || '{"sender_name": "Please use at most {{senderNameMaxLength}} characters"}';
  end if;
  if not private.is_mail_address(given ->> 'reply_to') then wrong := wrong || '{"reply_to": "Please enter a valid email address"}'; end if;
  if given ? 'time_zone' and not exists (select from pg_catalog.pg_timezone_names z where z.name = given ->> 'time_zone') then
    wrong := wrong || '{"time_zone": "Please choose a time zone from the list"}';
  end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  insert into public.mail_settings as m (workspace_id, enabled) values (save_mail_settings.workspace_id, false)
  on conflict on constraint mail_settings_pkey do nothing;
  update public.mail_settings m set
    enabled = coalesce((given ->> 'enabled')::boolean, m.enabled),
    undo_minutes = coalesce((given ->> 'undo_minutes')::int, m.undo_minutes),
    sender_name = case when given ? 'sender_name' then nullif(private.clean_line(given ->> 'sender_name'), '') else m.sender_name end,
    reply_to = case when given ? 'reply_to' then given ->> 'reply_to' else m.reply_to end,
    time_zone = coalesce(given ->> 'time_zone', m.time_zone),
    updated_at = clock_timestamp()
  where m.workspace_id = save_mail_settings.workspace_id returning m.* into saved;
  return saved;
end $$;

create function private.is_suppressed(email text, workspace uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from private.suppressions s
    where s.address = private.address_hash(is_suppressed.email) and (s.workspace_id is null or s.workspace_id = workspace)
  );
end $$;

grant execute on function public.save_mail_settings to authenticated, service_role;
grant execute on function private.is_mail_address to service_role;
