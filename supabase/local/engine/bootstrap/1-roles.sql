-- Roles, schemas and extensions of the supabase/postgres image.
-- Runs as supabase_admin at every start; idempotent.
do $$
begin
  if to_regrole('anon') is null then create role anon nologin; end if;
  if to_regrole('authenticated') is null then create role authenticated nologin; end if;
  if to_regrole('service_role') is null then create role service_role nologin bypassrls; end if;
  if to_regrole('authenticator') is null then create role authenticator nologin noinherit; end if;
  if to_regrole('supabase_auth_admin') is null then create role supabase_auth_admin nologin; end if;
  if to_regrole('supabase_storage_admin') is null then create role supabase_storage_admin nologin; end if;
  if to_regrole('supabase_realtime_admin') is null then create role supabase_realtime_admin nologin; end if;
  if to_regrole('postgres') is null then
    create role postgres login nosuperuser createdb createrole bypassrls;
    -- Runs once, so migrations can revoke. Like hosted, grants new objects in public to the API roles, so tests notice a missing revoke.
    grant usage on schema public to anon, authenticated, service_role;
    alter default privileges for role postgres in schema public grant all on tables to anon, authenticated, service_role;
    alter default privileges for role postgres in schema public grant all on sequences to anon, authenticated, service_role;
    alter default privileges for role postgres in schema public grant all on functions to anon, authenticated, service_role;
  end if;
end
$$;

create schema if not exists extensions;
grant usage on schema extensions to public;
grant usage, create on schema extensions to postgres;
create extension if not exists pgcrypto with schema extensions;
create extension if not exists "uuid-ossp" with schema extensions;
alter database postgres set search_path = "$user", public, extensions;

-- Migrations run as postgres: not a superuser, but owner of schema public and member of the API roles.
grant create on database postgres to postgres;
grant anon, authenticated, service_role to postgres with admin option;
alter database postgres owner to postgres;
alter schema public owner to pg_database_owner;
