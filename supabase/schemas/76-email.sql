-- Emails. Events and deliveries are written in the transaction of their cause and sent later by jobs (29-jobs).

-- A publication. Its job, with the event's id, sends it once it can no longer be undone, in batches by subscriber id.
create table private.events (
  id uuid constraint events_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint events_workspace_id_fkey references public.workspaces (id) on delete cascade,
  kind text not null constraint events_kind check (kind in ('post.published')),
  post_id uuid,
  actor uuid,
  happened_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  told_at timestamptz,
  quiet boolean not null default false, -- never sent, nor in a digest
  reached uuid -- the last immediate recipient served, by id
);
create unique index events_once on private.events (post_id, kind); -- first publication once
create index events_of_workspace on private.events (workspace_id, happened_at desc);

-- One email to one recipient. Its job sends it, mostly with others; retries have the same id.
create table private.deliveries (
  id uuid constraint deliveries_pkey primary key default gen_random_uuid(),
  job_id uuid not null default gen_random_uuid(),
  event_id uuid constraint deliveries_event_id_fkey references private.events (id) on delete cascade,
  workspace_id uuid not null constraint deliveries_workspace_id_fkey references public.workspaces (id) on delete cascade,
  kind text not null constraint deliveries_kind check (kind in (
    'confirmation', 'reminder', 'post', 'digest', 'held', 'webhook_gone', 'webhook_failing', 'domain_live', 'domain_lost',
    'report', 'report_question', 'backup_failed', 'backup_works', 'review_asked', 'review_decided', 'mentioned', 'suspension')),
  target_id uuid not null, -- subscriber, member, or a report's recipient (78-reports)
  data jsonb not null default '{}', -- digest: {from, to}; report: {month}; owner: {about}; member: private.enqueue_member_email
  due_at timestamptz not null default clock_timestamp(),
  attempt int not null default 0, -- 0: not begun
  state text not null default 'waiting' constraint deliveries_state check (state in ('waiting', 'done', 'failed', 'dropped')),
  status int,
  error text constraint deliveries_error_length check (char_length(error) <= 500),
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  remote_id text constraint deliveries_remote_id_length check (char_length(remote_id) <= 200),
  bounce text constraint deliveries_bounce check (bounce in ('soft', 'hard', 'complaint')),
  constraint deliveries_once unique (event_id, target_id)
);
create index deliveries_of_job on private.deliveries (job_id, due_at, id) where state = 'waiting';
create index deliveries_of_workspace on private.deliveries (workspace_id);
create index deliveries_of_target on private.deliveries (target_id);
create index deliveries_of_remote on private.deliveries (remote_id) where remote_id is not null;
create index deliveries_misused on private.deliveries (workspace_id, ended_at) where kind = 'confirmation' and bounce = 'hard';
create index deliveries_sent on private.deliveries (workspace_id, ended_at desc) where state in ('done', 'failed');
-- A member's notice about one thing is queued once; one being sent doesn't count.
create unique index deliveries_to_member_once on private.deliveries (target_id, workspace_id, kind, (data ->> 'subject'))
where kind in ('review_asked', 'review_decided', 'mentioned', 'suspension') and state = 'waiting' and attempt = 0;
create index deliveries_ended on private.deliveries (ended_at) where state <> 'waiting';

-- Publications and digests wait for single emails.
create function private.add_email_jobs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.jobs (id, task, workspace_id, key, run_at, priority)
  select d.job_id, 'send_emails', d.workspace_id, d.workspace_id, min(d.due_at), max((d.kind in ('post', 'digest'))::int)
  from added d where d.state = 'waiting' group by d.job_id, d.workspace_id
  on conflict on constraint jobs_pkey do nothing;
  return null;
end $$;
create trigger deliveries_90_add_jobs after insert on private.deliveries referencing new table as added
for each statement execute function private.add_email_jobs();

-- 'owner', 'member', 'subscriber', or 'recipient' of reports. A suspension (53-operator) is sent even though the workspace is suspended.
create function private.email_audience(kind text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return case
    when kind in ('held', 'webhook_gone', 'webhook_failing', 'domain_live', 'domain_lost', 'backup_failed', 'backup_works') then 'owner'
    when kind in ('review_asked', 'review_decided', 'mentioned', 'suspension') then 'member'
    when kind in ('confirmation', 'reminder', 'post', 'digest') then 'subscriber'
    else 'recipient' end;
end $$;

-- Emails that people turned off, in all their workspaces. contract/profile.ts has the same list.
create table private.muted_emails (
  user_id uuid constraint muted_emails_pkey primary key constraint muted_emails_user_id_fkey references auth.users (id) on delete cascade,
  kinds text[] not null constraint muted_emails_kinds check (kinds <@ '{mentioned,review_asked,review_decided}')
);

create function public.my_muted_emails() returns text[]
language sql stable security definer set search_path = '' as $$
  select coalesce((select m.kinds from private.muted_emails m where m.user_id = private.person_id()), '{}')
$$;

create function public.set_muted_emails(kinds text[]) returns void
language sql security definer set search_path = '' as $$
  insert into private.muted_emails (user_id, kinds) values (private.person_id(), set_muted_emails.kinds)
  on conflict on constraint muted_emails_pkey do update set kinds = excluded.kinds
$$;

-- Emails sent per day (UTC) by a person's new workspaces. No foreign key: it outlives them for two days.
create table private.mail_days (
  owner_id uuid,
  day date,
  mails int not null default 0,
  constraint mail_days_pkey primary key (owner_id, day)
);

-- Queues an email to one subscriber that no event causes, at most one of a kind. After fifty bounced confirmations in a day those asked for on the
-- public page wait six hours: someone is typing invalid addresses.
create function private.enqueue_subscriber_email(subscriber public.subscribers, kind text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  is_misused constant boolean := kind = 'confirmation' and subscriber.consent ->> 'by' = 'page' and 50 <= (
    select count(*) from private.deliveries d join public.subscribers s on s.id = d.target_id and s.consent ->> 'by' = 'page'
    where d.workspace_id = subscriber.workspace_id and d.kind = 'confirmation' and d.bounce = 'hard' and d.ended_at > clock_timestamp() - interval '1 day'
  );
begin
  if exists (
    select from private.deliveries d where d.target_id = subscriber.id and d.kind = enqueue_subscriber_email.kind and d.state = 'waiting'
  ) then return; end if;
  insert into private.deliveries (workspace_id, kind, target_id, due_at)
  values (subscriber.workspace_id, enqueue_subscriber_email.kind, subscriber.id, clock_timestamp() + case when is_misused then interval '6 hours' else interval '0' end);
end $$;

-- Queues an email to a member. `data` (edge-functions/api/outbox/member-mails.ts) has `subject`, the id it is about:
-- one email of a kind and subject waits at a time. At most fifty a day per person and workspace; former members get none.
create function private.enqueue_member_email(workspace uuid, kind text, person uuid, data jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if private.email_audience(kind) <> 'member' or coalesce(data ->> 'subject', '') = '' then
    raise exception 'members are not told of % about %', kind, data ->> 'subject';
  end if;
  if not exists (select from public.members m where m.workspace_id = workspace and m.user_id = person) then return; end if;
  if 50 <= (
    select count(*) from private.deliveries d
    where d.target_id = person and d.workspace_id = workspace and private.email_audience(d.kind) = 'member'
      and d.created_at > clock_timestamp() - interval '1 day'
  ) then return; end if;
  insert into private.deliveries (workspace_id, kind, target_id, data) values (workspace, enqueue_member_email.kind, person, enqueue_member_email.data)
  on conflict do nothing;
end $$;

-- Locks events in the order of private.change_rhythm. Lock order: posts, then events. Prevents deadlocks.
create function private.lock_events(posts uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from private.events e where e.post_id = any (posts) order by e.id for no key update;
end $$;

-- A first publication is sent to subscribers unless tidings.quiet is 'on' (imports, publishing without email); 'off' reverts that. Archived before it
-- was sent, it is sent on republication; archived while it is being sent, the rest waits for republication (due_at infinity).
create function private.enqueue_publication() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  wish constant text := current_setting('tidings.quiet', true);
  event private.events;
  was constant public.post_status := case tg_op when 'UPDATE' then private.public_status(old) end;
  status constant public.post_status := case when tg_op <> 'DELETE' then private.public_status(new) end;
begin
  if tg_op = 'DELETE' then
    delete from private.events e where e.post_id = old.id;
    return null;
  elsif status <> 'scheduled' and (tg_op = 'INSERT' and status <> 'published' or was = status) then
    return null; -- a scheduled post may be due: any write publishes it
  end if;
  if status = 'published' or status = 'scheduled' and wish = 'on' then
    insert into private.events as e (workspace_id, kind, post_id, actor, due_at, told_at, quiet)
    select new.workspace_id, 'post.published', new.id, auth.uid(), clock_timestamp() + make_interval(mins => coalesce(
      (select m.undo_minutes from public.mail_settings m where m.workspace_id = new.workspace_id), 5)),
      case when wish = 'on' then clock_timestamp() end, coalesce(wish = 'on', false)
    on conflict (post_id, kind) do update set
      actor = excluded.actor, happened_at = excluded.happened_at, due_at = excluded.due_at, told_at = null, quiet = false,
      reached = null
    where e.quiet and wish = 'off'
    returning e.* into event;
    if not event.quiet and exists (select from private.webhooks w where w.workspace_id = new.workspace_id) then
      perform private.enqueue_webhooks(new.workspace_id, 'post.published', new.id, null, '{}', new.tags, event.due_at, array(
        select d.webhook_id from private.webhook_events e join private.webhook_deliveries d on d.event_id = e.id
        where e.post_id = new.id and e.kind = 'post.published' and (d.attempt > 0 or d.ended_at is null)));
    end if;
    update private.events e set due_at = clock_timestamp(), told_at = case when wish = 'on' then clock_timestamp() end, quiet = coalesce(wish = 'on', false)
    where e.post_id = new.id and e.told_at is null and e.due_at = 'infinity';
    perform private.add_job('send_emails', e.id, e.workspace_id, e.due_at, priority => 1) from private.events e
    where e.post_id = new.id and e.told_at is null;
  else
    update private.events e set due_at = 'infinity'
    where e.post_id = new.id and e.told_at is null and e.reached is not null and e.due_at < 'infinity';
    delete from private.events e where e.post_id = new.id
      and (e.told_at is null and e.reached is null or e.quiet and (status = 'draft' or status = 'scheduled' and wish = 'off'));
  end if;
  return null;
end $$;

-- Queues a due publication's emails to its next readers, by id. Posts that are no longer visible aren't sent, nor posts published while email was off.
create function private.enqueue_next_readers(event private.events, most int) returns void
language plpgsql security definer set search_path = '' as $$
declare
  readers uuid[];
begin
  if not private.sends_email(event.workspace_id) then
    update private.events e set told_at = clock_timestamp(), quiet = true where e.id = event.id;
    return;
  end if;
  readers := array(
    select s.id from public.subscribers s join private.visible_posts v on v.id = event.post_id
    where s.workspace_id = event.workspace_id and s.status = 'active' and s.frequency = 'instant' and (s.tags is null or s.tags && v.tags)
      and (event.reached is null or s.id > event.reached)
    order by s.id limit most
  );
  insert into private.deliveries (id, job_id, event_id, workspace_id, kind, target_id)
  select md5(event.id || r.id::text)::uuid, event.id, event.id, event.workspace_id, 'post', r.id -- the same id if a crash loses this commit
  from unnest(readers) as r (id)
  on conflict on constraint deliveries_once do nothing;
  update private.events e set reached = coalesce(readers[cardinality(readers)], e.reached),
    told_at = case when cardinality(readers) < most then clock_timestamp() end
  where e.id = event.id;
end $$;

-- Postgres' time zones change with its data, so a saved one may be unknown.
create function private.is_time_zone(name text) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  perform now() at time zone is_time_zone.name;
  return true;
exception when invalid_parameter_value then
  return false;
end $$;

-- The latest nine o'clock of the workspace's day, or Monday.
create function private.last_digest_time(time_zone text, rhythm public.subscriber_frequency, moment timestamptz default now()) returns timestamptz
language plpgsql stable set search_path = '' as $$
declare
  here constant timestamp := moment at time zone time_zone;
  nine timestamp := date_trunc(case rhythm when 'weekly' then 'week' else 'day' end, here) + interval '9 hours';
begin
  if nine > here then nine := nine - case rhythm when 'weekly' then interval '7 days' else interval '1 day' end; end if;
  return nine at time zone time_zone;
end $$;

-- Posts first published in a period that are still visible.
create function private.posts_to_announce(workspace uuid, since timestamptz, until timestamptz) returns table (id uuid, tags text[], published_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select v.id, v.tags, v.published_at from private.events e join private.visible_posts v on v.id = e.post_id
  where e.workspace_id = workspace and e.kind = 'post.published' and not e.quiet and e.happened_at > since and e.happened_at <= until
$$;

-- Queues due digests that aren't empty. A period ends where the next begins, so nothing is repeated. Waits until its posts can't be undone, and at
-- least a minute, so concurrent saves are seen. Ten thousand at a time, a thousand per workspace and frequency, in random order.
create function public.enqueue_digests() returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- Computed once per time zone and workspace: this runs every few seconds.
  with nines as materialized (
    select k.time_zone, k.undo_minutes, r.rhythm,
      private.last_digest_time(case when private.is_time_zone(k.time_zone) then k.time_zone else 'UTC' end, r.rhythm,
        now() - make_interval(mins => greatest(k.undo_minutes, 1))) as nine
    from (select distinct m.time_zone, m.undo_minutes from public.mail_settings m where m.enabled) as k,
      (values ('daily'::public.subscriber_frequency), ('weekly')) as r (rhythm)
  ), turns as materialized (
    select m.workspace_id, n.rhythm, n.nine from nines n
    join public.mail_settings m on m.enabled and m.time_zone = n.time_zone and m.undo_minutes = n.undo_minutes
    join public.workspaces w on w.id = m.workspace_id and w.is_open
    where exists (
      select from public.subscribers d
      where d.workspace_id = m.workspace_id and d.frequency = n.rhythm and d.status = 'active' and d.last_digest_at < n.nine
    )
    order by random() for key share of w skip locked -- lock order: workspace before subscribers
  ), due as (
    select s.id, t.workspace_id, s.last_digest_at as since, t.nine as until, s.tags from turns t,
      lateral ( -- the limit uses the index, so cost depends on workspaces, not subscribers
        select d.id, d.last_digest_at, d.tags from public.subscribers d
        where d.workspace_id = t.workspace_id and d.frequency = t.rhythm and d.status = 'active' and d.last_digest_at < t.nine
        order by d.last_digest_at limit 1000 for update skip locked
      ) as s
    limit 10000
  ), told as (
    update public.subscribers s set last_digest_at = d.until from due d where s.id = d.id returning d.id, d.workspace_id, d.since, d.until, d.tags
  ), periods as materialized (
    select gen_random_uuid() as job_id, t.workspace_id, t.since, t.until from told t group by t.workspace_id, t.since, t.until
  ), news as materialized (
    select p.job_id, v.tags from periods p, private.posts_to_announce(p.workspace_id, p.since, p.until) v
  )
  insert into private.deliveries (job_id, workspace_id, kind, target_id, data)
  select p.job_id, t.workspace_id, 'digest', t.id, jsonb_build_object('from', t.since, 'to', t.until)
  from told t join periods p on p.workspace_id = t.workspace_id and p.since = t.since and p.until = t.until
  where exists (select from news n where n.job_id = p.job_id and (t.tags is null or t.tags && n.tags));
end $$;

-- The next emails of a job, at most `batch`, with all they need except posts and report figures; of a digest the newest fifty posts, and one more if
-- there are more. Drops pointless ones (unsubscribed, turned off, post gone, workspace private). Readers' emails of a paused or suspended workspace wait, and
-- beyond `first_week` a day those of an owner's new workspaces. `about`: for owners, `told`: for members.
create function public.emails_to_send(job uuid, batch int default 100, first_week int default 500) returns table (
  id uuid, kind text, workspace_id uuid, workspace_name text, subdomain text, logo_url text, sender_name text, reply_to text,
  email text, token text, posts uuid[], month date, appearance jsonb, domain text, about text, told jsonb
)
language plpgsql security definer set search_path = '' as $$
declare
  moment constant timestamptz := clock_timestamp();
  today constant date := (moment at time zone 'utc')::date;
  kind_of_job constant text := coalesce((select d.kind from private.deliveries d where d.job_id = job and d.state = 'waiting' limit 1), 'post');
  most int := least(greatest(batch, 1), 500);
  event private.events;
  w public.workspaces;
  m public.mail_settings;
  sender uuid;
begin
  -- Lock order: workspace, then event, as in deletion. A workspace being deleted is skipped.
  select x.* into w from public.workspaces x where x.id = (
    select d.workspace_id from private.deliveries d where d.job_id = job and d.state = 'waiting'
    union all select e.workspace_id from private.events e where e.id = job limit 1
  ) for key share skip locked;
  select x.* into m from public.mail_settings x where x.workspace_id = w.id;
  if w.id is null or w.suspension is not null and kind_of_job <> 'suspension' then return; end if;
  if private.email_audience(kind_of_job) not in ('owner', 'member') then
    if m.held_at is not null then return; end if;
    if w.created_at > now() - interval '7 days' then
      select k.user_id into sender from public.members k where k.workspace_id = w.id and k.role = 'owner';
      insert into private.mail_days (owner_id, day) values (sender, today) on conflict on constraint mail_days_pkey do nothing;
      select least(most, greatest(first_week - y.mails, 0)) into most from private.mail_days y
      where y.owner_id = sender and y.day = today for update; -- two workers don't use the same quota
    end if;
    select e.* into event from private.events e where e.id = job and e.told_at is null and e.due_at <= moment for update;
    if event.id is not null and most > 0 then
      perform private.enqueue_next_readers(event, greatest(0, most - (
        select count(*)::int from private.deliveries d where d.job_id = job and d.state = 'waiting' and d.due_at <= moment)));
    end if;
  end if;

  return query
    with due as (
      select d.* from private.deliveries d where d.job_id = job and d.state = 'waiting' and d.due_at <= clock_timestamp()
      order by d.due_at, d.id limit most
    ), complete as (
      select d.id, d.kind, d.attempt, d.data, s, r.id as recipient, p.posts,
        coalesce(s.email::text, o.email::text, case when r.id is not null then private.report_address(r) end) as email
      from due d
      left join private.events e on e.id = d.event_id
      left join public.subscribers s on s.id = d.target_id and s.workspace_id = d.workspace_id and private.email_audience(d.kind) = 'subscriber'
        and m.enabled and w.is_open and s.status = any (case d.kind
          when 'confirmation' then '{pending}' when 'reminder' then '{active,paused}' else '{active}' end::public.subscriber_status[])
      left join auth.users o on o.id = d.target_id and (private.email_audience(d.kind) = 'owner' and (d.kind <> 'held' or m.held_at is not null)
        or private.email_audience(d.kind) = 'member'
        and exists (select from public.members k where k.workspace_id = d.workspace_id and k.user_id = d.target_id)
        and not exists (select from private.muted_emails k where k.user_id = d.target_id and d.kind = any (k.kinds)))
      left join private.report_recipients r on r.id = d.target_id
        and r.state = case d.kind when 'report' then 'active' when 'report_question' then 'asked' end
      left join lateral (
        select array_agg(v.id order by v.published_at desc, v.id desc) as posts from (
          select v.id, v.published_at from private.visible_posts v where d.kind = 'post' and v.id = e.post_id
          union all
          (select v.id, v.published_at
          from private.posts_to_announce(d.workspace_id, (d.data ->> 'from')::timestamptz, (d.data ->> 'to')::timestamptz) v
          where d.kind = 'digest' and (s.tags is null or s.tags && v.tags) order by v.published_at desc, v.id desc limit 51)
        ) as v
      ) as p on true
    ), pointless as (
      update private.deliveries d set state = 'dropped', ended_at = moment
      from complete c where d.id = c.id and (c.email is null or c.kind in ('post', 'digest') and c.posts is null)
      returning d.id
    ), sent as (
      select c.* from complete c where c.id not in (select p.id from pointless p)
    ), begun as (
      update private.deliveries d set attempt = 1 from sent s where d.id = s.id and s.attempt = 0 returning d.id
    ), counted as (
      update private.mail_days y set mails = y.mails + (select count(*) from begun) where y.owner_id = sender and y.day = today
    )
    select s.id, s.kind, w.id, w.name, w.subdomain::text, w.logo_url, m.sender_name, m.reply_to,
      s.email, coalesce(private.mail_token('', (s.s).id, (s.s).generation), private.mail_token('report', s.recipient), ''), coalesce(s.posts, '{}'),
      (s.data ->> 'month')::date, (select jsonb_build_object('settings', a.settings, 'logo_dark_url', a.logo_dark_url, 'favicon_url', a.favicon_url)
        from public.appearances a where a.workspace_id = w.id),
      private.domain_of(w.id), s.data ->> 'about', case when private.email_audience(s.kind) = 'member' then s.data end
    from sent s;
end $$;

-- Read when sending, so posts that are no longer visible are missing. Of a changelog that not everyone may read, only titles, unless it is set otherwise.
create function public.mail_posts(ids uuid[]) returns table (
  id uuid, slug text, title text, excerpt text, tags text[], content_raw jsonb, author_name text, published_at timestamptz, version int, details jsonb,
  images jsonb
)
language sql stable security definer set search_path = '' as $$
  select v.id, v.slug, v.title, case when a.told then v.excerpt else '' end, v.tags, case when a.told then v.content_raw else '{"blocks": []}' end, v.author_name,
    v.published_at, v.version, case when a.told then v.details else '{}' end,
    case when a.told and not private.admits(v.workspace_id) then
      private.image_addresses(v.workspace_id, array(select split_part(i, '/', 2) from private.image_paths(v.content_raw, v.workspace_id) as i), 30) end
  from private.visible_posts v,
    lateral (select private.admits(v.workspace_id) or (private.access_of(v.workspace_id)).emails_content as told) as a
  where v.id = any (mail_posts.ids[1:50])
$$;

-- Results of a job's emails: [{id, outcome: done|again|failed|dropped, status, error, after, bounce: hard|soft, remote}]. 'again' is retried by the
-- task's schedule, not sooner than `after` seconds, then fails. A refusal by the recipient's server counts as a bounce. Returns the seconds until the
-- next email of the job is due; null: none is left.
create function public.settle_emails(job uuid, outcomes jsonb) returns numeric
language plpgsql security definer set search_path = '' as $$
declare
  waits constant int[] := (select t.retry_after from private.job_tasks t where t.task = 'send_emails');
  told record;
  sent uuid[] := '{}';
begin
  for told in
    update private.deliveries d set
      state = case when o.outcome <> 'again' then o.outcome when d.attempt > cardinality(waits) then 'failed' else 'waiting' end,
      due_at = case o.outcome when 'again' then clock_timestamp() + interval '1 second'
        * greatest(least(coalesce(o.after, 0), 86400), waits[d.attempt]) else d.due_at end,
      ended_at = case when o.outcome <> 'again' or d.attempt > cardinality(waits) then clock_timestamp() end,
      attempt = d.attempt + (o.outcome = 'again' and d.attempt <= cardinality(waits))::int,
      status = o.status, error = left(o.error, 500), remote_id = coalesce(left(o.remote, 200), d.remote_id)
    from jsonb_to_recordset(outcomes) as o (id uuid, outcome text, status int, error text, after numeric, bounce text, remote text)
    where d.id = o.id and d.state = 'waiting'
    returning d as mail, o.bounce
  loop
    if (told.mail).state = 'done' then sent := sent || (told.mail).id; end if;
    if told.bounce in ('hard', 'soft') then
      perform private.record_mail_event('sent:' || (told.mail).id, told.bounce, told.mail, null, clock_timestamp());
    end if;
  end loop;
  -- Counted as the post's, a digest as the workspace's (70-analytics).
  insert into private.count_queue (workspace_id, post_id, what, day, source, n)
  select d.workspace_id, e.post_id, 'mail_sent', (now() at time zone 'utc')::date, 'mail', count(*)
  from private.deliveries d left join private.events e on e.id = d.event_id
  where d.id = any (sent) and d.kind in ('post', 'digest') group by 1, 2;
  return extract(epoch from least(
    (select min(d.due_at) from private.deliveries d where d.job_id = settle_emails.job and d.state = 'waiting'),
    (select e.due_at from private.events e where e.id = settle_emails.job and e.told_at is null and e.due_at < 'infinity')
  ) - clock_timestamp());
end $$;

-- Recipients of a post with these tags once readers see it: {enabled, now, digests, undo_minutes, quiet, told}; `quiet`: scheduled without email,
-- `told`: sent before. For every member, since numbers identify no one.
create function public.mail_audience(workspace_id uuid, tags text[] default '{}', post_id uuid default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := mail_audience.workspace_id;
  wanted constant text[] := private.clean_tags(mail_audience.tags[1:20]);
  post constant uuid := mail_audience.post_id;
begin
  perform private.require_role(asked, '{owner,admin,editor,viewer}');
  return (
    select jsonb_build_object(
      'enabled', exists (select from public.mail_settings m where m.workspace_id = asked and m.enabled),
      'now', count(*) filter (where s.frequency = 'instant'), 'digests', count(*) filter (where s.frequency <> 'instant'),
      'undo_minutes', coalesce((select m.undo_minutes from public.mail_settings m where m.workspace_id = asked), 5),
      'quiet', exists (select from private.events e where e.post_id = post and e.workspace_id = asked and e.quiet),
      'told', exists (select from private.events e where e.post_id = post and e.workspace_id = asked and (e.told_at is not null or e.reached is not null) and not e.quiet))
    from public.subscribers s where s.workspace_id = asked and s.status = 'active' and (s.tags is null or s.tags && wanted)
  );
end $$;
grant execute on function public.mail_audience, public.my_muted_emails, public.set_muted_emails to authenticated, service_role;

grant execute on function public.emails_to_send, public.mail_posts, public.settle_emails, public.enqueue_digests to service_role;
