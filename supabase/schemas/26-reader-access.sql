-- Access to public changelogs. Without a row, everyone can read. A reader's key is a MAC over the workspace or the member, and the generation, so a new
-- generation ends all of them. Functions for readers take a name, 'acme' or 'acme~key', and private.open_workspace refuses those without access.
-- 'acme~key~token', the key maybe empty, is a reader whom the workspace's product identifies.
create table private.reader_access (
  workspace_id uuid constraint reader_access_pkey primary key
    constraint reader_access_workspace_id_fkey references public.workspaces (id) on delete cascade,
  access text not null constraint reader_access_access check (access in ('public', 'unlisted', 'link', 'password', 'token', 'members')),
  password_hash text, -- bcrypt
  emails_content boolean not null default false,
  generation int not null default 1,
  remembers_readers boolean not null default false, -- private.reader_marks
  constraint reader_access_password check ((access = 'password') = (password_hash is not null))
);

create function private.access_of(workspace uuid) returns private.reader_access
language plpgsql stable security definer set search_path = '' as $$
declare
  a private.reader_access;
begin
  select r.* into a from private.reader_access r where r.workspace_id = workspace;
  if a.access is null then a := row(workspace, 'public', null, false, 0, false); end if;
  return a;
end $$;

create function private.reader_key(workspace uuid, who uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.mail_token('reader ' || workspace, who, (private.access_of(workspace)).generation);
end $$;

-- True if anyone may read, or the key is the workspace's or that of one of its members. With `members` only the latter count.
create function private.admits(workspace uuid, key text default null) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  mode constant text := (select r.access from private.reader_access r where r.workspace_id = workspace);
  who uuid;
begin
  if mode is null or mode in ('public', 'unlisted') then return true; end if;
  who := private.id_of_mail_token(key);
  if who is null then return false; end if;
  return private.token_hash(key) = private.token_hash(private.reader_key(workspace, who)) -- hashes, against timing attacks
    and (who = workspace and mode <> 'members'
      or exists (select from public.members m where m.workspace_id = workspace and m.user_id = who));
end $$;

-- The workspace's key for the right password, else null, and 'later' after `size` wrong ones in `period_seconds` from a network. As slow for a workspace
-- without a password.
create function private.enter_by_password(subdomain text, password text, network text, size int, period_seconds int) returns text
language plpgsql security definer set search_path = '' as $$
declare
  a private.reader_access;
begin
  if public.take_token('readerPassword', network, size, make_interval(secs => period_seconds)) > 0 then return 'later'; end if;
  select r.* into a from private.reader_access r join public.workspaces w on w.id = r.workspace_id
  where w.subdomain operator (extensions.=) enter_by_password.subdomain::extensions.citext and w.is_open and r.access = 'password';
  if extensions.crypt(password, coalesce(a.password_hash, '$2a$10$abcdefghijklmnopqrstuuMOZxlAqfWRfOwnyWJTUPuUzvUVDmDnK')) is distinct from a.password_hash
  then return null; end if;
  perform public.give_back_token('readerPassword', network, size);
  return private.reader_key(a.workspace_id, a.workspace_id);
end $$;

-- The secret with which a product signs its readers' tokens.
create function private.reader_token_secret(workspace uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.mail_token('reader token', workspace, (private.access_of(workspace)).generation);
end $$;

-- The claims of a token of a workspace's product, else null: a JWT signed by HS256, for the audience tidings:acme, valid for a day at most.
create function private.token_claims(workspace uuid, subdomain text, token text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  parts constant text[] := string_to_array(token, '.');
  signature text;
  claims jsonb;
begin
  if workspace is null or char_length(token) > 4096 or token !~ '^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$' then return null; end if;
  signature := translate(encode(extensions.hmac(
    parts[1] || '.' || parts[2], private.reader_token_secret(workspace), 'sha256'), 'base64'), E'+/=\n', '-_');
  if (private.token_hash(signature) = private.token_hash(parts[3])) is not true then return null; end if;
  claims := private.json_of_base64url(parts[2]);
  if private.json_of_base64url(parts[1]) ->> 'alg' = 'HS256' and claims ->> 'aud' = 'tidings:' || lower(token_claims.subdomain)
    and to_timestamp((claims ->> 'exp')::double precision) between now() and now() + interval '1 day'
  then return claims; end if;
  return null;
exception when data_exception then
  return null;
end $$;

-- The workspace's key for a token of its product, else null.
create function private.enter_by_token(subdomain text, token text) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select private.reader_key(w.id, w.id) from private.reader_access r join public.workspaces w on w.id = r.workspace_id
    where w.subdomain operator (extensions.=) enter_by_token.subdomain::extensions.citext and w.is_open and r.access = 'token'
      and private.token_claims(w.id, enter_by_token.subdomain, enter_by_token.token) is not null);
end $$;

create function private.json_of_base64url(part text) returns jsonb
language sql immutable set search_path = '' as $$
  select convert_from(decode(rpad(translate(part, '-_', '+/'), (char_length(part) + 3) / 4 * 4, '='), 'base64'), 'UTF8')::jsonb
$$;

-- Addresses of images in private changelogs. The file's name and an end are sealed (AES with a synthetic IV), so readers never learn the permanent address
-- of a file, and a new generation ends all addresses.
create function private.image_key(workspace uuid) returns bytea
language plpgsql stable security definer set search_path = '' as $$
begin
  return extensions.hmac(convert_to('image', 'UTF8') || uuid_send(workspace) || int4send((private.access_of(workspace)).generation),
    (select k.key from private.mail_key k), 'sha256');
end $$;

create function private.image_address(workspace uuid, file text, until timestamptz) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  key constant bytea := private.image_key(workspace);
  content constant bytea := int8send(extract(epoch from until)::bigint) || convert_to(file, 'UTF8');
  iv constant bytea := substr(extensions.hmac(content, key, 'sha256'), 1, 16);
begin
  return '/releases/images/' || translate(
    encode(uuid_send(workspace) || iv || extensions.encrypt_iv(content, sha256(key), iv, 'aes'), 'base64'), E'+/=\n', '-_');
end $$;

-- Of a private changelog's files, by name; null for others. Valid for one or two periods of `days`, and the same within a period, so caches can keep pages.
create function private.image_addresses(workspace uuid, files text[], days int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  period constant int := days * 86400;
  until constant timestamptz := to_timestamp((floor(extract(epoch from now()) / period) + 2) * period);
begin
  if private.admits(workspace) or not exists (select from public.workspaces w where w.id = workspace and w.is_open) then return null; end if;
  return (select jsonb_object_agg(f, private.image_address(workspace, f, until)) from unnest(files[1:1000]) as f);
end $$;

-- The path in the bucket post-images, or null if the address is forged, expired or of a former generation.
create function private.image_path(token text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  sealed bytea;
  workspace uuid;
  key bytea;
  iv bytea;
  content bytea;
begin
  if token !~ '^[A-Za-z0-9_-]{64,200}$' then return null; end if;
  sealed := decode(rpad(translate(token, '-_', '+/'), (char_length(token) + 3) / 4 * 4, '='), 'base64');
  workspace := encode(substr(sealed, 1, 16), 'hex')::uuid;
  if not exists (select from public.workspaces w where w.id = workspace and w.is_open) then return null; end if;
  key := private.image_key(workspace);
  iv := substr(sealed, 17, 16);
  content := extensions.decrypt_iv(substr(sealed, 33), sha256(key), iv, 'aes');
  if sha256(substr(extensions.hmac(content, key, 'sha256'), 1, 16)) <> sha256(iv)
    or to_timestamp(('x' || encode(substr(content, 1, 8), 'hex'))::bit(64)::bigint) < now() then return null; end if;
  return workspace || '/' || convert_from(substr(content, 9), 'UTF8');
exception when data_exception or external_routine_invocation_exception then
  return null;
end $$;

-- What readers whom the workspace's product identifies have seen in the widget, on whichever device. Their ids are stored as MACs.
create table private.reader_marks (
  workspace_id uuid not null constraint reader_marks_workspace_id_fkey references public.workspaces (id) on delete cascade,
  reader bytea not null,
  seen_up_to timestamptz not null, -- the newest post's time
  marked_at timestamptz not null default now(),
  constraint reader_marks_pkey primary key (workspace_id, reader)
);
create index reader_marks_by_age on private.reader_marks (marked_at);

create function private.reader_mac(workspace uuid, sub text) returns bytea
language plpgsql stable set search_path = '' as $$
begin
  return extensions.hmac(convert_to('reader mark ' || workspace || ' ' || sub, 'UTF8'), (select k.key from private.mail_key k), 'sha256');
end $$;

create type public.workspace_access as (access text, emails_content boolean, key text, token_secret text, remembers_readers boolean);
comment on column public.workspace_access.key is 'Of the secret link; null unless that gives access.';

create function public.read_workspace_access(workspace_id uuid) returns public.workspace_access
language plpgsql stable security definer set search_path = '' as $$
declare
  a private.reader_access;
begin
  perform private.require_role(workspace_id, '{owner,admin}', true);
  a := private.access_of(workspace_id);
  return row(a.access, a.emails_content, case when a.access = 'link' then private.reader_key(workspace_id, workspace_id) end,
    private.reader_token_secret(workspace_id), a.remembers_readers);
end $$;

-- Another way of access, another password or `renew` ends the access of all readers. Without a password, or `remembers_readers`, the present one stays.
create function public.set_workspace_access(
  workspace_id uuid, access text, emails_content boolean, renew boolean, password text default null, remembers_readers boolean default null
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  former private.reader_access;
  hash text;
  changes jsonb;
begin
  perform private.require_role(workspace_id, '{owner,admin}');
  perform from public.workspaces w where w.id = set_workspace_access.workspace_id for no key update;
  former := private.access_of(workspace_id);
  if set_workspace_access.access = 'password' then
    hash := case when password is null then former.password_hash else extensions.crypt(password, extensions.gen_salt('bf', 10)) end;
    if hash is null then perform private.refuse('validation_failed', '{"password": "Please enter a password"}'); end if;
  end if;
  insert into private.reader_access as r (workspace_id, access, password_hash, emails_content, remembers_readers, generation)
  values (set_workspace_access.workspace_id, set_workspace_access.access, hash, set_workspace_access.emails_content,
    coalesce(set_workspace_access.remembers_readers, false), (renew or set_workspace_access.access <> 'public')::int) -- 0 without a row
  on conflict on constraint reader_access_pkey do update set
    access = excluded.access, password_hash = excluded.password_hash, emails_content = excluded.emails_content,
    remembers_readers = coalesce(set_workspace_access.remembers_readers, r.remembers_readers),
    generation = r.generation + (renew or r.access <> excluded.access or r.password_hash is distinct from excluded.password_hash)::int;
  if not set_workspace_access.remembers_readers then
    delete from private.reader_marks m where m.workspace_id = set_workspace_access.workspace_id;
  end if;
  perform private.raise_public_versions(array[workspace_id]);
  changes := jsonb_strip_nulls(jsonb_build_object(
    'access', case when former.access <> set_workspace_access.access then jsonb_build_array(former.access, set_workspace_access.access) end,
    'password', case when former.password_hash <> hash then 'changed' end,
    'emails_content', case when former.emails_content <> set_workspace_access.emails_content
      then jsonb_build_array(former.emails_content, set_workspace_access.emails_content) end,
    'remembers_readers', case when former.remembers_readers <> set_workspace_access.remembers_readers
      then jsonb_build_array(former.remembers_readers, set_workspace_access.remembers_readers) end,
    'ended', case when renew then true end));
  if changes <> '{}' then perform private.audit(workspace_id, 'access_changed', null, null, changes); end if;
end $$;

-- A member's key, with which the public page opens for them.
create function public.my_reader_key(workspace_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role(workspace_id, '{owner,admin,editor,viewer}', true);
  return private.reader_key(workspace_id, private.person_id());
end $$;

grant execute on function private.enter_by_password, private.enter_by_token, private.image_addresses, private.image_path to anon;
grant execute on function public.read_workspace_access, public.set_workspace_access, public.my_reader_key to authenticated;
