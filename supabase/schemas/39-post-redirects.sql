-- Former URLs of posts: lower-case host, path without query. URLs that differ only by query aren't stored, as one path would match many posts.
create table public.post_redirects (
  workspace_id uuid not null constraint post_redirects_workspace_id_fkey references public.workspaces (id) on delete cascade,
  host text collate "C" not null constraint post_redirects_host_shape check (host ~ '^[^/?#@\s]+$' and host = lower(host) and char_length(host) <= 255),
  path text collate "C" not null constraint post_redirects_path_shape check (path ~ '^/[^?#]*[^?#/]$' and octet_length(path) <= 1500),
  post_id uuid not null constraint post_redirects_post_id_fkey references public.posts (id) on delete cascade,
  constraint post_redirects_pkey primary key (workspace_id, host, path)
);
create index post_redirects_by_path on public.post_redirects (workspace_id, path, post_id);
create index post_redirects_by_post on public.post_redirects (post_id);

create policy "members read where their posts were before" on public.post_redirects for select to authenticated
using (workspace_id = any (array(select private.my_workspace_ids())));
grant select on public.post_redirects to authenticated;

create function private.redirect_path(path text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  bare constant text := regexp_replace(left(path, 4000), '/*([?#].*)?$', '');
begin
  if bare !~ '[^!-~]' then return bare; end if;
  return (
    select string_agg(case when c.letter ~ '[^!-~]' then upper(regexp_replace(encode(convert_to(c.letter, 'UTF8'), 'hex'), '(..)', '%\1', 'g'))
      else c.letter end, '' order by c.place)
    from regexp_split_to_table(bare, '') with ordinality as c (letter, place)
  );
end $$;

-- The present URL of the visible post that had this path: by host, else if only one post had it on any host. Null: none.
create function private.find_redirect(subdomain text, host text, path text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  workspace constant uuid := private.open_workspace(find_redirect.subdomain);
  asked constant text := private.redirect_path(find_redirect.path);
  post uuid;
begin
  if workspace is null then return null; end if;
  select r.post_id into post from public.post_redirects r
  where r.workspace_id = workspace and r.host = regexp_replace(lower(find_redirect.host), ':(80|443)?$', '') and r.path = asked;
  if post is null then
    select min(r.post_id::text)::uuid into post from public.post_redirects r
    where r.workspace_id = workspace and r.path = asked having count(distinct r.post_id) = 1;
  end if;
  return (select v.slug from private.visible_posts v where v.workspace_id = workspace and v.id = post);
end $$;

-- {host, path} of a URL; null for a root, or if only query or fragment (other than utm_…) distinguish it.
create function private.redirect_of(address text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  parts constant text[] := regexp_match(address, '^https?://(?:[^/?#@]*@)?([^/?#@\s]+)([^?#]*)(\?[^#]*)?(#.*)?$', 'i');
  host constant text := regexp_replace(lower(parts[1]), ':(80|443)?$', '');
  path constant text := private.redirect_path(parts[2]);
begin
  if path = '' is not false or octet_length(path) > 1500 or char_length(host) > 255 or char_length(parts[4]) > 1 then return null; end if;
  if coalesce(parts[3], '') !~ '^(\?(utm_[a-z_]+=[^&]*(&|$))*)?$' then return null; end if;
  return array[host, path];
end $$;

grant execute on function private.find_redirect to anon, authenticated, service_role;
