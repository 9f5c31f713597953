-- public is what the API exposes, private only functions reach, extensions holds extensions. Hosted projects grant every new object in public to the
-- API roles; that default is revoked here, so each table and function is closed until it is granted.

alter default privileges in schema public revoke all on tables from public, anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from public, anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from public, anon, authenticated, service_role;
alter default privileges revoke execute on functions from public; -- this grant isn't per schema

create schema if not exists extensions;
create extension if not exists citext with schema extensions; -- subdomains
create extension if not exists pgcrypto with schema extensions; -- tokens and hashes
create extension if not exists unaccent with schema extensions; -- slugs
create extension if not exists pg_trgm with schema extensions; -- search
create extension if not exists btree_gin with schema extensions; -- search within a workspace

create schema private;
revoke all on schema private from public;
grant usage on schema private to anon, authenticated, service_role;
grant usage on schema public to anon, authenticated, service_role;

-- Fields of composite types are not null unless their comment says null; contract/database.ts is generated from that.

create type public.member_role as enum ('owner', 'admin', 'editor', 'viewer');
create type public.post_status as enum ('draft', 'scheduled', 'published', 'archived');

-- Raises a refusal: SQLSTATE P0001 unless `state` says otherwise, message for people, code as hint, JSON as detail (validation_failed: field →
-- message). contract/errors.ts has the same codes and messages; a test compares them.
create function private.refuse(code text, detail jsonb default null, state text default 'P0001') returns void
language plpgsql set search_path = '' as $$
declare
  sentence constant text := case code
    when 'unauthenticated' then 'Please sign in to continue.'
    when 'second_factor_required' then 'Two-factor authentication is required here.'
    when 'single_sign_on_required' then 'Sign in with single sign-on to open this workspace.'
    when 'single_sign_on_unavailable' then 'Single sign-on isn''t set up for this email address.'
    when 'single_sign_on_refused' then 'This account can''t join the workspace. Ask its owner for an invitation.'
    when 'forbidden' then 'Your role in this workspace doesn''t allow this.'
    when 'workspace_suspended' then 'This workspace is suspended. You can read and export it, but not change it.'
    when 'scope_missing' then 'This API key isn''t allowed to do this.'
    when 'not_found' then 'Not found, or you don''t have access.'
    when 'subdomain_taken' then 'This subdomain is already taken.'
    when 'subdomain_reserved' then 'This subdomain is reserved. Please choose another one.'
    when 'domain_taken' then 'Another workspace already uses this domain.'
    when 'slug_taken' then 'Another post in this workspace already uses this URL.'
    when 'version_conflict' then 'Post updated elsewhere'
    when 'published_post_locked' then 'Published posts cannot be scheduled or moved back to draft status'
    when 'archived_post_locked' then 'This post is archived. Restore it before you change it.'
    when 'review_required' then 'A second person has to approve posts before readers see them. Ask for approval first.'
    when 'own_review' then 'You can''t approve your own post.'
    when 'review_over' then 'This has already been decided.'
    when 'template_name_taken' then 'Another template already has this name.'
    when 'too_many_templates' then 'A workspace can have 100 templates. Delete one first.'
    when 'already_member' then 'This person is already a member of the workspace.'
    when 'too_many_webhooks' then 'A workspace can have 100 webhooks. Delete one first.'
    when 'webhook_off' then 'This webhook is off. Turn it on first.'
    when 'too_many_factors' then 'You can have {{factorsPerPerson}} authenticator apps. Remove one first.'
    when 'too_many_assistants' then 'You''ve reached the limit of connected assistants. Disconnect one first.'
    when 'import_over' then 'This import was undone. Start a new one.'
    when 'owner_required' then 'Transfer ownership to another member first.'
    when 'invalid_invitation' then 'This invitation link is invalid or has expired.'
    when 'wrong_invitation_account' then 'This invitation was sent to another email address.'
    when 'sign_up_by_invitation' then 'Sign-up is by invitation.'
    when 'sign_up_by_domain' then 'Sign-up isn''t open to email addresses at this domain.'
    when 'sign_up_closed' then 'Sign-up is closed.'
    when 'add_on_required' then 'This workspace doesn''t have the required add-on.'
    when 'validation_failed' then 'Please check the highlighted fields.'
    when 'rate_limited' then 'Too many attempts. Please wait a moment and try again.'
  end;
begin
  if sentence is null then
    raise exception 'no sentence for refusal %', code;
  end if;
  raise exception using errcode = state, message = sentence, hint = code, detail = coalesce(detail::text, '');
end $$;

-- Collapses blanks and line breaks to single spaces and trims.
create function private.clean_line(line text) returns text
language plpgsql immutable strict parallel safe set search_path = '' as $$ -- plpgsql caches its plan, sql plans at each call
begin
  return btrim(regexp_replace(translate(line, U&'\00A0\FEFF\200B', '   '), '\s+', ' ', 'g'));
end $$;

grant execute on function private.refuse to anon, authenticated, service_role;
grant execute on function private.clean_line to authenticated, service_role;
