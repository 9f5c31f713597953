-- Addresses that the API writes begin with a workspace's own name where readers are led there.
-- Where readers of some workspaces are led to, of those that the caller belongs to, all of them for null: addresses of posts begin with it.
grant execute on function private.domain_of(uuid) to authenticated, service_role;
create function public.own_hosts(workspace_ids uuid[] default null) returns table (workspace_id uuid, host text)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select d.id, d.host from (
      select w.id, private.domain_of(w.id) as host from public.workspaces w
      where own_hosts.workspace_ids is null or w.id = any (own_hosts.workspace_ids)
    ) as d where d.host is not null;
end $$;
revoke all on function public.own_hosts(uuid[]) from public, anon;
grant execute on function public.own_hosts(uuid[]) to authenticated, service_role;

create or replace function public.workspace_address(workspace_id uuid) returns json
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  return (
    select json_build_object('name', w.name, 'subdomain', w.subdomain, 'open', w.public_changelog_enabled, 'domain', private.domain_of(w.id))
    from public.workspaces w where w.id = asked
  );
end $$;
