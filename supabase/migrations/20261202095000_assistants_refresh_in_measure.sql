-- Whoever holds a connection filled a table with what it got other secrets for, as fast as it could ask.
create or replace function private.refresh_assistant(refresh_hash bytea, client_id text, secret jsonb, network text default null)
returns table (scopes text[], seconds int)
language plpgsql set search_path = '' as $$
#variable_conflict use_column
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
    elsif k.hash = next_hash and k.refresh_hash = next_refresh and private.may_be_acted_for(k.created_by, k.workspace_id) then
      return query select k.scopes, greatest(1, extract(epoch from k.secret_until - now())::int);
    end if;
    return;
  end if;
  if k.revoked_at is not null or k.expires_at <= now() or k.client_id <> refresh_assistant.client_id
    or not private.may_be_acted_for(k.created_by, k.workspace_id) then return; end if;
  -- One an hour is what anybody needs; each is kept for a month.
  if private.take_token('assistantRefresh', k.id::text, 30, interval '1 hour') > 0 then perform private.refuse('rate_limited'); end if;
  insert into private.spent_refreshes (hash, key_id) values (k.refresh_hash, k.id);
  update public.api_keys a set hash = next_hash, start = secret ->> 'start', last4 = secret ->> 'last4', refresh_hash = next_refresh,
    -- What is under way goes on: the secret before works for as long as it was given.
    former_hash = case when k.secret_until > now() then k.hash end, former_until = case when k.secret_until > now() then k.secret_until end,
    secret_until = now() + interval '1 hour', expires_at = now() + interval '90 days', rotated_at = now()
  where a.id = k.id;
  return query select k.scopes, 3600;
end $$;
