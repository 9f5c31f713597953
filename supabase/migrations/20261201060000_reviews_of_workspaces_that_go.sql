-- A workspace that is deleted with its members has no posts to take back.
create or replace function private.void_approvals_of_member() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  voided uuid[];
  post uuid;
begin
  if not exists (select from public.workspaces w where w.id = old.workspace_id) then return null; end if; -- it is being deleted itself
  with gone as (
    update private.reviews r set state = 'void'
    where r.workspace_id = old.workspace_id and r.decided_by = old.user_id and r.state = 'approved' and r.used_at is null
      and (r.asked_by_key is not null or not private.publishes_alone(r.workspace_id, r.asked_by))
    returning r.post_id
  )
  select array_agg(g.post_id) into voided from gone g;
  foreach post in array coalesce(voided, '{}') loop
    perform set_config('tidings.unapproved', post::text, true);
    update public.posts p set status = 'draft' where p.id = post and p.status = 'scheduled' and p.publish_at > clock_timestamp();
    perform set_config('tidings.unapproved', '', true);
    perform private.announce_reviews(old.workspace_id, post);
  end loop;
  return null;
end $$;
