-- The content of some releases of an open workspace. Lists and feeds read everything else first and ask for this only where they have not
-- rendered a version yet: the longest posts a workspace may have must not be carried and parsed at every reading of a list.
create function private.release_contents(subdomain text, ids uuid[]) returns table (id uuid, version int, content_raw jsonb)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select v.id, v.version, v.content_raw from private.visible_posts v
    where v.workspace_id = private.open_workspace(release_contents.subdomain) and v.id = any (release_contents.ids[1:20]);
end $$;
grant execute on function private.release_contents(text, uuid[]) to anon, authenticated, service_role;
