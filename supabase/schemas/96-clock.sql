-- By pg_cron if available, else by the embedded stack's clock.
create function private.schedule(name text, at text, what text) returns void
language plpgsql set search_path = '' as $$
begin
  if exists (select from pg_available_extensions e where e.name = 'pg_cron') then
    create extension if not exists pg_cron;
    perform cron.schedule(schedule.name, schedule.at, schedule.what);
  end if;
end $$;

-- Turns due posts into published ones, with activity and live event; readers see them without it (private.visible_posts). One failure stops no other.
-- Any number of callers share the work with skip locked, without workspaces being deleted.
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
      where p.status = 'scheduled' and p.publish_at <= clock_timestamp() and w.suspension is null
      order by p.publish_at limit batch for key share of w skip locked for update of p skip locked
    );
    perform private.lock_events(due);
    update public.posts p set status = 'published' from unnest(due) as d (id) where p.id = d.id;
    get diagnostics published = row_count;
    return published;
  exception when others then
    null; -- one of them can't be published, so each is tried alone
  end;
  due := array(
    select p.id from public.posts p join public.workspaces w on w.id = p.workspace_id
    where p.status = 'scheduled' and p.publish_at <= clock_timestamp() and w.suspension is null
    order by p.publish_at for key share of w skip locked for update of p skip locked
  );
  perform private.lock_events(due);
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

select private.schedule('publish-due-posts', '* * * * *', 'select private.publish_due_posts()');

-- Hourly clean-up: idempotency keys, full rate limits, yesterday's readers, released subdomains, addresses of invitations accepted a week ago,
-- unconfirmed subscribers. Nothing depends on it.
create function private.tidy_up() returns void
language sql security definer set search_path = '' as $$
  delete from private.request_keys k where k.created_at < now() - interval '1 day';
  delete from private.rate_limits r where r.full_at < now();
  delete from auth.sessions s where s.created_at < now() - interval '180 days'
    or coalesce(s.refreshed_at at time zone 'utc', s.created_at) < now() - interval '30 days';
  delete from auth.users u where u.is_sso_user and u.created_at < now() - interval '1 day'; -- of SAML responses past /api (43-single-sign-on)
  delete from private.view_salts s where s.day < (now() at time zone 'utc')::date;
  delete from private.view_readers r where r.day < (now() at time zone 'utc')::date;
  -- Of a past day's names, the fifty most frequent of each kind stay, and countries with at least five readers; the rest is 'other'.
  with over as (
    delete from private.name_days n where n.day < (now() at time zone 'utc')::date returning n.workspace_id, n.day
  ), rare as (
    select r.* from (
      select d.workspace_id, d.what, d.day, d.source, d.n, row_number() over (partition by d.workspace_id, d.what, d.day order by d.n desc, d.source) as place
      from over o join public.daily_counts d on d.workspace_id = o.workspace_id and d.post_id is null
        and d.what = any ('{referrer,search_none,country,language}') and d.day = o.day and d.source <> 'other'
    ) as r
    where r.place > 50 or r.what = 'country' and r.n < 5
  ), gone as (
    delete from public.daily_counts d using rare r
    where d.workspace_id = r.workspace_id and d.post_id is null and d.what = r.what and d.day = r.day and d.source = r.source
    returning d.workspace_id, d.what, d.day, d.n
  )
  insert into public.daily_counts as d (workspace_id, post_id, what, day, source, n)
  select g.workspace_id, null, g.what, g.day, 'other', least(sum(g.n), 2147483647) from gone g group by 1, 3, 4 order by 1, 3, 4
  on conflict on constraint daily_counts_key do update set n = least(d.n::bigint + excluded.n, 2147483647);
  delete from private.released_subdomains r where r.released_at < now() - interval '30 days';
  delete from public.invites i where i.accepted_at is null and least(i.revoked_at, i.expires_at) < now() - interval '30 days';
  update public.invites i set email = null where i.email is not null and i.accepted_at < now() - interval '7 days';
  delete from private.post_previews v where v.expires_at < now();
  -- Unsubscribed, then asked again without an answer: unsubscribed.
  update public.subscribers s set status = 'left' where s.status = 'pending' and s.left_at is not null and s.created_at < now() - interval '7 days';
  delete from public.subscribers s where s.status = 'pending' and s.created_at < now() - interval '7 days';
  delete from private.deliveries d where d.state <> 'waiting' and d.ended_at < now() - interval '30 days';
  delete from private.webhook_deliveries d where d.ended_at < now() - interval '30 days';
  delete from private.jobs j where j.run_at = 'infinity' and j.locked_at < now() - interval '30 days';
  delete from private.webhook_events e where e.happened_at < now() - interval '30 days'
    and not exists (select from private.webhook_deliveries d where d.event_id = e.id);
  delete from private.proposals p where p.decided_at < now() - interval '90 days';
  delete from private.mail_events e where e.noted_at < now() - interval '90 days';
  delete from private.assistant_codes c where c.created_at < now() - interval '1 day';
  delete from private.spent_refreshes s where s.spent_at < now() - interval '30 days';
  delete from public.api_keys k where k.client_id is not null and least(k.revoked_at, k.expires_at) < now() - interval '90 days';
  delete from private.verified_sessions v where not exists (select from auth.sessions s where s.id = v.session_id);
  delete from private.provider_sessions p where not exists (select from auth.sessions s where s.id = p.session_id);
  select private.finish_factor_resets();
  delete from private.factors f where f.confirmed_at is null and f.created_at < now() - interval '1 day';
  delete from private.password_changes p where p.changed_at < now() - interval '1 day';
  delete from private.jobs j using private.account_mails m
  where m.id = j.id and (j.run_at = 'infinity' or j.run_at < now() - case when m.email is null then interval '7 days' else interval '1 day' end);
  delete from private.email_changes c where coalesce(c.changed_at, c.requested_at) < now() - interval '30 days';
  delete from private.mail_days m where m.day < (now() at time zone 'utc')::date - 1;
  delete from private.reader_marks m where m.marked_at < now() - interval '13 months';
  delete from private.audit_log a where a.happened_at < now() - interval '400 days';
  -- Sessions of the last day that began at the auth service directly, without a network.
  select private.audit_sign_in(s.user_id, s.id, s.created_at, null) from auth.sessions s
  where s.created_at between now() - interval '1 day' and now() - interval '1 minute'
    and exists (select from public.members m where m.user_id = s.user_id)
    and not exists (select from private.audit_log a where a.subject_id = s.id and a.kind = 'signed_in');
  -- Images that no post has shown for 30 days, and those whose worker died before it recorded them.
  insert into private.discarded_files (bucket, path)
  select o.bucket_id, o.name from storage.objects o
  where o.bucket_id = 'post-images' and o.created_at < now() - interval '30 days'
      and not exists (select from private.post_images i where i.path = o.name)
      and not exists (select from private.template_images i where i.path = o.name)
    or o.bucket_id = 'link-pictures' and o.created_at < now() - interval '1 day'
      and not exists (select from private.link_pictures l where l.workspace_id::text = split_part(o.name, '/', 1) and l.path = o.name)
  on conflict on constraint discarded_files_pkey do nothing;
$$;

select private.schedule('tidy-up', '17 * * * *', 'select private.tidy_up()');

select private.schedule('settle-tags', '* * * * *', 'select private.settle_tags()');

select private.schedule('start-due-backups', '* * * * *', 'select private.start_due_backups()');
select private.schedule('drop-dead-restores', '* * * * *', 'select private.delete_abandoned_restores()');

select private.schedule('roll-up-counts', '* * * * *', 'select private.roll_up_counts()');

-- 76-email, 78-reports: run by the functions, if they can send email
select private.add_job(t.task, gen_random_uuid(), null) from unnest('{enqueue_digests,enqueue_reports}'::text[]) as t (task);

-- pg_cron keeps its log forever, some 4,300 rows a day; a week is enough.
select private.schedule('forget-job-records', '23 3 * * *',
  'delete from cron.job_run_details where end_time < now() - interval ''7 days''');

grant execute on function private.publish_due_posts, private.tidy_up to service_role;
