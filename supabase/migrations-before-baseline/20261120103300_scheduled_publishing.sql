-- Turns posts whose time has come from scheduled to published. Readers see them without it (private.visible_posts);
-- it makes the rows say so, with one activity and one announcement each. Any number of callers share the work:
-- each takes rows nobody else holds. A ticker calls it on the embedded stack, pg_cron where there is one.
create function private.publish_due_posts(batch int default 200) returns int
language plpgsql security definer set search_path = '' as $$
declare
  published int;
begin
  with due as (
    select p.id from public.posts p where p.status = 'scheduled' and p.publish_at <= clock_timestamp()
    order by p.publish_at limit batch for update skip locked
  )
  update public.posts p set status = 'published' from due where p.id = due.id;
  get diagnostics published = row_count;
  return published;
end $$;
grant execute on function private.publish_due_posts(int) to service_role;

do $$
begin
  if exists (select from pg_available_extensions where name = 'pg_cron') then
    create extension if not exists pg_cron;
    perform cron.schedule('publish-due-posts', '* * * * *', 'select private.publish_due_posts()');
  end if;
end $$;
