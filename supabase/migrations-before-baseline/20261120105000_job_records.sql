-- pg_cron keeps a record of every run and forgets none: two jobs make some 1,500 rows a day. A week is enough to look back.
do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    perform cron.schedule('forget-job-records', '23 3 * * *',
      'delete from cron.job_run_details where end_time < now() - interval ''7 days''');
  end if;
end $$;
