-- Two-factor authentication, the same on every auth service: authenticator apps (TOTP, RFC 6238), and which sessions have given a code. The functions
-- check codes, since they hold the key of the secrets; here a time step counts once. Without its code a session has no rights (private.my_id).
create table private.factors (
  id uuid constraint factors_pkey primary key,
  user_id uuid not null constraint factors_user_id_fkey references auth.users (id) on delete cascade,
  name text not null constraint factors_name_length check (char_length(name) between 1 and {{factorNameMaxLength}}),
  secret text not null, -- encrypted by the functions, bound to the id
  created_at timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz, -- null: its first code wasn't given yet
  last_step bigint not null default 0
);
create index factors_of_user on private.factors (user_id, confirmed_at);

create table private.recovery_codes (
  user_id uuid constraint recovery_codes_user_id_fkey references auth.users (id) on delete cascade,
  hash text, -- SHA-256, hexadecimal
  constraint recovery_codes_pkey primary key (user_id, hash)
);

create table private.verified_sessions (
  session_id uuid constraint verified_sessions_pkey primary key,
  user_id uuid not null constraint verified_sessions_user_id_fkey references auth.users (id) on delete cascade
);
create index verified_sessions_of_user on private.verified_sessions (user_id);

create function private.has_factor(person uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.factors f where f.user_id = person and f.confirmed_at is not null);
end $$;

-- The code of a refusal if a member may not use a workspace yet, else null. Until then it doesn't exist for them, nor for their keys and
-- assistants.
create function private.access_gap(person uuid, workspace uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  needs_factor boolean;
  needs_provider boolean;
begin
  select w.require_second_factor, w.require_single_sign_on into needs_factor, needs_provider
  from public.workspaces w where w.id = workspace and (w.require_second_factor or w.require_single_sign_on);
  return case when needs_factor and not private.has_factor(person) then 'second_factor_required'
    when needs_provider and not private.signed_in_by_provider(person, workspace) then 'single_sign_on_required' end;
end $$;

-- Null for strangers.
create function public.access_gap_of(workspace_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  return private.access_gap(me, access_gap_of.workspace_id)
    from public.members m where m.workspace_id = access_gap_of.workspace_id and m.user_id = me;
end $$;

create type public.second_factor as (factors jsonb, recovery_codes_left int, required_by jsonb, single_sign_on_required_by jsonb);
comment on column public.second_factor.factors is '[{id, name, created_at, is_confirmed}].';
comment on column public.second_factor.required_by is 'Workspaces that require one: [{id, name}].';
comment on column public.second_factor.single_sign_on_required_by is 'Workspaces that this session can''t use: [{id, name, is_owner}].';

create function public.my_second_factor() returns public.second_factor
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  return row(
    coalesce((select jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'created_at', f.created_at, 'is_confirmed', f.confirmed_at is not null)
      order by f.created_at, f.id) from private.factors f where f.user_id = me), '[]'),
    (select count(*)::int from private.recovery_codes c where c.user_id = me),
    coalesce((select jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name) order by lower(w.name), w.id)
      from public.members m join public.workspaces w on w.id = m.workspace_id where m.user_id = me and w.require_second_factor), '[]'),
    coalesce((select jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'is_owner', m.role = 'owner') order by lower(w.name), w.id)
      from public.members m join public.workspaces w on w.id = m.workspace_id
      where m.user_id = me and w.require_single_sign_on and not private.signed_in_by_provider(me, w.id)), '[]'));
end $$;

-- False while a session of someone with a factor hasn't given its code.
create function private.is_verified(person uuid, session uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return not private.has_factor(person)
    or exists (select from private.verified_sessions v where v.session_id = session and v.user_id = person);
end $$;

create function public.needs_second_factor() returns boolean
language sql stable security definer set search_path = '' as $$ select not private.is_verified(auth.uid(), private.session_id()) $$;

-- Replaces one that was never confirmed.
create function public.add_factor(id uuid, name text, secret text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  me constant uuid := private.person_id();
begin
  perform from auth.users u where u.id = me for update; -- the limit also holds for concurrent calls
  delete from private.factors f where f.user_id = me and f.confirmed_at is null;
  if (select count(*) from private.factors f where f.user_id = me) >= {{factorsPerPerson}} then perform private.refuse('too_many_factors'); end if;
  insert into private.factors (id, user_id, name, secret) values (add_factor.id, me, add_factor.name, add_factor.secret);
end $$;

-- For the functions. The encrypted secrets that a code may match; none if the session has ended or the person is banned.
create function public.factor_secrets(person uuid, session uuid, factor uuid default null) returns table (id uuid, secret text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select f.id, f.secret from private.factors f
    where f.user_id = person and private.is_live(person, session) and (f.id = factor or factor is null and f.confirmed_at is not null);
end $$;

create function private.is_live(person uuid, session uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from auth.sessions s join auth.users u on u.id = s.user_id
    where s.id = session and s.user_id = person and (s.not_after is null or s.not_after > now())
      and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null);
end $$;

-- For the functions, once a code has matched at this time step: false if it or a later one was used before. Confirms a new factor.
create function public.accept_factor_code(person uuid, session uuid, factor uuid, step bigint) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  former private.factors;
begin
  select f.* into former from private.factors f where f.id = factor and f.user_id = person for update;
  if former.id is null or former.last_step >= step or not private.is_live(person, session) then return false; end if;
  update private.factors f set last_step = step, confirmed_at = coalesce(f.confirmed_at, clock_timestamp()) where f.id = factor;
  insert into private.verified_sessions (session_id, user_id) values (session, person) on conflict do nothing;
  if former.confirmed_at is null then
    perform private.record_credential_change(person, u.email, 'factor_added', jsonb_build_object('id', factor)) from auth.users u where u.id = person;
  end if;
  delete from private.credential_changes c where c.user_id = person and c.kind = 'factor_reset'; -- it isn't lost
  return true;
end $$;

create function public.spend_recovery_code(person uuid, session uuid, hash text) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_live(person, session) then return false; end if;
  delete from private.recovery_codes c where c.user_id = person and c.hash = spend_recovery_code.hash;
  if not found then return false; end if;
  insert into private.verified_sessions (session_id, user_id) values (session, person) on conflict do nothing;
  perform private.enqueue_account_email('recovery_code_used', email => u.email) from auth.users u where u.id = person;
  return true;
end $$;

-- For the functions, after a code. With `unless_any`, codes that the person has stay, and the answer is false.
create function public.set_recovery_codes(person uuid, hashes text[], unless_any boolean) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform from auth.users u where u.id = person for update;
  if unless_any and exists (select from private.recovery_codes c where c.user_id = person) then return false; end if;
  delete from private.recovery_codes c where c.user_id = person;
  insert into private.recovery_codes (user_id, hash) select person, h from unnest(hashes) as h;
  return true;
end $$;

-- For the functions, after a code. The last one takes the recovery codes along.
create function public.remove_factor(person uuid, factor uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  was private.factors;
begin
  perform from auth.users u where u.id = person for update;
  delete from private.factors f where f.id = factor and f.user_id = person returning f.* into was;
  if was.id is null then return false; end if;
  if not private.has_factor(person) then
    delete from private.recovery_codes c where c.user_id = person;
    delete from private.verified_sessions v where v.user_id = person;
  end if;
  if was.confirmed_at is not null then
    perform private.record_credential_change(person, u.email, 'factor_removed', to_jsonb(was)) from auth.users u where u.id = person;
  end if;
  return true;
end $$;

-- Without a code: by an operator, or a workspace's owner after a day.
create function private.remove_factors(person uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.factors f where f.user_id = person;
  delete from private.recovery_codes c where c.user_id = person;
  delete from auth.sessions s where s.user_id = person;
  perform private.enqueue_account_email('factor_removed', email => u.email) from auth.users u where u.id = person;
end $$;

-- With the link of its email, for a day; answers what it was, or null. Sessions and the password end, since someone else has used them. A reset is
-- cancelled, or with `confirm` done at once.
create function public.undo_credential_change(token text, confirm boolean) returns text
language plpgsql security definer set search_path = '' as $$
declare
  change private.credential_changes;
begin
  if token !~ '^[0-9A-Za-z_-]{48}$' then return null; end if;
  delete from private.credential_changes c
  where c.id = encode(substr(decode(translate(token, '-_', '+/'), 'base64'), 1, 16), 'hex')::uuid
    and sha256(convert_to(private.mail_token('credential change', c.id), 'UTF8')) = sha256(convert_to(token, 'UTF8'))
    and c.created_at > clock_timestamp() - interval '1 day'
  returning c.* into change;
  if change.id is null then return null; end if;
  if change.kind = 'factor_reset' then
    if confirm then perform private.finish_factor_reset(change); end if;
    return change.kind;
  end if;
  if change.kind = 'factor_added' then
    delete from private.factors f where f.id = (change.factor ->> 'id')::uuid and f.user_id = change.user_id;
    if not private.has_factor(change.user_id) then delete from private.recovery_codes c where c.user_id = change.user_id; end if;
  elsif change.kind = 'factor_removed' then
    insert into private.factors select f.* from jsonb_populate_record(null::private.factors, change.factor) as f on conflict do nothing;
  end if;
  perform private.end_credentials(change.user_id);
  return change.kind;
end $$;

create function private.finish_factor_reset(change private.credential_changes) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.members m where m.workspace_id = change.workspace_id and m.user_id = change.user_id) then return; end if;
  perform private.remove_factors(change.user_id);
  perform private.audit(change.workspace_id, 'factor_reset', change.user_id, private.audited_name(change.user_id));
end $$;

-- Hourly.
create function private.finish_factor_resets() returns void
language plpgsql security definer set search_path = '' as $$
declare
  change private.credential_changes;
begin
  for change in delete from private.credential_changes c where c.created_at < clock_timestamp() - interval '1 day' returning c.* loop
    if change.kind = 'factor_reset' then perform private.finish_factor_reset(change); end if;
  end loop;
end $$;

grant execute on function public.my_second_factor, public.needs_second_factor, public.access_gap_of, public.add_factor to authenticated;
grant execute on function public.factor_secrets, public.accept_factor_code, public.spend_recovery_code, public.set_recovery_codes,
  public.remove_factor, public.undo_credential_change to service_role;
