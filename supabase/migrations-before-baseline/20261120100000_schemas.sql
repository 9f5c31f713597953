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
