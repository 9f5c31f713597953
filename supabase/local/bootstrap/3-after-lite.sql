-- Brings lite's schemas to hosted's definitions and rights; runs as supabase_admin after lite has made auth and storage.

-- lite reads only request.jwt.claim.sub; hosted also reads the whole claims.
create or replace function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
  )::uuid
$$;
create or replace function auth.role() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
  )
$$;
create or replace function auth.email() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.email', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
  )
$$;
create or replace function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim', true), ''), nullif(current_setting('request.jwt.claims', true), ''))::jsonb
$$;
grant usage on schema auth, storage to anon, authenticated, service_role, postgres;
grant execute on function auth.uid(), auth.role(), auth.jwt(), auth.email() to public;

-- Row-level security decides, as on hosted.
grant all on all tables in schema storage to anon, authenticated, service_role;
-- References and triggers on auth.users.
grant all on all tables in schema auth to postgres;

-- Membership stands in for supautils.policy_grants: postgres may write policies on tables it does not own.
grant usage, create on schema storage to supabase_storage_admin;
grant supabase_storage_admin, supabase_realtime_admin to postgres;
do $$
declare
  entry record;
begin
  for entry in select tablename from pg_catalog.pg_tables where schemaname = 'storage' loop
    execute format('alter table storage.%I owner to supabase_storage_admin', entry.tablename);
  end loop;
end
$$;

-- The history of migrations belongs to the role that runs them.
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
alter schema supabase_migrations owner to postgres;
alter table supabase_migrations.schema_migrations owner to postgres;
