-- A name of a workspace without the add-on is looked at no more: it is not held for good.
-- Whether a name may be had by another workspace: nobody has proven within a day that it is his, it was lost and its grace is over, or its workspace
-- has the add-on no more, so that for as long as a loss and its grace take nobody has looked whether it is still his.
create or replace function private.gives_way(domain public.domains) returns boolean
language sql stable set search_path = '' as $$
  select domain.state = 'dns' and domain.created_at < now() - interval '24 hours' or domain.state = 'lost' and domain.grace_until <= now()
    or coalesce(domain.checked_at, domain.created_at) < now() - interval '9 days' and not private.has_domains(domain.workspace_id)
$$;
