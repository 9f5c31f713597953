-- Assistants connected by OAuth. A connection is an API key (72-api-keys) of the person who allowed it, with the same limits and end. Access tokens
-- last an hour; refresh tokens work once. Only hashes are stored, of 256 or 178 random bits.

-- Authorisation codes: valid for a minute, once.
create table private.assistant_codes (
  hash bytea constraint assistant_codes_pkey primary key constraint assistant_codes_hash_length check (octet_length(hash) = 32),
  workspace_id uuid not null constraint assistant_codes_workspace_id_fkey references public.workspaces (id) on delete cascade,
  person_id uuid not null constraint assistant_codes_person_id_fkey references auth.users (id) on delete cascade,
  client_id text not null,
  name text not null,
  redirect_uri text not null,
  challenge text not null, -- PKCE, S256 in base64url
  scopes text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz,
  key_id uuid not null default gen_random_uuid()
);
create index assistant_codes_of_person on private.assistant_codes (person_id, workspace_id);
create index assistant_codes_of_workspace on private.assistant_codes (workspace_id);
create index assistant_codes_by_age on private.assistant_codes (created_at);

-- Used refresh tokens. Later use means theft.
create table private.spent_refreshes (
  hash bytea constraint spent_refreshes_pkey primary key,
  key_id uuid not null constraint spent_refreshes_key_id_fkey references public.api_keys (id) on delete cascade,
  spent_at timestamptz not null default clock_timestamp()
);
create index spent_refreshes_of_key on private.spent_refreshes (key_id);
create index spent_refreshes_by_age on private.spent_refreshes (spent_at);

-- Scopes an assistant can get from a person with this role (contract/oauth.ts).
create function private.scopes_of_assistants(role public.member_role) returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select case role when 'viewer' then '{posts:read,stats:read}' else '{posts:read,posts:write,posts:publish,media:write,stats:read}' end::text[]
$$;

create function public.assistant_places(client_id text) returns table (id uuid, name text, role public.member_role, connected boolean)
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  return query
    select w.id, w.name, m.role, exists (
      select from public.api_keys k
      where k.created_by = me and k.workspace_id = w.id and k.client_id = assistant_places.client_id and k.revoked_at is null and k.expires_at > now())
    from public.members m join public.workspaces w on w.id = m.workspace_id where m.user_id = me order by lower(w.name), w.id;
end $$;

-- Creates an authorisation code. asked: {client_id, name, redirect_uri, challenge}, checked by /api against the client's metadata.
create function public.approve_assistant(workspace_id uuid, asked jsonb, scopes text[], code_hash text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  place constant uuid := approve_assistant.workspace_id;
  given constant text[] := approve_assistant.scopes;
  me constant uuid := private.person_id();
  label constant text := left(private.clean_line(asked ->> 'name'), 60);
  allowed text[];
  made private.assistant_codes;
begin
  -- Locks the membership: serialised for the limit, and removal waits.
  perform from public.members m where m.workspace_id = place and m.user_id = me for no key update;
  allowed := private.scopes_of_assistants(private.require_role(place, even_suspended => false));
  if coalesce(cardinality(given), 0) = 0 then perform private.refuse('validation_failed', '{"scopes": "Choose what this assistant can do"}'); end if;
  if not given <@ allowed then
    perform private.refuse('validation_failed', '{"scopes": "Your role in this workspace doesn''t allow all of these"}');
  end if;
  if (asked ->> 'client_id') ~ '^https?://[^[:space:]]+$' is not true or char_length(asked ->> 'client_id') > 1000 or coalesce(label, '') = ''
    or (asked ->> 'redirect_uri') ~ '^[a-z][a-z0-9+.-]*:[^[:space:]]+$' is not true or char_length(asked ->> 'redirect_uri') > 2000
    or (asked ->> 'challenge') ~ '^[0-9A-Za-z_-]{43}$' is not true or code_hash ~ '^[0-9a-f]{64}$' is not true then
    perform private.refuse('validation_failed', '{"request": "This isn''t a valid request from an assistant"}');
  end if;
  if public.take_token('assistantCode', me::text, 60, interval '10 minutes') > 0 then perform private.refuse('rate_limited'); end if;
  -- Web clients have one connection, replaced in private.connect_assistant.
  if (
    select count(*) from public.api_keys k
    where k.created_by = me and k.workspace_id = place and k.client_id <> asked ->> 'client_id' and k.revoked_at is null and k.expires_at > now()
  ) + (
    select count(*) from private.assistant_codes c
    where c.person_id = me and c.workspace_id = place and c.used_at is null and c.created_at > now() - interval '1 minute'
  ) >= 20 then perform private.refuse('too_many_assistants'); end if;
  insert into private.assistant_codes (hash, workspace_id, person_id, client_id, name, redirect_uri, challenge, scopes)
  values (decode(code_hash, 'hex'), place, me, asked ->> 'client_id', label, asked ->> 'redirect_uri', asked ->> 'challenge',
    array(select s.scope from unnest(allowed) with ordinality as s (scope, ordinal) where s.scope = any (given) order by s.ordinal))
  returning * into made;
  -- Audited here, with the person's network rather than the assistant's server's.
  perform private.audit(place, 'assistant_connected', made.key_id, label,
    jsonb_build_object('host', private.host_of(made.client_id), 'scopes', made.scopes));
end $$;

create type public.assistant as (
  id uuid, name text, client_id text, host text, scopes text[], created_by uuid, created_by_name text, created_at timestamptz,
  last_used_at timestamptz, expires_at timestamptz
);
comment on column public.assistant.last_used_at is 'Null: not yet.';

-- The caller's, for owners and admins everyone's; newest first.
create function public.list_assistants(workspace_id uuid) returns setof public.assistant
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
  mine constant public.member_role := private.require_role(list_assistants.workspace_id);
begin
  return query
    select k.id, k.name, k.client_id, private.host_of(k.client_id), k.scopes, k.created_by, k.created_by_name, k.created_at, k.last_used_at, k.expires_at
    from public.api_keys k
    where k.workspace_id = list_assistants.workspace_id and k.client_id is not null and k.revoked_at is null and k.expires_at > now()
      and (k.created_by = me or mine in ('owner', 'admin'))
    order by k.created_at desc, k.id;
end $$;

-- Takes effect with the next call: one's own, for owners and admins any. Idempotent.
create function public.end_assistant(workspace_id uuid, assistant_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  me constant uuid := private.person_id();
  mine constant public.member_role := private.require_role(asked);
begin
  update public.api_keys k set revoked_at = coalesce(k.revoked_at, clock_timestamp())
  where k.id = assistant_id and k.workspace_id = asked and k.client_id is not null and (k.created_by = me or mine in ('owner', 'admin'));
  if not found then perform private.refuse('not_found'); end if;
end $$;

-- These are for key-calls.ts, on its own connection: assistants have no session. No row is a refusal without a reason.
-- Exchanges a code. The connection expires after 90 days without use. A reused code revokes it. secret: {hash, start, last4, refresh_hash}, in hex.
create function private.connect_assistant(
  code_hash bytea, client_id text, redirect_uri text, challenge text, secret jsonb, network text default null
) returns table (scopes text[], seconds int)
language plpgsql set search_path = '' as $$
declare
  c private.assistant_codes;
begin
  select a.* into c from private.assistant_codes a where a.hash = connect_assistant.code_hash;
  if c.hash is null then return; end if;
  -- Lock order: member, then code, as in approval. Serialised for the limit; removal waits.
  perform from public.members m where m.workspace_id = c.workspace_id and m.user_id = c.person_id for no key update;
  select a.* into c from private.assistant_codes a where a.hash = connect_assistant.code_hash for update;
  if c.hash is null then return; end if;
  perform set_config('tidings.network', coalesce(connect_assistant.network, ''), true);
  if c.used_at is not null then
    update public.api_keys k set revoked_at = clock_timestamp() where k.id = c.key_id and k.revoked_at is null;
    return;
  end if;
  if c.created_at < clock_timestamp() - interval '1 minute' or c.client_id <> connect_assistant.client_id
    or c.redirect_uri <> connect_assistant.redirect_uri or c.challenge <> connect_assistant.challenge
    or not private.is_active_member(c.person_id, c.workspace_id) then return; end if;
  -- A web client has one connection per person, so the new one replaces it. Native ones have one per device: the five used last stay.
  update public.api_keys k set revoked_at = clock_timestamp()
  where k.id in (
    select f.id from public.api_keys f
    where f.created_by = c.person_id and f.workspace_id = c.workspace_id and f.client_id = c.client_id and f.revoked_at is null
    order by coalesce(f.last_used_at, f.created_at) desc, f.id offset case when c.redirect_uri like 'https:%' then 0 else 4 end
  );
  insert into public.api_keys (id, workspace_id, name, scopes, hash, start, last4, created_by, created_by_name, expires_at, client_id, secret_until, refresh_hash)
  values (c.key_id, c.workspace_id, c.name, c.scopes, decode(secret ->> 'hash', 'hex'), secret ->> 'start', secret ->> 'last4', c.person_id,
    coalesce((select p.full_name from public.profiles p where p.user_id = c.person_id), ''), now() + interval '90 days', c.client_id, now() + interval '1 hour', decode(secret ->> 'refresh_hash', 'hex'));
  update private.assistant_codes a set used_at = clock_timestamp() where a.hash = c.hash;
  return query select c.scopes, 3600;
end $$;

-- Refreshes. The answer is derived from refresh_hash, so a retry within a minute gets the same one; later reuse is theft and revokes the connection.
create function private.refresh_assistant(refresh_hash bytea, client_id text, secret jsonb, network text default null)
returns table (scopes text[], seconds int)
language plpgsql set search_path = '' as $$
declare
  next_hash constant bytea := decode(secret ->> 'hash', 'hex');
  next_refresh constant bytea := decode(secret ->> 'refresh_hash', 'hex');
  k public.api_keys;
  spent private.spent_refreshes;
begin
  perform set_config('tidings.network', coalesce(refresh_assistant.network, ''), true);
  select a.* into k from public.api_keys a where a.refresh_hash = refresh_assistant.refresh_hash for update;
  if k.id is null then
    select s.* into spent from private.spent_refreshes s where s.hash = refresh_assistant.refresh_hash;
    select a.* into k from public.api_keys a where a.id = spent.key_id for update;
    if k.id is null or k.revoked_at is not null or k.client_id <> refresh_assistant.client_id then return; end if;
    if spent.spent_at < clock_timestamp() - interval '1 minute' then
      update public.api_keys a set revoked_at = clock_timestamp() where a.id = k.id;
    elsif k.hash = next_hash and k.refresh_hash = next_refresh and private.is_active_member(k.created_by, k.workspace_id) then
      return query select k.scopes, greatest(1, extract(epoch from k.secret_until - now())::int);
    end if;
    return;
  end if;
  if k.revoked_at is not null or k.expires_at <= now() or k.client_id <> refresh_assistant.client_id
    or not private.is_active_member(k.created_by, k.workspace_id) then return; end if;
  -- One an hour is enough; each is stored for a month.
  if public.take_token('assistantRefresh', k.id::text, 30, interval '1 hour') > 0 then perform private.refuse('rate_limited'); end if;
  insert into private.spent_refreshes (hash, key_id) values (k.refresh_hash, k.id);
  update public.api_keys a set hash = next_hash, start = secret ->> 'start', last4 = secret ->> 'last4', refresh_hash = next_refresh,
    -- Requests in flight: the previous token stays valid until it expires.
    former_hash = case when k.secret_until > now() then k.hash end, former_until = case when k.secret_until > now() then k.secret_until end,
    secret_until = now() + interval '1 hour', expires_at = now() + interval '90 days', rotated_at = now()
  where a.id = k.id;
  return query select k.scopes, 3600;
end $$;

create function private.disconnect_assistant(secret_hash bytea, client_id text, network text default null) returns void
language plpgsql set search_path = '' as $$
declare
  k public.api_keys;
begin
  select a.* into k from public.api_keys a
  where a.client_id = disconnect_assistant.client_id and (
    a.hash = secret_hash or a.former_hash = secret_hash or a.refresh_hash = secret_hash
    or a.id = (select s.key_id from private.spent_refreshes s where s.hash = secret_hash))
  limit 1 for update;
  if k.id is null or k.revoked_at is not null then return; end if;
  perform set_config('tidings.network', coalesce(disconnect_assistant.network, ''), true);
  update public.api_keys a set revoked_at = clock_timestamp() where a.id = k.id;
end $$;

grant execute on function public.assistant_places, public.approve_assistant, public.list_assistants, public.end_assistant
  to authenticated, service_role;
