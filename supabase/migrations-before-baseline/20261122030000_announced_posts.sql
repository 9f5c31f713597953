-- What is announced of a post is that it changed, not how it reads now: on hosted Supabase a channel's rights hold until its token
-- changes, so that who was removed goes on hearing it for up to an hour. Who listens asks for the posts that were named, and every
-- question asks for membership anew. Event post-upserted { workspace_id, post_id, version }; post-removed as before.
create or replace function private.announce_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    if not exists (select from public.workspaces w where w.id = old.workspace_id) then return null; end if; -- it goes itself: its members hear that
    perform private.announce(old.workspace_id, 'post-removed', jsonb_build_object('workspace_id', old.workspace_id, 'post_id', old.id));
  elsif tg_op = 'INSERT' or old.version <> new.version then
    perform private.announce(new.workspace_id, 'post-upserted', jsonb_build_object('workspace_id', new.workspace_id, 'post_id', new.id,
      'version', new.version));
  end if;
  return null;
end $$;

-- Some posts of a workspace by their ids, whatever their status, last edited first; at most 100. Those that are not there are left out.
create function public.posts_of(workspace_id uuid, ids uuid[]) returns setof public.post_summary
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  return query
    select p.id, p.workspace_id, p.title, p.slug, p.excerpt, p.status, p.tags, p.publish_at, p.published_at, p.created_at, p.updated_at,
      p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version
    from public.posts p where p.id = any (ids) and p.workspace_id = asked
    order by p.updated_at desc, p.id desc limit 100;
end $$;
revoke all on function public.posts_of(uuid, uuid[]) from public, anon;
grant execute on function public.posts_of(uuid, uuid[]) to authenticated, service_role;
