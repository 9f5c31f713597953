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
