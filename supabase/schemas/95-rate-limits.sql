-- Token buckets shared by all function instances: `size` tokens refill over `period`, each call takes one. Keys are hashed; they must come from the
-- connection or token, never from a client's header.
create unlogged table private.rate_limits ( -- a crash loses nothing important
  bucket text not null,
  key bytea not null,
  tokens double precision not null,
  granted boolean not null, -- the last call's answer
  updated_at timestamptz not null,
  full_at timestamptz not null, -- full again: the row can go
  constraint rate_limits_pkey primary key (bucket, key)
);
create index rate_limits_full on private.rate_limits (full_at);

-- Seconds to wait, 0 for allowed. One statement: concurrent calls with a key queue on its row.
create function public.take_token(bucket text, key text, size int, period interval) returns int
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  moment constant timestamptz := clock_timestamp();
  rate constant double precision := size / extract(epoch from period); -- tokens per second
  state private.rate_limits;
begin
  insert into private.rate_limits as r (bucket, key, tokens, granted, updated_at, full_at)
  values (bucket, sha256(convert_to(key, 'UTF8')), size - 1, true, moment, moment + make_interval(secs => 1 / rate))
  on conflict on constraint rate_limits_pkey do update set (tokens, granted, updated_at, full_at) = (
    -- A refused call takes nothing, so retries don't extend the wait.
    select now_has - (now_has >= 1)::int, now_has >= 1, greatest(moment, r.updated_at), moment + make_interval(secs => (size + 1 - now_has) / rate)
    from least(size, r.tokens + rate * greatest(extract(epoch from moment - r.updated_at), 0)::double precision) as now_has
  )
  returning r.* into state;
  return case when state.granted then 0 else ceil((1 - state.tokens) / rate) end;
end $$;

-- Returns a token, for limits on failures only (passwords).
create function public.give_back_token(bucket text, key text, size int) returns void
language sql security definer set search_path = '' as $$
  update private.rate_limits r set tokens = least(give_back_token.size, r.tokens + 1)
  where r.bucket = give_back_token.bucket and r.key = sha256(convert_to(give_back_token.key, 'UTF8'))
$$;

grant execute on function public.take_token, public.give_back_token to service_role;
