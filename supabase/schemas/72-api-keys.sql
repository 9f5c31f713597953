-- API keys act as the person who made them, in one workspace, within their scopes and that person's present role. Only a SHA-256 of the 178-bit
-- secret is stored. Requests come by edge-functions/_shared/key-calls.ts; private.begin_key_call is where a key begins to act.
-- Enforced by: the list of calls below; private.my_id, which checks key, membership and call at every statement; my_role and my_workspace_ids
-- (21-members); a restrictive policy on every table; triggers, for posts:publish and what only people write (98-every-table).

-- Calls keys can make and the scopes of which one is needed; null: any key.
create table private.key_calls (
  call text constraint key_calls_pkey primary key,
  scopes text[]
);
insert into private.key_calls (call, scopes) values
  ('my_key', null),
  ('read_post', '{posts:read}'), ('list_posts', '{posts:read}'), ('find_posts', '{posts:read}'), ('posts_of', '{posts:read}'),
  ('search_posts', '{posts:read}'), ('upcoming_posts', '{posts:read}'), ('mail_audience', '{posts:read}'),
  ('create_post', '{posts:write}'), ('save_post', '{posts:write,posts:publish}'),
  ('link_requests', '{posts:write}'),
  ('undo_archive', '{posts:write,posts:publish}'), ('restore_revision', '{posts:write}'),
  ('list_tags', '{posts:read,posts:write,tags:write}'), ('create_tag', '{tags:write}'), ('change_tag', '{tags:write}'),
  ('delete_tag', '{tags:write}'), ('settle_tags', '{tags:write}'),
  ('list_subscribers', '{subscribers:read}'), ('subscribers_after', '{subscribers:read}'),
  ('subscriber_numbers', '{subscribers:read,stats:read}'), ('add_subscriber', '{subscribers:write}'),
  ('import_subscribers', '{subscribers:write}'), ('remove_subscriber', '{subscribers:write}'),
  ('reader_unseen', '{subscribers:read}'), ('erase_reader', '{subscribers:write}'),
  ('analytics', '{stats:read}'), ('post_analytics', '{stats:read}'),
  -- /api/v1 and assistants
  ('workspace_address', null), ('search_public', null), ('posts_after', '{posts:read}'),
  ('put_post', '{posts:write}'), ('workspace_stats', '{stats:read}'), ('require_writer', '{media:write}'),
  ('post_threads', '{posts:read}'), ('post_versions', '{posts:read}'), ('post_version', '{posts:read}'), ('delete_draft', '{posts:write}'), ('export_posts', '{posts:read}'), ('list_domains', '{posts:read}'), ('release_notes_context', '{posts:read}'),
  -- Keys request and propose, never decide.
  ('ask_review', '{posts:write}'), ('review_standing', '{posts:read,posts:write}'), ('propose_change', '{posts:write}'),
  ('read_proposal', '{posts:write}'), ('withdraw_proposal', '{posts:write}'),
  ('list_webhooks', '{webhooks:write}'), ('create_webhook', '{webhooks:write}'), ('change_webhook', '{webhooks:write}'),
  ('remove_webhook', '{webhooks:write}'), ('rotate_webhook', '{webhooks:write}'), ('webhook_deliveries', '{webhooks:write}'),
  ('ping_webhook', '{webhooks:write}'), ('resend_delivery', '{webhooks:write}'), ('resend_failed', '{webhooks:write}'),
  ('read_workspace_access', '{access:write}'), ('set_workspace_access', '{access:write}');

create table public.api_keys (
  id uuid constraint api_keys_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint api_keys_workspace_id_fkey references public.workspaces (id) on delete cascade,
  name text not null constraint api_keys_name_length check (char_length(name) between 1 and {{apiKeyNameMaxLength}}),
  -- As in contract/api-keys.ts; a test compares them.
  scopes text[] not null constraint api_keys_scopes_known check (cardinality(scopes) > 0 and scopes <@ '{posts:read,posts:write,posts:publish,tags:write,media:write,subscribers:read,subscribers:write,stats:read,webhooks:write,access:write}'),
  hash bytea not null constraint api_keys_hash_key unique constraint api_keys_hash_length check (octet_length(hash) = 32),
  -- The previous secret, valid for a day.
  former_hash bytea constraint api_keys_former_hash_key unique constraint api_keys_former_hash_length check (octet_length(former_hash) = 32),
  former_until timestamptz,
  start text not null constraint api_keys_start_length check (char_length(start) = 8),
  last4 text not null constraint api_keys_last4_length check (char_length(last4) = 4),
  created_by uuid not null,
  created_by_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz constraint api_keys_expire check (isfinite(expires_at)),
  last_used_at timestamptz,
  rotated_at timestamptz,
  revoked_at timestamptz,
  -- Only of an assistant's connection: its client, when the present secret expires, and the refresh token's hash. expires_at moves with use.
  client_id text constraint api_keys_client_id_length check (char_length(client_id) between 1 and 1000),
  secret_until timestamptz,
  refresh_hash bytea constraint api_keys_refresh_hash_length check (octet_length(refresh_hash) = 32),
  constraint api_keys_former_ends check ((former_hash is null) = (former_until is null)),
  constraint api_keys_of_assistants check (
    (client_id is null) = (secret_until is null) and (client_id is null) = (refresh_hash is null) and (client_id is null or expires_at is not null))
);
create index api_keys_of_workspace on public.api_keys (workspace_id, created_at desc);
create index api_keys_by_maker on public.api_keys (created_by, workspace_id);
create unique index api_keys_refresh_hash_key on public.api_keys (refresh_hash);

create policy "owners and admins read their workspace's keys" on public.api_keys for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}', true))));

grant select (id, workspace_id, name, scopes, former_until, start, last4, created_by, created_by_name, created_at, expires_at, last_used_at, rotated_at, revoked_at)
  on public.api_keys to authenticated, service_role;

create type public.api_key as (
  id uuid, name text, scopes text[], start text, last4 text, state text, created_by uuid, created_by_name text, created_at timestamptz,
  expires_at timestamptz, last_used_at timestamptz, rotated_at timestamptz, former_until timestamptz, revoked_at timestamptz
);
comment on column public.api_key.expires_at is 'Null: it works until it is revoked.';
comment on column public.api_key.last_used_at is 'Null: not yet.';
comment on column public.api_key.rotated_at is 'Null: never.';
comment on column public.api_key.former_until is 'Null: there is no secret but the present one.';
comment on column public.api_key.revoked_at is 'Null: it is not revoked.';

create function private.key_json(k public.api_keys) returns public.api_key
language plpgsql stable set search_path = '' as $$
begin
  return row(k.id, k.name, k.scopes, k.start, k.last4,
    case when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired' else 'active' end,
    k.created_by, k.created_by_name, k.created_at, k.expires_at, k.last_used_at, k.rotated_at,
    case when k.former_until > now() and k.revoked_at is null then k.former_until end, k.revoked_at);
end $$;

-- True if the key's maker is still a member, not banned, and lacks nothing that the workspace requires. Sessions don't matter.
create function private.is_active_member(person uuid, workspace uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.members m join auth.users u on u.id = m.user_id
    where m.workspace_id = workspace and m.user_id = person and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null
  ) and private.access_gap(person, workspace) is null;
end $$;

-- For key-calls.ts, on its own connection: the key with this hash, and one call counted. No row: invalid. `wait`: seconds until the next call, 0 for
-- now; `remaining`: calls left. `assistant`: valid for /api/mcp only. `network` is for the audit log (81-audit).
create function private.admit_key(hash bytea, size int, period_seconds int, network text default null) returns table (
  id uuid, workspace_id uuid, scopes text[], created_by uuid, wait int, remaining int, assistant boolean
)
language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  k public.api_keys;
begin
  select a.* into k from public.api_keys a where a.hash = admit_key.hash and (a.secret_until is null or a.secret_until > now());
  if k.id is null then select a.* into k from public.api_keys a where a.former_hash = admit_key.hash and a.former_until > now(); end if;
  if k.id is null or k.revoked_at is not null or k.expires_at <= now() or not private.is_active_member(k.created_by, k.workspace_id) then return; end if;
  wait := public.take_token('key', k.id::text, admit_key.size, make_interval(secs => admit_key.period_seconds));
  perform set_config('tidings.network', coalesce(admit_key.network, ''), true);
  if wait = 0 and (k.last_used_at is null or k.last_used_at < now() - interval '1 minute') then
    -- skip locked: someone else is writing the same.
    update public.api_keys a set last_used_at = now()
    from (select u.id from public.api_keys u where u.id = k.id for no key update skip locked) as free where a.id = free.id;
  end if;
  return query
    select k.id, k.workspace_id, k.scopes, k.created_by, wait,
      (select greatest(0, floor(r.tokens))::int from private.rate_limits r where r.bucket = 'key' and r.key = sha256(convert_to(k.id::text, 'UTF8'))),
      k.client_id is not null;
end $$;

-- The transaction acts for the key from here on, for one call. No one else can set this.
create function private.begin_key_call(key uuid, call text, network text default null) returns void
language plpgsql set search_path = '' as $$
declare
  k public.api_keys;
  allowed private.key_calls;
begin
  select a.* into k from public.api_keys a where a.id = key and a.revoked_at is null and (a.expires_at is null or a.expires_at > now());
  if k.id is null or not private.is_active_member(k.created_by, k.workspace_id) then perform private.refuse('unauthenticated'); end if;
  select c.* into allowed from private.key_calls c where c.call = begin_key_call.call;
  if allowed.call is null then perform private.refuse('forbidden', jsonb_build_object('call', begin_key_call.call)); end if;
  if not allowed.scopes && k.scopes then perform private.refuse('scope_missing', jsonb_build_object('scope', allowed.scopes[1])); end if;
  perform set_config('request.jwt.claims', jsonb_build_object('sub', k.created_by, 'role', 'authenticated', 'aud', 'authenticated',
    'key_id', k.id, 'key_workspace', k.workspace_id, 'key_scopes', k.scopes, 'key_call', allowed.call)::text, true);
  perform set_config('tidings.network', coalesce(begin_key_call.network, ''), true);
  -- As for people on hosted projects: set role doesn't apply a role's settings.
  perform set_config('statement_timeout', '8s', true), set_config('role', 'authenticated', true);
end $$;

create function public.my_key() returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.my_id();
begin
  if me is null or private.key_id() is null then perform private.refuse('not_found'); end if;
  return (
    select json_build_object(
      'key', json_build_object('id', k.id, 'name', k.name, 'scopes', k.scopes, 'start', k.start, 'last4', k.last4,
        'created_at', k.created_at, 'expires_at', k.expires_at),
      'workspace', json_build_object('id', w.id, 'name', w.name, 'subdomain', w.subdomain::text))
    from public.api_keys k join public.workspaces w on w.id = k.workspace_id where k.id = private.key_id()
  );
end $$;

-- Owners and admins. Locks the membership, so a concurrent removal or demotion waits.
create function private.require_key_manager(workspace uuid, even_suspended boolean default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  perform from public.workspaces w where w.id = workspace for no key update; -- serialised for the limit
  perform from public.members m where m.workspace_id = workspace and m.user_id = me for share;
  perform private.require_role(workspace, '{owner,admin}', even_suspended);
end $$;

-- Valid keys, and those that ended in the last 90 days, newest first.
create function public.list_api_keys(workspace_id uuid) returns setof public.api_key
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked, '{owner,admin}', true);
  return query
    select s.* from public.api_keys k, private.key_json(k) as s
    where k.workspace_id = asked and k.client_id is null and coalesce(least(k.revoked_at, k.expires_at) > now() - interval '90 days', true)
    order by k.created_at desc, k.id;
end $$;

-- `secret_hash`: SHA-256 in hex of a secret that the caller made and shows once (contract/rules/api-key.ts).
create function public.create_api_key(
  workspace_id uuid, name text, scopes text[], secret_hash text, start text, last4 text, expires_at timestamptz default null
) returns public.api_key
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := create_api_key.workspace_id;
  label constant text := private.clean_line(create_api_key.name);
  ends constant timestamptz := create_api_key.expires_at;
  known constant text[] := '{posts:read,posts:write,posts:publish,tags:write,media:write,subscribers:read,subscribers:write,stats:read,webhooks:write,access:write}';
  given constant text[] := create_api_key.scopes;
  wrong jsonb := '{}';
  made public.api_keys;
begin
  perform private.require_key_manager(asked);
  if coalesce(label, '') = '' then wrong := wrong || '{"name": "A key needs a name"}';
  elsif char_length(label) > {{apiKeyNameMaxLength}} then wrong := wrong || '{"name": "Please use at most {{apiKeyNameMaxLength}} characters"}'; end if;
  if coalesce(cardinality(given), 0) = 0 then wrong := wrong || '{"scopes": "Choose what this key can do"}';
  elsif not given <@ known then wrong := wrong || '{"scopes": "Please choose from the list"}'; end if;
  if ends <= now() or not isfinite(ends) then wrong := wrong || '{"expires_at": "Please choose a time in the future"}';
  elsif ends > now() + interval '{{apiKeyReachYears}} years' then wrong := wrong || '{"expires_at": "Please choose a time within the next {{apiKeyReachYears}} years"}'; end if;
  if secret_hash !~ '^[0-9a-f]{64}$' is not false or create_api_key.start !~ '^tdk_[0-9A-Za-z]{4}$' is not false
    or create_api_key.last4 !~ '^[0-9A-Za-z]{4}$' is not false then
    wrong := wrong || '{"secret_hash": "Send the key''s hash, its first 8 and its last 4 characters"}';
  end if;
  if wrong = '{}' and (
    select count(*) >= 50 from public.api_keys k
    where k.workspace_id = asked and k.client_id is null and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
  ) then wrong := '{"name": "This workspace has 50 keys. Revoke one first."}'; end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  insert into public.api_keys (workspace_id, name, scopes, hash, start, last4, created_by, created_by_name, expires_at)
  values (asked, label, array(select s.scope from unnest(known) with ordinality as s (scope, place) where s.scope = any (given) order by s.place),
    decode(secret_hash, 'hex'), create_api_key.start, create_api_key.last4, private.my_id(), private.my_name(), date_trunc('milliseconds', ends))
  returning * into made;
  return private.key_json(made);
end $$;

-- Replaces the secret; the previous one is valid for a day. Only its maker can, since the key acts as that person.
create function public.rotate_api_key(workspace_id uuid, key_id uuid, secret_hash text, start text, last4 text) returns public.api_key
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := rotate_api_key.workspace_id;
  moment constant timestamptz := clock_timestamp();
  present public.api_keys;
begin
  perform private.require_key_manager(asked);
  select * into present from public.api_keys k where k.id = rotate_api_key.key_id and k.workspace_id = asked and k.client_id is null for update;
  if present.id is null then perform private.refuse('not_found'); end if;
  if present.created_by <> private.my_id() then perform private.refuse('forbidden'); end if;
  if present.revoked_at is not null or present.expires_at <= now() then
    perform private.refuse('validation_failed', '{"id": "This key has expired or was revoked. Create a new one."}');
  end if;
  if secret_hash !~ '^[0-9a-f]{64}$' is not false or rotate_api_key.start !~ '^tdk_[0-9A-Za-z]{4}$' is not false
    or rotate_api_key.last4 !~ '^[0-9A-Za-z]{4}$' is not false then
    perform private.refuse('validation_failed', '{"secret_hash": "Send the key''s hash, its first 8 and its last 4 characters"}');
  end if;
  update public.api_keys k set hash = decode(secret_hash, 'hex'), start = rotate_api_key.start, last4 = rotate_api_key.last4,
    former_hash = k.hash, former_until = moment + interval '24 hours', rotated_at = moment
  where k.id = present.id returning * into present;
  return private.key_json(present);
end $$;

-- Takes effect with the next call. Idempotent.
create function public.revoke_api_key(workspace_id uuid, key_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_key_manager(revoke_api_key.workspace_id, true);
  update public.api_keys k set revoked_at = coalesce(k.revoked_at, clock_timestamp())
  where k.id = revoke_api_key.key_id and k.workspace_id = revoke_api_key.workspace_id and k.client_id is null;
  if not found then perform private.refuse('not_found'); end if;
end $$;

-- Without posts:publish a key can't change what readers see or will see: no published or scheduled post. Checks the final row, whichever call or
-- trigger wrote it. What readers would see of a draft needs posts:write.
create function private.guard_posts_from_keys() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.key_id() is null then return null; end if;
  if 'published' in (old.status, new.status) or 'scheduled' in (old.status, new.status) then
    if old.* is distinct from new.* and not private.key_has('posts:publish') then
      perform private.refuse('scope_missing', '{"scope": "posts:publish"}');
    end if;
  end if;
  if private.is_visible_change(old, new) and not private.key_has('posts:write') then
    perform private.refuse('scope_missing', '{"scope": "posts:write"}');
  end if;
  return null;
end $$;

-- The same for tags that such posts carry, and their former keys.
create function private.guard_tags_from_keys() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  keys text[];
begin
  if not private.key_has('posts:publish') then
    keys := array[to_jsonb(old) ->> 'key', to_jsonb(new) ->> 'key', to_jsonb(old) ->> 'now_key', to_jsonb(new) ->> 'now_key'];
    if exists (
      select from public.posts p
      where p.workspace_id = coalesce(new.workspace_id, old.workspace_id) and p.status in ('published', 'scheduled') and p.tags && array_remove(keys, null)
    ) then perform private.refuse('scope_missing', '{"scope": "posts:publish"}'); end if;
  end if;
  return null;
end $$;
create trigger tags_15_key after insert or update or delete on public.tags
for each row execute function private.guard_tags_from_keys();
create trigger former_tags_15_key after insert or update or delete on private.former_tags
for each row execute function private.guard_tags_from_keys();

-- Team, profiles, workspace, appearance, add-ons, invitations and keys: never by a key. Once per statement.
create function private.refuse_keys() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.key_id() is not null then perform private.refuse('forbidden'); end if;
  return null;
end $$;
create trigger workspaces_15_key before insert or delete or update of name, subdomain, origin, allowed_origins, logo_url, public_changelog_enabled
on public.workspaces for each statement execute function private.refuse_keys();

grant execute on function public.my_key, public.list_api_keys, public.create_api_key, public.rotate_api_key, public.revoke_api_key
  to authenticated, service_role;
