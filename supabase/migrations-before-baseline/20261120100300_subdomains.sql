-- Which subdomains a workspace may take: 3–63 of a–z, 0–9 and inner hyphens, no reserved name, and none that another
-- workspace gave up in the last 30 days, because links to it still point there (product decision 17).
create table private.reserved_subdomains (
  label text constraint reserved_subdomains_pkey primary key
);
alter table private.reserved_subdomains enable row level security;
-- The list of contract/limits.ts; a test compares them.
insert into private.reserved_subdomains (label)
select unnest(array[
  'www', 'app', 'api', 'admin', 'mail', 'auth', 'static', 'assets', 'widget', 'status', 'docs', 'blog', 'help',
  'support', 'dev', 'test', 'ftp', 'smtp', 'imap', 'pop', 'ns1', 'ns2', 'cdn', 'img', 'images', 'media', 'files',
  'storage', 'realtime', 'rest', 'functions', 'graphql', 'dashboard', 'account', 'accounts', 'billing', 'login',
  'signup', 'join', 'onboarding', 'releases', 'changelog', 'feed', 'rss', 'tidings', 'root', 'localhost', 'security',
  'abuse', 'postmaster', 'webmaster', 'hostmaster', 'demo-admin', 'internal', 'staging', 'beta'
]);

create table private.released_subdomains (
  label text constraint released_subdomains_pkey primary key,
  released_at timestamptz not null default now()
);
alter table private.released_subdomains enable row level security;

create function private.is_subdomain(label text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(lower(label) ~ '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$', false)
$$;
-- In a column's check, so whoever writes the column must be able to call it.
grant execute on function private.is_subdomain(text) to authenticated, service_role;

-- The website's origin as a browser sends it: scheme, host, port if it is not the scheme's own; null when it is no
-- http(s) URL with a host (the host needs a top-level domain only in a workspace's website, not in allowed origins).
create function private.url_origin(url text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select regexp_replace(regexp_replace(part[1], '^(http://[^:]+):80$', '\1'), '^(https://[^:]+):443$', '\1')
  from regexp_match(lower(btrim(url)), '^(https?://[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?)(?:[/?#]|$)') as part
$$;
grant execute on function private.url_origin(text) to authenticated, service_role;

create function private.is_website(url text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(char_length(url) <= 2048 and split_part(private.url_origin(url), '//', 2)
    ~ '^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)(?::[0-9]+)?$', false)
$$;
grant execute on function private.is_website(text) to authenticated, service_role;

create function private.are_origins(origins text[]) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select cardinality(origins) <= 20
    and not exists (select from unnest(origins) as o (origin) where o.origin is distinct from private.url_origin(o.origin))
$$;
grant execute on function private.are_origins(text[]) to authenticated, service_role;
