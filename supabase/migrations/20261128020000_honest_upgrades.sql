-- Asking for an add-on grants what exists. What does not exist yet is kept as asked for; what was granted before stays granted.
-- The add-ons that exist. What else can be asked for is written down, and granted to nobody (product decision 24). contract/kinds.ts has the same
-- list; a test compares them.
create function private.working_add_ons() returns text[]
language sql immutable parallel safe set search_path = '' as $$ select array['analytics', 'reports'] $$;

-- The owner asks for add-ons. A self-hosted installation grants at once those that exist, a hosted one none; the others are kept as asked for.
-- Answers whether the workspace has all of them now.
create or replace function public.request_upgrade(workspace_id uuid, add_ons text[]) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  wanted constant text[] := array(select distinct w from unnest(add_ons) as w order by w);
  had text[];
begin
  perform private.require_role(asked, '{owner}');
  if cardinality(wanted) = 0 or not wanted <@ array['analytics', 'sso', 'custom-domain', 'backup', 'reports', 'priority-support'] then
    perform private.refuse('validation_failed', '{"addOns": "Please choose from the list"}');
  end if;
  if (select i.grants_upgrades from private.installation i) then
    insert into public.workspace_add_ons (workspace_id, add_on, granted_by)
    select asked, w, auth.uid() from unnest(wanted) as w where w = any (private.working_add_ons())
    on conflict on constraint workspace_add_ons_pkey do nothing;
  end if;
  had := array(select a.add_on from public.workspace_add_ons a where a.workspace_id = asked and a.add_on = any (wanted) order by a.add_on);
  insert into public.upgrade_requests (workspace_id, add_ons, requested_by, requested_by_name, granted_at)
  select asked, part.add_ons, auth.uid(), private.my_name(), part.granted_at
  from (values (had, now()), (array(select w from unnest(wanted) as w where w <> all (had) order by w), null)) as part (add_ons, granted_at)
  where cardinality(part.add_ons) > 0;
  return had @> wanted;
end $$;
