-- Who allowed the same assistant again had one connection more each time, of which nobody used the former.
create or replace function public.approve_assistant(workspace_id uuid, asked jsonb, scopes text[], code_hash text) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  place constant uuid := approve_assistant.workspace_id;
  given constant text[] := approve_assistant.scopes;
  me constant uuid := private.person_id();
  label constant text := left(private.clean_line(asked ->> 'name'), 60);
  allowed text[];
  made private.assistant_codes;
begin
  -- With the role that he has until the end, and one at a time: they are counted.
  perform from public.members m where m.workspace_id = place and m.user_id = me for no key update;
  allowed := private.scopes_of_assistants(private.require_role(place));
  if coalesce(cardinality(given), 0) = 0 then perform private.refuse('validation_failed', '{"scopes": "Please choose what it may do"}'); end if;
  if not given <@ allowed then
    perform private.refuse('validation_failed', '{"scopes": "Your role in this workspace does not allow all of this"}');
  end if;
  if (asked ->> 'client_id') ~ '^https?://[^[:space:]]+$' is not true or char_length(asked ->> 'client_id') > 1000 or coalesce(label, '') = ''
    or (asked ->> 'redirect_uri') ~ '^[a-z][a-z0-9+.-]*:[^[:space:]]+$' is not true or char_length(asked ->> 'redirect_uri') > 2000
    or (asked ->> 'challenge') ~ '^[0-9A-Za-z_-]{43}$' is not true or code_hash ~ '^[0-9a-f]{64}$' is not true then
    perform private.refuse('validation_failed', '{"request": "This is not what an assistant asks for"}');
  end if;
  if private.take_token('assistantCode', me::text, 60, interval '10 minutes') > 0 then perform private.refuse('rate_limited'); end if;
  -- Of the same assistant the former connection ends with the new one (private.connect_assistant).
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
  -- Here it is a person who does it, from where she is; what the assistant's server does a moment later is no more than that.
  perform private.audit(place, 'assistant_connected', made.key_id, label,
    jsonb_build_object('host', private.host_of(made.client_id), 'scopes', made.scopes));
end $$;

create or replace function private.connect_assistant(
  code_hash bytea, client_id text, redirect_uri text, challenge text, secret jsonb, network text default null
) returns table (scopes text[], seconds int)
language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  c private.assistant_codes;
begin
  select a.* into c from private.assistant_codes a where a.hash = connect_assistant.code_hash;
  if c.hash is null then return; end if;
  -- First the member, then the code, as whoever approves: who is just being removed leaves no connection behind.
  -- One at a time, so that each sees the connections before it.
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
    or not private.may_be_acted_for(c.person_id, c.workspace_id) then return; end if;
  -- An assistant on the web keeps one secret for a person: the former connection is nobody's any more. A program is on each of her devices and keeps
  -- one on each; there the five used last go on.
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
