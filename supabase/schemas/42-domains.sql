-- Custom domains (add-on custom-domain). A TXT record with this row's token proves ownership: a CNAME may be left over from a former customer.

create function private.is_domain(host text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  -- At most 253 characters with `_tidings.`; a numeric last label would be an IP address.
  select coalesce(char_length(host) between 4 and 244 and host ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$', false)
$$;

-- `state`: contract/domains.ts; `leads`: live, or in grace, at the last check: readers are redirected there.
create table public.domains (
  host text not null constraint domains_host_shape check (private.is_domain(host)),
  workspace_id uuid not null constraint domains_workspace_id_fkey references public.workspaces (id) on delete cascade,
  shown text not null constraint domains_shown_shape check (char_length(shown) between 1 and 253 and shown !~ '[[:cntrl:][:space:]]'),
  token text not null default encode(extensions.gen_random_bytes(16), 'hex'),
  state text not null default 'dns' constraint domains_state check (state in ('dns', 'certificate', 'live', 'lost')),
  leads boolean not null default false,
  found jsonb not null default '{}',
  problem text constraint domains_problem_length check (char_length(problem) <= 500),
  failing_since timestamptz, -- of a live one: unreachable since
  checked_at timestamptz,
  live_at timestamptz,
  grace_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  id uuid not null default gen_random_uuid() constraint domains_id_key unique, -- of the job that checks it
  constraint domains_pkey primary key (host, workspace_id), -- several workspaces can claim a domain until one proves it
  constraint domains_grace check ((state = 'lost') = (grace_until is not null))
);
create unique index domains_one_holder on public.domains (host) where state <> 'dns';
create index domains_of_workspace on public.domains (workspace_id);

create policy "members read their workspace's own names" on public.domains for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
grant select on public.domains to authenticated;

-- Every link on the page depends on the domain and the add-on.
create trigger domains_60_raise_public_version after insert or delete on public.domains
for each row execute function private.public_frame_changed();
create trigger domains_60_raise_public_version_after_look after update on public.domains
for each row when (old.state <> new.state or old.leads <> new.leads) execute function private.public_frame_changed();
alter table public.domains enable always trigger domains_60_raise_public_version;
alter table public.domains enable always trigger domains_60_raise_public_version_after_look;
create trigger workspace_add_ons_60_lead_to_domains after insert on public.workspace_add_ons
for each row when (new.add_on = 'custom-domain') execute function private.public_frame_changed();
create trigger workspace_add_ons_60_lead_to_domains_no_more after delete on public.workspace_add_ons
for each row when (old.add_on = 'custom-domain') execute function private.public_frame_changed();
alter table public.workspace_add_ons enable always trigger workspace_add_ons_60_lead_to_domains;
alter table public.workspace_add_ons enable always trigger workspace_add_ons_60_lead_to_domains_no_more;

-- The domain readers are redirected to: the first that became live.
create function private.domain_of(workspace uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select d.host from public.domains d
    where d.workspace_id = workspace and (d.state = 'live' or d.grace_until > now()) and private.has_add_on(workspace, 'custom-domain')
    order by d.state <> 'live', d.live_at, d.host limit 1
  );
end $$;

-- The public or suspended workspace at a domain: live, in grace, or proven, so that a certificate can be issued.
create function private.workspace_of_host(host text) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select w.subdomain::text from public.domains d join public.workspaces w on w.id = d.workspace_id
    where d.host = lower(workspace_of_host.host) and (w.is_open or w.suspension is not null)
      and (d.state in ('certificate', 'live') or d.grace_until > now()) and private.has_add_on(w.id, 'custom-domain')
  );
end $$;
grant execute on function private.workspace_of_host to anon, authenticated, service_role;

-- True if the domain is taken: proven, unless its loss and grace are over or its workspace has been without the add-on for as long.
create function private.is_domain_taken(domain public.domains) returns boolean
language sql stable set search_path = '' as $$
  select domain.state <> 'dns' and not (domain.state = 'lost' and domain.grace_until <= now())
    and not (coalesce(domain.checked_at, domain.created_at) < now() - interval '9 days' and not private.has_add_on(domain.workspace_id, 'custom-domain'))
$$;

create function public.list_domains(workspace_id uuid) returns setof public.domains
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role(list_domains.workspace_id);
  return query select d.* from public.domains d where d.workspace_id = list_domains.workspace_id order by d.created_at, d.host;
end $$;

create function public.add_domain(workspace_id uuid, host text, shown text) returns public.domains
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := add_domain.workspace_id;
  made public.domains;
begin
  perform private.require_role(asked, '{owner,admin}');
  if not private.has_add_on(asked, 'custom-domain') then perform private.refuse('add_on_required'); end if;
  if not private.is_domain(add_domain.host) then
    perform private.refuse('validation_failed', '{"host": "Please enter a name such as changelog.example.com"}');
  end if;
  -- Serialised by the rate limit's row.
  if public.take_token('addDomain', asked::text, 30, interval '1 hour') > 0 then perform private.refuse('rate_limited'); end if;
  select d.* into made from public.domains d where d.host = add_domain.host and d.workspace_id = asked;
  if made.host is not null then return made; end if;
  if (select count(*) from public.domains d where d.workspace_id = asked) >= {{domainsMax}} then
    perform private.refuse('validation_failed', '{"host": "A workspace can have {{domainsMax}} names of its own. Remove one first"}');
  end if;
  if exists (select from public.domains d where d.host = add_domain.host and private.is_domain_taken(d)) then perform private.refuse('domain_taken'); end if;
  insert into public.domains (host, workspace_id, shown) values (add_domain.host, asked, coalesce(nullif(left(add_domain.shown, 253), ''), add_domain.host))
  returning * into made;
  perform private.schedule_domain_check(made, clock_timestamp() + interval '1 minute'); -- records don't exist yet
  return made;
end $$;

create function public.remove_domain(workspace_id uuid, host text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_role(remove_domain.workspace_id, '{owner,admin}');
  delete from public.domains d where d.workspace_id = remove_domain.workspace_id and d.host = remove_domain.host;
  if not found then perform private.refuse('not_found'); end if;
end $$;

-- Requests a check now, rate-limited. Returns the row.
create function public.look_at_domain(workspace_id uuid, host text) returns public.domains
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := look_at_domain.workspace_id;
  present public.domains;
begin
  perform private.require_role(asked, '{owner,admin}');
  select d.* into present from public.domains d where d.workspace_id = asked and d.host = look_at_domain.host;
  if present.host is null then perform private.refuse('not_found'); end if;
  if public.take_token('lookAtDomain', asked::text, 30, interval '15 minutes') > 0 then perform private.refuse('rate_limited'); end if;
  return present;
end $$;

grant execute on function public.list_domains, public.add_domain, public.remove_domain, public.look_at_domain to authenticated, service_role;

-- Checks a domain at `at`; a person's domains take turns.
create function private.schedule_domain_check(domain public.domains, at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.add_job('check_domain', domain.id, domain.workspace_id, at,
    (select m.user_id from public.members m where m.workspace_id = domain.workspace_id and m.role = 'owner'));
end $$;

-- A job's domain, if it is still there. `has_add_on`: without it, domains aren't checked.
create function public.domain_to_check(id uuid) returns table (domain jsonb, subdomain text, has_add_on boolean)
language sql stable security definer set search_path = '' as $$
  select to_jsonb(d), w.subdomain::text, private.has_add_on(w.id, 'custom-domain')
  from public.domains d join public.workspaces w on w.id = d.workspace_id where d.id = domain_to_check.id
$$;

-- Records a check: {state, found, problem, failing_since, grace_until, after: seconds}. Ignored if the row changed meanwhile (`token`, `was`). The
-- first workspace to prove a domain gets it. Owners are emailed about live and lost ones.
create function public.settle_domain(host text, token text, was text, outcome jsonb) returns public.domains
language plpgsql security definer set search_path = '' as $$
declare
  taken constant text := 'Another workspace has proven this domain.';
  former public.domains;
  present public.domains;
  told text;
  is_taken boolean;
begin
  perform from public.domains d where d.host = settle_domain.host order by d.workspace_id for update; -- locks all claims, so one wins
  select d.* into former from public.domains d where d.host = settle_domain.host and d.token = settle_domain.token and d.state = was;
  if former.host is null then return null; end if;
  is_taken := former.state = 'dns' and exists (
    select from public.domains d where d.host = former.host and d.workspace_id <> former.workspace_id and private.is_domain_taken(d)
  );
  if is_taken then
    outcome := outcome || jsonb_build_object('state', 'dns', 'problem', taken, 'grace_until', null, 'failing_since', null);
  elsif former.state = 'dns' and outcome ->> 'state' <> 'dns' then
    delete from public.domains d where d.host = former.host and d.workspace_id <> former.workspace_id and d.state <> 'dns';
    update public.domains d set problem = taken where d.host = former.host and d.workspace_id <> former.workspace_id;
  end if;
  update public.domains d set
    state = outcome ->> 'state', found = outcome -> 'found', problem = left(outcome ->> 'problem', 500),
    leads = coalesce(outcome ->> 'state' = 'live' or (outcome ->> 'grace_until')::timestamptz > clock_timestamp(), false),
    failing_since = (outcome ->> 'failing_since')::timestamptz, grace_until = (outcome ->> 'grace_until')::timestamptz,
    live_at = case when outcome ->> 'state' = 'live' and not former.leads then clock_timestamp() else d.live_at end,
    checked_at = clock_timestamp()
  where d.id = former.id returning d.* into present;
  perform private.schedule_domain_check(present, clock_timestamp() + make_interval(secs => greatest((outcome ->> 'after')::float8, 1)));
  told := case when present.state = former.state then null when present.state = 'live' then 'domain_live' when former.state = 'live' then 'domain_lost' end;
  if told is not null then
    insert into private.deliveries (workspace_id, kind, target_id, data)
    select m.workspace_id, told, m.user_id, jsonb_build_object('about', present.shown)
    from public.members m where m.workspace_id = present.workspace_id and m.role = 'owner';
  end if;
  return present;
end $$;

grant execute on function public.domain_to_check, public.settle_domain to service_role;

create function private.audit_domain() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.audit(coalesce(new.workspace_id, old.workspace_id),
    case when tg_op = 'INSERT' then 'domain_added' when tg_op = 'DELETE' then 'domain_removed' when new.state = 'live' then 'domain_live' else 'domain_lost' end,
    null, coalesce(new.shown, old.shown));
  return null;
end $$;
create trigger domains_85_audit after insert or delete on public.domains for each row execute function private.audit_domain();
create trigger domains_85_audit_state after update on public.domains
for each row when (old.state <> new.state and (new.state = 'live' or old.state = 'live')) execute function private.audit_domain();

-- For the URLs of posts; null outside the caller's workspaces.
grant execute on function private.domain_of to authenticated, service_role;
create function public.own_hosts(workspace_ids uuid[] default null) returns table (workspace_id uuid, host text)
language plpgsql stable set search_path = '' as $$
begin
  return query
    select d.id, d.host from (
      select w.id, private.domain_of(w.id) as host from public.workspaces w
      where own_hosts.workspace_ids is null or w.id = any (own_hosts.workspace_ids)
    ) as d where d.host is not null;
end $$;
grant execute on function public.own_hosts to authenticated, service_role;
