-- A subdomain has 3–63 of a–z, 0–9 and inner hyphens, isn't reserved, and another workspace didn't release it in the last 30 days (product decision 17).
create table private.reserved_subdomains (
  label text constraint reserved_subdomains_pkey primary key
);
-- The list in contract/limits.ts; a test compares them.
insert into private.reserved_subdomains (label)
select unnest(array[
  'www', 'app', 'api', 'admin', 'mail', 'auth', 'static', 'assets', 'widget', 'status', 'docs', 'blog', 'help',
  'support', 'dev', 'test', 'ftp', 'smtp', 'imap', 'pop', 'ns1', 'ns2', 'cdn', 'img', 'images', 'media', 'files',
  'storage', 'realtime', 'rest', 'functions', 'graphql', 'dashboard', 'account', 'accounts', 'billing', 'login',
  'signup', 'join', 'onboarding', 'releases', 'changelog', 'feed', 'rss', 'tidings', 'root', 'localhost', 'security',
  'abuse', 'postmaster', 'webmaster', 'hostmaster', 'demo-admin', 'internal', 'staging', 'beta'
]);

-- `workspace_id`: the workspace that changed it; readers are redirected there. Null: that workspace was deleted.
create table private.released_subdomains (
  label text constraint released_subdomains_pkey primary key,
  released_at timestamptz not null default now(),
  workspace_id uuid
);
create index released_subdomains_of_workspace on private.released_subdomains (workspace_id);

create function private.is_subdomain(label text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(lower(label) ~ '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$', false)
$$;

-- The origin as browsers send it, without the default port; null unless it is an http(s) URL. Only a workspace's website needs a top-level domain.
create function private.url_origin(url text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select regexp_replace(regexp_replace(part[1], '^(http://[^:]+):80$', '\1'), '^(https://[^:]+):443$', '\1')
  from regexp_match(lower(btrim(url)), '^(https?://[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?)(?:[/?#]|$)') as part
  where coalesce(substring(part[1] from ':([0-9]+)$')::integer, 0) <= 65535
$$;

create function private.is_website(url text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(char_length(url) <= 2048 and split_part(private.url_origin(url), '//', 2)
    ~ '^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)(?::[0-9]+)?$', false)
$$;

create function private.are_origins(origins text[]) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select cardinality(origins) <= {{allowedOriginsPerWorkspace}}
    and not exists (select from unnest(origins) as o (origin) where o.origin is distinct from private.url_origin(o.origin))
$$;

create table public.workspaces (
  id uuid constraint workspaces_pkey primary key default gen_random_uuid(),
  name text not null constraint workspaces_name_length check (char_length(name) between 1 and {{workspaceNameMaxLength}}),
  subdomain extensions.citext not null
    constraint workspaces_subdomain_key unique
    constraint workspaces_subdomain_shape check (private.is_subdomain(subdomain::text)),
  origin text constraint workspaces_origin_is_website check (origin is null or private.is_website(origin)),
  allowed_origins text[] not null default '{}' constraint workspaces_allowed_origins_shape check (private.are_origins(allowed_origins)),
  logo_url text constraint workspaces_logo_url_shape check (logo_url ~ '^(/[^/]|https?://)' and char_length(logo_url) <= 2048),
  public_changelog_enabled boolean not null default false,
  require_second_factor boolean not null default false, -- of its members (14-factors)
  require_single_sign_on boolean not null default false, -- 43-single-sign-on
  join_by_domain boolean not null default false, -- people of its proven email domains (43-single-sign-on)
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  suspension jsonb, -- {since, message, contact} by an operator (53-operator): members read and export, readers get 410, nothing is sent
  is_open boolean not null generated always as (public_changelog_enabled and suspension is null) stored -- readers see its posts
);
create index workspaces_with_requirements on public.workspaces (id) where require_second_factor or require_single_sign_on;
alter table private.released_subdomains add constraint released_subdomains_workspace_id_fkey
  foreign key (workspace_id) references public.workspaces (id) on delete set null;

-- Validation errors by field, in the words of the specification (section 5).
create function private.workspace_faults(name text, origin text) returns jsonb
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return
    case when coalesce(name, '') = '' then '{"name": "Business name is required"}'::jsonb
      when char_length(name) > {{workspaceNameMaxLength}} then '{"name": "Please use at most {{workspaceNameMaxLength}} characters"}' else '{}' end
    || case when origin is not null and not private.is_website(origin)
      then '{"origin": "Please enter a valid URL (e.g., https://example.com)"}'::jsonb else '{}' end;
end $$;

create function private.clean_workspace() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  faults jsonb;
begin
  new.name := private.clean_line(new.name);
  new.subdomain := lower(new.subdomain::text);
  new.origin := nullif(btrim(new.origin), '');
  new.updated_at := clock_timestamp();
  faults := private.workspace_faults(new.name, new.origin);
  if not private.are_origins(new.allowed_origins) then
    faults := faults || '{"allowed_origins": "Please use at most {{allowedOriginsPerWorkspace}} origins like https://example.com"}';
  end if;
  if faults <> '{}' then perform private.refuse('validation_failed', faults); end if;
  return new;
end $$;
create trigger workspaces_are_tidy before insert or update on public.workspaces
for each row execute function private.clean_workspace();

-- Refuses a released subdomain, after the unique index has waited for a transaction that released it, and releases the former one.
create function private.release_subdomain() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from private.released_subdomains r where r.label = new.subdomain::text and r.released_at > now() - interval '30 days') then
    perform private.refuse('subdomain_taken');
  end if;
  if old.subdomain::text is distinct from new.subdomain::text and tg_op <> 'INSERT' then
    insert into private.released_subdomains (label, workspace_id)
    values (lower(old.subdomain::text), case when tg_op = 'UPDATE' then old.id end)
    on conflict on constraint released_subdomains_pkey do update set released_at = excluded.released_at, workspace_id = excluded.workspace_id;
  end if;
  return null;
end $$;
create trigger workspaces_10_subdomain after insert or delete or update of subdomain on public.workspaces
for each row execute function private.release_subdomain();

-- 'free', or 'invalid', 'subdomain_reserved', 'subdomain_taken'. New labels can't begin with "xn--": browsers show these as look-alike names.
create function public.subdomain_status(subdomain text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  wanted constant text := lower(btrim(subdomain));
begin
  perform private.my_id();
  if not private.is_subdomain(wanted) or wanted like 'xn--%' then return 'invalid'; end if;
  if exists (select from private.reserved_subdomains r where r.label = wanted) then return 'subdomain_reserved'; end if;
  if exists (select from public.workspaces w where w.subdomain operator (extensions.=) wanted::extensions.citext)
    or exists (select from private.released_subdomains r where r.label = wanted and r.released_at > now() - interval '30 days')
  then return 'subdomain_taken'; end if;
  return 'free';
end $$;

grant select on public.workspaces to authenticated;
grant update (name, origin, allowed_origins, logo_url, public_changelog_enabled) on public.workspaces to authenticated;
-- Inserted by create_workspace, deleted by delete_workspace. The subdomain is changed by change_subdomain.

grant execute on function private.is_subdomain, private.url_origin, private.is_website, private.are_origins, public.subdomain_status
  to authenticated, service_role;
