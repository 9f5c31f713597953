-- By pg_cron, where there is one; elsewhere the embedded stack's ticker calls what is to be done.
create function private.schedule(name text, at text, what text) returns void
language plpgsql set search_path = '' as $$
begin
  if exists (select from pg_available_extensions e where e.name = 'pg_cron') then
    create extension if not exists pg_cron;
    perform cron.schedule(schedule.name, schedule.at, schedule.what);
  end if;
end $$;

-- Turns posts whose time has come from scheduled to published. Readers see them without it (private.visible_posts);
-- it makes the rows say so, with one activity and one announcement each. One that cannot be published keeps none of the others. Any number of callers share the work:
-- each takes rows nobody else holds, and none of a workspace that is just being deleted. A ticker calls it on the embedded stack, pg_cron where there is one.
create function private.publish_due_posts(batch int default 200) returns int
language plpgsql security definer set search_path = '' as $$
declare
  due uuid[];
  published int := 0;
  post uuid;
begin
  begin
    due := array(
      select p.id from public.posts p join public.workspaces w on w.id = p.workspace_id
      where p.status = 'scheduled' and p.publish_at <= clock_timestamp()
      order by p.publish_at limit batch for key share of w skip locked for update of p skip locked
    );
    perform private.hold_events(due);
    update public.posts p set status = 'published' from unnest(due) as d (id) where p.id = d.id;
    get diagnostics published = row_count;
    return published;
  exception when others then
    null; -- one of them cannot be published, and the others are not to wait for it
  end;
  due := array(
    select p.id from public.posts p join public.workspaces w on w.id = p.workspace_id
    where p.status = 'scheduled' and p.publish_at <= clock_timestamp()
    order by p.publish_at for key share of w skip locked for update of p skip locked
  );
  perform private.hold_events(due);
  foreach post in array due loop
    exit when published >= batch;
    begin
      update public.posts p set status = 'published' where p.id = post;
      published := published + 1;
    exception when others then
      raise warning 'post % is due and cannot be published: %', post, sqlerrm;
    end;
  end loop;
  return published;
end $$;
grant execute on function private.publish_due_posts(int) to service_role;

select private.schedule('publish-due-posts', '* * * * *', 'select private.publish_due_posts()');

-- Removes what has served: answers kept for retries, full rate-limit buckets, yesterday's readers, subdomains whose
-- block is over. Nothing breaks when it does not run. Hourly by pg_cron where there is one, else by the ticker.
-- A week after an invitation was accepted nobody needs the address it went to; who never said yes is forgotten as soon.
create function private.tidy_up() returns void
language sql security definer set search_path = '' as $$
  delete from private.request_keys k where k.created_at < now() - interval '1 day';
  delete from private.rate_limits r where r.full_at < now();
  delete from private.view_salts s where s.day < (now() at time zone 'utc')::date;
  delete from private.view_readers r where r.day < (now() at time zone 'utc')::date;
  select private.squeeze_names();
  delete from private.released_subdomains r where r.released_at < now() - interval '30 days';
  delete from public.invites i where i.accepted_at is null and least(i.revoked_at, i.expires_at) < now() - interval '30 days';
  update public.invites i set email = null where i.email is not null and i.accepted_at < now() - interval '7 days';
  delete from private.post_previews v where v.expires_at < now();
  -- Who had left before somebody typed the address again, and never said yes, is who has left.
  update public.subscribers s set status = 'left' where s.status = 'pending' and s.left_at is not null and s.created_at < now() - interval '7 days';
  delete from public.subscribers s where s.status = 'pending' and s.created_at < now() - interval '7 days';
  delete from private.deliveries d where d.state <> 'waiting' and d.ended_at < now() - interval '30 days';
  delete from private.webhook_deliveries d where d.ended_at < now() - interval '30 days';
  -- Whoever sent it is gone, and so is the webhook's being on: it would be sent when that is switched on again.
  update private.webhook_deliveries d set state = 'failed', ended_at = clock_timestamp(),
    error = coalesce(d.error, 'The webhook was switched off before this was sent')
  from private.webhooks w where w.id = d.webhook_id and w.off_at is not null and d.ended_at is null and d.state = 'sending' and d.due_at < now() - interval '1 hour';
  delete from private.webhook_events e where e.happened_at < now() - interval '30 days'
    and not exists (select from private.webhook_deliveries d where d.event_id = e.id);
  delete from private.mail_events e where e.noted_at < now() - interval '90 days';
  delete from private.assistant_codes c where c.created_at < now() - interval '1 day';
  delete from private.spent_refreshes s where s.spent_at < now() - interval '30 days';
  delete from public.api_keys k where k.client_id is not null and least(k.revoked_at, k.expires_at) < now() - interval '90 days';
  delete from private.password_changes p where p.changed_at < now() - interval '1 day';
  delete from private.account_mails m using private.email_changes c where c.id = m.email_change_id and c.requested_at < now() - interval '7 days';
  delete from private.email_changes c where coalesce(c.changed_at, c.requested_at) < now() - interval '30 days';
  delete from private.mail_days m where m.day < (now() at time zone 'utc')::date - 1;
  select private.audit_other_sign_ins();
  select private.forget_old_audit();
  select private.discard_unused_images();
  select private.discard_lost_pictures();
$$;
grant execute on function private.tidy_up() to service_role;

select private.schedule('tidy-up', '17 * * * *', 'select private.tidy_up()');

-- The posts of a tag that was renamed, merged or deleted, where there are many of them (37-tags).
select private.schedule('settle-tags', '* * * * *', 'select private.settle_tags()');

-- What a restore that was broken off has left (87-backups).
select private.schedule('drop-dead-restores', '* * * * *', 'select private.drop_dead_restores()');

-- What was counted becomes sums (70-analytics).
select private.schedule('roll-up-counts', '* * * * *', 'select private.roll_up_counts()');

-- pg_cron keeps a record of every run and forgets none: four jobs make some 4,300 rows a day. A week is enough to look back.
select private.schedule('forget-job-records', '23 3 * * *',
  'delete from cron.job_run_details where end_time < now() - interval ''7 days''');
