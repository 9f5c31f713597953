-- What every call of a key asks, in fewer steps.

create or replace function private.key_acts_for(person uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  key constant uuid := private.key_id();
begin
  if key is null then return false; end if;
  return exists (
    -- Its members and users are private.may_be_acted_for: asked by every statement, so a call less.
    select from public.api_keys k join private.key_calls c on c.call = auth.jwt() ->> 'key_call'
      join public.members m on m.workspace_id = k.workspace_id and m.user_id = k.created_by join auth.users u on u.id = m.user_id
    where k.id = key and k.created_by = person and k.workspace_id = private.key_workspace() and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > now()) and (c.scopes is null or c.scopes && k.scopes)
      and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null
  );
end $$;

create or replace function private.begin_key_call(key uuid, call text, network text default null) returns void
language plpgsql set search_path = '' as $$
declare
  k public.api_keys;
  allowed private.key_calls;
begin
  select a.* into k from public.api_keys a where a.id = key and a.revoked_at is null and (a.expires_at is null or a.expires_at > now());
  if k.id is null or not private.may_be_acted_for(k.created_by, k.workspace_id) then perform private.refuse('unauthenticated'); end if;
  select c.* into allowed from private.key_calls c where c.call = begin_key_call.call;
  if allowed.call is null then perform private.refuse('forbidden', jsonb_build_object('call', begin_key_call.call)); end if;
  if not allowed.scopes && k.scopes then perform private.refuse('scope_missing', jsonb_build_object('scope', allowed.scopes[1])); end if;
  perform set_config('request.jwt.claims', jsonb_build_object('sub', k.created_by, 'role', 'authenticated', 'aud', 'authenticated',
    'key_id', k.id, 'key_workspace', k.workspace_id, 'key_scopes', k.scopes, 'key_call', allowed.call)::text, true);
  perform set_config('tidings.network', coalesce(begin_key_call.network, ''), true); -- for the audit log (79-audit)
  -- As long as a person's statement may take on hosted projects; taking a role this way does not take its settings.
  perform set_config('statement_timeout', '8s', true), set_config('role', 'authenticated', true);
end $$;
