-- Imports of posts from other products. This part: what was published by an import is no news, and old addresses lead on.
alter table public.posts add column imported_at timestamptz;

create or replace view private.visible_posts with (security_invoker = true) as
select
  p.id, p.workspace_id, p.slug, p.title, coalesce(p.summary, p.excerpt) as excerpt, p.tags, p.content_raw, p.author_name, p.version,
  coalesce(p.published_at, p.publish_at) as published_at,
  -- That of the content, and no earlier than the publication: publishing is a reader's first version. It is the same before and after the
  -- publisher has been by.
  greatest(p.content_updated_at, coalesce(p.published_at, p.publish_at)) as updated_at,
  p.cover_image,
  -- It was news elsewhere: nobody is to be told that it is new.
  p.imported_at is not null as imported
from public.posts p join public.workspaces w on w.id = p.workspace_id
where w.public_changelog_enabled
  and p.status in ('published', 'scheduled')
  and (p.status = 'published' or p.publish_at <= now());

drop function private.list_releases(text, int, int, text);
create function private.list_releases(subdomain text, page int default 1, page_size int default 10, tag text default null) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz,
  updated_at timestamptz, version int, total bigint, cover_image jsonb, imported boolean
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  workspace constant uuid := private.open_workspace(list_releases.subdomain);
  size constant int := least(greatest(coalesce(list_releases.page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(list_releases.page, 1), 1)::bigint - 1) * size;
  wanted constant text[] := array[case when list_releases.tag is not null then
    coalesce((select f.now_key from private.former_tags f where f.workspace_id = workspace and f.key = list_releases.tag), list_releases.tag) end];
  amount bigint;
begin
  if workspace is null then return; end if;
  select count(*) into amount from private.visible_posts v
  where v.workspace_id = workspace and (list_releases.tag is null or v.tags @> wanted);
  return query
    select v.id, v.slug, v.title, v.excerpt, v.tags, v.content_raw, v.author_name, v.published_at, v.updated_at, v.version, amount, v.cover_image,
      v.imported
    from private.visible_posts v
    where v.workspace_id = workspace and (list_releases.tag is null or v.tags @> wanted)
    order by v.published_at desc, v.id desc limit size offset skip;
end $$;
grant execute on function private.list_releases(text, int, int, text) to anon, authenticated, service_role;

-- Posts of other products: which imports there were, what each of them did, and the addresses at which readers found the posts before.

-- Where a post was found before it came here. The host in small letters, with a port that is not the usual one; the path as the address has it,
-- without a query and a slash at its end. An address that only its query or fragment tells from others is none of a post: what would be left leads
-- many to one.
create table public.post_redirects (
  workspace_id uuid not null constraint post_redirects_workspace_id_fkey references public.workspaces (id) on delete cascade,
  host text collate "C" not null constraint post_redirects_host_shape check (host ~ '^[^/?#@\s]+$' and host = lower(host) and char_length(host) <= 255),
  path text collate "C" not null constraint post_redirects_path_shape check (path ~ '^/[^?#]*[^?#/]$' and octet_length(path) <= 1500),
  post_id uuid not null constraint post_redirects_post_id_fkey references public.posts (id) on delete cascade,
  constraint post_redirects_pkey primary key (workspace_id, host, path)
);
alter table public.post_redirects enable row level security;
create index post_redirects_by_path on public.post_redirects (workspace_id, path, post_id); -- whichever host it was
create index post_redirects_by_post on public.post_redirects (post_id); -- for the cascade

create policy "members read where their posts were before" on public.post_redirects for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
create policy "keys stay in their workspace" on public.post_redirects as restrictive for all to authenticated
using ((select private.key_workspace()) is null or workspace_id = (select private.key_workspace()));
-- No insert, update, delete: imports write it, a purge takes it along.
grant select on public.post_redirects to authenticated;
grant select, insert, update, delete on public.post_redirects to service_role;

-- A host and a path in the one shape in which they are kept. What is no ASCII is written as browsers send it.
create function private.redirect_host(host text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select regexp_replace(lower(host), ':(80|443)?$', '')
$$;
create function private.redirect_path(path text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(string_agg(case when c.letter ~ '[^!-~]' then upper(regexp_replace(encode(convert_to(c.letter, 'UTF8'), 'hex'), '(..)', '%\1', 'g'))
    else c.letter end, '' order by c.place), '')
  from regexp_split_to_table(regexp_replace(left(path, 4000), '/*([?#].*)?$', ''), '') with ordinality as c (letter, place)
$$;

-- The present address of the post that was found at that path before, and that readers may see; null: there is none. The host first; else any at
-- which the path was, if it led to one post alone there.
create function private.find_redirect(subdomain text, host text, path text) returns text
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  workspace constant uuid := private.open_workspace(find_redirect.subdomain);
  asked constant text := private.redirect_path(find_redirect.path);
  post uuid;
begin
  if workspace is null then return null; end if;
  select r.post_id into post from public.post_redirects r
  where r.workspace_id = workspace and r.host = private.redirect_host(find_redirect.host) and r.path = asked;
  if post is null then
    select min(r.post_id::text)::uuid into post from public.post_redirects r
    where r.workspace_id = workspace and r.path = asked having count(distinct r.post_id) = 1;
  end if;
  return (select v.slug from private.visible_posts v where v.workspace_id = workspace and v.id = post);
end $$;
grant execute on function private.find_redirect(text, text, text) to anon, authenticated, service_role;
