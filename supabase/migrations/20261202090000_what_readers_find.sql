-- {"address", "total", "releases"}: what readers of the workspace's public page find by these words, newest first; nothing while it is closed. For
-- assistants, who know no more by it than everybody does.
create function public.search_public(workspace_id uuid, term text, size int default 10) returns json
language plpgsql stable set search_path = '' as $$
declare
  place constant json := public.workspace_address(workspace_id);
begin
  return (
    select json_build_object('address', place, 'total', coalesce(max(r.total), 0), 'releases', coalesce(
      json_agg(json_build_object('id', r.id, 'slug', r.slug, 'title', r.title, 'excerpt', r.excerpt, 'tags', r.tags, 'published_at', r.published_at)
        order by r.published_at desc, r.id desc), '[]'))
    from private.search_releases(place ->> 'subdomain', term, 1, least(greatest(coalesce(size, 10), 1), 50)) as r
  );
end $$;
revoke all on function public.search_public(uuid, text, int) from public, anon;
grant execute on function public.search_public(uuid, text, int) to authenticated, service_role;
insert into private.key_calls (call, scopes) values ('search_public', null);
