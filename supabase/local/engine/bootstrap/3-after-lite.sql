-- Adds hosted's definitions and grants to lite's schemas; runs as supabase_admin after lite created auth and storage.

-- lite only sets request.jwt.claim.sub; hosted also reads request.jwt.claims.
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

grant all on all tables in schema storage to anon, authenticated, service_role;
grant all on all tables in schema auth to postgres;
-- Only the service and postgres can access these tables, whatever is granted.
do $$
declare
  entry record;
begin
  for entry in select tablename from pg_catalog.pg_tables where schemaname = 'auth' loop
    execute format('alter table auth.%I enable row level security', entry.tablename);
  end loop;
end
$$;
-- Numbered by the database like hosted; lite would insert a text (lite/statements.ts).
do $$
begin
  if (select atttypid from pg_catalog.pg_attribute where attrelid = 'auth.refresh_tokens'::regclass and attname = 'id') = 'text'::regtype then
    create sequence auth.refresh_tokens_id_seq;
    alter table auth.refresh_tokens
      alter column id drop default,
      alter column id type bigint using nextval('auth.refresh_tokens_id_seq'),
      alter column id set default nextval('auth.refresh_tokens_id_seq');
    alter sequence auth.refresh_tokens_id_seq owned by auth.refresh_tokens.id;
  end if;
end
$$;
grant usage, select on sequence auth.refresh_tokens_id_seq to postgres;

-- postgres gets these memberships during migrations: see database.ts.
grant usage, create on schema storage to supabase_storage_admin;
do $$
declare
  entry record;
begin
  for entry in select tablename from pg_catalog.pg_tables where schemaname = 'storage' loop
    execute format('alter table storage.%I owner to supabase_storage_admin', entry.tablename);
  end loop;
end
$$;

-- Only Storage can delete objects (it sets a flag per statement): a row deleted by SQL would leave its file.
create or replace function storage.protect_delete() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
    raise exception using errcode = '42501', message = 'rows of storage are deleted by its API alone';
  end if;
  return null;
end
$$;
create or replace trigger protect_buckets_delete before delete on storage.buckets for each statement execute function storage.protect_delete();
create or replace trigger protect_objects_delete before delete on storage.objects for each statement execute function storage.protect_delete();

-- The migration history belongs to the role that runs migrations.
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
alter schema supabase_migrations owner to postgres;
alter table supabase_migrations.schema_migrations owner to postgres;
