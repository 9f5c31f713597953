-- A time that no calendar of a client can write (the year 10000) made every list that held it fail. Ten years ahead is further than
-- anybody plans; the check holds also for what is written past the triggers.
update public.posts set publish_at = now() + interval '10 years' where status = 'scheduled' and publish_at > now() + interval '10 years';

create function private.check_publish_time() returns trigger
language plpgsql set search_path = '' as $$
begin
  if isfinite(new.publish_at) and new.publish_at > clock_timestamp() + interval '10 years' then
    perform private.refuse('validation_failed', '{"publish_at": "Please choose a time within the next ten years"}');
  end if;
  return new;
end $$;
create trigger posts_15_time before insert or update of publish_at on public.posts
for each row when (new.publish_at is not null) execute function private.check_publish_time();

alter table public.posts add constraint posts_publish_at_in_reach check (publish_at < '9999-01-01') not valid; -- rows were set right above
