-- Most saves are of drafts and concern no reader: nothing is asked for them. Where there is something to raise, the
-- statement's plan is kept from call to call.
create or replace function private.raise_public_versions(workspaces uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if cardinality(workspaces) = 0 then return; end if;
  with held as (
    select v.id from private.public_versions v where v.id = any (workspaces) order by v.id for no key update
  )
  update private.public_versions v set version = v.version + 1 from held where v.id = held.id;
end $$;
