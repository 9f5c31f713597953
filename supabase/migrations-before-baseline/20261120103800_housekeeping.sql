-- Removes what has served: answers kept for retries, full rate-limit buckets, yesterday's readers, subdomains whose
-- block is over. Nothing breaks when it does not run. Hourly by pg_cron where there is one, else by the ticker.
create function private.tidy_up() returns void
language sql security definer set search_path = '' as $$
  delete from private.request_keys k where k.created_at < now() - interval '1 day';
  delete from private.rate_limits r where r.full_at < now();
  delete from private.view_salts s where s.day < (now() at time zone 'utc')::date;
  delete from private.view_readers r where r.day < (now() at time zone 'utc')::date;
  delete from private.released_subdomains r where r.released_at < now() - interval '30 days';
$$;
grant execute on function private.tidy_up() to service_role;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    perform cron.schedule('tidy-up', '17 * * * *', 'select private.tidy_up()');
  end if;
end $$;
