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
insert into private.public_versions (id) select w.id from public.workspaces w;

create function private.begin_public_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.public_versions (id) values (new.id);
  return null;
end $$;

create function private.raise_public_versions(workspaces uuid[]) returns void
language sql security definer set search_path = '' as $$
  with held as (
    select v.id from private.public_versions v where v.id = any (workspaces) order by v.id for no key update
  )
  update private.public_versions v set version = v.version + 1 from held where v.id = held.id;
$$;
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
create trigger widget_settings_60_raise_public_version after insert or update or delete on public.widget_settings
for each row execute function private.public_frame_changed();
create trigger posts_60_added_in_public after insert on public.posts
referencing new table as changed for each statement execute function private.public_posts_changed();
create trigger posts_60_changed_in_public after update on public.posts
referencing old table as former new table as changed for each statement execute function private.public_posts_changed();
create trigger posts_60_removed_in_public after delete on public.posts
referencing old table as changed for each statement execute function private.public_posts_changed();

-- Also for what is written past the other triggers, a repair for instance: a page may never be staler than its rows.
alter table public.workspaces enable always trigger workspaces_60_begin_public_version;
alter table public.workspaces enable always trigger workspaces_60_raise_public_version;
alter table public.widget_settings enable always trigger widget_settings_60_raise_public_version;
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

-- An open workspace, or no row; version_tag is its public version.
create or replace function private.find_workspace(label text) returns table (
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
