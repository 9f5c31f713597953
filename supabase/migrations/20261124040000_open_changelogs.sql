-- A post's details said whether the changelog is open by a look at the workspace, which asked for the reader's memberships a second time.

create function private.shows_changelog(workspace uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select w.public_changelog_enabled from public.workspaces w where w.id = workspace);
end $$;
grant execute on function private.shows_changelog(uuid) to authenticated, service_role;

create or replace view public.post_details with (security_invoker = true) as
select
  p.id, p.workspace_id, p.title, p.slug, coalesce(p.summary, p.excerpt) as excerpt, p.status, p.tags, p.publish_at, p.published_at,
  p.created_at, p.updated_at, p.archived_at, p.created_by, p.created_by_name, p.author_name, p.version, p.content_raw, p.updated_by_name,
  private.author_of(p.created_by) as author,
  private.shows_changelog(p.workspace_id) as public_changelog_enabled, p.summary
from public.posts p;
