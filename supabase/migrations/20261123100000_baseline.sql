-- Every file of supabase/schemas as it was when the migrations before this one were folded together, in order. Like every migration it is
-- never edited: what came later stands in the migrations that follow, and what is in force in supabase/schemas.

-- schemas/00-schemas.sql

-- Three schemas: public is what the API exposes, private is what only the database itself and our own functions
-- reach, extensions holds what others wrote. Hosted projects hand every new object in public to the API roles;
-- that default is taken back first, so from here on a table or function is closed until a line below it opens it.

alter default privileges in schema public revoke all on tables from public, anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from public, anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from public, anon, authenticated, service_role;
alter default privileges revoke execute on functions from public; -- the built-in grant is not per schema

create schema if not exists extensions;
create extension if not exists citext with schema extensions; -- subdomains: case does not matter
create extension if not exists pgcrypto with schema extensions; -- tokens and their hashes
create extension if not exists unaccent with schema extensions; -- slugs
create extension if not exists pg_trgm with schema extensions; -- search
create extension if not exists btree_gin with schema extensions; -- search within one workspace

create schema private;
revoke all on schema private from public;
grant usage on schema private to anon, authenticated, service_role;
grant usage on schema public to anon, authenticated, service_role;

-- What a person may be in a workspace (specification, section 6) and what a post may be (section 4).
create type public.member_role as enum ('owner', 'admin', 'editor', 'viewer');
create type public.post_status as enum ('draft', 'scheduled', 'published', 'archived');

-- Every refusal of the domain leaves through here: SQLSTATE P0001, the person's sentence as message, the stable code
-- as hint, details as JSON (validation_failed: field → sentence). contract/errors.ts holds the same codes and
-- sentences for every other layer; tests/database/020-refusals compares the two.
create function private.refuse(code text, detail jsonb default null) returns void
language plpgsql set search_path = '' as $$
declare
  sentence constant text := case code
    when 'unauthenticated' then 'Please sign in to continue.'
    when 'forbidden' then 'Your role in this workspace does not allow this.'
    when 'not_found' then 'This does not exist, or you have no access to it.'
    when 'subdomain_taken' then 'This subdomain is already taken.'
    when 'subdomain_reserved' then 'This subdomain is reserved. Please choose another one.'
    when 'slug_taken' then 'Another post of this workspace already has this address.'
    when 'version_conflict' then 'Post updated elsewhere'
    when 'published_post_locked' then 'Published posts cannot be scheduled or moved back to draft status'
    when 'archived_post_locked' then 'This post is archived. Restore it before you change it.'
    when 'already_member' then 'This person is already a member of the workspace.'
    when 'owner_required' then 'Hand ownership over to another member first.'
    when 'invalid_invitation' then 'This invitation link is invalid or has expired.'
    when 'wrong_invitation_account' then 'This invitation was sent to another e-mail address.'
    when 'validation_failed' then 'Please check the highlighted fields.'
  end;
begin
  if sentence is null then
    raise exception 'no sentence for refusal %', code;
  end if;
  raise exception using errcode = 'P0001', message = sentence, hint = code, detail = coalesce(detail::text, '');
end $$;
grant execute on function private.refuse(text, jsonb) to anon, authenticated, service_role;

-- One line as a person means it: any run of blanks, tabs or line breaks is one space, none at the ends.
create function private.clean_line(line text) returns text
language plpgsql immutable strict parallel safe set search_path = '' as $$ -- plpgsql keeps its plan; sql would make it anew each time
begin
  return btrim(regexp_replace(translate(line, U&'\00A0\FEFF\200B', '   '), '\s+', ' ', 'g'));
end $$;
grant execute on function private.clean_line(text) to authenticated, service_role;

-- schemas/10-sessions.sql

-- An access token outlives its session: it is good until it expires, an hour at most. So wherever rights are decided, the session
-- it was given for is looked up: one question by primary key. Whoever has signed out, ended a session elsewhere or chosen a new password
-- is out with the next statement, at /api, PostgREST, Storage and Realtime alike. A token without a session gives no rights at all.

create function private.has_session() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from auth.sessions s
    where s.id = (auth.jwt() ->> 'session_id')::uuid and s.user_id = auth.uid() and (s.not_after is null or s.not_after > now())
  );
end $$;

-- Who is asking: null for the system (no token, or one that is nobody's), a refusal for a token whose session has ended. What is asked
-- is refused rather than answered with nothing, so that nobody takes an ended session for an empty workspace. Every function that decides
-- by who is asking asks this one; triggers that only note who wrote go on with auth.uid(): what they note was allowed before.
create function private.my_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := auth.uid();
begin
  if me is null then return null; end if;
  -- As in has_session, but asked by every statement: a call less.
  perform from auth.sessions s
  where s.id = (auth.jwt() ->> 'session_id')::uuid and s.user_id = me and (s.not_after is null or s.not_after > now());
  if not found then perform private.refuse('unauthenticated'); end if;
  return me;
end $$;
revoke all on function private.has_session(), private.my_id() from public, anon;
grant execute on function private.has_session(), private.my_id() to authenticated, service_role;

-- A person's sessions, which the auth service lists to nobody: to see where one is signed in, and to end what one does not know.
-- An ended session is not renewed, and its token gives no rights any more.

create type public.my_session as (id uuid, user_agent text, created_at timestamptz, last_used_at timestamptz, current boolean);

create function private.session_id() returns uuid
language sql stable set search_path = '' as $$ select (auth.jwt() ->> 'session_id')::uuid $$;

-- The one that asks comes first, then by last use: the last renewal, which happens about hourly.
create function public.my_sessions() returns setof public.my_session
language sql stable security definer set search_path = '' as $$
  select s.id, s.user_agent, s.created_at, used.at, coalesce(s.id = private.session_id(), false) as current
  from auth.sessions s cross join lateral (select coalesce(s.refreshed_at at time zone 'utc', s.created_at)) as used (at)
  where s.user_id = private.my_id() and (s.not_after is null or s.not_after > now())
  order by current desc, used.at desc, s.id
$$;

-- Whether there was one to end.
create function public.end_session(session_id uuid) returns boolean
language sql security definer set search_path = '' as $$
  with ended as (delete from auth.sessions s where s.id = end_session.session_id and s.user_id = private.my_id() returning s.id)
  select exists (select from ended)
$$;

create function public.end_other_sessions() returns void
language sql security definer set search_path = '' as $$
  delete from auth.sessions s where s.user_id = private.my_id() and s.id is distinct from private.session_id()
$$;

revoke all on function private.session_id(), public.my_sessions(), public.end_session(uuid), public.end_other_sessions() from public, anon;
grant execute on function public.my_sessions(), public.end_session(uuid), public.end_other_sessions() to authenticated, service_role;

-- schemas/11-people.sql

-- One row for each person, made with the account. auth.users belongs to the auth service and is not exposed;
-- what teammates may see of a person is here. The name is never empty: the full name, else the part of the
-- e-mail address before the @ (specification, section 4).
create table public.profiles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  full_name text not null constraint profiles_full_name_length check (char_length(full_name) between 1 and 120),
  job_title text constraint profiles_job_title_length check (char_length(job_title) between 1 and 120),
  company_name text constraint profiles_company_name_length check (char_length(company_name) between 1 and 120),
  avatar_url text constraint profiles_avatar_url_shape check (avatar_url ~ '^(/[^/]|https?://)' and char_length(avatar_url) <= 2048),
  created_at timestamptz not null default now()
);
alter table public.profiles enable row level security;

create function private.display_name(full_name text, email text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select left(coalesce(nullif(private.clean_line(full_name), ''), nullif(split_part(email, '@', 1), ''), 'Someone'), 120)
$$;

-- A sign-up must never fail because of what stands in its metadata, so everything is cut to size here.
create function private.create_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  meta constant jsonb := coalesce(new.raw_user_meta_data, '{}');
  avatar constant text := coalesce(meta ->> 'avatar_url', meta ->> 'picture');
begin
  insert into public.profiles (user_id, full_name, company_name, avatar_url)
  values (
    new.id,
    private.display_name(coalesce(meta ->> 'full_name', meta ->> 'name'), new.email),
    left(private.clean_line(coalesce(meta ->> 'company_name', '')), 120),
    case when avatar ~ '^https://' and char_length(avatar) <= 2048 then avatar end
  )
  on conflict on constraint profiles_pkey do nothing;
  return null;
end $$;
create trigger users_get_a_profile after insert on auth.users for each row execute function private.create_profile();

-- A name that is wiped out becomes the fallback again; blank optional fields become null.
create function private.tidy_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  faults jsonb;
begin
  new.full_name := coalesce(nullif(private.clean_line(new.full_name), ''),
    private.display_name(null, (select u.email from auth.users u where u.id = new.user_id)));
  new.job_title := nullif(private.clean_line(new.job_title), '');
  new.company_name := nullif(private.clean_line(new.company_name), '');
  select coalesce(jsonb_object_agg(f.field, 'Please use at most 120 characters'), '{}') into faults
  from (values ('full_name', new.full_name), ('job_title', new.job_title), ('company_name', new.company_name)) as f (field, line)
  where char_length(f.line) > 120;
  if faults <> '{}' then perform private.refuse('validation_failed', faults); end if;
  return new;
end $$;
create trigger profiles_are_tidy before insert or update on public.profiles
for each row execute function private.tidy_profile();

-- The name of whoever is acting, as it is written into posts, revisions and activities at that moment.
create function private.my_name() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select p.full_name from public.profiles p where p.user_id = auth.uid());
end $$;
grant execute on function private.my_name() to authenticated, service_role;

create policy "people change their own profile" on public.profiles for update to authenticated
using (user_id = (select private.my_id())) with check (user_id = (select private.my_id()));
-- Reading: with the memberships, because teammates read each other's.
-- No insert: the account's trigger does it. No delete: it goes with the account.

grant select on public.profiles to authenticated;
grant update (full_name, job_title, company_name, avatar_url) on public.profiles to authenticated;
grant select, insert, update, delete on public.profiles to service_role;

-- Accounts that were there before Tidings.
insert into public.profiles (user_id, full_name)
select u.id, private.display_name(u.raw_user_meta_data ->> 'full_name', u.email) from auth.users u
on conflict on constraint profiles_pkey do nothing;

-- Whoever signs up first with an address chooses the password of its account, and need not be who reads its mail. So a mailed
-- link opens an account that waits for its confirmation only after this: when the link is not used in the browser that
-- signed up, the password is replaced by one that nobody knows. The function asks before it spends the link, so that there
-- is no moment in which the account is confirmed and the stranger's password good.
--
-- `browser` is the hash of what the signing-up browser holds (a cookie); sign-up leaves the same with the account. True: the
-- password stands. False: a new one has to be chosen. Null: no waiting account has such a link.
create function public.open_waiting_account(link text, browser text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  account uuid;
  is_known boolean;
begin
  select u.id, u.raw_user_meta_data ->> 'signup_browser' = browser into account, is_known
  from auth.users u
  where u.email_confirmed_at is null and link <> '' and (u.confirmation_token = link or u.recovery_token = link)
  for update;
  if account is null then return null; end if;
  update auth.users u set raw_user_meta_data = u.raw_user_meta_data - 'signup_browser' where u.id = account; -- it has served
  if is_known then return true; end if;
  update auth.users u
  set encrypted_password = extensions.crypt(encode(extensions.gen_random_bytes(32), 'hex'), extensions.gen_salt('bf', 10))
  where u.id = account;
  delete from auth.sessions s where s.user_id = account; -- there are some where an installation lets people in unconfirmed
  return false;
end $$;
revoke all on function public.open_waiting_account(text, text) from public, anon, authenticated;
grant execute on function public.open_waiting_account(text, text) to service_role;

-- When an account goes, its pictures are queued for removal, also those no profile shows, and its address leaves the invitations: who was
-- invited by mail stands there. One that is still open ends, because without an address it would be anybody's.
create function private.forget_person() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.discarded_files (bucket, path)
  select o.bucket_id, o.name from storage.objects o where o.bucket_id = 'avatars' and o.name like old.id || '/%'
  on conflict on constraint discarded_files_pkey do nothing;
  update public.invites i
  set email = null, revoked_at = case when i.accepted_at is null then coalesce(i.revoked_at, clock_timestamp()) end
  where lower(i.email::text) = lower(old.email);
  return old;
end $$;
create trigger users_are_forgotten before delete on auth.users for each row execute function private.forget_person();

-- schemas/20-workspaces.sql

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
-- A port is at most 65535, as every URL parser wants it.
create function private.url_origin(url text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select regexp_replace(regexp_replace(part[1], '^(http://[^:]+):80$', '\1'), '^(https://[^:]+):443$', '\1')
  from regexp_match(lower(btrim(url)), '^(https?://[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?)(?:[/?#]|$)') as part
  where coalesce(substring(part[1] from ':([0-9]+)$')::integer, 0) <= 65535
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

-- A team's space: its name, the subdomain of its public page, the website its widget stands on. Made only by
-- public.create_workspace, together with its owner.
create table public.workspaces (
  id uuid constraint workspaces_pkey primary key default gen_random_uuid(),
  name text not null constraint workspaces_name_length check (char_length(name) between 1 and 120),
  subdomain extensions.citext not null
    constraint workspaces_subdomain_key unique
    constraint workspaces_subdomain_shape check (private.is_subdomain(subdomain::text)),
  origin text constraint workspaces_origin_is_website check (origin is null or private.is_website(origin)),
  allowed_origins text[] not null default '{}' constraint workspaces_allowed_origins_shape check (private.are_origins(allowed_origins)),
  logo_url text constraint workspaces_logo_url_shape check (logo_url ~ '^(/[^/]|https?://)' and char_length(logo_url) <= 2048),
  public_changelog_enabled boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table public.workspaces enable row level security;

-- What is wrong with a workspace's own words, field by field, in the sentences of the specification (section 5).
create function private.workspace_faults(name text, origin text) returns jsonb
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return
    case when coalesce(name, '') = '' then '{"name": "Business name is required"}'::jsonb
      when char_length(name) > 120 then '{"name": "Please use at most 120 characters"}' else '{}' end
    || case when origin is not null and not private.is_website(origin)
      then '{"origin": "Please enter a valid URL (e.g., https://example.com)"}'::jsonb else '{}' end;
end $$;

create function private.tidy_workspace() returns trigger
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
    faults := faults || '{"allowed_origins": "Please use at most 20 origins like https://example.com"}';
  end if;
  if faults <> '{}' then perform private.refuse('validation_failed', faults); end if;
  return new;
end $$;
create trigger workspaces_are_tidy before insert or update on public.workspaces
for each row execute function private.tidy_workspace();

-- A subdomain given up, by change or deletion, is remembered and stays blocked for 30 days.
create function private.release_subdomain() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.released_subdomains (label) values (lower(old.subdomain::text))
  on conflict on constraint released_subdomains_pkey do update set released_at = excluded.released_at;
  return null;
end $$;
create trigger workspaces_release_their_subdomain after delete on public.workspaces
for each row execute function private.release_subdomain();
create trigger workspaces_release_an_old_subdomain after update of subdomain on public.workspaces
for each row when (old.subdomain::text is distinct from new.subdomain::text) execute function private.release_subdomain();

-- 'free', or why not: 'invalid', 'subdomain_reserved', 'subdomain_taken' (by a workspace, or given up in the last 30 days).
-- A label that begins with "xn--" is one of another script in disguise: a browser may show it as somebody else's name in
-- letters that only look alike. Nobody gets a new one; the column's own check stays, so that a workspace that has one works on.
-- It asks on behalf of somebody, although the answer is the same for everybody.
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
revoke all on function public.subdomain_status(text) from public, anon;
grant execute on function public.subdomain_status(text) to authenticated, service_role;

-- What a workspace's members see of it; reading and writing rules stand with the memberships.
grant select on public.workspaces to authenticated;
grant update (name, origin, allowed_origins, logo_url, public_changelog_enabled) on public.workspaces to authenticated;
grant select, insert, update, delete on public.workspaces to service_role;
-- No insert: create_workspace. No delete: delete_workspace, which asks for the name. No update of subdomain by hand.

-- schemas/21-members.sql

-- Who belongs to a workspace, and as what. Every policy asks this table at every statement, never the token:
-- a removed member sees nothing from his next statement on. Roles change only through functions.
create table public.members (
  workspace_id uuid not null constraint members_workspace_id_fkey references public.workspaces (id) on delete cascade,
  user_id uuid not null constraint members_user_id_fkey references auth.users (id) on delete cascade,
  role public.member_role not null,
  created_at timestamptz not null default now(),
  constraint members_pkey primary key (workspace_id, user_id)
);
alter table public.members enable row level security;
-- "Which workspaces are mine, in these roles" is asked by every policy: answered from the index alone.
create index members_by_person on public.members (user_id) include (workspace_id, role);
-- At most one owner; the trigger below keeps at least one.
create unique index members_one_owner on public.members (workspace_id) where role = 'owner';

-- The caller's workspaces, in any of the roles. Policies use it as an array in a sub-select, so it runs once per statement.
create function private.my_workspace_ids(roles public.member_role[] default '{owner,admin,editor,viewer}') returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return query select m.workspace_id from public.members m where m.user_id = (select private.my_id()) and m.role = any (roles);
end $$;
create function private.my_teammate_ids() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct theirs.user_id
  from public.members mine join public.members theirs on theirs.workspace_id = mine.workspace_id
  where mine.user_id = (select private.my_id())
$$;
create function private.my_role(workspace uuid) returns public.member_role
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select m.role from public.members m where m.workspace_id = workspace and m.user_id = private.my_id());
end $$;
-- The caller's role, or a refusal: a stranger learns nothing (not_found), a member without the role is told so (forbidden).
create function private.require_role(workspace uuid, roles public.member_role[] default '{owner,admin,editor,viewer}') returns public.member_role
language plpgsql stable security definer set search_path = '' as $$
declare
  mine constant public.member_role := private.my_role(workspace);
begin
  if mine is null then perform private.refuse('not_found'); end if;
  if not mine = any (roles) then perform private.refuse('forbidden'); end if;
  return mine;
end $$;
grant execute on function private.my_workspace_ids(public.member_role[]), private.my_teammate_ids(), private.my_role(uuid),
  private.require_role(uuid, public.member_role[]) to authenticated, service_role;

-- Checked at commit, so that a hand-over may pass through "no owner" inside its transaction.
create function private.keep_an_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.workspaces w where w.id = old.workspace_id)
    and not exists (select from public.members m where m.workspace_id = old.workspace_id and m.role = 'owner')
  then perform private.refuse('owner_required'); end if;
  return null;
end $$;
create constraint trigger members_keep_an_owner after update or delete on public.members
deferrable initially deferred for each row when (old.role = 'owner') execute function private.keep_an_owner();

create policy "members read who else is a member" on public.members for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "owners remove others, everybody but the owner leaves" on public.members for delete to authenticated
using (role <> 'owner' and (user_id = (select private.my_id()) or workspace_id = any (array(select private.my_workspace_ids('{owner}')))));
-- No insert: create_workspace and accept_invite. No update: set_member_role and hand_over_ownership.

grant select, delete on public.members to authenticated;
grant select, insert, update, delete on public.members to service_role;

-- What a membership opens: the workspace itself and the teammates' profiles.
create policy "members read their workspaces" on public.workspaces for select to authenticated
using (id = any (array(select private.my_workspace_ids())));
create policy "owners and admins change their workspace" on public.workspaces for update to authenticated
using (id = any (array(select private.my_workspace_ids('{owner,admin}'))))
with check (id = any (array(select private.my_workspace_ids('{owner,admin}'))));

create policy "people read their own and their teammates' profiles" on public.profiles for select to authenticated
using (user_id = (select private.my_id()) or user_id = any (array(select private.my_teammate_ids())));

-- The public changelog switch is the owner's alone (specification, section 6); a policy cannot say that of one column.
create function private.guard_public_switch() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null then perform private.require_role(new.id, '{owner}'); end if;
  return new;
end $$;
create trigger workspaces_are_opened_by_owners before update of public_changelog_enabled on public.workspaces
for each row when (old.public_changelog_enabled is distinct from new.public_changelog_enabled)
execute function private.guard_public_switch();

-- schemas/22-team.sql

-- The team page: who is there, changing a role, removing, leaving, handing ownership over (specification, section 6;
-- product decisions 2 and 18).

create type public.team_member as (user_id uuid, full_name text, email text, role public.member_role, avatar_url text, created_at timestamptz);

-- With addresses, hence for owners and admins only; the owner first, then by name.
create function public.team_members(workspace_id uuid) returns setof public.team_member
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked, '{owner,admin}');
  return query
    select m.user_id, p.full_name, u.email::text, m.role, p.avatar_url, m.created_at
    from public.members m
    join auth.users u on u.id = m.user_id
    join public.profiles p on p.user_id = m.user_id
    where m.workspace_id = asked
    order by m.role <> 'owner', lower(p.full_name), m.user_id;
end $$;

-- A member as the caller may know him; not_found when he is none.
create function private.member_for_update(workspace uuid, person uuid) returns public.members
language plpgsql set search_path = '' as $$
declare
  member public.members;
begin
  select * into member from public.members m where m.workspace_id = workspace and m.user_id = person for update;
  if member.user_id is null then perform private.refuse('not_found'); end if;
  return member;
end $$;

-- The owner makes others editors or viewers; admins are made by invitation, the owner by handing over.
create function public.set_member_role(workspace_id uuid, user_id uuid, role text) returns public.member_role
language plpgsql security definer set search_path = '' as $$
declare
  member public.members;
begin
  perform private.require_role(workspace_id, '{owner}');
  if role is null or role not in ('editor', 'viewer') then
    perform private.refuse('validation_failed', '{"role": "Please choose editor or viewer"}');
  end if;
  member := private.member_for_update(workspace_id, user_id);
  if member.role = 'owner' then perform private.refuse('owner_required'); end if;
  if member.role::text <> role then
    update public.members m set role = set_member_role.role::public.member_role
    where m.workspace_id = member.workspace_id and m.user_id = member.user_id;
    perform private.record_activity(workspace_id, 'role_changed', (select p.full_name from public.profiles p where p.user_id = member.user_id));
  end if;
  return role::public.member_role;
end $$;

-- The owner removes anybody but himself.
create function public.remove_member(workspace_id uuid, user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  member public.members;
begin
  perform private.require_role(workspace_id, '{owner}');
  member := private.member_for_update(workspace_id, user_id);
  if member.role = 'owner' then perform private.refuse('owner_required'); end if;
  delete from public.members m where m.workspace_id = member.workspace_id and m.user_id = member.user_id;
end $$;

-- Anybody may leave; the owner hands ownership over first.
create function public.leave_workspace(workspace_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if private.require_role(workspace_id) = 'owner' then perform private.refuse('owner_required'); end if;
  delete from public.members m where m.workspace_id = leave_workspace.workspace_id and m.user_id = private.my_id();
end $$;

-- Written for every way out: by function, by hand, with the account.
create function private.record_departure() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_activity(old.workspace_id, case when old.user_id = auth.uid() then 'member_left' else 'member_removed' end,
    coalesce((select p.full_name from public.profiles p where p.user_id = old.user_id), 'Someone'));
  return null;
end $$;
create trigger members_80_activity after delete on public.members for each row execute function private.record_departure();

-- Another member becomes the owner, the caller an admin, both or neither. The workspace's row is the lock: of two
-- hand-overs at once the second finds that its caller is no longer the owner.
create function public.hand_over_ownership(workspace_id uuid, user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  heir public.members;
begin
  perform from public.workspaces w where w.id = workspace_id for no key update;
  perform private.require_role(workspace_id, '{owner}');
  heir := private.member_for_update(workspace_id, user_id);
  if heir.role = 'owner' then return; end if;
  update public.members m set role = 'admin' where m.workspace_id = heir.workspace_id and m.role = 'owner';
  update public.members m set role = 'owner' where m.workspace_id = heir.workspace_id and m.user_id = heir.user_id;
  perform private.record_activity(workspace_id, 'ownership_handed_over', (select p.full_name from public.profiles p where p.user_id = heir.user_id));
end $$;

revoke all on function public.team_members(uuid), public.set_member_role(uuid, uuid, text), public.remove_member(uuid, uuid),
  public.leave_workspace(uuid), public.hand_over_ownership(uuid, uuid) from public, anon;
grant execute on function public.team_members(uuid), public.set_member_role(uuid, uuid, text), public.remove_member(uuid, uuid),
  public.leave_workspace(uuid), public.hand_over_ownership(uuid, uuid) to authenticated, service_role;

-- schemas/23-add-ons.sql

-- Paid add-ons are rows per workspace (product decision 9). Every new workspace has 'teams'.
create table public.workspace_add_ons (
  workspace_id uuid not null constraint workspace_add_ons_workspace_id_fkey references public.workspaces (id) on delete cascade,
  add_on text not null constraint workspace_add_ons_known
    check (add_on in ('teams', 'analytics', 'sso', 'custom-domain', 'backup', 'reports', 'priority-support')),
  granted_by uuid,
  granted_at timestamptz not null default now(),
  constraint workspace_add_ons_pkey primary key (workspace_id, add_on)
);
alter table public.workspace_add_ons enable row level security;

create policy "members read their workspace's add-ons" on public.workspace_add_ons for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
-- No insert, update, delete: request_upgrade grants where the installation may; else whoever runs it does.
grant select on public.workspace_add_ons to authenticated;
grant select, insert, update, delete on public.workspace_add_ons to service_role;

-- What was asked for, and when it was granted: the record a hosted installation works from.
create table public.upgrade_requests (
  id uuid constraint upgrade_requests_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint upgrade_requests_workspace_id_fkey references public.workspaces (id) on delete cascade,
  add_ons text[] not null,
  requested_by uuid,
  requested_by_name text,
  created_at timestamptz not null default now(),
  granted_at timestamptz
);
alter table public.upgrade_requests enable row level security;
create index upgrade_requests_of_workspace on public.upgrade_requests (workspace_id, created_at desc); -- the page's list, the cascade

create policy "members read their workspace's upgrade requests" on public.upgrade_requests for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
-- No insert, update, delete: request_upgrade.
grant select on public.upgrade_requests to authenticated;
grant select, insert, update, delete on public.upgrade_requests to service_role;

-- How this installation behaves; one row. Whoever hosts Tidings for others sets grants_upgrades to false.
create table private.installation (
  single boolean constraint installation_pkey primary key default true constraint installation_single_row check (single),
  grants_upgrades boolean not null default true
);
alter table private.installation enable row level security;
insert into private.installation default values;

-- The owner asks for add-ons. A self-hosted installation grants them at once and answers true; a hosted one keeps the request.
create function public.request_upgrade(workspace_id uuid, add_ons text[]) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant text[] := array(select distinct unnest(add_ons));
  at_once constant boolean := (select i.grants_upgrades from private.installation i);
begin
  perform private.require_role(asked, '{owner}');
  if cardinality(wanted) = 0 or not wanted <@ array['analytics', 'sso', 'custom-domain', 'backup', 'reports', 'priority-support'] then
    perform private.refuse('validation_failed', '{"addOns": "Please choose from the list"}');
  end if;
  insert into public.upgrade_requests (workspace_id, add_ons, requested_by, requested_by_name, granted_at)
  values (asked, wanted, auth.uid(), private.my_name(), case when at_once then now() end);
  if at_once then
    insert into public.workspace_add_ons (workspace_id, add_on, granted_by) select asked, w, auth.uid() from unnest(wanted) as w
    on conflict on constraint workspace_add_ons_pkey do nothing;
  end if;
  return at_once;
end $$;
revoke all on function public.request_upgrade(uuid, text[]) from public, anon;
grant execute on function public.request_upgrade(uuid, text[]) to authenticated, service_role;

-- schemas/24-workspace-calls.sql

-- Making a workspace and naming the caller's; each is more than one statement, or needs more than the caller's rights.

-- A workspace as one of its members sees it.
create type public.my_workspace as (
  id uuid, name text, subdomain text, origin text, allowed_origins text[], logo_url text, public_changelog_enabled boolean,
  created_at timestamptz, role public.member_role
);

create function public.my_workspaces() returns setof public.my_workspace
language plpgsql stable set search_path = '' as $$
begin
  return query
    select w.id, w.name, w.subdomain::text, w.origin, w.allowed_origins, w.logo_url, w.public_changelog_enabled, w.created_at, m.role
    from public.members m join public.workspaces w on w.id = m.workspace_id
    where m.user_id = private.my_id()
    order by lower(w.name), w.created_at;
end $$;

-- The caller's role, or null when he is no member.
create function public.workspace_role(workspace_id uuid) returns text
language sql stable set search_path = '' as $$ select private.my_role(workspace_id)::text $$;

-- The caller becomes the owner; his job title goes into his profile; the widget may stand on the website from the start.
create function public.create_workspace(name text, subdomain text, origin text, job_title text, idempotency_key text default null)
returns public.my_workspace
language plpgsql security definer set search_path = '' as $$
declare
  wrong jsonb := '{}';
  availability constant text := public.subdomain_status(subdomain);
  earlier jsonb;
  made public.workspaces;
  answer public.my_workspace;
begin
  if private.my_id() is null then perform private.refuse('unauthenticated'); end if;
  earlier := private.claim_request(idempotency_key, jsonb_build_array('create_workspace', name, subdomain, origin, job_title)::text);
  if earlier is not null then return jsonb_populate_record(null::public.my_workspace, earlier); end if;

  wrong := private.workspace_faults(private.clean_line(name), nullif(btrim(origin), ''));
  if coalesce(btrim(origin), '') = '' then wrong := wrong || '{"origin": "Website URL is required"}'; end if;
  if coalesce(btrim(subdomain), '') = '' then wrong := wrong || '{"subdomain": "Subdomain is required"}';
  elsif availability = 'invalid' then
    wrong := wrong || '{"subdomain": "Please use 3 to 63 letters, digits and hyphens, beginning and ending with a letter or digit"}'; end if;
  if coalesce(private.clean_line(job_title), '') = '' then wrong := wrong || '{"jobTitle": "Your job title is required"}';
  elsif char_length(private.clean_line(job_title)) > 120 then wrong := wrong || '{"jobTitle": "Please use at most 120 characters"}'; end if;
  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  if availability <> 'free' then perform private.refuse(availability); end if;

  begin
    insert into public.workspaces (name, subdomain, origin, allowed_origins)
    values (name, lower(btrim(subdomain)), btrim(origin), array[private.url_origin(origin)]) returning * into made;
  exception when unique_violation then
    perform private.refuse('subdomain_taken'); -- someone else was faster by a moment
  end;
  insert into public.members (workspace_id, user_id, role) values (made.id, private.my_id(), 'owner');
  insert into public.workspace_add_ons (workspace_id, add_on, granted_by) values (made.id, 'teams', private.my_id());
  update public.profiles p set job_title = create_workspace.job_title where p.user_id = private.my_id();

  answer := row(made.id, made.name, made.subdomain, made.origin, made.allowed_origins, made.logo_url, made.public_changelog_enabled,
    made.created_at, 'owner');
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
  return answer;
end $$;

-- The public changelog switch: the owner's alone. Answers the new state.
create function public.set_public_changelog(workspace_id uuid, enabled boolean) returns boolean
language plpgsql set search_path = '' as $$
begin
  perform private.require_role(workspace_id, '{owner}');
  update public.workspaces w set public_changelog_enabled = enabled where w.id = workspace_id;
  return enabled;
end $$;

revoke all on function public.my_workspaces(), public.workspace_role(uuid), public.create_workspace(text, text, text, text, text),
  public.set_public_changelog(uuid, boolean) from public, anon;
grant execute on function public.my_workspaces(), public.workspace_role(uuid), public.create_workspace(text, text, text, text, text),
  public.set_public_changelog(uuid, boolean) to authenticated, service_role;

-- schemas/30-posts.sql

-- Who a post's row names (contract/rules/creator-name.ts; specification, section 5).
create function private.creator_name(author_name text, created_by_name text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return coalesce(nullif(btrim(author_name), ''), nullif(btrim(created_by_name), ''), 'Unknown');
end $$;

-- A post's stand-in number of views, 100 to 4999, always the same for the same id and title. It only sorts, where there
-- is no analytics add-on (specification, section 9; product decision 8).
create function private.placeholder_views(id uuid, title text) returns int
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  hash constant bytea := sha256(convert_to(id || ':' || title, 'UTF8'));
begin
  return 100 + (get_byte(hash, 0) * 65536 + get_byte(hash, 1) * 256 + get_byte(hash, 2)) % 4900;
end $$;

-- Both in indexes of posts: whoever writes a post calls them.
grant execute on function private.creator_name(text, text), private.placeholder_views(uuid, text) to authenticated, service_role;

-- Posts: the product. A row holds the editor's cleaned blocks (never HTML: pages render their own), and what the
-- triggers below and in the next files derive from them. People write title, content_raw, tags, publish_at, status
-- and, by hand, slug; every other column is the database's. Names stand beside ids, because a post outlives its
-- author's account; the ids carry no foreign key for the same reason.
create table public.posts (
  id uuid constraint posts_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint posts_workspace_id_fkey references public.workspaces (id) on delete cascade,
  title text not null constraint posts_title_length check (char_length(title) between 1 and 119),
  slug text collate "C" not null
    constraint posts_slug_shape check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 100),
  status public.post_status not null default 'draft',
  tags text[] not null default '{}',
  content_raw jsonb not null default '{"time": 0, "blocks": [], "version": "2.28.2"}'
    constraint posts_content_is_blocks check (jsonb_typeof(content_raw -> 'blocks') = 'array'),
  search_text text not null default '',
  excerpt text not null default '',
  publish_at timestamptz,
  published_at timestamptz,
  archived_at timestamptz,
  version int not null default 1,
  created_by uuid,
  created_by_name text,
  author_name text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid,
  updated_by_name text,
  -- When title, tags or content last changed; updated_at also moves when the post is archived, restored, scheduled or gets another address,
  -- and a feed that took that for an edit would show old news as new.
  content_updated_at timestamptz not null default now(),
  constraint posts_slug_key unique (workspace_id, slug),
  constraint posts_scheduled_has_time check (status <> 'scheduled' or publish_at is not null),
  constraint posts_draft_has_no_time check (status <> 'draft' or publish_at is null),
  constraint posts_published_has_date check (status <> 'published' or published_at is not null),
  constraint posts_archived_has_date check ((status = 'archived') = (archived_at is not null)),
  -- A time that no calendar of a client can write made every list that held it fail. It holds also for what is written past the triggers.
  constraint posts_publish_at_in_reach check (publish_at < '9999-01-01')
);
alter table public.posts enable row level security;

-- The posts list of a workspace, last edited first, and its count; archived posts are in no list but their own.
create index posts_recent on public.posts (workspace_id, updated_at desc, id desc) where status <> 'archived';
-- The same by status.
create index posts_by_status on public.posts (workspace_id, status, updated_at desc, id desc);
-- The public page: newest publication first. What is included counts them, and makes the version tag, without reading a post.
create index posts_public on public.posts (workspace_id, coalesce(published_at, publish_at) desc, id desc)
include (status, publish_at, version) where status in ('published', 'scheduled');
-- Upcoming posts of a workspace.
create index posts_upcoming on public.posts (workspace_id, publish_at) include (id) where status = 'scheduled';
-- What is due anywhere: the publisher's question.
create index posts_due on public.posts (publish_at) where status = 'scheduled';
-- Search inside one workspace; a small pending list, because every search reads it.
create index posts_search on public.posts
using gin (workspace_id, search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);
-- "Created by", last edited first; and each creator once, by leaping from name to name.
create index posts_by_creator on public.posts
(workspace_id, lower(private.creator_name(author_name, created_by_name)), updated_at desc, id desc) where status <> 'archived';
-- "Most viewed" without the add-on: the table as it first opens.
create index posts_by_placeholder on public.posts
(workspace_id, private.placeholder_views(id, title) desc, updated_at desc, id desc) where status <> 'archived';

create policy "members read their workspace's posts" on public.posts for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "writers add posts to their workspace" on public.posts for insert to authenticated
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));
create policy "writers change their workspace's posts" on public.posts for update to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))))
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));
create policy "writers purge their workspace's posts" on public.posts for delete to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));

grant select, delete on public.posts to authenticated;
grant insert (workspace_id, title, content_raw, tags, publish_at, status) on public.posts to authenticated;
grant update (title, content_raw, tags, publish_at, status, slug) on public.posts to authenticated;
grant select, insert, update, delete on public.posts to service_role;

-- First trigger on a post: what was written is tidied and checked, and excerpt and search text are derived from it.
-- Sentences are those of the specification, section 5.

-- Trimmed, without blanks and repeats, in the order given.
create function private.clean_tags(tags text[]) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select coalesce(array_agg(t.tag order by t.place), '{}')
    from (
      select private.clean_line(given.tag) as tag, min(given.place) as place
      from unnest(tags) with ordinality as given (tag, place)
      where private.clean_line(given.tag) <> '' group by 1
    ) as t
  );
end $$;

-- The editor stamps the time of every save into its output; only a difference elsewhere is a difference.
create function private.same_content(a jsonb, b jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return a - 'time' is not distinct from b - 'time';
end $$;

-- Search reads the first 100,000 characters of a post. Three times as many of different words kept the index busy for half a second a save.
create function private.tidy_post() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  wrong jsonb := '{}';
begin
  if tg_op = 'INSERT' or new.title is distinct from old.title then
    new.title := private.clean_line(new.title);
    if coalesce(new.title, '') = '' then wrong := wrong || '{"title": "Title is required"}';
    elsif char_length(new.title) > 119 then wrong := wrong || '{"title": "The title can have at most 119 characters"}'; end if;
  end if;

  if tg_op = 'INSERT' or new.tags is distinct from old.tags then
    new.tags := private.clean_tags(new.tags);
    if cardinality(new.tags) > 20 then wrong := wrong || '{"tags": "A post can have at most 20 tags"}';
    elsif exists (select from unnest(new.tags) as t (tag) where char_length(t.tag) > 40) then
      wrong := wrong || '{"tags": "A tag can have at most 40 characters"}'; end if;
  end if;

  if tg_op = 'INSERT' or new.content_raw is distinct from old.content_raw then
    if jsonb_typeof(new.content_raw -> 'blocks') is distinct from 'array' then wrong := wrong || '{"content_raw": "Content is required"}';
    elsif tg_op = 'UPDATE' and private.same_content(new.content_raw, old.content_raw) then new.content_raw := old.content_raw;
    elsif private.is_long_post(new.content_raw) then wrong := wrong || '{"content_raw": "This post is too long"}';
    else
      new.excerpt := private.blocks_excerpt(new.content_raw);
    end if;
  end if;

  if wrong <> '{}' then perform private.refuse('validation_failed', wrong); end if;
  if tg_op = 'INSERT' or (new.title, new.tags, new.content_raw) is distinct from (old.title, old.tags, old.content_raw) then
    new.search_text := private.search_words(new.title || ' ' || array_to_string(new.tags, ' ') || ' ' || left(private.blocks_text(new.content_raw), 100000));
  end if;
  return new;
end $$;
create trigger posts_10_tidy before insert or update on public.posts for each row execute function private.tidy_post();

-- The life of a post (specification, section 4; product decisions 4–6), whoever changes it and by whatever call.
--   draft ⇄ scheduled → published;  any → archived → draft (restored).
-- A scheduled post whose minute has come IS published, whether or not the publisher has been by. Time is the
-- server's. contract/rules/post-status says the same for the client; one table of cases runs against both.
create function private.decide_post_state() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  grace constant interval := '1 minute'; -- a time picked to the minute may just have passed when it arrives
  was public.post_status := 'draft';
  had timestamptz; -- the time it was scheduled for
begin
  if tg_op = 'INSERT' or new.publish_at is distinct from old.publish_at then
    new.publish_at := date_trunc('milliseconds', new.publish_at); -- clients know no finer time, and send back what they got
  end if;
  if tg_op = 'UPDATE' then
    was := old.status;
    had := old.publish_at;
    new.published_at := old.published_at; -- set once, below
    if was = 'scheduled' and had <= moment then
      was := 'published';
      new.published_at := coalesce(old.published_at, had);
      if new.status = 'scheduled' and new.publish_at = had then new.status := 'published'; end if;
    end if;
  end if;

  if was = 'published' then
    if new.status in ('draft', 'scheduled') or new.publish_at is distinct from had and new.publish_at is not null then
      perform private.refuse('published_post_locked');
    end if;
    new.publish_at := had; -- when it was scheduled for stays on record
  elsif was = 'archived' then
    if new.status = 'draft' then
      new.publish_at := null;
    elsif new.status <> 'archived' or (new.title, new.tags, new.content_raw, new.slug, new.publish_at)
      is distinct from (old.title, old.tags, old.content_raw, old.slug, old.publish_at) then
      perform private.refuse('archived_post_locked');
    end if;
  elsif new.status = 'archived' then
    if tg_op = 'INSERT' then perform private.refuse('validation_failed', '{"status": "A new post cannot be archived"}'); end if;
    new.publish_at := null;
  elsif new.status = 'published' then
    new.publish_at := null;
    new.published_at := coalesce(new.published_at, moment);
  else
    -- A draft that gets a time is scheduled; a scheduled post that loses it, or is called a draft, is a draft.
    if new.status = 'draft' then
      if was = 'scheduled' then new.publish_at := null; end if;
      if new.publish_at is not null then new.status := 'scheduled'; end if;
    elsif new.publish_at is null and was = 'scheduled' then
      new.status := 'draft';
    end if;
    if new.status = 'scheduled' and (was <> 'scheduled' or new.publish_at is distinct from had) then
      if new.publish_at is null then
        perform private.refuse('validation_failed', '{"publish_at": "Please select a date and time"}');
      elsif new.publish_at <= moment - grace or not isfinite(new.publish_at) then
        perform private.refuse('validation_failed', '{"publish_at": "Please choose a time in the future"}');
      end if;
    end if;
  end if;

  new.archived_at := case when new.status = 'archived' then coalesce(case when was = 'archived' then old.archived_at end, moment) end;

  if new.status in ('scheduled', 'published') and (was not in ('scheduled', 'published') or new.content_raw is distinct from old.content_raw)
    and not private.says_something(new.content_raw) then
    perform private.refuse('validation_failed', '{"content_raw": "Content is required"}');
  end if;
  return new;
end $$;
create trigger posts_20_state before insert or update on public.posts for each row execute function private.decide_post_state();

-- content_updated_at is that of the last change that a reader can see.
create function private.date_content() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.content_updated_at := case
    when tg_op = 'INSERT' or (new.title, new.content_raw, new.tags) is distinct from (old.title, old.content_raw, old.tags)
      then new.updated_at
    else old.content_updated_at end;
  return new;
end $$;
create trigger posts_45_content_date before insert or update on public.posts for each row execute function private.date_content();

-- Ten years ahead is further than anybody plans.
create function private.check_publish_time() returns trigger
language plpgsql set search_path = '' as $$
begin
  if isfinite(new.publish_at) and new.publish_at > clock_timestamp() + interval '10 years' then
    perform private.refuse('validation_failed', '{"publish_at": "Please choose a time within the next ten years"}');
  end if;
  return new;
end $$;
create trigger posts_15_time before insert or update of publish_at on public.posts
for each row when (new.publish_at is not null) execute function private.check_publish_time();

-- schemas/31-post-text.sql

-- What a post's blocks say, as plain text: for search, for the excerpt, and to know whether a post says anything at
-- all. Derived here, so it is right whoever writes the blocks. Blocks come from outside: every step takes any JSON.

-- Named references are replaced one name after the other, &amp; last, so that "&amp;lt;" stays the text "&lt;"; numbered
-- ones in one pass, however many there are: NUL and halves of surrogate pairs become nothing.
create function private.decode_entities(html text) returns text
language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  words text := html;
begin
  if strpos(html, '&') = 0 then return html; end if;
  words := replace(replace(replace(replace(replace(words, '&nbsp;', ' '), '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&apos;', '''');
  if strpos(words, '&#') > 0 then
    words := (
      select string_agg(piece.words || case when n.code is null or n.code = 0 or n.code between 55296 and 57343 then '' else chr(n.code) end, '' order by piece.place)
      from unnest(
        regexp_split_to_array(words, '&#(?:[0-9]{1,6}|x[0-9a-fA-F]{1,5});'),
        array(select r from regexp_matches(words, '&#((?:[0-9]{1,6}|x[0-9a-fA-F]{1,5}));', 'g') as m (found), unnest(m.found) as r)
      ) with ordinality as piece (words, reference, place),
      lateral (
        select case when piece.reference like 'x%' then ('x' || lpad(substr(piece.reference, 2), 8, '0'))::bit(32)::int else piece.reference::int end as code
      ) as n
    );
  end if;
  return replace(words, '&amp;', '&');
end $$;

-- Inline HTML as a reader sees it.
create function private.plain_text(html text) returns text
language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  if strpos(html, '<') = 0 then return private.decode_entities(html); end if;
  return private.decode_entities(regexp_replace(regexp_replace(html, '<br\s*/?>', ' ', 'gi'), '<[^>]*>', '', 'g'));
end $$;

-- As a JSON path reads it: what is no list is a list of one; null stays null.
create function private.as_list(value jsonb) returns jsonb
language sql immutable strict parallel safe set search_path = '' as $$
  select case when jsonb_typeof(value) = 'array' then value else '[]'::jsonb || value end
$$;
grant execute on function private.as_list(jsonb) to authenticated, service_role;

-- Lists nest; eight levels are read, what lies deeper is not text anybody sees. A text is gathered in one pass, however many pieces it has:
-- joined one by one, the items of a list of a megabyte took Postgres more than a minute, and jsonb_path_query, asked for many rows, moves
-- all that are left for each.
create function private.list_text(items jsonb, depth int default 1) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  if depth > 8 then return ''; end if;
  return (
    select coalesce(string_agg(
      ' ' || coalesce(private.plain_text(case when jsonb_typeof(i.item) = 'string' then i.item #>> '{}'
        else coalesce(i.item ->> 'content', i.item ->> 'text') end), '')
      || case when jsonb_typeof(i.item) = 'object' and i.item ? 'items' then private.list_text(i.item -> 'items', depth + 1) else '' end,
      '' order by i.place), '')
    from jsonb_array_elements(private.as_list(items)) with ordinality as i (item, place)
  );
end $$;

create function private.block_text(block jsonb) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  data constant jsonb := block -> 'data';
begin
  return case block ->> 'type'
    when 'list' then private.list_text(data -> 'items')
    when 'checklist' then private.list_text(data -> 'items')
    when 'table' then private.list_text(jsonb_path_query_array(data, '$.content[*][*]'))
    when 'code' then data ->> 'code'
    else private.plain_text(concat_ws(' ', data ->> 'text', data ->> 'caption'))
  end;
end $$;

-- The text of all blocks in reading order, blanks collapsed.
create function private.blocks_text(content jsonb) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select coalesce(private.clean_line(string_agg(private.block_text(b.block), ' ' order by b.place)), '')
    from jsonb_array_elements(private.as_list(content -> 'blocks')) with ordinality as b (block, place)
  );
end $$;

-- Its beginning, for which few blocks have to be read: at least `enough` characters, or all there are. `kinds` null: any.
create function private.first_text(content jsonb, kinds text[], enough int) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  block jsonb;
  words text := '';
begin
  for block in select b.block from jsonb_array_elements(private.as_list(content -> 'blocks')) as b (block) loop
    if kinds is null or block ->> 'type' = any (kinds) then
      words := private.clean_line(words || ' ' || coalesce(private.block_text(block), ''));
    end if;
    exit when char_length(words) >= enough;
  end loop;
  return words;
end $$;

-- The beginning of the running text (else of any text), about 160 characters, cut after a word: contract/blocks/excerpt.
create function private.blocks_excerpt(content jsonb) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  words text := private.first_text(content, '{paragraph,list,checklist,quote}', 400);
  cut text;
begin
  if words = '' then words := private.first_text(content, null, 400); end if;
  if char_length(words) <= 160 then return words; end if;
  cut := (regexp_match(left(words, 161), '^(.{81,160})\s\S*$'))[1]; -- null: one endless word, cut inside
  return regexp_replace(coalesce(cut, left(words, 160)), '[\s.,;:!?–—-]+$', '') || '…';
end $$;

-- The files of ours that blocks name: paths inside the bucket post-images.
-- A file is in use wherever its address stands in a post: as an image, behind a question mark, or as the target of a link. Only
-- addresses inside the workspace's own folder count, so that quoting another tenant's file never gives power over it.
create function private.image_paths(content jsonb, workspace uuid) returns setof text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return query
    select distinct part[1]
    from regexp_matches(content::text, '/storage/v1/object/public/post-images/(' || workspace || '/[0-9A-Za-z_-]+\.[a-z]+)', 'g') as part;
end $$;

-- Whether a reader would see anything: a word or an image.
create function private.says_something(content jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return jsonb_path_exists(content, '$.blocks[*] ? (@.type == "image" && @.data.file.url != "")') or private.first_text(content, null, 1) <> '';
end $$;

-- What search compares: small letters without accents, one space for everything that is neither letter nor digit, one
-- at either end, so that a word's beginning can be asked for.
create function private.search_words(words text) returns text
language plpgsql stable strict parallel safe set search_path = '' as $$
begin
  return regexp_replace(' ' || lower(extensions.unaccent('extensions.unaccent', words)) || ' ', '[^[:alnum:]]+', ' ', 'g');
end $$;

-- A post with more blocks, list items or table cells than contract/blocks/schema.ts allows is refused before anything of it
-- is read. The API leaves the rest out itself; this is for who writes past it.

-- Whether a list has more than a thousand items on all its levels together, or more than eight levels.
create function private.is_long_list(items jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    with recursive entry (item, depth) as (
      select first.item, 1 from jsonb_array_elements(private.as_list(items)) as first (item)
      union all
      select below.item, e.depth + 1 from entry e, jsonb_array_elements(private.as_list(e.item -> 'items')) as below (item) where e.depth <= 8
    )
    select count(*) > 1000 or coalesce(max(few.depth), 0) > 8 from (select e.depth from entry e limit 1001) as few
  );
end $$;

-- More than 200 rows, or 30 cells in one of them.
create function private.is_long_table(content jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return exists (
    select from jsonb_array_elements(private.as_list(content)) with ordinality as r (cells, place)
    where r.place > 200 or case when jsonb_typeof(r.cells) = 'array' then jsonb_array_length(r.cells) > 30 end
  );
end $$;

-- The characters of all strings in a value, however deep. Gathered first, because jsonb_path_query, asked for many rows, moves all that are left for each.
create function private.string_length(value jsonb) returns bigint
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(sum(char_length(s.words)), 0)
  from jsonb_array_elements_text(jsonb_path_query_array(value, 'strict $.** ? (@.type() == "string")')) as s (words)
$$;

-- The items of a list on all its levels, the cells of a table whose rows are all as wide as the widest. For lists and tables that are not long.
create function private.count_pieces(block jsonb) returns bigint
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return case
    when block ->> 'type' in ('list', 'checklist') then (
      with recursive entry (item) as (
        select first.item from jsonb_array_elements(private.as_list(block #> '{data,items}')) as first (item)
        union all
        select below.item from entry e, jsonb_array_elements(private.as_list(e.item -> 'items')) as below (item)
      )
      select count(*) from entry
    )
    when block ->> 'type' = 'table' then (
      select coalesce(count(*) * max(case when jsonb_typeof(r.cells) = 'array' then jsonb_array_length(r.cells) end), 0)
      from jsonb_array_elements(private.as_list(block #> '{data,content}')) as r (cells)
    )
    else 0
  end;
end $$;

-- The characters, list items and table cells that contract/blocks/schema.ts allows (blockLimits), too: one person's longest posts must not
-- take the time of everybody.
create function private.is_long_post(content jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  -- No string is longer than the JSON it stands in: for nearly every post that is all there is to know.
  json constant text := content::text;
begin
  if octet_length(json) > 4194304 or jsonb_array_length(content -> 'blocks') > 1000 then return true; end if;
  if exists (
    select from jsonb_array_elements(content -> 'blocks') as b (block)
    where case b.block ->> 'type'
      when 'list' then private.is_long_list(b.block #> '{data,items}')
      when 'checklist' then private.is_long_list(b.block #> '{data,items}')
      when 'table' then private.is_long_table(b.block #> '{data,content}') end
  ) then return true; end if;
  -- A list that is not long has a thousand items at most, such a table 6,000 cells.
  if (
    select coalesce(sum(case b.block ->> 'type' when 'table' then 6000 when 'list' then 1000 when 'checklist' then 1000 end), 0) > 10000
    from jsonb_array_elements(content -> 'blocks') as b (block)
  ) and (
    select sum(private.count_pieces(b.block)) > 10000 from jsonb_array_elements(content -> 'blocks') as b (block)
  ) then return true; end if;
  return char_length(json) > 50000 and (
    select max(b.length) > 50000 or sum(b.length) > 300000
    from (
      select private.string_length(e.block -> 'data') as length from jsonb_array_elements(content -> 'blocks') as e (block)
    ) as b
  );
end $$;

-- schemas/32-post-versions.sql

-- Every address a post ever had, its present one included, so that an old link finds the post in one look-up and no
-- other post of the workspace can take it over (product decision 5).
create table public.post_slugs (
  workspace_id uuid not null constraint post_slugs_workspace_id_fkey references public.workspaces (id) on delete cascade,
  slug text collate "C" not null,
  post_id uuid not null constraint post_slugs_post_id_fkey references public.posts (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint post_slugs_pkey primary key (workspace_id, slug)
);
alter table public.post_slugs enable row level security;
create index post_slugs_by_post on public.post_slugs (post_id); -- for the cascade

create policy "members read their posts' older addresses" on public.post_slugs for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
-- No insert, update, delete: the trigger below writes it.
grant select on public.post_slugs to authenticated;
grant select, insert, update, delete on public.post_slugs to service_role;

-- The title in a–z, 0–9 and hyphens, at most 80 characters, never empty.
create function private.slugify(title text) returns text
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return coalesce(nullif(btrim(left(btrim(regexp_replace(
    lower(extensions.unaccent('extensions.unaccent', replace(title, '''', ''))), '[^a-z0-9]+', '-', 'g'), '-'), 80), '-'), ''), 'post');
end $$;

-- `wanted`, or wanted-2, wanted-3 … : the first one no other post of the workspace has or had. Those who want the
-- same one queue here until the one before has committed; "-2" and "-3" queue with their stem.
create function private.free_slug(workspace uuid, wanted text, post uuid) returns text
language plpgsql volatile set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(workspace || '/' || regexp_replace(wanted, '(-[0-9]+)+$', ''), 0));
  if not exists (select from public.post_slugs s where s.workspace_id = workspace and s.slug = wanted and s.post_id <> post) then
    return wanted;
  end if;
  return (
    select wanted || '-' || n
    from generate_series(2, 2 + (
      select count(*) from public.post_slugs s
      where s.workspace_id = workspace and s.slug >= wanted || '-' and s.slug < wanted || '.' -- "." follows "-" in the C collation
    )) as n
    where not exists (
      select from public.post_slugs s where s.workspace_id = workspace and s.slug = wanted || '-' || n and s.post_id <> post
    )
    order by n limit 1
  );
end $$;

-- From the title until the post is first published, then by hand only.
create function private.choose_slug() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.slug is distinct from old.slug then
    new.slug := lower(btrim(new.slug));
    if new.slug is null or new.slug !~ '^[a-z0-9]+(-[a-z0-9]+)*$' or char_length(new.slug) > 80 then
      perform private.refuse('validation_failed', '{"slug": "Please use letters, digits and single hyphens, 80 at most"}');
    elsif private.free_slug(new.workspace_id, new.slug, new.id) <> new.slug then
      perform private.refuse('slug_taken');
    end if;
  elsif tg_op = 'INSERT' or new.title <> old.title and old.published_at is null
    and not (old.status = 'scheduled' and old.publish_at <= clock_timestamp()) then
    new.slug := private.free_slug(new.workspace_id, private.slugify(new.title), new.id);
  end if;
  return new;
end $$;
create trigger posts_30_slug before insert or update on public.posts for each row execute function private.choose_slug();

create function private.record_slug() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.post_slugs (workspace_id, slug, post_id) values (new.workspace_id, new.slug, new.id)
  on conflict on constraint post_slugs_pkey do nothing;
  return null;
end $$;
create trigger posts_60_first_slug after insert on public.posts for each row execute function private.record_slug();
create trigger posts_60_new_slug after update on public.posts
for each row when (old.slug is distinct from new.slug) execute function private.record_slug();

-- Versions: an integer that every change of title, content, tags, time, status or address raises by one, and that a
-- save which changes nothing leaves alone; each version stays as a revision, written in the same transaction
-- (product decision 7). A clock would not do: two saves within its grain would both win.
create table public.post_revisions (
  post_id uuid not null constraint post_revisions_post_id_fkey references public.posts (id) on delete cascade,
  workspace_id uuid not null,
  version int not null,
  status public.post_status not null,
  title text not null,
  tags text[] not null,
  content_raw jsonb not null,
  publish_at timestamptz,
  author_id uuid,
  author_name text,
  created_at timestamptz not null,
  constraint post_revisions_pkey primary key (post_id, version)
);
alter table public.post_revisions enable row level security;

create policy "members read their posts' revisions" on public.post_revisions for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
-- No insert, update, delete: the trigger below writes it, a purge takes it along.
grant select on public.post_revisions to authenticated;
grant select, insert, update, delete on public.post_revisions to service_role;

create function private.raise_version() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- Nobody acts when the publisher turns a due post to published.
  on_schedule constant boolean := tg_op = 'UPDATE' and old.status = 'scheduled' and new.status = 'published' and new.publish_at is not null;
begin
  if tg_op = 'INSERT' then
    new.version := 1;
    new.created_at := coalesce(new.created_at, now());
    new.created_by := coalesce(auth.uid(), new.created_by);
    new.created_by_name := coalesce(private.my_name(), new.created_by_name);
    new.author_name := coalesce(new.author_name, new.created_by_name);
    new.updated_at := clock_timestamp();
  elsif (new.title, new.content_raw, new.tags, new.publish_at, new.status, new.slug)
    is not distinct from (old.title, old.content_raw, old.tags, old.publish_at, old.status, old.slug) then
    new.version := old.version;
    new.updated_at := old.updated_at;
    return new;
  else
    new.version := old.version + 1;
    -- Published on time reads as edited when it appeared, so that feeds say the same before and after the publisher.
    new.updated_at := case when on_schedule and auth.uid() is null then greatest(old.updated_at, new.publish_at) else clock_timestamp() end;
  end if;
  new.updated_by := auth.uid();
  new.updated_by_name := coalesce(private.my_name(), case when on_schedule then 'Scheduled publishing' else new.created_by_name end);
  return new;
end $$;
create trigger posts_40_version before insert or update on public.posts for each row execute function private.raise_version();

create function private.record_revision() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.post_revisions
    (post_id, workspace_id, version, status, title, tags, content_raw, publish_at, author_id, author_name, created_at)
  values
    (new.id, new.workspace_id, new.version, new.status, new.title, new.tags, new.content_raw, new.publish_at,
     new.updated_by, new.updated_by_name, new.updated_at);
  return null;
end $$;
create trigger posts_50_first_revision after insert on public.posts for each row execute function private.record_revision();
create trigger posts_50_new_revision after update on public.posts
for each row when (old.version is distinct from new.version) execute function private.record_revision();

-- schemas/33-files.sql

-- Which images a post or one of its revisions ever showed, so that a purge knows what nobody else shows; and the
-- files that lost their last use. Files are removed through the Storage service, never by SQL: hosted Storage
-- forbids it, and the bytes would stay. public.discarded_files hands them to the one who does it.
create table private.post_images (
  post_id uuid not null constraint post_images_post_id_fkey references public.posts (id) on delete cascade,
  path text collate "C" not null,
  constraint post_images_pkey primary key (post_id, path)
);
alter table private.post_images enable row level security;
create index post_images_by_path on private.post_images (path); -- "does another post show it?"

create table private.discarded_files (
  bucket text not null,
  path text not null,
  discarded_at timestamptz not null default now(),
  constraint discarded_files_pkey primary key (bucket, path)
);
alter table private.discarded_files enable row level security;

create function private.record_images() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.post_images (post_id, path) select new.id, private.image_paths(new.content_raw, new.workspace_id)
  on conflict on constraint post_images_pkey do nothing;
  return null;
end $$;
create trigger posts_70_first_images after insert on public.posts for each row execute function private.record_images();
create trigger posts_70_new_images after update on public.posts
for each row when (old.content_raw is distinct from new.content_raw) execute function private.record_images();

-- The images only this post shows.
create function private.own_images(post uuid) returns setof text
language sql stable set search_path = '' as $$
  select mine.path from private.post_images mine
  where mine.post_id = post
    and not exists (select from private.post_images other where other.path = mine.path and other.post_id <> post)
$$;

-- A workspace of 10,000 posts must go within the eight seconds that a statement has: its files are queued once, all
-- together (workspaces_discard_their_files), not looked for again with each of its posts.
create function private.discard_images() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.workspaces w where w.id = old.workspace_id) then return old; end if;
  insert into private.discarded_files (bucket, path) select 'post-images', private.own_images(old.id)
  on conflict on constraint discarded_files_pkey do nothing;
  return old;
end $$;
create trigger posts_discard_their_images before delete on public.posts for each row execute function private.discard_images();

-- For the server that empties the queue: what to remove, and, once it is gone, that it is.
create function public.discarded_files(max_rows int default 100) returns table (bucket text, path text)
language sql stable security definer set search_path = '' as $$
  select d.bucket, d.path from private.discarded_files d
  where d.bucket <> 'post-images' or not exists (select from private.post_images i where i.path = d.path)
  order by d.discarded_at, d.bucket, d.path limit least(max_rows, 1000)
$$;
create function public.forget_discarded_files(bucket text, paths text[]) returns int
language plpgsql security definer set search_path = '' as $$
declare
  forgotten int;
begin
  delete from private.discarded_files d where d.bucket = forget_discarded_files.bucket and d.path = any (paths);
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
revoke all on function public.discarded_files(int), public.forget_discarded_files(text, text[]) from public, anon, authenticated;
grant execute on function public.discarded_files(int), public.forget_discarded_files(text, text[]) to service_role;

-- Three public buckets: anybody may fetch a file whose (random) name he knows, nobody lists another's. Rows of
-- storage.objects say who may put and remove: writers the images of their workspace's posts, owners and admins the
-- workspace's logo, everybody his own avatar. The first folder is the workspace's or person's id.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values
  ('post-images', 'post-images', true, 5242880, '{image/png,image/jpeg,image/webp,image/gif}'),
  ('logos', 'logos', true, 5242880, '{image/png,image/jpeg,image/webp,image/gif}'),
  ('avatars', 'avatars', true, 2097152, '{image/png,image/jpeg,image/webp,image/gif}')
on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

-- {id}/{random id}.{extension}: one folder, a name nobody guesses, a type the product shows.
create function private.is_image_path(path text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select path ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(png|jpg|jpeg|webp|gif)$'
$$;
grant execute on function private.is_image_path(text) to authenticated, service_role;

-- Storage says no to a session that has ended, as it does to everybody without the right: its policies know yes and no, no refusals.
-- `case` decides in order, so that nothing is asked on behalf of nobody.
create policy "people see their own and their workspaces' files" on storage.objects for select to authenticated
using (
  case when not (select private.has_session()) then false
    when bucket_id in ('post-images', 'logos') then split_part(name, '/', 1) = any (array(select private.my_workspace_ids()::text))
    else bucket_id = 'avatars' and split_part(name, '/', 1) = (select auth.uid())::text
  end
);
create policy "people add files where they may write" on storage.objects for insert to authenticated
with check (
  private.is_image_path(name) and case when not (select private.has_session()) then false else case bucket_id
    when 'post-images' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin,editor}')::text))
    when 'logos' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin}')::text))
    when 'avatars' then split_part(name, '/', 1) = (select auth.uid())::text
    else false
  end end
);
create policy "people remove files where they may write" on storage.objects for delete to authenticated
using (
  case when not (select private.has_session()) then false else case bucket_id
    when 'post-images' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin,editor}')::text))
    when 'logos' then split_part(name, '/', 1) = any (array(select private.my_workspace_ids('{owner,admin}')::text))
    when 'avatars' then split_part(name, '/', 1) = (select auth.uid())::text
    else false
  end end
);
-- No update: a new image has a new name, so that what was cached under the old one is never wrong.

-- What nobody needs any more: images that no post has ever shown, and invitations that ended unused, both after 30 days.
-- Files wait in private.discarded_files until the API has removed them; a post that shows one again in the meantime keeps it.
create function private.discard_unused_images() returns void
language sql security definer set search_path = '' as $$
  insert into private.discarded_files (bucket, path)
  select o.bucket_id, o.name from storage.objects o
  where o.bucket_id = 'post-images' and o.created_at < now() - interval '30 days'
    and not exists (select from private.post_images i where i.path = o.name)
  on conflict on constraint discarded_files_pkey do nothing;
$$;

-- The file of an avatar or logo goes when another picture, or none, takes its place: queued by the very write that replaces it, so
-- of two uploads at once neither leaves a file behind. Only what lies in the folder of the person or workspace itself: the address
-- of a picture is what its owner says it is. Arguments: bucket, column of the address, column of the owner's id.
create function private.discard_former_picture() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  bucket constant text := tg_argv[0];
  base constant text := '/storage/v1/object/public/' || bucket || '/';
  former constant text := to_jsonb(old) ->> tg_argv[1];
  present constant text := to_jsonb(new) ->> tg_argv[1];
  folder constant text := base || (to_jsonb(old) ->> tg_argv[2]) || '/';
begin
  if starts_with(present, folder) then
    delete from private.discarded_files d where d.bucket = tg_argv[0] and d.path = substr(present, length(base) + 1);
  end if;
  if starts_with(former, folder) and strpos(substr(former, length(folder) + 1), '/') = 0 then
    insert into private.discarded_files (bucket, path) values (bucket, substr(former, length(base) + 1))
    on conflict on constraint discarded_files_pkey do nothing;
  end if;
  return null;
end $$;
create trigger profiles_discard_their_former_avatar after update of avatar_url on public.profiles
for each row when (old.avatar_url is distinct from new.avatar_url)
execute function private.discard_former_picture('avatars', 'avatar_url', 'user_id');
create trigger workspaces_discard_their_former_logo after update of logo_url on public.workspaces
for each row when (old.logo_url is distinct from new.logo_url)
execute function private.discard_former_picture('logos', 'logo_url', 'id');

-- schemas/34-request-keys.sql

-- Safe retries. A call that carries an Idempotency-Key leaves its answer here in the same transaction as its work:
-- a second call with the key gets that answer and does nothing, even when the first answer was lost on the way or
-- both run at once. Kept for a day, one person's keys never meet another's.
create table private.request_keys (
  user_id uuid not null constraint request_keys_user_id_fkey references auth.users (id) on delete cascade,
  key text not null constraint request_keys_key_length check (char_length(key) between 1 and 200),
  fingerprint text not null, -- of what was asked, so that a key is not used for two different things
  answer jsonb,
  created_at timestamptz not null default now(),
  -- What a key remembers goes with the post and the workspace that it is about.
  workspace_id uuid constraint request_keys_workspace_id_fkey references public.workspaces (id) on delete cascade,
  post_id uuid constraint request_keys_post_id_fkey references public.posts (id) on delete cascade,
  constraint request_keys_pkey primary key (user_id, key)
);
alter table private.request_keys enable row level security;
create index request_keys_by_age on private.request_keys (created_at); -- for the daily removal
-- For the two cascades.
create index request_keys_of_workspace on private.request_keys (workspace_id);
create index request_keys_of_post on private.request_keys (post_id);

-- Null: the work is the caller's to do (and to settle). Otherwise the earlier answer. Waits for a first call that is
-- still running with the same key.
create function private.claim_request(request_key text, asked text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  print constant text := encode(sha256(convert_to(asked, 'UTF8')), 'hex');
  earlier private.request_keys;
begin
  if request_key is null then return null; end if;
  if private.my_id() is null then perform private.refuse('unauthenticated'); end if;
  delete from private.request_keys k where k.user_id = private.my_id() and k.key = request_key and k.created_at < now() - interval '1 day';
  insert into private.request_keys (user_id, key, fingerprint) values (private.my_id(), request_key, print)
  on conflict on constraint request_keys_pkey do nothing;
  if found then return null; end if;
  select * into earlier from private.request_keys k where k.user_id = private.my_id() and k.key = request_key;
  if earlier.fingerprint is distinct from print then
    perform private.refuse('validation_failed', '{"idempotency_key": "This key was already used for another request"}');
  end if;
  return earlier.answer || coalesce((
    select jsonb_build_object('content_raw', r.content_raw) from public.post_revisions r
    where r.post_id = earlier.post_id and r.version = (earlier.answer ->> 'version')::int
  ), '{}');
end $$;

-- A post's content is not kept a second time: the version that was answered has it.
create function private.settle_request(request_key text, given jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update private.request_keys k set
    answer = given - 'content_raw',
    workspace_id = (select w.id from public.workspaces w where w.id = coalesce(given ->> 'workspace_id', given ->> 'id')::uuid),
    post_id = (select p.id from public.posts p where p.id = (given ->> 'id')::uuid)
  where k.user_id = auth.uid() and k.key = request_key;
end $$;
grant execute on function private.claim_request(text, text), private.settle_request(text, jsonb) to authenticated, service_role;

-- schemas/35-post-calls.sql

-- The two shapes in which posts leave the database (contract/posts.ts): a summary for every list, and the whole post
-- with its author's present name and picture and whether the public changelog is open. A reader of the post may know
-- its author even when that one has left the team, so the second runs as its owner.
create type public.post_summary as (
  id uuid, workspace_id uuid, title text, slug text, excerpt text, status public.post_status, tags text[],
  publish_at timestamptz, published_at timestamptz, created_at timestamptz, updated_at timestamptz, archived_at timestamptz,
  created_by uuid, created_by_name text, author_name text, version int
);
-- A summary with the number of posts in the whole list.
create type public.listed_post as (
  id uuid, workspace_id uuid, title text, slug text, excerpt text, status public.post_status, tags text[],
  publish_at timestamptz, published_at timestamptz, created_at timestamptz, updated_at timestamptz, archived_at timestamptz,
  created_by uuid, created_by_name text, author_name text, version int, total bigint
);
create type public.full_post as (
  id uuid, workspace_id uuid, title text, slug text, excerpt text, status public.post_status, tags text[],
  publish_at timestamptz, published_at timestamptz, created_at timestamptz, updated_at timestamptz, archived_at timestamptz,
  created_by uuid, created_by_name text, author_name text, version int,
  content_raw jsonb, updated_by_name text, author jsonb, public_changelog_enabled boolean
);

create function private.summary(p public.posts) returns public.post_summary
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return row(p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
    p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version);
end $$;
create function private.whole(p public.posts) returns public.full_post
language plpgsql stable security definer set search_path = '' as $$
begin
  return row(p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
    p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, p.content_raw, p.updated_by_name,
    (select jsonb_build_object('user_id', a.user_id, 'full_name', a.full_name, 'avatar_url', a.avatar_url)
      from public.profiles a where a.user_id = p.created_by),
    (select w.public_changelog_enabled from public.workspaces w where w.id = p.workspace_id));
end $$;
grant execute on function private.summary(public.posts), private.whole(public.posts) to authenticated, service_role;

-- Creating, saving, archiving and purging a post, each one statement as the caller: row-level security says whether
-- he may, the triggers on posts what becomes of it. These add what a bare UPDATE cannot: a patch, compare-and-swap
-- on the version, safe retries, and a reason when nothing was changed.

-- Why a write hit no row: the post is not there for the caller, he may only read it, or his copy is stale.
create function private.explain_refusal(post uuid) returns void
language plpgsql stable set search_path = '' as $$
declare
  present public.posts;
begin
  select * into present from public.posts p where p.id = post;
  if present.id is null then perform private.refuse('not_found'); end if;
  perform private.require_role(present.workspace_id, '{owner,admin,editor}');
  perform private.refuse('version_conflict', jsonb_build_object('version', present.version, 'updated_at', present.updated_at,
    'updated_by_name', coalesce(present.updated_by_name, present.created_by_name, 'Someone')));
end $$;
grant execute on function private.explain_refusal(uuid) to authenticated, service_role;

create function private.text_array(list jsonb) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (
    select coalesce(array_agg(t.item #>> '{}' order by t.place), '{}')
    from jsonb_array_elements(private.as_list(list)) with ordinality as t (item, place)
  );
end $$;
grant execute on function private.text_array(jsonb) to authenticated, service_role;

-- status: null = draft, or scheduled when publish_at is set.
create function public.create_post(
  workspace_id uuid, title text, content_raw jsonb, tags text[] default '{}', publish_at timestamptz default null,
  status text default null, idempotency_key text default null
) returns public.full_post
language plpgsql set search_path = '' as $$
declare
  earlier jsonb;
  made public.posts;
  answer public.full_post;
begin
  perform private.require_role(workspace_id, '{owner,admin,editor}');
  earlier := private.claim_request(idempotency_key, jsonb_build_array('create_post', workspace_id, title, content_raw - 'time', tags, publish_at, status)::text);
  if earlier is not null then return jsonb_populate_record(null::public.full_post, earlier); end if;
  insert into public.posts (workspace_id, title, content_raw, tags, publish_at, status)
  values (workspace_id, title, content_raw, coalesce(tags, '{}'),
    case when status = 'draft' then null else publish_at end, coalesce(status, 'draft')::public.post_status)
  returning * into made;
  answer := private.whole(made);
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
  return answer;
end $$;

-- patch: title, content_raw, tags, publish_at, status, slug; absent = unchanged. expected_version null = 'Save anyway'.
create function public.save_post(post_id uuid, patch jsonb, expected_version int default null, idempotency_key text default null) returns public.full_post
language plpgsql set search_path = '' as $$
declare
  earlier jsonb;
  saved public.posts;
  answer public.full_post;
begin
  earlier := private.claim_request(idempotency_key, jsonb_build_array('save_post', post_id, patch #- '{content_raw,time}', expected_version)::text);
  if earlier is not null then
    perform private.require_role((earlier ->> 'workspace_id')::uuid, '{owner,admin,editor}');
    return jsonb_populate_record(null::public.full_post, earlier);
  end if;
  update public.posts p set
    title = case when patch ? 'title' then patch ->> 'title' else p.title end,
    content_raw = case when patch ? 'content_raw' then patch -> 'content_raw' else p.content_raw end,
    tags = case when patch ? 'tags' then private.text_array(patch -> 'tags') else p.tags end,
    publish_at = case
      when patch ->> 'status' = 'draft' then null -- a draft asked for by name keeps no time
      when patch ? 'publish_at' then (patch ->> 'publish_at')::timestamptz
      else p.publish_at end,
    status = coalesce((patch ->> 'status')::public.post_status, p.status),
    slug = coalesce(patch ->> 'slug', p.slug)
  where p.id = post_id and (expected_version is null or p.version = expected_version)
  returning p.* into saved;
  if saved.id is null then perform private.explain_refusal(post_id); end if;
  answer := private.whole(saved);
  if idempotency_key is not null then perform private.settle_request(idempotency_key, to_jsonb(answer)); end if;
  return answer;
end $$;

create function public.read_post(post_id uuid) returns public.full_post
language plpgsql stable set search_path = '' as $$
declare
  present public.posts;
begin
  select * into present from public.posts p where p.id = post_id;
  if present.id is null then perform private.refuse('not_found'); end if;
  return private.whole(present);
end $$;

-- Out of every list and off the public page at once; archiving twice changes nothing.
create function public.archive_post(post_id uuid) returns public.post_summary
language plpgsql set search_path = '' as $$
declare
  saved public.posts;
begin
  update public.posts p set status = 'archived' where p.id = post_id returning p.* into saved;
  if saved.id is null then perform private.explain_refusal(post_id); end if;
  return private.summary(saved);
end $$;

-- An earlier version's title, tags and content become the post's newest version; its state stays.
create function public.restore_revision(post_id uuid, version int, expected_version int default null) returns public.full_post
language plpgsql set search_path = '' as $$
declare
  wanted public.post_revisions;
begin
  select * into wanted from public.post_revisions r where r.post_id = restore_revision.post_id and r.version = restore_revision.version;
  if wanted.post_id is null then perform private.refuse('not_found'); end if;
  return public.save_post(post_id,
    jsonb_build_object('title', wanted.title, 'tags', wanted.tags, 'content_raw', wanted.content_raw), expected_version);
end $$;

-- The row, its revisions and addresses are gone; answers the paths of images nobody else shows (also queued).
create function public.purge_post(post_id uuid) returns text[]
language plpgsql set search_path = '' as $$
declare
  images constant text[] := array(select private.purged_images(post_id));
begin
  delete from public.posts p where p.id = post_id;
  if not found then perform private.explain_refusal(post_id); end if;
  return images;
end $$;
create function private.purged_images(post uuid) returns setof text
language sql stable security definer set search_path = '' as $$
  select private.own_images(p.id) from public.posts p
  where p.id = post and p.workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}')))
$$;
grant execute on function private.purged_images(uuid) to authenticated, service_role;

revoke all on function public.create_post(uuid, text, jsonb, text[], timestamptz, text, text), public.save_post(uuid, jsonb, int, text),
  public.read_post(uuid), public.archive_post(uuid), public.restore_revision(uuid, int, int), public.purge_post(uuid) from public, anon;
grant execute on function public.create_post(uuid, text, jsonb, text[], timestamptz, text, text), public.save_post(uuid, jsonb, int, text),
  public.read_post(uuid), public.archive_post(uuid), public.restore_revision(uuid, int, int), public.purge_post(uuid) to authenticated, service_role;

-- schemas/36-post-lists.sql

-- Lists of posts for those who write them. They run as the caller; plpgsql keeps their plans, sql would not.

create function private.list_status(status text) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if status is null or status not in ('all', 'draft', 'scheduled', 'published', 'archived') then
    perform private.refuse('validation_failed', '{"status": "Please use all, draft, scheduled, published or archived"}');
  end if;
end $$;
grant execute on function private.list_status(text) to authenticated, service_role;

-- 'all' leaves archived posts out (product decision 6).
-- A scheduled post whose time has come counts as published in every list, whether or not the publisher ran (product
-- decision 4).
create function public.count_posts(workspace_id uuid, status text default 'all') returns bigint
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  perform private.list_status(status);
  if status = 'all' then
    return (select count(*) from public.posts p where p.workspace_id = asked and p.status <> 'archived');
  elsif status = 'published' then
    return (
      select count(*) from public.posts p
      where p.workspace_id = asked and p.status in ('published', 'scheduled') and (p.status = 'published' or p.publish_at <= now())
    );
  end if;
  return (
    select count(*) from public.posts p
    where p.workspace_id = asked and p.status = count_posts.status::public.post_status and (p.status <> 'scheduled' or p.publish_at > now())
  );
end $$;

-- Last edited first. page ≥ 1, page_size 1–100. A page behind the last one has no rows, hence no total: count_posts.
create function public.list_posts(workspace_id uuid, status text default 'all', page int default 1, page_size int default 10)
returns setof public.listed_post
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  total constant bigint := public.count_posts(workspace_id, status);
  size constant int := least(greatest(coalesce(page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(page, 1), 1)::bigint - 1) * size;
begin
  if status = 'all' then
    return query
      select p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
        p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, total
      from public.posts p where p.workspace_id = asked and p.status <> 'archived'
      order by p.updated_at desc, p.id desc limit size offset skip;
  elsif status = 'published' then
    return query
      select p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
        p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, total
      from public.posts p
      where p.workspace_id = asked and p.status <> 'archived' and p.status in ('published', 'scheduled')
        and (p.status = 'published' or p.publish_at <= now())
      order by p.updated_at desc, p.id desc limit size offset skip;
  else
    return query
      select p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
        p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, total
      from public.posts p
      where p.workspace_id = asked and p.status = list_posts.status::public.post_status and (p.status <> 'scheduled' or p.publish_at > now())
      order by p.updated_at desc, p.id desc limit size offset skip;
  end if;
end $$;

-- Scheduled posts of all the caller's workspaces, or of one, soonest first (product decision 12); at most 100. Each
-- workspace is asked by itself, in the order of its index, and only the posts that made it are read; as its owner,
-- because the policy's own condition would make one scan over all of them.
create function public.upcoming_posts(workspace_id uuid default null) returns setof public.post_summary
language plpgsql stable security definer set search_path = '' as $$
declare
  asked uuid[] := array(select private.my_workspace_ids());
begin
  if workspace_id is not null then
    perform private.require_role(workspace_id);
    asked := array[workspace_id];
  end if;
  return query
    select p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
      p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version
    from (
      select soon.id from unnest(asked) as mine (workspace),
        lateral (
          select s.id, s.publish_at from public.posts s
          where s.workspace_id = mine.workspace and s.status = 'scheduled' and s.publish_at > now() order by s.publish_at limit 100
        ) as soon
      order by soon.publish_at, soon.id limit 100
    ) as first join public.posts p on p.id = first.id
    order by p.publish_at, p.id;
end $$;

revoke all on function public.count_posts(uuid, text), public.list_posts(uuid, text, int, int), public.upcoming_posts(uuid) from public, anon;
grant execute on function public.count_posts(uuid, text), public.list_posts(uuid, text, int, int), public.upcoming_posts(uuid)
  to authenticated, service_role;

-- Posts of one workspace whose title, tags or text contain every word of a term, last edited first; archived posts are
-- out. Case, accents and punctuation do not matter. One or two letters find the words that begin with them (an index
-- of three letters knows no less); in scripts without spaces they are looked for anywhere.

-- The words of a term as patterns for private.search_words' text, the longest first, ten at most.
create function private.search_patterns(term text) returns text[]
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return array(
    select case when w.word ~ '^[a-z0-9]{1,2}$' then '% ' else '%' end || w.word || '%'
    from unnest(string_to_array(btrim(private.search_words(term)), ' ')) as w (word) where w.word <> ''
    order by char_length(w.word) desc limit 10
  );
end $$;

-- Substring conditions are not leakproof, so under row-level security they could not use their index: this function
-- runs as its owner and asks for the caller's role once, before it reads anything. A frequent term is found among the
-- latest posts; only when those do not suffice the index is asked, and then few posts of the workspace can match.
create function public.search_posts(workspace_id uuid, term text, max_rows int default 8) returns setof public.post_summary
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant int := least(greatest(coalesce(max_rows, 8), 1), 50);
  patterns constant text[] := private.search_patterns(term);
  -- The index takes no array: it is given the three longest words, the rest is compared afterwards.
  one constant text := patterns[1];
  two constant text := coalesce(patterns[2], '%');
  three constant text := coalesce(patterns[3], '%');
  latest constant int := 200;
  found_ids uuid[];
begin
  perform private.require_role(asked);
  if cardinality(patterns) = 0 then return; end if;
  found_ids := array(
    select r.id from (
      select p.id, p.search_text, p.updated_at from public.posts p
      where p.workspace_id = asked and p.status <> 'archived' order by p.updated_at desc, p.id desc limit latest
    ) as r
    where r.search_text like all (patterns) order by r.updated_at desc, r.id desc limit wanted
  );
  if cardinality(found_ids) < wanted then
    found_ids := array(
      with matching as materialized ( -- all of them by the index, then the order: never the other way round
        select p.id, p.updated_at from public.posts p
        where p.workspace_id = asked and p.status <> 'archived'
          and p.search_text like one and p.search_text like two and p.search_text like three and p.search_text like all (patterns)
      )
      select m.id from matching m order by m.updated_at desc, m.id desc limit wanted
    );
  end if;
  return query
    select p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
      p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version
    from unnest(found_ids) with ordinality as f (id, place) join public.posts p on p.id = f.id
    order by f.place;
end $$;
revoke all on function public.search_posts(uuid, text, int) from public, anon;
grant execute on function public.search_posts(uuid, text, int) to authenticated, service_role;

-- The posts table of the dashboard: one call finds, sorts and pages a workspace's posts, however many there are. A post
-- whose time has come counts as published, whether or not the publisher ran (product decision 4).

-- Everybody who wrote a post that is not archived, once whatever the case, in alphabetical order.
create function private.post_creators(workspace uuid) returns setof text
language plpgsql stable set search_path = '' as $$
declare
  latest record;
begin
  select '' as key, null as name into latest;
  loop
    select lower(private.creator_name(p.author_name, p.created_by_name)) as key, private.creator_name(p.author_name, p.created_by_name) as name
    into latest from public.posts p
    where p.workspace_id = workspace and p.status <> 'archived'
      and lower(private.creator_name(p.author_name, p.created_by_name)) > latest.key
    order by lower(private.creator_name(p.author_name, p.created_by_name)), p.updated_at desc, p.id desc limit 1;
    exit when not found;
    return next latest.name;
  end loop;
end $$;

create function private.has_analytics(workspace uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return exists (select from public.workspace_add_ons a where a.workspace_id = workspace and a.add_on = 'analytics');
end $$;

-- The days whose views count as the last month's begin after this one.
create function private.month_ago() returns date
language plpgsql stable set search_path = '' as $$
begin
  return (now() at time zone 'utc')::date - 30;
end $$;

-- {"total", "posts"}: the posts that a search finds, one page of them. `term` stands in the title or the creator's name,
-- `owner` is the whole name, both whatever the case; null or blank: not asked. `sort`: most_viewed_last_month or
-- recent_activity. Each post has its views of the last 30 days, null without the analytics add-on. As its owner, after
-- asking for the caller's role once: lower() and strpos() could use no index under the policies. The statement is put
-- together of the fixed parts below, so that each search is planned with its own index; values are parameters only.
create function public.find_posts(
  workspace_id uuid, term text default null, owner text default null, status text default 'all',
  sort text default 'recent_activity', page int default 1, page_size int default 10
) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  words constant text := lower(nullif(btrim(term), ''));
  creator constant text := lower(nullif(btrim(owner), ''));
  size constant int := least(greatest(coalesce(page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(page, 1), 1)::bigint - 1) * size;
  analytics constant boolean := private.has_analytics(asked);
  by_name constant text := 'lower(private.creator_name(p.author_name, p.created_by_name))';
  filter text := 'p.workspace_id = $1';
  ranked text := 'public.posts p';
  ranking text := '';
  found_posts json;
  total bigint;
begin
  perform private.require_role(asked);
  perform private.list_status(status);
  if sort is null or sort not in ('most_viewed_last_month', 'recent_activity') then
    perform private.refuse('validation_failed', '{"sort": "Please use most_viewed_last_month or recent_activity"}');
  end if;
  filter := filter || case status
    when 'all' then $f$ and p.status <> 'archived'$f$
    when 'published' then $f$ and (p.status = 'published' or p.status = 'scheduled' and p.publish_at <= now())$f$
    when 'scheduled' then $f$ and p.status = 'scheduled' and p.publish_at > now()$f$
    when 'draft' then $f$ and p.status = 'draft'$f$
    else $f$ and p.status = 'archived'$f$ end;
  -- The indexes hold what is not archived: the condition has to say so to use them.
  if status not in ('all', 'archived') then filter := filter || $f$ and p.status <> 'archived'$f$; end if;
  if creator is not null then filter := filter || ' and ' || by_name || ' = $3'; end if;
  if words is not null then -- spelled out: calling creator_name for every post would take most of the time
    filter := filter || $f$ and (strpos(lower(p.title), $2) > 0
      or strpos(lower(coalesce(nullif(btrim(p.author_name), ''), nullif(btrim(p.created_by_name), ''), 'Unknown')), $2) > 0)$f$;
  end if;
  if sort = 'most_viewed_last_month' then
    ranking := case when analytics then 'coalesce(v.views, 0) desc, ' else 'private.placeholder_views(p.id, p.title) desc, ' end;
    if analytics then ranked := 'public.posts p left join (
      select d.post_id, sum(d.views) as views from public.daily_views d where d.workspace_id = $1 and d.day > private.month_ago() group by d.post_id
    ) as v on v.post_id = p.id'; end if;
  end if;

  execute 'select count(*) from public.posts p where ' || filter into total using asked, words, creator;
  execute 'select coalesce(json_agg(s order by s.place), ''[]'') from (
      select p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
        p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, f.place,
        case when $6 then coalesce((
          select sum(d.views) from public.daily_views d where d.post_id = p.id and d.day > private.month_ago()), 0) end as views
      from (
        select row_number() over () as place, o.id from (
          select p.id from ' || ranked || ' where ' || filter || ' order by ' || ranking || 'p.updated_at desc, p.id desc limit $4 offset $5
        ) as o
      ) as f join public.posts p on p.id = f.id
    ) as s'
  into found_posts using asked, words, creator, size, skip, analytics;
  return json_build_object('total', total, 'posts', found_posts);
end $$;
revoke all on function public.find_posts(uuid, text, text, text, text, int, int) from public, anon;
grant execute on function public.find_posts(uuid, text, text, text, text, int, int) to authenticated, service_role;

-- Some posts of a workspace by their ids, whatever their status, last edited first; at most 100. Those that are not there are left out.
create function public.posts_of(workspace_id uuid, ids uuid[]) returns setof public.post_summary
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  return query
    select p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
      p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version
    from public.posts p where p.id = any (ids) and p.workspace_id = asked
    order by p.updated_at desc, p.id desc limit 100;
end $$;
revoke all on function public.posts_of(uuid, uuid[]) from public, anon;
grant execute on function public.posts_of(uuid, uuid[]) to authenticated, service_role;

-- Everything the dashboard shows, in one call; the keys are those of contract/workspaces.ts. As its owner, after asking
-- for the caller's role once: through the policies each of its parts would ask again.
-- `views`: of the last 30 days, null without the analytics add-on (product decision 8); `creators`: for the table's filter.
create function public.dashboard(workspace_id uuid) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  return json_build_object(
    'recentPosts', coalesce((
      select json_agg(s) from (
        select p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
          p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version
        from public.posts p where p.workspace_id = asked and p.status <> 'archived'
        order by p.updated_at desc, p.id desc limit 20
      ) as s), '[]'),
    'upcomingPosts', coalesce((select json_agg(u) from public.upcoming_posts(asked) as u), '[]'),
    'count', (select count(*) from public.posts p where p.workspace_id = asked and p.status <> 'archived'),
    'hasArchive', exists (select from public.posts p where p.workspace_id = asked and p.status = 'archived'),
    'creators', coalesce((select json_agg(c.name) from private.post_creators(asked) as c (name)), '[]'),
    'memberCount', (select count(*) from public.members m where m.workspace_id = asked),
    'views', case when private.has_analytics(asked) then (
      select coalesce(sum(d.views), 0) from public.daily_views d where d.workspace_id = asked and d.day > private.month_ago()
    ) end,
    'recentActivities', coalesce((
      select json_agg(l) from (
        select a.id::text, a.kind, a.actor_name, a.post_id, a.title, a.created_at from public.activities a
        where a.workspace_id = asked order by a.created_at desc, a.id desc limit 10
      ) as l), '[]'),
    'public_changelog_enabled', (select w.public_changelog_enabled from public.workspaces w where w.id = asked)
  );
end $$;
revoke all on function public.dashboard(uuid) from public, anon;
grant execute on function public.dashboard(uuid) to authenticated, service_role;

-- schemas/37-tags.sql

-- The tags a workspace offers beside the four every workspace has (specification, section 3). Posts carry keys; a row
-- here says how a key is shown. A tag whose key is a default one is ignored, not refused.
create table public.tags (
  workspace_id uuid not null constraint tags_workspace_id_fkey references public.workspaces (id) on delete cascade,
  key text not null constraint tags_key_shape check (key = lower(key) and key ~ '^\S+$' and char_length(key) <= 40),
  label text not null constraint tags_label_length check (char_length(label) between 1 and 40),
  colour text not null default 'blue'
    constraint tags_colour_known check (colour in ('blue', 'green', 'red', 'purple', 'orange', 'gray')),
  created_by uuid,
  created_at timestamptz not null default now(),
  constraint tags_pkey primary key (workspace_id, key)
);
alter table public.tags enable row level security;

create type public.tag as (key text, label text, colour text);

-- Those of contract/tags.ts; a test compares them.
create function private.default_tags() returns setof public.tag
language sql immutable parallel safe set search_path = '' as $$
  values ('feature', 'Feature', 'green'), ('improvement', 'Improvement', 'blue'), ('fix', 'Fix', 'orange'), ('docs', 'Documentation', 'purple')
$$;
grant execute on function private.default_tags() to authenticated, service_role;

-- The key is the label in small letters with hyphens for blanks.
create function private.tag_key(label text) returns text
language sql immutable strict parallel safe set search_path = '' as $$ select replace(lower(private.clean_line(label)), ' ', '-') $$;
grant execute on function private.tag_key(text) to authenticated, service_role;

create function private.tidy_tag() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.label := private.clean_line(new.label);
  if coalesce(new.label, '') = '' then perform private.refuse('validation_failed', '{"label": "A tag needs a name"}'); end if;
  if char_length(new.label) > 40 then perform private.refuse('validation_failed', '{"label": "A tag can have at most 40 characters"}'); end if;
  if tg_op = 'INSERT' then
    new.key := private.tag_key(new.label);
    new.created_by := auth.uid();
    if exists (select from private.default_tags() as d where d.key = new.key) then return null; end if;
  end if;
  return new;
end $$;
create trigger tags_are_tidy before insert or update on public.tags for each row execute function private.tidy_tag();

create policy "members read their workspace's tags" on public.tags for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "writers add tags" on public.tags for insert to authenticated
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));
create policy "writers change tags" on public.tags for update to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))))
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));
create policy "writers delete tags" on public.tags for delete to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin,editor}'))));

grant select, insert (workspace_id, label, colour), update (label, colour), delete on public.tags to authenticated;
grant select, insert, update, delete on public.tags to service_role;

-- The default tags, then the workspace's own by label.
create function public.list_tags(workspace_id uuid) returns setof public.tag
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  return query select d.key, d.label, d.colour from private.default_tags() as d;
  return query select t.key, t.label, t.colour from public.tags t where t.workspace_id = asked order by lower(t.label), t.key;
end $$;

-- The new tag; the one that is there already when its key is taken or a default one.
create function public.create_tag(workspace_id uuid, label text, colour text default 'blue') returns public.tag
language plpgsql set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant text := private.tag_key(label);
  made public.tag;
begin
  perform private.require_role(asked, '{owner,admin,editor}');
  insert into public.tags (workspace_id, label, colour) values (asked, label, coalesce(colour, 'blue'))
  on conflict on constraint tags_pkey do nothing;
  select found_tag.key, found_tag.label, found_tag.colour into made from public.list_tags(asked) as found_tag where found_tag.key = wanted;
  return made;
end $$;
revoke all on function public.list_tags(uuid), public.create_tag(uuid, text, text) from public, anon;
grant execute on function public.list_tags(uuid), public.create_tag(uuid, text, text) to authenticated, service_role;

-- schemas/38-activities.sql

-- What happened in a workspace, one line each, for the dashboard: who, what, when, and the name it had then. Written
-- by triggers, so that nothing happens unseen. Plain edits of one post by one person within an hour are one line.
create table public.activities (
  id bigint generated always as identity constraint activities_pkey primary key,
  workspace_id uuid not null constraint activities_workspace_id_fkey references public.workspaces (id) on delete cascade,
  post_id uuid, -- no reference: the line about a purge outlives the post
  kind text not null constraint activities_kind_known check (kind in (
    'post_created', 'post_updated', 'post_scheduled', 'post_unscheduled', 'post_published', 'post_archived', 'post_restored', 'post_purged',
    'member_joined', 'member_left', 'member_removed', 'role_changed', 'ownership_handed_over', 'changelog_opened', 'changelog_closed'
  )),
  actor_id uuid,
  actor_name text,
  title text not null,
  created_at timestamptz not null default clock_timestamp()
);
alter table public.activities enable row level security;
-- The dashboard's latest lines.
create index activities_recent on public.activities (workspace_id, created_at desc, id desc);
-- "Did this person edit this post within the hour?"
create index activities_edits on public.activities (post_id, actor_id, created_at desc) where kind = 'post_updated';

create policy "members read their workspace's activities" on public.activities for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
-- No insert, update, delete: triggers write it.
grant select on public.activities to authenticated;
grant select, insert, update, delete on public.activities to service_role;

create function private.record_activity(workspace uuid, kind text, title text, post uuid default null) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
begin
  if not exists (select from public.workspaces w where w.id = workspace) then return; end if; -- it is being deleted itself
  insert into public.activities (workspace_id, post_id, kind, actor_id, actor_name, title)
  values (workspace, post, kind, auth.uid(), private.my_name(), title);
end $$;

create function private.record_post_activity() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  what text;
begin
  if tg_op = 'DELETE' then
    perform private.record_activity(old.workspace_id, 'post_purged', old.title, old.id);
    return null;
  elsif tg_op = 'INSERT' then
    what := case new.status when 'published' then 'post_published' when 'scheduled' then 'post_scheduled' else 'post_created' end;
  elsif old.version = new.version then
    return null;
  else
    what := case
      when new.status = old.status and new.status = 'scheduled' and new.publish_at <> old.publish_at then 'post_scheduled'
      when new.status = old.status then 'post_updated'
      when new.status = 'published' then 'post_published'
      when new.status = 'scheduled' then 'post_scheduled'
      when new.status = 'archived' then 'post_archived'
      when old.status = 'archived' then 'post_restored'
      else 'post_unscheduled'
    end;
  end if;
  if what = 'post_updated' then
    update public.activities a set created_at = clock_timestamp(), title = new.title
    where a.id = (
      select e.id from public.activities e
      where e.kind = 'post_updated' and e.post_id = new.id and e.actor_id = auth.uid() and e.created_at > now() - interval '1 hour'
      order by e.created_at desc limit 1
    );
    if found then return null; end if;
  end if;
  perform private.record_activity(new.workspace_id, what, new.title, new.id);
  return null;
end $$;
create trigger posts_80_activity after insert or update or delete on public.posts
for each row execute function private.record_post_activity();

create function private.record_switch_activity() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_activity(new.id, case when new.public_changelog_enabled then 'changelog_opened' else 'changelog_closed' end, new.name);
  return null;
end $$;
create trigger workspaces_record_their_switch after update on public.workspaces
for each row when (old.public_changelog_enabled is distinct from new.public_changelog_enabled)
execute function private.record_switch_activity();

-- schemas/40-public.sql

-- What the world may read, decided in one place: the page, the widget, the feeds and the sitemap all stand on this
-- view. The workspace is open, the post is published or scheduled and its time has come, and it is not archived
-- (product decision 4). Nobody holds a right on the view; the functions below read it for anon.
create view private.visible_posts with (security_invoker = true) as
select
  p.id, p.workspace_id, p.slug, p.title, p.excerpt, p.tags, p.content_raw, p.author_name, p.version,
  coalesce(p.published_at, p.publish_at) as published_at,
  -- That of the content, and no earlier than the publication: publishing is a reader's first version. It is the same before and after the
  -- publisher has been by.
  greatest(p.content_updated_at, coalesce(p.published_at, p.publish_at)) as updated_at
from public.posts p join public.workspaces w on w.id = p.workspace_id
where w.public_changelog_enabled
  and p.status in ('published', 'scheduled')
  and (p.status = 'published' or p.publish_at <= now());

-- The id behind a subdomain, only while the workspace is open.
create function private.open_workspace(label text) returns uuid
language plpgsql stable set search_path = '' as $$
begin
  return (
    select w.id from public.workspaces w where w.subdomain operator (extensions.=) label::extensions.citext and w.public_changelog_enabled
  );
end $$;

-- An open workspace, or no row; version_tag is its public version.
create function private.find_workspace(label text) returns table (
  id uuid, name text, subdomain text, origin text, logo_url text, allowed_origins text[], settings jsonb, version_tag text
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select w.id, w.name, w.subdomain::text, w.origin, w.logo_url, w.allowed_origins, coalesce(s.settings, '{}'), private.public_version(label)
    from public.workspaces w left join public.widget_settings s on s.workspace_id = w.id
    where w.id = private.open_workspace(label);
end $$;

-- One page of an open workspace's releases, newest first, with the number of all. page ≥ 1, page_size 1–100; a page
-- behind the last one has no rows. tag null = any.
create function private.list_releases(subdomain text, page int default 1, page_size int default 10, tag text default null) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, total bigint
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  workspace constant uuid := private.open_workspace(list_releases.subdomain);
  size constant int := least(greatest(coalesce(list_releases.page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(list_releases.page, 1), 1)::bigint - 1) * size;
  wanted constant text[] := array[list_releases.tag];
  amount bigint;
begin
  if workspace is null then return; end if;
  select count(*) into amount from private.visible_posts v
  where v.workspace_id = workspace and (list_releases.tag is null or v.tags @> wanted);
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version, amount
    from private.visible_posts v
    where v.workspace_id = workspace and (list_releases.tag is null or v.tags @> wanted)
    order by v.published_at desc, v.id desc limit size offset skip;
end $$;

-- One release by its present or any older address; moved_to is the present one when the given one is older.
create function private.get_release(subdomain text, address text) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, moved_to text
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version,
      case when v.slug <> s.slug then v.slug end
    from public.post_slugs s join private.visible_posts v on v.id = s.post_id
    where s.workspace_id = private.open_workspace(get_release.subdomain) and s.slug = lower(address);
end $$;

-- The content of some releases of an open workspace. Lists and feeds read everything else first and ask for this only where they have not
-- rendered a version yet: the longest posts a workspace may have must not be carried and parsed at every reading of a list.
create function private.release_contents(subdomain text, ids uuid[]) returns table (id uuid, version int, content_raw jsonb)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select v.id, v.version, v.content_raw from private.visible_posts v
    where v.workspace_id = private.open_workspace(release_contents.subdomain) and v.id = any (release_contents.ids[1:20]);
end $$;

-- For the sitemap: where every release is and when it last changed, newest first; at most 50,000, the format's limit.
create function private.release_addresses(subdomain text) returns table (slug text, updated_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select v.slug, v.updated_at from private.visible_posts v
    where v.workspace_id = private.open_workspace(release_addresses.subdomain)
    order by v.published_at desc, v.id desc limit 50000;
end $$;

grant execute on function private.find_workspace(text), private.list_releases(text, int, int, text), private.get_release(text, text),
  private.release_contents(text, uuid[]), private.release_addresses(text) to anon, authenticated, service_role;

-- How readers find their way in an open workspace's releases: by words, by month, by tag, from one to the next. All of it
-- reads private.visible_posts as private.list_releases does, and like it answers nothing for a workspace that is not open.

-- One page of the releases whose title, tags or text contain every word of a term, newest first; compared as public.search_posts does.
create function private.search_releases(subdomain text, term text, page int default 1, page_size int default 10) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, total bigint
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  workspace constant uuid := private.open_workspace(search_releases.subdomain);
  size constant int := least(greatest(coalesce(search_releases.page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(search_releases.page, 1), 1)::bigint - 1) * size;
  patterns constant text[] := private.search_patterns(search_releases.term);
  one constant text := patterns[1];
  two constant text := coalesce(patterns[2], '%');
begin
  if workspace is null or cardinality(patterns) = 0 then return; end if;
  return query
    with matching as materialized ( -- all of them by the index, then the order: never the other way round
      select p.id from public.posts p where p.workspace_id = workspace
        and p.search_text like one and p.search_text like two and p.search_text like all (patterns)
    )
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version, count(*) over ()
    from private.visible_posts v
    where v.workspace_id = workspace and v.id in (select m.id from matching m)
    order by v.published_at desc, v.id desc limit size offset skip;
end $$;

-- One page of the releases of a month (any day of it names it; months are those of UTC), newest first.
create function private.releases_of_month(subdomain text, month date, page int default 1, page_size int default 10) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, total bigint
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  workspace constant uuid := private.open_workspace(releases_of_month.subdomain);
  size constant int := least(greatest(coalesce(releases_of_month.page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(releases_of_month.page, 1), 1)::bigint - 1) * size;
  first_day constant timestamp := date_trunc('month', releases_of_month.month::timestamp);
begin
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version, count(*) over ()
    from private.visible_posts v
    where v.workspace_id = workspace and v.published_at >= first_day at time zone 'utc'
      and v.published_at < (first_day + interval '1 month') at time zone 'utc'
    order by v.published_at desc, v.id desc limit size offset skip;
end $$;

-- The months that have releases, as YYYY-MM, latest first, and how many each has.
create function private.release_months(subdomain text) returns table (month text, releases int)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select to_char(v.published_at at time zone 'utc', 'YYYY-MM'), count(*)::int
    from private.visible_posts v
    where v.workspace_id = private.open_workspace(release_months.subdomain)
    group by 1 order by 1 desc;
end $$;

-- The tags that releases carry: a tag that only drafts carry is nobody's business. label and colour of the workspace's
-- own tags; null for default ones, and for those whose row is gone.
create function private.release_tags(subdomain text) returns table (key text, label text, colour text)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  workspace constant uuid := private.open_workspace(release_tags.subdomain);
begin
  return query
    select used.key, t.label, t.colour
    from (select distinct unnest(v.tags) as key from private.visible_posts v where v.workspace_id = workspace) as used
    left join public.tags t on t.workspace_id = workspace and t.key = used.key
    order by lower(coalesce(t.label, used.key)), used.key;
end $$;

-- What was published right before and right after a release; null where there is nothing.
create function private.release_neighbours(subdomain text, post uuid) returns table (
  older_slug text, older_title text, newer_slug text, newer_title text
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  workspace constant uuid := private.open_workspace(release_neighbours.subdomain);
  here constant timestamptz := (select v.published_at from private.visible_posts v where v.workspace_id = workspace and v.id = post);
begin
  return query
    select older.slug, older.title, newer.slug, newer.title
    from (select) as one
    left join lateral (
      select v.slug, v.title from private.visible_posts v
      where v.workspace_id = workspace and (v.published_at, v.id) < (here, post)
      order by v.published_at desc, v.id desc limit 1
    ) as older on true
    left join lateral (
      select v.slug, v.title from private.visible_posts v
      where v.workspace_id = workspace and (v.published_at, v.id) > (here, post)
      order by v.published_at, v.id limit 1
    ) as newer on true;
end $$;

grant execute on function private.search_releases(text, text, int, int), private.releases_of_month(text, date, int, int),
  private.release_months(text), private.release_tags(text), private.release_neighbours(text, uuid) to anon, authenticated, service_role;

-- Readers see a tag's label and colour: when they change, private.find_workspace's version_tag has to.
create function private.renew_public_pages() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.workspaces set updated_at = clock_timestamp() where id = coalesce(new.workspace_id, old.workspace_id);
  return null;
end $$;
create trigger tags_change_public_pages after insert or update or delete on public.tags
for each row execute function private.renew_public_pages();

-- How often what the world reads of a workspace has changed: what a reader has is current while the number is the same, so
-- one look at one row answers most requests, however many posts there are. Raised in the transaction that makes the
-- change: whoever sees the number sees the change. Raised last and in the order of ids, so that writers wait for each
-- other and never in a circle.
create table private.public_versions (
  id uuid constraint public_versions_pkey primary key
    constraint public_versions_id_fkey references public.workspaces (id) on delete cascade, -- the workspace's
  version bigint not null default 1
) with (fillfactor = 50); -- a new version finds room on the same page
alter table private.public_versions enable row level security;

create function private.begin_public_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.public_versions (id) values (new.id);
  return null;
end $$;

-- Most saves are of drafts and concern no reader: nothing is asked for them. Where there is something to raise, the
-- statement's plan is kept from call to call.
create function private.raise_public_versions(workspaces uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if cardinality(workspaces) = 0 then return; end if;
  with held as (
    select v.id from private.public_versions v where v.id = any (workspaces) order by v.id for no key update
  )
  update private.public_versions v set version = v.version + 1 from held where v.id = held.id;
end $$;
revoke all on function private.raise_public_versions(uuid[]) from public, anon, authenticated;

create function private.public_posts_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    perform private.raise_public_versions(array(
      select c.workspace_id from changed c where c.status in ('published', 'scheduled')
      union select f.workspace_id from former f where f.status in ('published', 'scheduled')));
  else
    perform private.raise_public_versions(array(
      select distinct c.workspace_id from changed c where c.status in ('published', 'scheduled')));
  end if;
  return null;
end $$;

create function private.public_frame_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  changed constant jsonb := to_jsonb(coalesce(new, old));
begin
  perform private.raise_public_versions(array[coalesce(changed ->> 'workspace_id', changed ->> 'id')::uuid]);
  return null;
end $$;

create trigger workspaces_60_begin_public_version after insert on public.workspaces
for each row execute function private.begin_public_version();
create trigger workspaces_60_raise_public_version after update on public.workspaces
for each row when (old.* is distinct from new.*) execute function private.public_frame_changed();
create trigger posts_60_added_in_public after insert on public.posts
referencing new table as changed for each statement execute function private.public_posts_changed();
create trigger posts_60_changed_in_public after update on public.posts
referencing old table as former new table as changed for each statement execute function private.public_posts_changed();
create trigger posts_60_removed_in_public after delete on public.posts
referencing old table as changed for each statement execute function private.public_posts_changed();

-- Also for what is written past the other triggers, a repair for instance: a page may never be staler than its rows.
alter table public.workspaces enable always trigger workspaces_60_begin_public_version;
alter table public.workspaces enable always trigger workspaces_60_raise_public_version;
alter table public.posts enable always trigger posts_60_added_in_public;
alter table public.posts enable always trigger posts_60_changed_in_public;
alter table public.posts enable always trigger posts_60_removed_in_public;

-- What stands for everything a reader can see of an open workspace; null when there is none. A scheduled post's time comes
-- without a write, so those that are due count as well.
create function private.public_version(label text) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select concat_ws('/', w.id, v.version, (
      select count(*) from public.posts p where p.workspace_id = w.id and p.status = 'scheduled' and p.publish_at <= now()))
    from public.workspaces w join private.public_versions v on v.id = w.id
    where w.subdomain operator (extensions.=) label::extensions.citext and w.public_changelog_enabled
  );
end $$;
grant execute on function private.public_version(text) to anon, authenticated, service_role;

-- schemas/50-invites.sql

-- Invitations: one link, one person, one role. Only the SHA-256 of the 256-bit token is stored, so that whoever reads
-- the table cannot join. An invitation ends when it is used, revoked or expired; to the one who holds the link all
-- three look like a link that never was (product decision 3).
create table public.invites (
  id uuid constraint invites_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint invites_workspace_id_fkey references public.workspaces (id) on delete cascade,
  role public.member_role not null constraint invites_role_not_owner check (role <> 'owner'),
  email extensions.citext constraint invites_email_length check (char_length(email::text) between 3 and 254), -- only for this address
  token_hash bytea not null constraint invites_token_hash_key unique constraint invites_token_hash_length check (octet_length(token_hash) = 32),
  created_by uuid not null,
  created_by_name text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days' constraint invites_expire check (isfinite(expires_at)),
  accepted_at timestamptz,
  accepted_by uuid,
  revoked_at timestamptz,
  mailed_at timestamptz
);
alter table public.invites enable row level security;
create index invites_of_workspace on public.invites (workspace_id, created_at desc); -- the team page's list, the cascade
-- "Whose invitations end with this member?"
create index invites_by_inviter on public.invites (created_by, workspace_id);

create policy "owners and admins read their workspace's invitations" on public.invites for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))));
-- No insert, update, delete: create_invite, accept_invite, revoke_invite.

-- Every column but the hash.
grant select (id, workspace_id, role, email, created_by, created_by_name, created_at, expires_at, accepted_at, accepted_by, revoked_at, mailed_at)
  on public.invites to authenticated;
grant select, insert, update, delete on public.invites to service_role;

-- An invitation is worth what its maker may do now: one that he could no longer make opens nothing. Making one waits for
-- a removal, demotion or hand-over that is under way, and these wait for it, so that none slips through between them.
create function private.may_invite(person uuid, workspace uuid, invited public.member_role) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.members m where m.workspace_id = workspace and m.user_id = person
      and (m.role = 'owner' or m.role = 'admin' and invited <> 'admin')
  );
end $$;

-- Whoever is removed or may no longer invite leaves no open door behind; a former owner no door for admins.
create function private.revoke_invites_of_member() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.invites i set revoked_at = clock_timestamp()
  where i.created_by = old.user_id and i.workspace_id = old.workspace_id and i.accepted_at is null and i.revoked_at is null
    and not private.may_invite(i.created_by, i.workspace_id, i.role);
  return null;
end $$;
create trigger members_take_their_invites_along after delete or update of role on public.members
for each row when (old.role in ('owner', 'admin')) execute function private.revoke_invites_of_member();

-- Repeating the making of an invitation with the same key makes no second one and takes nothing back: the first link
-- stays good. Only a token's hash is kept, so the repeat is told a token of its own that opens the same invitation; who
-- comes first with either uses it up. new_invite's `repeated` and
-- `mailed` keep the function from writing the mail twice.
create table private.more_invite_tokens (
  token_hash bytea constraint more_invite_tokens_pkey primary key,
  invite_id uuid not null constraint more_invite_tokens_invite_id_fkey references public.invites (id) on delete cascade,
  created_at timestamptz not null default now()
);
alter table private.more_invite_tokens enable row level security;
create index more_invite_tokens_of_invite on private.more_invite_tokens (invite_id); -- the cascade

-- Making, reading, accepting and revoking an invitation. All run as their owner: the invited person is no member yet.

-- An invitation as the one who made it gets it: once, with its token.
create type public.new_invite as (
  id uuid, workspace_id uuid, role public.member_role, email text, expires_at timestamptz, created_at timestamptz, token text,
  repeated boolean, mailed boolean
);
-- What the link tells whoever holds it.
create type public.invite_info as (workspace_id uuid, workspace_name text, invited_role public.member_role);

create function private.token_hash(token text) returns bytea
language sql immutable strict parallel safe set search_path = '' as $$ select sha256(convert_to(token, 'UTF8')) $$;

-- The invitation that a token belongs to, whatever became of it; null when there is none.
create function private.invite_of_token(token text) returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(
    (select i.id from public.invites i where i.token_hash = private.token_hash(token)),
    (select m.invite_id from private.more_invite_tokens m where m.token_hash = private.token_hash(token)));
end $$;

-- The invitation, if it is open, or a refusal that is the same for wrong, used, revoked and expired ones.
create function private.require_open_invite(invite_id uuid) returns public.invites
language plpgsql stable set search_path = '' as $$
declare
  invite public.invites;
begin
  select * into invite from public.invites i where i.id = invite_id
    and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
    and private.may_invite(i.created_by, i.workspace_id, i.role);
  if invite.id is null then perform private.refuse('invalid_invitation'); end if;
  return invite;
end $$;
revoke all on function private.require_open_invite(uuid) from public, anon, authenticated;
create function private.open_invite(token text) returns public.invites
language plpgsql stable set search_path = '' as $$
begin
  return private.require_open_invite(private.invite_of_token(token));
end $$;

-- Owners invite admins, editors and viewers; admins editors and viewers. Repeated with the same key, the same
-- invitation gets another token.
create function public.create_invite(
  workspace_id uuid, role text, email text default null, expires_at timestamptz default null, idempotency_key text default null
) returns public.new_invite
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  secret constant text := rtrim(translate(encode(extensions.gen_random_bytes(32), 'base64'), '+/', '-_'), '=');
  address constant text := nullif(btrim(email), '');
  until constant timestamptz := coalesce(expires_at, now() + interval '7 days');
  mine public.member_role;
  earlier jsonb;
  made public.invites;
begin
  -- First the workspace, as its deletion and a hand-over do, then the caller's role: it stays what it is until the end.
  perform from public.workspaces w where w.id = asked for key share;
  perform from public.members m where m.workspace_id = asked and m.user_id = private.my_id() for share;
  mine := private.require_role(asked, '{owner,admin}');
  if role is null or role not in ('admin', 'editor', 'viewer') then
    perform private.refuse('validation_failed', '{"role": "Please choose viewer, editor or admin"}');
  elsif role = 'admin' and mine <> 'owner' then
    perform private.refuse('forbidden');
  elsif not isfinite(until) or until <= now() or until > now() + interval '1 year' then
    perform private.refuse('validation_failed', '{"expires_at": "Please choose a time within the next year"}');
  elsif address is not null and (address !~ '^[^@\s]{1,64}@[^@\s]+\.[^@\s]+$' or char_length(address) > 254) then
    perform private.refuse('validation_failed', '{"email": "Please enter a valid e-mail address"}');
  end if;
  earlier := private.claim_request(idempotency_key, jsonb_build_array('create_invite', asked, role, address, expires_at)::text);
  if earlier is not null then
    select * into made from public.invites i where i.id = (earlier ->> 'id')::uuid;
    insert into private.more_invite_tokens (token_hash, invite_id) values (private.token_hash(secret), made.id);
  else
    insert into public.invites (workspace_id, role, email, token_hash, created_by, created_by_name, expires_at)
    values (asked, role::public.member_role, address, private.token_hash(secret), private.my_id(), private.my_name(), until)
    returning * into made;
    if idempotency_key is not null then
      perform private.settle_request(idempotency_key, jsonb_build_object('id', made.id, 'workspace_id', asked));
    end if;
  end if;
  return row(made.id, made.workspace_id, made.role, made.email::text, made.expires_at, made.created_at, secret, earlier is not null,
    made.mailed_at is not null);
end $$;

-- The mail transport has taken the invitation's mail; said by whoever made the invitation.
create function public.note_invite_mailed(invite_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update public.invites i set mailed_at = clock_timestamp() where i.id = invite_id and i.created_by = private.my_id() and i.mailed_at is null;
  if not found and not exists (select from public.invites i where i.id = invite_id and i.created_by = private.my_id()) then
    perform private.refuse('not_found');
  end if;
end $$;
revoke all on function public.note_invite_mailed(uuid) from public, anon;
grant execute on function public.note_invite_mailed(uuid) to authenticated, service_role;

-- For the invitation page: anybody who holds the link, with or without a session.
create function public.read_invite(token text) returns public.invite_info
language plpgsql stable security definer set search_path = '' as $$
declare
  invite constant public.invites := private.open_invite(token);
begin
  return row(invite.workspace_id, (select w.name from public.workspaces w where w.id = invite.workspace_id), invite.role);
end $$;

-- The caller becomes a member by an invitation; accept_invite and accept_remembered_invite are the two ways to name one. Whoever used this
-- very invitation and is still a member gets the same answer again, so that a lost answer can be asked for again; for everybody else it is
-- spent.
create function private.join_by_invite(invite_id uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  invite public.invites;
begin
  select * into invite from public.invites i where i.id = invite_id for update; -- one at a time
  if invite.accepted_by = private.my_id() and private.my_role(invite.workspace_id) is not null then return invite.workspace_id; end if;
  invite := private.require_open_invite(invite_id);
  if invite.email is not null and not exists (
    select from auth.users u where u.id = private.my_id() and lower(u.email) = lower(invite.email::text)
  ) then perform private.refuse('wrong_invitation_account'); end if;
  if private.my_role(invite.workspace_id) is not null then perform private.refuse('already_member'); end if;
  insert into public.members (workspace_id, user_id, role) values (invite.workspace_id, private.my_id(), invite.role)
  on conflict on constraint members_pkey do nothing;
  if not found then perform private.refuse('already_member'); end if;
  update public.invites i set accepted_at = clock_timestamp(), accepted_by = private.my_id() where i.id = invite.id;
  perform private.record_activity(invite.workspace_id, 'member_joined', private.my_name());
  return invite.workspace_id;
end $$;
revoke all on function private.join_by_invite(uuid) from public, anon, authenticated;

-- By the invitation's token; answers the workspace.
create function public.accept_invite(token text) returns uuid
language plpgsql security definer set search_path = '' as $$
begin
  if private.my_id() is null then perform private.refuse('unauthenticated'); end if;
  return private.join_by_invite(private.invite_of_token(token));
end $$;

-- Revoking what is already over changes nothing.
create function public.revoke_invite(invite_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  workspace constant uuid := (select i.workspace_id from public.invites i where i.id = invite_id);
begin
  if workspace is null then perform private.refuse('not_found'); end if;
  perform private.require_role(workspace, '{owner,admin}');
  update public.invites i set revoked_at = clock_timestamp() where i.id = invite_id and i.accepted_at is null and i.revoked_at is null;
end $$;

revoke all on function public.create_invite(uuid, text, text, timestamptz, text), public.read_invite(text), public.accept_invite(text),
  public.revoke_invite(uuid) from public, anon;
grant execute on function public.create_invite(uuid, text, text, timestamptz, text), public.accept_invite(text), public.revoke_invite(uuid)
  to authenticated, service_role;
grant execute on function public.read_invite(text) to anon, authenticated, service_role;

-- The invitation that an account was signed up with, until its address is confirmed: which one, never its token. The account's
-- metadata would carry it in plain text, into every access token too.
create table private.remembered_invites (
  user_id uuid constraint remembered_invites_pkey primary key
    constraint remembered_invites_user_id_fkey references auth.users (id) on delete cascade,
  invite_id uuid not null constraint remembered_invites_invite_id_fkey references public.invites (id) on delete cascade,
  created_at timestamptz not null default now()
);
alter table private.remembered_invites enable row level security;
create index remembered_invites_of_invite on private.remembered_invites (invite_id); -- the cascade

-- The newest sign-up with an address counts; one without an invitation takes the earlier one's away. Nothing happens to an
-- account whose address is confirmed: anybody can sign up with any address.
create function public.remember_invite(email text, token text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  invite constant uuid := private.invite_of_token(token);
begin
  delete from private.remembered_invites r using auth.users u
  where u.id = r.user_id and u.email = lower(remember_invite.email) and u.email_confirmed_at is null;
  insert into private.remembered_invites (user_id, invite_id)
  select u.id, invite from auth.users u
  where u.email = lower(remember_invite.email) and u.email_confirmed_at is null and invite is not null
  on conflict on constraint remembered_invites_pkey do update set invite_id = excluded.invite_id;
end $$;
revoke all on function public.remember_invite(text, text) from public, anon, authenticated;
grant execute on function public.remember_invite(text, text) to service_role;

-- By the invitation that the caller's account was signed up with; none is refused like a wrong one.
create function public.accept_remembered_invite() returns uuid
language sql security definer set search_path = '' as $$
  select private.join_by_invite((select r.invite_id from private.remembered_invites r where r.user_id = private.my_id()))
$$;
revoke all on function public.accept_remembered_invite() from public, anon;
grant execute on function public.accept_remembered_invite() to authenticated, service_role;

-- schemas/60-widget.sql

-- How a workspace's widget looks and behaves: five optional groups of optional fields (specification, section 3).
-- Absent means the default; unknown groups and fields are refused, so what is stored is what the product knows.
create function private.widget_settings_are_valid(settings jsonb) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select jsonb_typeof(settings) = 'object'
    and not exists (
      select from jsonb_each(settings) as g (name, fields)
      where jsonb_typeof(g.fields) <> 'object'
        or g.name not in ('appearance', 'positioning', 'behaviour', 'customisation', 'contentSettings')
    )
    and not exists (
      select from jsonb_each(settings) as g (name, fields), jsonb_each(case when jsonb_typeof(g.fields) = 'object' then g.fields else '{}' end) as f (name, value)
      where f.value <> 'null' and not case g.name || '.' || f.name
        when 'appearance.theme' then f.value in ('"light"', '"dark"', '"system"')
        when 'positioning.position' then f.value in ('"bottom-right"', '"bottom-left"', '"top-left"', '"top-right"')
        when 'behaviour.autoOpenNewPosts' then jsonb_typeof(f.value) = 'boolean'
        when 'behaviour.animation' then f.value in ('"fade"', '"slide"', '"none"')
        when 'behaviour.delay' then f.value in ('0', '3000', '5000', '10000')
        when 'customisation.widgetSize' then f.value in ('"sm"', '"md"', '"lg"')
        when 'customisation.cornerRadius' then f.value in ('0', '6', '999')
        when 'customisation.fontFamily' then f.value in ('"system"', '"inter"', '"roboto"', '"arial"')
        when 'contentSettings.maxPosts' then jsonb_typeof(f.value) = 'number' and f.value::numeric between 1 and 20 and f.value::numeric % 1 = 0
        when 'contentSettings.showPostAuthor' then jsonb_typeof(f.value) = 'boolean'
        when 'contentSettings.showImages' then jsonb_typeof(f.value) = 'boolean'
        else false
      end
    )
$$;
grant execute on function private.widget_settings_are_valid(jsonb) to authenticated, service_role;

create table public.widget_settings (
  workspace_id uuid constraint widget_settings_pkey primary key
    constraint widget_settings_workspace_id_fkey references public.workspaces (id) on delete cascade,
  settings jsonb not null default '{}' constraint widget_settings_known check (private.widget_settings_are_valid(settings)),
  updated_at timestamptz not null default now()
);
alter table public.widget_settings enable row level security;

create function private.stamp_widget_settings() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := clock_timestamp();
  return new;
end $$;
create trigger widget_settings_are_stamped before insert or update on public.widget_settings
for each row execute function private.stamp_widget_settings();
-- Readers see them: 40-public.sql.
create trigger widget_settings_60_raise_public_version after insert or update or delete on public.widget_settings
for each row execute function private.public_frame_changed();
alter table public.widget_settings enable always trigger widget_settings_60_raise_public_version;

create policy "members read their widget's settings" on public.widget_settings for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "owners and admins make their widget's settings" on public.widget_settings for insert to authenticated
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))));
create policy "owners and admins change their widget's settings" on public.widget_settings for update to authenticated
using (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))))
with check (workspace_id = any (array(select private.my_workspace_ids('{owner,admin}'))));
-- No delete: they go with the workspace.

grant select, insert (workspace_id, settings), update (settings) on public.widget_settings to authenticated;
grant select, insert, update, delete on public.widget_settings to service_role;

-- A partial save: groups and fields that are not named keep their values. Answers all settings.
create function public.save_widget_settings(workspace_id uuid, settings jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  given constant jsonb := settings;
  merged jsonb;
begin
  perform private.require_role(asked, '{owner,admin}');
  if private.widget_settings_are_valid(given) is not true then
    perform private.refuse('validation_failed', '{"settings": "Please check the widget settings"}');
  end if;
  insert into public.widget_settings as w (workspace_id, settings) values (asked, given)
  on conflict on constraint widget_settings_pkey do update set settings = w.settings || (
    select coalesce(jsonb_object_agg(g.name, coalesce(w.settings -> g.name, '{}') || g.fields), '{}') from jsonb_each(excluded.settings) as g (name, fields)
  )
  returning w.settings into merged;
  return merged;
end $$;
revoke all on function public.save_widget_settings(uuid, jsonb) from public, anon;
grant execute on function public.save_widget_settings(uuid, jsonb) to authenticated, service_role;

-- schemas/70-views.sql

-- How often a published post was read: once per reader and day, without cookies (product decision 8). A reader is a
-- hash of his address and browser with a salt of the day; salt and hashes are thrown away the next day, and then
-- nobody can tell who read what, nor whether two days' readers were the same. Only the sums stay.
create table public.daily_views (
  post_id uuid not null constraint daily_views_post_id_fkey references public.posts (id) on delete cascade,
  day date not null,
  views int not null default 0,
  workspace_id uuid not null,
  constraint daily_views_pkey primary key (post_id, day)
);
alter table public.daily_views enable row level security;
create index daily_views_of_workspace on public.daily_views (workspace_id, day) include (post_id, views); -- "most viewed, last month"

create policy "members with the analytics add-on read their views" on public.daily_views for select to authenticated
using (
  workspace_id = any (array(
    select a.workspace_id from public.workspace_add_ons a
    where a.add_on = 'analytics' and a.workspace_id = any (array(select private.my_workspace_ids()))
  ))
);
-- No insert, update, delete: private.count_view.
grant select on public.daily_views to authenticated;
grant select, insert, update, delete on public.daily_views to service_role;

-- Both for one day. Lost in a crash without harm: a reader may count twice that day.
create unlogged table private.view_salts (
  day date constraint view_salts_pkey primary key,
  salt bytea not null default extensions.gen_random_bytes(32)
);
create unlogged table private.view_readers (
  day date not null,
  reader bytea not null,
  constraint view_readers_pkey primary key (day, reader)
);
alter table private.view_salts enable row level security;
alter table private.view_readers enable row level security;

-- Machines that say so. The rest of them is the function's before it calls (no HEAD, no prefetch).
-- CUBOT is a maker of telephones.
create function private.is_bot(user_agent text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(btrim(user_agent), '') = ''
    or user_agent ~* '((?<!cu)bot|crawl|spider|slurp|preview|monitor|uptime|headless|lighthouse|feed|scrap|archiv|validator|facebookexternalhit|embedly|curl|wget|python|java/|go-http|node-fetch|axios|okhttp|httpclient|postman|libwww|phantom)'
$$;

-- Counts a reading of a visible post, at most once per reader and day; answers whether it counted.
-- Readings are told apart by what a client says of its browser, so one client could be as many readers as it likes: from one
-- network at most a thousand readings count at once, and as many again in the course of a day. An office reads less.
-- An older address counts too: a copy of a page that a shared cache keeps, and a widget that was opened before a post got another
-- address, report the one they know.
create function private.count_view(subdomain text, address text, reader_address text, user_agent text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  post constant uuid := (select r.id from private.get_release(subdomain, address) as r);
  salt bytea;
  this_reader bytea;
begin
  if post is null or private.is_bot(user_agent) then return false; end if;
  select s.salt into salt from private.view_salts s where s.day = today;
  if salt is null then
    delete from private.view_salts s where s.day < today;
    delete from private.view_readers r where r.day < today;
    insert into private.view_salts (day) values (today) on conflict on constraint view_salts_pkey do nothing;
    select s.salt into salt from private.view_salts s where s.day = today;
  end if;
  this_reader := sha256(salt || convert_to(concat_ws(E'\n', post, reader_address, user_agent), 'UTF8'));
  if exists (select from private.view_readers r where r.day = today and r.reader = this_reader) then return false; end if;
  if private.take_token('reading.address', encode(salt, 'hex') || reader_address, 1000, interval '1 day') > 0 then return false; end if;
  insert into private.view_readers (day, reader) values (today, this_reader) on conflict on constraint view_readers_pkey do nothing;
  if not found then return false; end if;
  insert into public.daily_views as d (post_id, day, views, workspace_id)
  values (post, today, 1, (select p.workspace_id from public.posts p where p.id = post))
  on conflict on constraint daily_views_pkey do update set views = d.views + 1;
  return true;
end $$;
grant execute on function private.count_view(text, text, text, text) to anon, service_role;

-- Views of the last 30 days by post, most viewed first; empty without the analytics add-on.
create function public.post_views(workspace_id uuid) returns table (post_id uuid, views bigint)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := post_views.workspace_id;
begin
  perform private.require_role(asked);
  return query
    select d.post_id, sum(d.views) from public.daily_views d
    where d.workspace_id = asked and d.day > (now() at time zone 'utc')::date - 30
    group by d.post_id order by 2 desc, 1;
end $$;
revoke all on function public.post_views(uuid) from public, anon;
grant execute on function public.post_views(uuid) to authenticated, service_role;

-- schemas/80-live.sql

-- Live updates. Topic workspace:{id}: the database announces what changed, members listen. Topic
-- presence:{workspace}:{post}: members who have the post open tell each other. Both private channels of Realtime,
-- which asks the policies on realtime.messages as the person who wants to join.
-- Realtime asks when a channel is joined or its token changes; it knows yes and no, no refusals.
create function private.may_join(topic text, speaking boolean) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  part constant text[] := string_to_array(topic, ':');
  workspace uuid;
begin
  if topic !~ '^(workspace:[0-9a-f-]{36}|presence:[0-9a-f-]{36}:[0-9a-f-]{36})$' then return false; end if;
  if not private.has_session() then return false; end if;
  workspace := part[2]::uuid;
  if private.my_role(workspace) is null then return false; end if;
  if part[1] = 'workspace' then return not speaking; end if; -- only the database speaks there
  return exists (select from public.posts p where p.id = part[3]::uuid and p.workspace_id = workspace);
exception when invalid_text_representation then
  return false;
end $$;
grant execute on function private.may_join(text, boolean) to authenticated, service_role;

create policy "members listen to their workspace and its posts" on realtime.messages for select to authenticated
using (private.may_join((select realtime.topic()), false));
create policy "members speak where a post is open" on realtime.messages for insert to authenticated
with check (private.may_join((select realtime.topic()), true));

-- Sent inside the transaction, delivered after its commit: what is rolled back is never announced. Nothing is sent
-- where there is no Realtime, and a fault there never fails a save.
create function private.announce(workspace uuid, event text, payload jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is not null then
    perform realtime.send(payload, event, 'workspace:' || workspace, true);
  end if;
exception when others then
  raise warning 'announcement of % not sent: %', event, sqlerrm;
end $$;

-- What is announced of a post is that it changed, not how it reads now: on hosted Supabase a channel's rights hold until its token
-- changes, so that who was removed goes on hearing it for up to an hour. Who listens asks for the posts that were named, and every
-- question asks for membership anew. Events post-upserted { workspace_id, post_id, version } and
-- post-removed { workspace_id, post_id }.
create function private.announce_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    if not exists (select from public.workspaces w where w.id = old.workspace_id) then return null; end if; -- it goes itself: its members hear that
    perform private.announce(old.workspace_id, 'post-removed', jsonb_build_object('workspace_id', old.workspace_id, 'post_id', old.id));
  elsif tg_op = 'INSERT' or old.version <> new.version then
    perform private.announce(new.workspace_id, 'post-upserted', jsonb_build_object('workspace_id', new.workspace_id, 'post_id', new.id,
      'version', new.version));
  end if;
  return null;
end $$;
create trigger posts_90_announce after insert or update or delete on public.posts for each row execute function private.announce_post();

-- Event member-left { workspace_id, user_id }: whoever holds a socket for that person closes it.
create function private.announce_departure() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.announce(old.workspace_id, 'member-left', jsonb_build_object('workspace_id', old.workspace_id, 'user_id', old.user_id));
  return null;
end $$;
create trigger members_90_announce after delete on public.members for each row execute function private.announce_departure();

-- Event session-ended { workspace_id, user_id }: whoever holds a socket for that person asks whether its session is still there.
create function private.announce_session_end() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.announce(m.workspace_id, 'session-ended', jsonb_build_object('workspace_id', m.workspace_id, 'user_id', old.user_id))
  from public.members m where m.user_id = old.user_id;
  return null;
end $$;
-- The table is the auth service's. Where it lets nobody add a trigger, sockets hear of the end when they ask next (25 s).
do $$
begin
  if has_table_privilege('auth.sessions', 'trigger') then
    create trigger sessions_announce_their_end after delete on auth.sessions
    for each row execute function private.announce_session_end();
  end if;
end $$;

-- schemas/85-leaving.sql

-- A workspace's way out: everything of it as one JSON document, and its deletion. supabase/sql holds the same two for
-- whoever runs the installation.

-- Whatever way a workspace goes, its files are queued for removal, including those no post ever showed.
create function private.discard_files() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.discarded_files (bucket, path)
  select o.bucket_id, o.name from storage.objects o
  where o.bucket_id in ('post-images', 'logos') and o.name like old.id || '/%'
  on conflict on constraint discarded_files_pkey do nothing;
  return old;
end $$;
create trigger workspaces_discard_their_files before delete on public.workspaces for each row execute function private.discard_files();

-- The owner, by typing its name (product decision 18). Everything goes; the subdomain stays blocked for 30 days.
create function public.delete_workspace(workspace_id uuid, name text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked, '{owner}');
  if not exists (select from public.workspaces w where w.id = asked and w.name = private.clean_line(delete_workspace.name)) then
    perform private.refuse('validation_failed', '{"name": "Please type the name of the workspace"}');
  end if;
  delete from public.workspaces w where w.id = asked;
end $$;

revoke all on function public.delete_workspace(uuid, text) from public, anon;
grant execute on function public.delete_workspace(uuid, text) to authenticated, service_role;

-- A workspace's way out, however long its history: page after page, because no value of Postgres holds more than a
-- gigabyte (as jsonb a quarter of it) and no statement may take longer than a few seconds. /api puts the pages together
-- into one document, for whoever runs the installation private.export_document does. Secrets (the hashes of
-- invitation tokens) are left out.

-- What reads a part: the row's place in the order, which never changes, and the row. $1 the workspace, $2 the place after
-- which to begin (null: at the start), $3 how many rows. Posts and versions are ordered by their keys alone and their
-- content is fetched afterwards, one by one.
create function private.export_query(part text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select case part
    when 'workspace' then $q$ select '[]'::jsonb, to_jsonb(w) from public.workspaces w where w.id = $1 and $2 is null limit $3 $q$
    when 'widget_settings' then $q$
      select '[]'::jsonb, s.settings from public.widget_settings s where s.workspace_id = $1 and $2 is null limit $3 $q$
    when 'members' then $q$
      select jsonb_build_array(m.created_at, m.user_id), to_jsonb(m) || jsonb_build_object('full_name', p.full_name, 'email', u.email)
      from public.members m join public.profiles p on p.user_id = m.user_id join auth.users u on u.id = m.user_id
      where m.workspace_id = $1 and ($2 is null or (m.created_at, m.user_id) > (($2 ->> 0)::timestamptz, ($2 ->> 1)::uuid))
      order by m.created_at, m.user_id limit $3 $q$
    when 'posts' then $q$
      select jsonb_build_array(k.created_at, k.id), r.line from (
        select p.created_at, p.id from public.posts p
        where p.workspace_id = $1 and ($2 is null or (p.created_at, p.id) > (($2 ->> 0)::timestamptz, ($2 ->> 1)::uuid))
        order by p.created_at, p.id limit $3
      ) as k, lateral (select to_jsonb(p) as line from public.posts p where p.id = k.id offset 0) as r order by k.created_at, k.id $q$
    when 'post_revisions' then $q$
      select jsonb_build_array(k.post_id, k.version), r.line from (
        select v.post_id, v.version from public.posts p join public.post_revisions v on v.post_id = p.id
        where p.workspace_id = $1
          and ($2 is null or p.id >= ($2 ->> 0)::uuid and (v.post_id, v.version) > (($2 ->> 0)::uuid, ($2 ->> 1)::int))
        order by v.post_id, v.version limit $3
      ) as k, lateral (
        select to_jsonb(v) as line from public.post_revisions v where v.post_id = k.post_id and v.version = k.version offset 0
      ) as r order by k.post_id, k.version $q$
    when 'post_slugs' then $q$
      select jsonb_build_array(s.slug), to_jsonb(s) from public.post_slugs s
      where s.workspace_id = $1 and ($2 is null or s.slug > $2 ->> 0) order by s.slug limit $3 $q$
    when 'tags' then $q$
      select jsonb_build_array(t.key), to_jsonb(t) from public.tags t
      where t.workspace_id = $1 and ($2 is null or t.key > $2 ->> 0) order by t.key limit $3 $q$
    when 'invites' then $q$
      select jsonb_build_array(i.created_at, i.id), to_jsonb(i) - 'token_hash' from public.invites i
      where i.workspace_id = $1 and ($2 is null or (i.created_at, i.id) > (($2 ->> 0)::timestamptz, ($2 ->> 1)::uuid))
      order by i.created_at, i.id limit $3 $q$
    when 'add_ons' then $q$
      select jsonb_build_array(a.add_on), to_jsonb(a) from public.workspace_add_ons a
      where a.workspace_id = $1 and ($2 is null or a.add_on > $2 ->> 0) order by a.add_on limit $3 $q$
    when 'upgrade_requests' then $q$
      select jsonb_build_array(r.created_at, r.id), to_jsonb(r) from public.upgrade_requests r
      where r.workspace_id = $1 and ($2 is null or (r.created_at, r.id) > (($2 ->> 0)::timestamptz, ($2 ->> 1)::uuid))
      order by r.created_at, r.id limit $3 $q$
    when 'activities' then $q$
      select jsonb_build_array(a.id), to_jsonb(a) from public.activities a
      where a.workspace_id = $1 and ($2 is null or a.id > ($2 ->> 0)::bigint) order by a.id limit $3 $q$
    when 'daily_views' then $q$
      select jsonb_build_array(d.day, d.post_id), to_jsonb(d) from public.daily_views d
      where d.workspace_id = $1 and ($2 is null or (d.day, d.post_id) > (($2 ->> 0)::date, ($2 ->> 1)::uuid))
      order by d.day, d.post_id limit $3 $q$
    when 'files' then $q$
      select jsonb_build_array(o.bucket_id, o.name), jsonb_build_object('bucket', o.bucket_id, 'path', o.name) from storage.objects o
      where o.bucket_id in ('post-images', 'logos') and o.name like $1 || '/%'
        and ($2 is null or (o.bucket_id, o.name) > ($2 ->> 0, $2 ->> 1))
      order by o.bucket_id, o.name limit $3 $q$
  end
$$;

-- Rows of a part as JSON, commas between them, until there are `enough` bytes or 5,000 rows; and the place after which
-- the next page begins, null when there is none.
-- Whoever hands a page on, as the embedded stack does, should not be busy with it for long.
create function private.export_page(workspace uuid, part text, after jsonb, enough int default 1048576, out lines text, out next jsonb)
language plpgsql stable set search_path = '' as $$
declare
  most constant int := 5000;
  source refcursor;
  place jsonb;
  line text;
  page text[] := '{}';
  size bigint := 0;
begin
  open source for execute private.export_query(part) using workspace, after, most;
  loop
    fetch source into place, line;
    exit when not found;
    page := array_append(page, line);
    size := size + octet_length(line);
    if size >= enough or cardinality(page) = most then
      next := place;
      exit;
    end if;
  end loop;
  close source;
  lines := array_to_string(page, ',');
end $$;

-- For /api, the owner alone: one page as a JSON array. The header x-next-rows says what to send as `after` for the next one.
create function public.export_rows(workspace_id uuid, part text, after text default null) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  page record;
begin
  perform private.require_role(workspace_id, '{owner}');
  select * into page from private.export_page(workspace_id, part, convert_from(decode(after, 'hex'), 'UTF8')::jsonb);
  if page.next is not null then
    perform set_config('response.headers',
      jsonb_build_array(jsonb_build_object('x-next-rows', encode(convert_to(page.next::text, 'UTF8'), 'hex')))::text, true);
  end if;
  return ('[' || page.lines || ']')::json;
end $$;
revoke all on function public.export_rows(uuid, text, text) from public, anon;
grant execute on function public.export_rows(uuid, text, text) to authenticated, service_role;

-- The whole document in pieces, as of the moment at which the statement began.
create function private.export_document(workspace uuid, enough int default 4194304) returns setof text
language plpgsql stable set search_path = '' as $$
declare
  part text;
  page record;
begin
  if not exists (select from public.workspaces w where w.id = workspace) then return; end if;
  return next '{"format": "tidings-workspace-1", "exported_at": ' || to_jsonb(now())::text;
  foreach part in array '{workspace,widget_settings}'::text[] loop
    return next ', "' || part || '": ' || coalesce(nullif((private.export_page(workspace, part, null)).lines, ''), '{}');
  end loop;
  foreach part in array '{members,posts,post_revisions,post_slugs,tags,invites,add_ons,upgrade_requests,activities,daily_views,files}'::text[] loop
    select * into page from private.export_page(workspace, part, null, enough);
    return next ', "' || part || '": [' || page.lines;
    while page.next is not null loop
      select * into page from private.export_page(workspace, part, page.next, enough);
      if page.lines <> '' then return next ',' || page.lines; end if;
    end loop;
    return next ']';
  end loop;
  return next '}';
end $$;

-- schemas/90-limits.sql

-- How often somebody did something lately, counted where all function instances meet. A bucket of `size` tokens fills
-- again evenly over `period`; each call takes one. Keys are stored hashed: an address is nobody's business later.
-- What the key is, is the caller's matter: it must come from the connection or the token, never from a header that
-- the client writes.
create unlogged table private.rate_limits ( -- lost in a crash without harm
  bucket text not null,
  key bytea not null,
  tokens double precision not null,
  granted boolean not null, -- what the last call was told
  updated_at timestamptz not null,
  full_at timestamptz not null, -- from then on the row says nothing
  constraint rate_limits_pkey primary key (bucket, key)
);
alter table private.rate_limits enable row level security;
create index rate_limits_full on private.rate_limits (full_at); -- for the removal

-- 0 when the call may go on, else the seconds until one may. One statement: equal callers queue on the row.
create function private.take_token(bucket text, key text, size int, period interval) returns int
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
    -- A refused call takes nothing: whoever keeps trying is not locked out for longer.
    select now_has - (now_has >= 1)::int, now_has >= 1, greatest(moment, r.updated_at), moment + make_interval(secs => (size + 1 - now_has) / rate)
    from least(size, r.tokens + rate * greatest(extract(epoch from moment - r.updated_at), 0)::double precision) as now_has
  )
  returning r.* into state;
  return case when state.granted then 0 else ceil((1 - state.tokens) / rate) end;
end $$;
revoke all on function private.take_token(text, text, int, interval) from public, anon, authenticated;
grant execute on function private.take_token(text, text, int, interval) to service_role;

-- The same for functions that speak to the API, not to Postgres.
create function public.take_token(bucket text, key text, size int, period_seconds int) returns int
language sql security definer set search_path = '' as $$
  select private.take_token(bucket, key, size, make_interval(secs => period_seconds))
$$;
revoke all on function public.take_token(text, text, int, int) from public, anon, authenticated;
grant execute on function public.take_token(text, text, int, int) to service_role;

-- Gives a token back that take_token took, for calls that count only when they fail: a right password is no guess.
create function public.give_back_token(bucket text, key text, size int) returns void
language sql security definer set search_path = '' as $$
  update private.rate_limits r set tokens = least(give_back_token.size, r.tokens + 1)
  where r.bucket = give_back_token.bucket and r.key = sha256(convert_to(give_back_token.key, 'UTF8'))
$$;
revoke all on function public.give_back_token(text, text, int) from public, anon, authenticated;
grant execute on function public.give_back_token(text, text, int) to service_role;

-- schemas/91-jobs.sql

-- Turns posts whose time has come from scheduled to published. Readers see them without it (private.visible_posts);
-- it makes the rows say so, with one activity and one announcement each. Any number of callers share the work:
-- each takes rows nobody else holds. A ticker calls it on the embedded stack, pg_cron where there is one.
create function private.publish_due_posts(batch int default 200) returns int
language plpgsql security definer set search_path = '' as $$
declare
  published int;
begin
  with due as (
    select p.id from public.posts p where p.status = 'scheduled' and p.publish_at <= clock_timestamp()
    order by p.publish_at limit batch for update skip locked
  )
  update public.posts p set status = 'published' from due where p.id = due.id;
  get diagnostics published = row_count;
  return published;
end $$;
grant execute on function private.publish_due_posts(int) to service_role;

do $$
begin
  if exists (select from pg_available_extensions where name = 'pg_cron') then
    create extension if not exists pg_cron;
    perform cron.schedule('publish-due-posts', '* * * * *', 'select private.publish_due_posts()');
  end if;
end $$;

-- Removes what has served: answers kept for retries, full rate-limit buckets, yesterday's readers, subdomains whose
-- block is over. Nothing breaks when it does not run. Hourly by pg_cron where there is one, else by the ticker.
-- A week after an invitation was accepted nobody needs the address it went to.
create function private.tidy_up() returns void
language sql security definer set search_path = '' as $$
  delete from private.request_keys k where k.created_at < now() - interval '1 day';
  delete from private.rate_limits r where r.full_at < now();
  delete from private.view_salts s where s.day < (now() at time zone 'utc')::date;
  delete from private.view_readers r where r.day < (now() at time zone 'utc')::date;
  delete from private.released_subdomains r where r.released_at < now() - interval '30 days';
  delete from public.invites i where i.accepted_at is null and least(i.revoked_at, i.expires_at) < now() - interval '30 days';
  update public.invites i set email = null where i.email is not null and i.accepted_at < now() - interval '7 days';
  select private.discard_unused_images();
$$;
grant execute on function private.tidy_up() to service_role;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    perform cron.schedule('tidy-up', '17 * * * *', 'select private.tidy_up()');
  end if;
end $$;

-- pg_cron keeps a record of every run and forgets none: two jobs make some 1,500 rows a day. A week is enough to look back.
do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    perform cron.schedule('forget-job-records', '23 3 * * *',
      'delete from cron.job_run_details where end_time < now() - interval ''7 days''');
  end if;
end $$;
