-- What a copy that somebody wrote himself may not do to others, and one bad row to everybody: posts are an import's own workspace's only, readers'
-- mails go to readers of their workspace, versions, numbers and time zones of a copy are bounded, and what is due is done one by one where one of
-- it cannot be. Who had left, and did not answer when his address was typed again, is known to have left.

-- Sums of what is in the queue; answers how many entries there were. Run twice, by two at once, or broken off, everything counts once: what is
-- taken out of the queue is in the sums when the transaction ends, and else still in the queue. Who comes second waits at the first entry that
-- somebody else has taken, so all of them look in the same order. Of a day's names of one kind there are 200 at most; the rest is 'other'.
create or replace function private.roll_up_counts() returns int
language plpgsql security definer set search_path = '' set synchronize_seqscans = off as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  named constant text[] := '{referrer,search_none,country,language}';
  taken int;
begin
  delete from private.view_readers r where r.day < today;
  if not exists (select from private.count_queue) then return 0; end if;
  with entries as materialized (
    delete from private.count_queue q where q.id > 0 returning q.workspace_id, q.post_id, q.what, q.day, q.source, q.n
  ), homes as materialized ( -- held, so that none of them goes away meanwhile
    select w.id from public.workspaces w where w.id in (select e.workspace_id from entries e) order by w.id for key share
  ), summed as materialized (
    select e.workspace_id, e.post_id, e.what, e.day, e.source, sum(e.n)::int as n
    from entries e join homes h on h.id = e.workspace_id group by 1, 2, 3, 4, 5
  ), groups as materialized (
    select g.*, array(
      select d.source from public.daily_counts d where d.workspace_id = g.workspace_id and d.post_id is null and d.what = g.what and d.day = g.day
    ) as names
    from (select distinct s.workspace_id, s.what, s.day from summed s where s.what = any (named)) as g
  ), names as (
    select s.workspace_id, s.what, s.day, s.n, case
      when k.known or s.source = 'other' or cardinality(g.names)
        + row_number() over (partition by s.workspace_id, s.what, s.day, k.known or s.source = 'other' order by s.n desc, s.source) <= 200
      then s.source else 'other' end as source
    from summed s join groups g on g.workspace_id = s.workspace_id and g.what = s.what and g.day = s.day,
      lateral (select s.source = any (g.names)) as k (known)
  ), counts as (
    insert into public.daily_counts as d (workspace_id, post_id, what, day, source, n)
    select c.* from (
      select s.workspace_id, s.post_id, s.what, s.day, s.source, s.n from summed s where s.post_id is not null
      union all
      select s.workspace_id, null, s.what, s.day, s.source, sum(s.n) from summed s where s.what <> all (named) group by 1, 3, 4, 5
      union all
      select s.workspace_id, null, s.what, s.day, s.source, sum(s.n) from names s group by 1, 3, 4, 5
    ) as c
    order by 1, 2, 3, 4, 5
    on conflict on constraint daily_counts_key do update set n = least(d.n::bigint + excluded.n, 2147483647)
  ), posts as (
    insert into private.post_counts as p (workspace_id, span, first_day, post_id, views, widget_opens, clicks, mails_sent, mails_followed)
    select s.workspace_id, l.span, l.first_day, s.post_id,
      coalesce(sum(s.n) filter (where s.what = 'view'), 0), coalesce(sum(s.n) filter (where s.what = 'view' and s.source = 'widget'), 0),
      coalesce(sum(s.n) filter (where s.what = 'link_click'), 0), coalesce(sum(s.n) filter (where s.what = 'mail_sent'), 0),
      coalesce(sum(s.n) filter (where s.what = 'view' and s.source = 'mail'), 0)
    from summed s, lateral (values ('day', s.day), ('month', date_trunc('month', s.day)::date)) as l (span, first_day)
    where s.post_id is not null
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict on constraint post_counts_pkey do update set
      views = least(p.views::bigint + excluded.views, 2147483647), widget_opens = least(p.widget_opens::bigint + excluded.widget_opens, 2147483647),
      clicks = least(p.clicks::bigint + excluded.clicks, 2147483647), mails_sent = least(p.mails_sent::bigint + excluded.mails_sent, 2147483647),
      mails_followed = least(p.mails_followed::bigint + excluded.mails_followed, 2147483647)
  ), workspaces as (
    insert into private.workspace_counts as w
      (workspace_id, day, views, readers, widget_opens, clicks, widget_shown, mails_sent, mails_followed, subscribed, "left")
    select s.workspace_id, s.day, coalesce(sum(s.n) filter (where s.what = 'view'), 0), coalesce(sum(s.n) filter (where s.what = 'reader'), 0),
      coalesce(sum(s.n) filter (where s.what = 'widget_open'), 0), coalesce(sum(s.n) filter (where s.what = 'link_click'), 0),
      coalesce(sum(s.n) filter (where s.what = 'widget_shown'), 0), coalesce(sum(s.n) filter (where s.what = 'mail_sent'), 0),
      coalesce(sum(s.n) filter (where s.what = 'view' and s.source = 'mail'), 0),
      coalesce(sum(s.n) filter (where s.what = 'subscribed'), 0), coalesce(sum(s.n) filter (where s.what = 'left'), 0)
    from summed s where s.what <> all (named) group by 1, 2 order by 1, 2
    on conflict on constraint workspace_counts_pkey do update set
      views = least(w.views::bigint + excluded.views, 2147483647), readers = least(w.readers::bigint + excluded.readers, 2147483647),
      widget_opens = least(w.widget_opens::bigint + excluded.widget_opens, 2147483647), clicks = least(w.clicks::bigint + excluded.clicks, 2147483647),
      widget_shown = least(w.widget_shown::bigint + excluded.widget_shown, 2147483647),
      mails_sent = least(w.mails_sent::bigint + excluded.mails_sent, 2147483647), mails_followed = least(w.mails_followed::bigint + excluded.mails_followed, 2147483647),
      subscribed = least(w.subscribed::bigint + excluded.subscribed, 2147483647), "left" = least(w."left"::bigint + excluded."left", 2147483647)
  ), days as (
    insert into private.name_days (workspace_id, day) select distinct g.workspace_id, g.day from groups g order by 1, 2
    on conflict on constraint name_days_pkey do nothing
  )
  select count(*) into taken from entries;
  return taken;
end $$;

-- Of each kind of name a day that is over keeps the fifty most frequent ones, and countries from which five readers came; the rest is 'other'.
create or replace function private.squeeze_names() returns void
language plpgsql security definer set search_path = '' as $$
begin
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
end $$;

-- Whether Postgres knows a time zone by this name. What was known when it was saved may not be any more: names come and go with its time zone data.
create or replace function private.is_time_zone(name text) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  perform now() at time zone is_time_zone.name;
  return true;
exception when invalid_parameter_value then
  return false;
end $$;

-- What subscribers get.
create or replace function private.kinds_for_readers() returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select '{confirmation,reminder,post,digest}'::text[]
$$;

-- One delivery for each whose digest is due and has something in it. The period ends where the next begins: nothing is told twice. It is made
-- once what was published until its end can be taken back no more.
create or replace function private.make_digests() returns int
language plpgsql security definer set search_path = '' as $$
declare
  made int;
begin
  -- A time zone and what is news are each worked out once for all who share them: every few seconds somebody asks, mostly for nothing.
  with nines as materialized (
    select k.time_zone, k.undo_minutes, r.rhythm,
      private.last_digest_time(case when private.is_time_zone(k.time_zone) then k.time_zone else 'UTC' end, r.rhythm, now() - make_interval(mins => k.undo_minutes)) as nine
    from (select distinct m.time_zone, m.undo_minutes from public.mail_settings m where m.enabled) as k,
      (values ('daily'::public.subscriber_frequency), ('weekly')) as r (rhythm)
  ), due as (
    select s.id, m.workspace_id, s.last_digest_at as since, n.nine as until, s.tags
    from nines n join public.mail_settings m on m.enabled and m.time_zone = n.time_zone and m.undo_minutes = n.undo_minutes
    join public.workspaces w on w.id = m.workspace_id and w.public_changelog_enabled,
      lateral ( -- with a limit by the index: what it costs is a matter of workspaces, not of subscribers
        select d.id, d.last_digest_at, d.tags from public.subscribers d
        where d.workspace_id = m.workspace_id and d.frequency = n.rhythm and d.status = 'active' and d.last_digest_at < n.nine
        order by d.last_digest_at limit 10000 for update skip locked
      ) as s
  ), told as (
    update public.subscribers s set last_digest_at = d.until from due d where s.id = d.id returning d.id, d.workspace_id, d.since, d.until, d.tags
  ), news as materialized (
    select k.workspace_id, k.since, k.until, v.tags
    from (select distinct t.workspace_id, t.since, t.until from told t) as k, private.news_of(k.workspace_id, k.since, k.until) v
  )
  insert into private.deliveries (workspace_id, channel, kind, target_id, data)
  select t.workspace_id, 'mail', 'digest', t.id, jsonb_build_object('from', t.since, 'to', t.until) from told t
  where exists (
    select from news n where n.workspace_id = t.workspace_id and n.since = t.since and n.until = t.until and (t.tags is null or t.tags && n.tags)
  );
  get diagnostics made = row_count;
  return made;
end $$;

-- Takes up to `batch` deliveries that are due, for two minutes; in turns between workspaces, so that one with fifty thousand mails keeps nobody
-- else's waiting. Of a workspace that is held nothing is taken, of one that is not a week old `first_week` mails a day: the rest waits. What has
-- become pointless meanwhile (the reader left, the post is gone, the workspace closed) is dropped here and not taken. Answers what a mail is made
-- of (`domain`: the name that readers are led to; `about`: of what an owner is told; `told`: what a member is), but for the posts and what a
-- report tells of its month. Reports and what members are told are taken by workers that say they know them.
create or replace function public.claim_mails(
  batch int default 50, first_week int default 500, reports boolean default false, members boolean default false
) returns table (
  id uuid, kind text, attempt int, workspace_id uuid, workspace_name text, subdomain text, logo_url text, sender_name text, reply_to text,
  email text, token text, posts uuid[], month date, appearance jsonb, domain text, about text, told jsonb
)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  size constant int := least(greatest(coalesce(claim_mails.batch, 50), 1), 500);
  today constant date := (clock_timestamp() at time zone 'utc')::date;
  busy uuid[];
  young uuid[];
begin
  with recursive b as ( -- ordered as the index of what waits is
    (select d.workspace_id from private.deliveries d where d.state = 'waiting' order by d.workspace_id, d.due_at limit 1)
    union all
    select (select d.workspace_id from private.deliveries d where d.state = 'waiting' and d.workspace_id > b.workspace_id
      order by d.workspace_id, d.due_at limit 1)
    from b where b.workspace_id is not null
  )
  select array_agg(b.workspace_id), array_agg(b.workspace_id) filter (where w.created_at > now() - interval '7 days') into busy, young
  from b join public.workspaces w on w.id = b.workspace_id;
  if busy is null then return; end if;

  -- Of a new workspace one worker takes after the other, so that no two of them take the same rest of its day.
  if young is not null then
    insert into private.mail_days (workspace_id, day) select y.id, today from unnest(young) as y (id) order by 1
    on conflict on constraint mail_days_pkey do nothing;
    perform from private.mail_days m where m.workspace_id = any (young) and m.day = today order by m.workspace_id for update;
  end if;

  return query
    with open as (
      select b.id, least(size, case when b.id = any (young) then greatest(claim_mails.first_week - (
        select t.mails from private.mail_days t where t.workspace_id = b.id and t.day = today
      ), 0) else size end) as room
      from unnest(busy) as b (id)
      where not exists (select from public.mail_settings m where m.workspace_id = b.id and m.held_at is not null)
    ), candidates as (
      select c.id from (
        select d.id, d.due_at, d.turn from open o, lateral (
          select n.id, n.due_at, row_number() over (order by n.due_at, n.id) as turn from (
            select d.id, d.due_at from private.deliveries d
            where d.workspace_id = o.id and d.state = 'waiting' and d.due_at <= clock_timestamp()
            order by d.due_at, d.id limit o.room
          ) as n
        ) as d
        union -- what an owner is told goes out, too, where nothing else does
        select d.id, d.due_at, 1 from private.deliveries d
        where d.kind = any (private.kinds_for_owners()) and d.state = 'waiting' and d.due_at <= clock_timestamp()
        union -- and what members are, in turns
        select m.id, m.due_at, row_number() over (partition by m.workspace_id order by m.due_at, m.id) from (
          select d.id, d.due_at, d.workspace_id from private.deliveries d
          where d.kind = any (private.kinds_for_members()) and d.state = 'waiting' and d.due_at <= clock_timestamp()
          order by d.due_at limit 5000
        ) as m where claim_mails.members
      ) as c
      order by c.turn, c.due_at limit size
    ), held as (
      -- as an array, so that each is looked up by its id, however many wait
      select d.id from private.deliveries d where d.id = any (array(select c.id from candidates c))
        and d.state = 'waiting' and d.due_at <= clock_timestamp() and d.channel = 'mail'
        and (claim_mails.reports or d.kind not in ('report', 'report_question'))
        and (claim_mails.members or d.kind <> all (private.kinds_for_members()))
      for update skip locked
    ), looked as (
      select d.id, s, w, m, p.posts, (d.data ->> 'month')::date as month, d.data ->> 'about' as about,
        r.id as recipient, case when d.kind = any (private.kinds_for_members()) then d.data end as told,
        coalesce(s.email::text, o.email::text, case when r.id is not null then private.report_address(r) end) as email
      from held h join private.deliveries d on d.id = h.id
      join public.workspaces w on w.id = d.workspace_id
      left join public.mail_settings m on m.workspace_id = d.workspace_id
      left join private.events e on e.id = d.event_id
      left join public.subscribers s on s.id = d.target_id and s.workspace_id = d.workspace_id and d.kind = any (private.kinds_for_readers())
        and m.enabled and w.public_changelog_enabled and s.status = any (case d.kind
          when 'confirmation' then '{pending}' when 'reminder' then '{active,paused}' else '{active}' end::public.subscriber_status[])
      left join auth.users o on o.id = d.target_id and (d.kind = any (private.kinds_for_owners()) and (d.kind <> 'held' or m.held_at is not null)
        or d.kind = any (private.kinds_for_members())
        and exists (select from public.members k where k.workspace_id = d.workspace_id and k.user_id = d.target_id))
      left join private.report_recipients r on r.id = d.target_id
        and r.state = case d.kind when 'report' then 'active' when 'report_question' then 'asked' end
      left join lateral (
        select array_agg(v.id order by v.published_at desc, v.id desc) as posts from (
          select v.id, v.published_at from private.visible_posts v where d.kind = 'post' and v.id = e.post_id
          union all
          (select v.id, v.published_at
          from private.news_of(d.workspace_id, (d.data ->> 'from')::timestamptz, (d.data ->> 'to')::timestamptz) v
          where d.kind = 'digest' and (s.tags is null or s.tags && v.tags) order by v.published_at desc, v.id desc limit 50)
        ) as v
      ) as p on true
    ), taken as (
      update private.deliveries d set
        (state, due_at, attempt, ended_at) = (
          select case when pointless then 'dropped' else 'waiting' end, clock_timestamp() + interval '2 minutes',
            d.attempt + (not pointless)::int, case when pointless then clock_timestamp() end
          from (select l.email is null or d.kind in ('post', 'digest') and l.posts is null) as o (pointless)
        )
      from looked l where d.id = l.id
      returning d.id, d.state, d.kind, d.attempt, d.workspace_id
    ), counted as (
      update private.mail_days c set mails = c.mails + n.mails
      from (select t.workspace_id, count(*) as mails from taken t where t.state = 'waiting' and t.attempt = 1 group by 1) as n
      where c.workspace_id = n.workspace_id and c.day = today
    )
    select t.id, t.kind, t.attempt, (l.w).id, (l.w).name, (l.w).subdomain::text, (l.w).logo_url, (l.m).sender_name, (l.m).reply_to,
      l.email, coalesce(private.subscription_token((l.s).id, (l.s).generation), private.report_token(l.recipient), ''), coalesce(l.posts, '{}'),
      l.month, (select jsonb_build_object('settings', a.settings, 'logo_dark_url', a.logo_dark_url, 'favicon_url', a.favicon_url)
        from public.appearances a where a.workspace_id = t.workspace_id),
      private.domain_of(t.workspace_id), l.about, l.told
    from taken t join looked l on l.id = t.id where t.state = 'waiting';
end $$;

-- The mail that a provider tells of: by our own id where it hands that back, by its name for the mail, else the last one to that address.
create or replace function private.mail_told_of(delivery uuid, remote text, email text) returns private.deliveries
language plpgsql stable security definer set search_path = '' as $$
declare
  found_one private.deliveries;
begin
  select d.* into found_one from private.deliveries d where d.id = delivery;
  if found_one.id is null then
    select d.* into found_one from private.deliveries d where d.remote_id = remote order by d.created_at desc limit 1;
  end if;
  if found_one.id is null then
    select d.* into found_one from public.subscribers s join private.deliveries d on d.target_id = s.id and d.workspace_id = s.workspace_id
    where s.email operator (extensions.=) mail_told_of.email::extensions.citext and d.attempt > 0
    order by coalesce(d.ended_at, d.due_at) desc limit 1;
  end if;
  return found_one;
end $$;

-- What came back of a mail, once. An address that does not exist gets nothing more from anybody here; who complained, nothing more from this
-- workspace; one whose mailbox refused three mails in fourteen days has a pause. Answers whether it was news.
create or replace function private.note_mail_event(key text, kind text, mail private.deliveries, email text, happened timestamptz) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  reader public.subscribers;
  recipient uuid; -- of reports
  address text;
begin
  if mail.kind = any (private.kinds_for_owners() || private.kinds_for_members()) then return false; end if;
  select s.* into reader from public.subscribers s
  where s.id = mail.target_id and s.workspace_id = mail.workspace_id and mail.kind = any (private.kinds_for_readers());
  if mail.kind in ('report', 'report_question') then
    select r.id, coalesce(r.email::text, u.email) into recipient, address
    from private.report_recipients r left join auth.users u on u.id = r.user_id where r.id = mail.target_id;
  end if;
  -- A mail of ours goes to one reader: who that is, we know better.
  address := coalesce(reader.email::text, address, case when private.is_mail_address(note_mail_event.email) then note_mail_event.email end);
  insert into private.mail_events (key, kind, workspace_id, subscriber_id, delivery_id, happened_at)
  values (note_mail_event.key, note_mail_event.kind, mail.workspace_id, reader.id, mail.id, least(happened, clock_timestamp()))
  on conflict on constraint mail_events_pkey do nothing;
  if not found then return false; end if;
  update private.deliveries d set bounce = note_mail_event.kind
  where d.id = mail.id and array_position('{soft,hard,complaint}'::text[], note_mail_event.kind)
      > coalesce(array_position('{soft,hard,complaint}'::text[], d.bounce), 0);
  case note_mail_event.kind
    when 'hard' then
      if address is not null then
        insert into private.suppressions (address, reason) values (private.address_hash(address), 'bounce')
        on conflict on constraint suppressions_key do update set reason = 'bounce';
        update public.subscribers s set status = 'suppressed' where s.email operator (extensions.=) address::extensions.citext and s.status <> 'suppressed';
      end if;
    when 'complaint' then
      if address is not null and mail.workspace_id is not null then
        insert into private.suppressions (address, workspace_id, reason) values (private.address_hash(address), mail.workspace_id, 'complaint')
        on conflict on constraint suppressions_key do update set reason = 'complaint';
      end if;
      update public.subscribers s set status = 'suppressed' where s.id = reader.id and s.status <> 'suppressed';
    when 'soft' then
      update public.subscribers s set status = 'paused' where s.id = reader.id and s.status = 'active' and 3 <= (
        select count(distinct coalesce(e.delivery_id::text, e.key)) from private.mail_events e
        where e.subscriber_id = reader.id and e.kind = 'soft' and e.happened_at > clock_timestamp() - interval '14 days'
      );
    else
      update public.subscribers s set status = 'left', left_at = clock_timestamp() where s.id = reader.id and s.status not in ('left', 'suppressed');
  end case;
  if note_mail_event.kind <> 'soft' then
    perform private.stop_reports(r) from private.report_recipients r where r.id = recipient;
  end if;
  if mail.workspace_id is not null and note_mail_event.kind in ('hard', 'complaint') then perform private.hold_harmful(mail.workspace_id); end if;
  return true;
end $$;

-- Deliveries of the reports that are due at `moment`, 500 at most, for each recipient once a month: also later, until six days after they were due, where
-- nobody was there to make them. Of a month in which nothing was published and nothing read none is made. A workspace that is held has none made.
-- Who was asked and said nothing for thirty days is forgotten.
create or replace function private.make_reports(moment timestamptz default clock_timestamp()) returns int
language plpgsql security definer set search_path = '' as $$
declare
  month constant date := date_trunc('month', moment at time zone 'UTC');
  told constant date := month - interval '1 month';
  made int;
begin
  if moment >= (month + 8)::timestamp at time zone 'UTC' then return 0; end if; -- nothing is due in any time zone

  delete from private.report_recipients r where r.state = 'asked' and r.created_at < moment - interval '30 days';
  insert into private.report_recipients (workspace_id, user_id, state, named)
  select a.workspace_id, m.user_id, 'active', false
  from public.workspace_add_ons a join public.members m on m.workspace_id = a.workspace_id and m.role = 'owner'
  where a.add_on = 'reports'
    and not exists (select from private.report_recipients r where r.workspace_id = a.workspace_id and r.user_id = m.user_id)
  on conflict on constraint report_recipients_member do nothing;

  with zoned as materialized (
    select a.workspace_id, a.granted_at, coalesce(s.time_zone, 'UTC') as time_zone
    from public.workspace_add_ons a left join public.mail_settings s on s.workspace_id = a.workspace_id
    where a.add_on = 'reports' and s.held_at is null
  ), zones as materialized (
    select z.time_zone, private.report_due(month, case when private.is_time_zone(z.time_zone) then z.time_zone else 'UTC' end) as due_at
    from (select distinct time_zone from zoned) as z
  ), due as (
    select z.workspace_id, n.due_at from zoned z join zones n on n.time_zone = z.time_zone
    where n.due_at <= moment and moment < n.due_at + interval '6 days' and z.granted_at <= n.due_at
  ), taken as (
    select r.id from due d join private.report_recipients r on r.workspace_id = d.workspace_id
    where r.state = 'active' and coalesce(r.active_since, '-infinity') <= d.due_at and coalesce(r.told_month, '-infinity') < told
    order by r.id limit 500 for update of r skip locked
  ), noted as (
    update private.report_recipients r set told_month = told from taken t where r.id = t.id returning r.*
  ), addressed as (
    select n.id, n.workspace_id, n.user_id, private.report_address(n) as address from noted n
  ), newsworthy as materialized (
    select w.workspace_id from (select distinct n.workspace_id from noted n) as w where private.month_has_news(w.workspace_id, told)
  )
  insert into private.deliveries (workspace_id, channel, kind, target_id, data)
  select distinct on (a.workspace_id, lower(a.address)) a.workspace_id, 'mail', 'report', a.id, jsonb_build_object('month', told)
  from addressed a join newsworthy w on w.workspace_id = a.workspace_id
  where a.address is not null
  order by a.workspace_id, lower(a.address), a.user_id nulls last;
  get diagnostics made = row_count;
  return made;
end $$;

-- What the owner of a token wants: confirm, save (rhythm and tags), leave, return, erase. Answers whether there is such a token. Done twice, it
-- is the same.
create or replace function private.change_subscription(
  subdomain text, token text, action text, frequency text default null, tags text[] default null
) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  s constant public.subscribers := private.subscriber_of(change_subscription.subdomain, change_subscription.token);
begin
  if s.id is null then return false; end if;
  case action
    when 'confirm', 'return' then
      update public.subscribers t set status = 'active', confirmed_at = coalesce(t.confirmed_at, now()), left_at = null,
        last_digest_at = case when t.status = 'active' then t.last_digest_at else now() end
      where t.id = s.id and t.status in ('pending', 'left', 'paused');
      delete from private.suppressions x
      where x.address = private.address_hash(s.email::text) and x.workspace_id = s.workspace_id and x.reason = 'erased';
    when 'save' then
      update public.subscribers t set
        frequency = coalesce(change_subscription.frequency::public.subscriber_frequency, t.frequency),
        tags = nullif(private.clean_tags(change_subscription.tags[1:20]), '{}'),
        -- What was published before a digest was wished for is no news.
        last_digest_at = case when t.frequency::text is distinct from change_subscription.frequency then now() else t.last_digest_at end
      where t.id = s.id;
    when 'leave' then
      update public.subscribers t set status = 'left', left_at = now() where t.id = s.id and t.status not in ('left', 'suppressed');
    when 'erase' then
      insert into private.suppressions (address, workspace_id, reason)
      values (private.address_hash(s.email::text), s.workspace_id, 'erased') on conflict on constraint suppressions_key do nothing;
      delete from private.deliveries d where d.target_id = s.id and d.workspace_id = s.workspace_id;
      delete from public.subscribers t where t.id = s.id;
    else perform private.refuse('validation_failed', '{"action": "Nothing of that name can be done"}');
  end case;
  return true;
end $$;

-- Takes a subscriber off the list; with `erase`, so that no import can bring the address back.
create or replace function public.remove_subscriber(workspace_id uuid, subscriber uuid, erase boolean default false) returns void
language plpgsql security definer set search_path = '' as $$
declare
  s public.subscribers;
begin
  perform private.require_role(remove_subscriber.workspace_id, '{owner,admin}');
  select t.* into s from public.subscribers t where t.id = subscriber and t.workspace_id = remove_subscriber.workspace_id;
  if s.id is null then perform private.refuse('not_found'); end if;
  if erase then
    insert into private.suppressions (address, workspace_id, reason) values (private.address_hash(s.email::text), s.workspace_id, 'erased')
    on conflict on constraint suppressions_key do nothing;
  end if;
  delete from private.deliveries d where d.target_id = s.id and d.workspace_id = s.workspace_id;
  delete from public.subscribers t where t.id = s.id;
end $$;

-- From now on nothing is sent; what waits has failed, so that it can be sent again by hand. Owners hear of it where nobody did it by hand.
create or replace function private.switch_off_webhook(webhook uuid, reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  workspace uuid;
begin
  update private.webhooks w set off_at = clock_timestamp(), off_reason = reason where w.id = webhook and w.off_at is null
  returning w.workspace_id into workspace;
  if workspace is null then return; end if;
  update private.webhook_deliveries d set state = 'failed', ended_at = clock_timestamp(),
    error = coalesce(d.error, 'The webhook was switched off before this was sent')
  where d.webhook_id = webhook and (d.state = 'waiting' or d.state = 'sending' and d.due_at <= clock_timestamp()); -- nobody lives who would end it
  if reason <> 'by_hand' then
    insert into private.deliveries (workspace_id, channel, kind, target_id)
    select m.workspace_id, 'mail', case reason when 'gone' then 'webhook_gone' else 'webhook_failing' end, m.user_id
    from public.members m where m.workspace_id = workspace and m.role = 'owner';
  end if;
end $$;

-- {"import", "entries"}: what became of each so far, in the order in which they came. Of a post that is gone there is no id.
create or replace function public.read_import(workspace_id uuid, import_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  asked public.imports;
begin
  perform private.require_role(workspace_id, '{owner,admin}');
  asked := private.import_of(workspace_id, import_id);
  return jsonb_build_object('import', private.shown_import(asked), 'entries', coalesce((
    select jsonb_agg(jsonb_build_object('external_id', e.external_id, 'title', e.title, 'outcome', e.outcome, 'post_id', p.id, 'problem', e.problem)
      order by e.place)
    from private.import_entries e left join public.posts p on p.id = e.post_id and p.workspace_id = e.workspace_id
    where e.import_id = asked.id), '[]'));
end $$;

-- {"import", "entries"}: writes posts, 25 at most, each by itself: what one of them lacks keeps none of the others back. What was written before
-- stays as it is, and what failed may be sent again.
create or replace function public.write_entries(workspace_id uuid, import_id uuid, entries jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  asked public.imports;
  entry jsonb;
  known private.import_entries;
  answers jsonb := '[]';
  done record;
  problem text;
  code text;
  details text;
  amount int;
  written int := 0;
  place int;
begin
  perform private.require_role(workspace_id, '{owner,admin}');
  asked := private.import_of(workspace_id, import_id, true);
  if jsonb_typeof(entries) is distinct from 'array' or jsonb_array_length(entries) not between 1 and 25 then
    perform private.refuse('validation_failed', '{"entries": "Please send between 1 and 25 posts at once"}');
  elsif exists (
    select from jsonb_array_elements(entries) as e (entry)
    where (char_length(e.entry ->> 'external_id') between 1 and 200 and e.entry ->> 'fingerprint' ~ '^[0-9a-f]{64}$') is not true
  ) then perform private.refuse('validation_failed', '{"entries": "Please send of each post what it is called there, and its fingerprint"}'); end if;
  select count(*), coalesce(max(e.place), 0) into amount, place from private.import_entries e where e.import_id = asked.id;
  if amount + (
    select count(distinct e.entry ->> 'external_id') from jsonb_array_elements(entries) as e (entry)
    where not exists (select from private.import_entries k where k.import_id = asked.id and k.external_id = e.entry ->> 'external_id')
  ) > asked.total then
    perform private.refuse('validation_failed', jsonb_build_object('entries', 'This import was begun for fewer posts'));
  end if;

  -- Those that are there already are held in one order, before anything else is: who saves one of them holds it and then waits for what this holds.
  perform from public.posts p
  where p.id = any (array(select private.called_post(workspace_id, e.entry ->> 'external_id') from jsonb_array_elements(entries) as e (entry)))
  order by p.id for no key update;
  perform private.begin_importing();
  for entry in select e.entry from jsonb_array_elements(entries) with ordinality as e (entry, place) order by e.place loop
    select k.* into known from private.import_entries k where k.import_id = asked.id and k.external_id = entry ->> 'external_id';
    if known.outcome <> 'failed' then
      answers := answers || jsonb_build_object('external_id', known.external_id, 'title', known.title, 'outcome', 'there',
        'post_id', (select p.id from public.posts p where p.id = known.post_id and p.workspace_id = known.workspace_id), 'problem', null);
      continue;
    end if;
    begin
      select f.* into done from private.import_post(workspace_id, entry) as f;
      problem := null;
      written := written + 1;
    exception
      when raise_exception then
        get stacked diagnostics problem = message_text, code = pg_exception_hint, details = pg_exception_detail;
        if code in ('unauthenticated', 'forbidden', 'not_found', '') then raise; end if;
        if code = 'validation_failed' then problem := (select d.value from jsonb_each_text(details::jsonb) as d limit 1); end if;
      -- What no field of ours takes, and who wrote past /api knows what he sent.
      when data_exception or integrity_constraint_violation or program_limit_exceeded then
        problem := 'This post cannot be kept as it is';
    end;
    if problem is not null then
      select 'failed' as outcome, null::uuid as post_id, null::int as version, null::int as before, null::boolean as was_quiet into done;
    end if;
    place := place + 1;
    insert into private.import_entries as k (import_id, external_id, workspace_id, place, title, outcome, problem, post_id, fingerprint, version, before,
      was_quiet)
    values (asked.id, entry ->> 'external_id', workspace_id, place, left(coalesce(private.clean_line(entry ->> 'title'), ''), 200), done.outcome, problem,
      done.post_id, entry ->> 'fingerprint', done.version, done.before, done.was_quiet)
    on conflict on constraint import_entries_pkey do update set title = excluded.title, outcome = excluded.outcome, problem = excluded.problem,
      post_id = excluded.post_id, fingerprint = excluded.fingerprint, version = excluded.version, before = excluded.before,
      was_quiet = excluded.was_quiet, made_at = excluded.made_at;
    answers := answers || jsonb_build_object('external_id', entry ->> 'external_id', 'title', left(coalesce(private.clean_line(entry ->> 'title'), ''), 200),
      'outcome', done.outcome, 'post_id', done.post_id, 'problem', problem);
  end loop;
  perform private.note_import(asked, written);
  perform private.end_importing(workspace_id, written > 0);
  update public.imports i set finished_at = clock_timestamp()
  where i.id = asked.id and i.finished_at is null and i.total = (select count(*) from private.import_entries e where e.import_id = asked.id);
  select i.* into asked from public.imports i where i.id = asked.id;
  return jsonb_build_object('import', private.shown_import(asked), 'entries', answers);
end $$;

-- {"import", "unfinished"}: takes some 200 of its posts back, those that it made for good, those whose place it took to what they were. What anybody
-- has touched since stays. As long as it is unfinished, the next call goes on.
create or replace function public.undo_import(workspace_id uuid, import_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  asked public.imports;
  posts int;
  entry record;
  became text;
  batch int := 0;
begin
  perform private.require_role(workspace_id, '{owner,admin}');
  perform private.person_id();
  perform pg_advisory_xact_lock(hashtextextended('imports/' || workspace_id, 0));
  asked := private.import_of(workspace_id, import_id);
  if asked.undone_at is null then
    update public.imports i set undone_at = clock_timestamp() where i.id = asked.id returning i.* into asked;
    select count(*) into posts from private.import_entries e where e.import_id = asked.id and e.outcome <> 'failed';
    if posts > 0 then
      perform private.audit(workspace_id, 'import_undone', asked.id, asked.name, jsonb_build_object('source', asked.source));
      perform private.record_activity(workspace_id, 'import_undone',
        posts || case posts when 1 then ' post from ' else ' posts from ' end || coalesce(nullif(asked.name, ''), asked.source));
    end if;
  end if;

  perform private.begin_importing();
  for entry in
    with chosen as materialized (
      select e.* from private.import_entries e
      where e.import_id = asked.id and e.outcome in ('made', 'replaced') and e.undone is null order by e.outcome, e.place limit 200
    ), held as materialized (
      select p.id, p.version from public.posts p -- of this workspace: a copy that came back may name any
      where p.workspace_id = asked.workspace_id and p.id = any (array(select c.post_id from chosen c)) order by p.id for update
    )
    select c.*, h.id is not null as is_there, h.version = c.version as is_untouched
    from chosen c left join held h on h.id = c.post_id order by c.place desc -- the last first: of two that took one's place after each other
  loop
    batch := batch + 1;
    if not entry.is_there then became := 'gone';
    elsif not entry.is_untouched then became := 'left';
    elsif entry.outcome = 'made' then
      delete from public.posts p where p.id = entry.post_id;
      became := 'gone';
    else became := private.put_post_back(entry.post_id, entry.before, entry.was_quiet); end if;
    update private.import_entries e set undone = became where e.import_id = asked.id and e.external_id = entry.external_id;
  end loop;
  perform private.end_importing(workspace_id, batch > 0);
  return jsonb_build_object('import', private.shown_import(asked), 'unfinished', exists (
    select from private.import_entries e where e.import_id = asked.id and e.outcome in ('made', 'replaced') and e.undone is null));
end $$;

-- One post. What was scheduled for a time that has passed is a draft: nothing is published because a copy was looked at. What is still to come is
-- news then, unless the workspace that was copied is there and tells it itself.
create or replace function private.restore_post(r private.restores, line jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  was constant public.posts := jsonb_populate_record(null::public.posts, line);
  is_due constant boolean := was.status = 'scheduled' and was.publish_at <= clock_timestamp();
begin
  perform private.tell_readers(case when was.status = 'scheduled' and r.keeps_ids then null else false end);
  perform set_config('tidings.restored', jsonb_build_object(
    'status', case when is_due then 'draft' else was.status end, 'publish_at', case when not is_due then was.publish_at end,
    'published_at', was.published_at, 'archived_at', was.archived_at, 'slug', was.slug,
    'version', case when was.version > 1000000000 then 1000000000 else was.version end, -- there is room for what is saved from now on
    'created_by', case when was.created_by = r.person then was.created_by end, 'created_by_name', was.created_by_name,
    'author_id', case when was.author_id = r.person then was.author_id end, 'author_name', was.author_name,
    'updated_by', case when was.updated_by = r.person then was.updated_by end, 'updated_by_name', was.updated_by_name,
    'created_at', was.created_at, 'updated_at', was.updated_at, 'content_updated_at', was.content_updated_at,
    'external_id', was.external_id, 'imported_at', was.imported_at)::text, true);
  perform set_config('tidings.autosave', 'on', true); -- a draft may have no title yet
  insert into public.posts (id, workspace_id, title, content_raw, tags, summary, cover_image)
  values (private.restored_id(r, was.id), r.workspace_id, was.title, was.content_raw, was.tags, was.summary, nullif(was.cover_image, 'null'));
  perform set_config('tidings.restored', '', true), set_config('tidings.autosave', '', true);
end $$;

-- Rows of one part of a copy (contract/workspace-export.ts), up to a few hundred; those that belong to a post after the posts. Parts that are
-- people's (members, invitations, who gets reports) or the installation's (add-ons, names of its own) do not come back.
create or replace function public.restore_rows(workspace_id uuid, part text, rows jsonb) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  r private.restores;
  line jsonb;
begin
  update private.restores t set alive_at = clock_timestamp() where t.workspace_id = restore_rows.workspace_id and t.done_at is null returning t.* into r;
  if r.workspace_id is null then perform private.refuse('not_found'); end if;
  perform private.begin_importing();
  case part
    when 'posts' then
      for line in select e.value from jsonb_array_elements(rows) as e loop
        perform private.restore_post(r, line);
      end loop;
      perform private.tell_readers(false);
    when 'post_revisions' then
      insert into public.post_revisions as v (post_id, workspace_id, version, status, title, tags, content_raw, publish_at, author_id, author_name,
        created_at, summary, cover_image, published_at, post_author_name, autosaves_since)
      select p.id, r.workspace_id, x.version, x.status, x.title, x.tags, x.content_raw, x.publish_at,
        case when x.author_id = r.person then x.author_id end, x.author_name, x.created_at, x.summary, nullif(x.cover_image, 'null'), x.published_at,
        x.post_author_name, x.autosaves_since
      from jsonb_populate_recordset(null::public.post_revisions, rows) as x
      join public.posts p on p.id = private.restored_id(r, x.post_id) and p.workspace_id = r.workspace_id
      where x.version <= p.version -- who saved while the copy was made: the version after that of the post's own row is not what came back
      on conflict on constraint post_revisions_pkey do update set status = excluded.status, title = excluded.title, tags = excluded.tags,
        content_raw = excluded.content_raw, publish_at = excluded.publish_at, author_id = excluded.author_id, author_name = excluded.author_name,
        created_at = excluded.created_at, summary = excluded.summary, cover_image = excluded.cover_image, published_at = excluded.published_at,
        post_author_name = excluded.post_author_name, autosaves_since = excluded.autosaves_since;
    when 'post_slugs' then
      insert into public.post_slugs (workspace_id, slug, post_id, created_at)
      select r.workspace_id, x.slug, p.id, x.created_at from jsonb_populate_recordset(null::public.post_slugs, rows) as x
      join public.posts p on p.id = private.restored_id(r, x.post_id) and p.workspace_id = r.workspace_id
      on conflict on constraint post_slugs_pkey do update set created_at = excluded.created_at, post_id = excluded.post_id;
    when 'post_redirects' then
      insert into public.post_redirects (workspace_id, host, path, post_id)
      select r.workspace_id, x.host, x.path, p.id from jsonb_populate_recordset(null::public.post_redirects, rows) as x
      join public.posts p on p.id = private.restored_id(r, x.post_id) and p.workspace_id = r.workspace_id;
    when 'imports' then
      insert into public.imports (id, workspace_id, source, name, total, created_by, created_by_name, created_at, finished_at, undone_at)
      select private.restored_id(r, x.id), r.workspace_id, x.source, x.name, x.total, case when x.created_by = r.person then x.created_by end,
        x.created_by_name, x.created_at, x.finished_at, x.undone_at
      from jsonb_populate_recordset(null::public.imports, rows) as x;
    when 'import_entries' then
      insert into private.import_entries (import_id, external_id, workspace_id, place, title, outcome, problem, post_id, fingerprint, version, before,
        was_quiet, undone, made_at)
      select i.id, x.external_id, r.workspace_id, x.place, x.title, x.outcome, x.problem, private.restored_id(r, x.post_id), x.fingerprint, x.version,
        x.before, x.was_quiet, x.undone, x.made_at
      from jsonb_populate_recordset(null::private.import_entries, rows) as x
      join public.imports i on i.id = private.restored_id(r, x.import_id) and i.workspace_id = r.workspace_id;
    when 'tags' then
      insert into public.tags (workspace_id, label, colour, created_at)
      select r.workspace_id, x.label, x.colour, x.created_at from jsonb_populate_recordset(null::public.tags, rows) as x;
    when 'former_tags' then
      insert into private.former_tags (workspace_id, key, now_key)
      select r.workspace_id, x.key, x.now_key from jsonb_populate_recordset(null::private.former_tags, rows) as x;
    when 'templates' then
      insert into public.templates (id, workspace_id, name, title, summary, tags, content_raw, updated_by, updated_by_name, created_at, updated_at)
      select private.restored_id(r, x.id), r.workspace_id, x.name, x.title, x.summary, x.tags, x.content_raw,
        case when x.updated_by = r.person then x.updated_by end, x.updated_by_name, x.created_at, x.updated_at
      from jsonb_populate_recordset(null::public.templates, rows) as x;
    when 'comment_threads' then
      insert into private.comment_threads (id, workspace_id, post_id, block_id, quote, by_visitor, created_at, resolved_at, resolved_by_name)
      select private.restored_id(r, x.id), r.workspace_id, p.id, x.block_id, x.quote, x.by_visitor, x.created_at, x.resolved_at, x.resolved_by_name
      from jsonb_populate_recordset(null::private.comment_threads, rows) as x
      join public.posts p on p.id = private.restored_id(r, x.post_id) and p.workspace_id = r.workspace_id;
    when 'comments' then -- by nobody who is here, but for who has the copy put back: a copy may say anything
      insert into private.comments (id, workspace_id, thread_id, user_id, name, text, mentions, created_at, edited_at)
      select private.restored_id(r, x.id), r.workspace_id, t.id,
        case when x.user_id = r.person then x.user_id when x.user_id is not null then gen_random_uuid() end, x.name, x.text, coalesce((
          select jsonb_agg(jsonb_build_object('user_id', gen_random_uuid(), 'name', m.person ->> 'name'))
          from jsonb_array_elements(private.as_list(x.mentions)) as m (person) where m.person ->> 'name' <> ''), '[]'), x.created_at, x.edited_at
      from jsonb_populate_recordset(null::private.comments, rows) as x
      join private.comment_threads t on t.id = private.restored_id(r, x.thread_id) and t.workspace_id = r.workspace_id;
    when 'activities' then
      insert into public.activities (workspace_id, post_id, kind, actor_id, actor_name, title, created_at)
      select r.workspace_id, private.restored_id(r, x.post_id), x.kind, case when x.actor_id = r.person then x.actor_id end, x.actor_name, x.title,
        x.created_at
      from jsonb_populate_recordset(null::public.activities, rows) with ordinality as x order by x.ordinality;
    when 'daily_counts' then
      insert into public.daily_counts (workspace_id, post_id, what, day, source, n)
      select r.workspace_id, private.restored_id(r, x.post_id), x.what, x.day, x.source, case when x.n > 1000000000 then 1000000000 else x.n end
      from jsonb_populate_recordset(null::public.daily_counts, rows) as x;
    when 'subscribers' then
      insert into public.subscribers (id, workspace_id, email, status, frequency, tags, generation, consent, created_at, confirmed_at, left_at,
        last_digest_at)
      select private.restored_id(r, x.id), r.workspace_id, x.email, x.status, x.frequency, x.tags, x.generation, x.consent, x.created_at,
        x.confirmed_at, x.left_at, x.last_digest_at
      from jsonb_populate_recordset(null::public.subscribers, rows) as x;
    when 'suppressions' then
      insert into private.suppressions (id, address, workspace_id, reason, created_at)
      select private.restored_id(r, x.id), x.address, r.workspace_id, x.reason, x.created_at
      from jsonb_populate_recordset(null::private.suppressions, rows) as x;
    else perform private.refuse('validation_failed', '{"part": "This does not come back"}');
  end case;
  perform private.end_importing(r.workspace_id, false);
end $$;

-- What there is once: the workspace's own row, how its widget, its mails and its pages are set, and how it wants posts written. The page is closed until the owner opens it.
create or replace function public.restore_objects(workspace_id uuid, document jsonb) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  r private.restores;
  was constant public.workspaces := jsonb_populate_record(null::public.workspaces, document -> 'workspace');
  look constant public.appearances := jsonb_populate_record(null::public.appearances, document -> 'appearance');
  mails constant public.mail_settings := jsonb_populate_record(null::public.mail_settings, document -> 'mail_settings');
begin
  update private.restores t set alive_at = clock_timestamp()
  where t.workspace_id = restore_objects.workspace_id and t.done_at is null returning t.* into r;
  if r.workspace_id is null then perform private.refuse('not_found'); end if;
  update public.workspaces w set origin = was.origin, allowed_origins = coalesce(was.allowed_origins, '{}'), logo_url = was.logo_url
  where w.id = r.workspace_id;
  if jsonb_typeof(document -> 'widget_settings') = 'object' and document -> 'widget_settings' <> '{}' then
    insert into public.widget_settings (workspace_id, settings) values (r.workspace_id, document -> 'widget_settings')
    on conflict on constraint widget_settings_pkey do update set settings = excluded.settings;
  end if;
  if jsonb_typeof(document -> 'appearance') = 'object' and document -> 'appearance' <> '{}' then
    insert into public.appearances (workspace_id, settings, logo_dark_url, favicon_url)
    values (r.workspace_id, (document -> 'appearance') - '{logo_dark_url,favicon_url}'::text[], look.logo_dark_url, look.favicon_url)
    on conflict on constraint appearances_pkey do update set settings = excluded.settings, logo_dark_url = excluded.logo_dark_url,
      favicon_url = excluded.favicon_url;
  end if;
  if mails.workspace_id is null then
    delete from public.mail_settings m where m.workspace_id = r.workspace_id; -- it did not mail
  else
    update public.mail_settings m set enabled = mails.enabled, undo_minutes = mails.undo_minutes, sender_name = mails.sender_name,
      reply_to = mails.reply_to, time_zone = case when private.is_time_zone(mails.time_zone) then mails.time_zone else 'UTC' end,
      held_at = mails.held_at, held_reason = mails.held_reason, released_at = case when mails.released_at > now() then now() else mails.released_at end
    where m.workspace_id = r.workspace_id;
  end if;
  if jsonb_typeof(document -> 'house_style') = 'object' and document -> 'house_style' <> '{}' then
    insert into public.house_styles (workspace_id, text, updated_by, updated_by_name, updated_at)
    select r.workspace_id, x.text, case when x.updated_by = r.person then x.updated_by end, x.updated_by_name, x.updated_at
    from jsonb_populate_record(null::public.house_styles, document -> 'house_style') as x
    on conflict on constraint house_styles_pkey do nothing; -- it was told twice
  end if;
end $$;

-- A copy knows nothing of what its subscribers have said or what became of their addresses since it was made: who has left, wants to be forgotten, has
-- complained or cannot be reached hears nothing because a copy came back. As far as it is known here: of a workspace that is gone only the addresses
-- that bounce are.
create or replace function private.heed_what_was_said_since(r private.restores) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.suppressions (address, workspace_id, reason)
  select x.address, r.workspace_id, x.reason from private.suppressions x where x.workspace_id = r.source_id
  on conflict on constraint suppressions_key do nothing;
  delete from public.subscribers s using private.suppressions x
  where s.workspace_id = r.workspace_id and x.workspace_id = r.source_id and x.reason = 'erased' and x.address = private.address_hash(s.email::text);
  update public.subscribers s set status = 'suppressed'
  where s.workspace_id = r.workspace_id and s.status <> 'suppressed' and exists (
    select from private.suppressions x where x.address = private.address_hash(s.email::text)
      and (x.workspace_id is null or x.workspace_id = r.source_id and x.reason <> 'erased')
  );
  update public.subscribers s set status = case n.status when 'pending' then 'left' else n.status end, left_at = n.left_at from public.subscribers n
  where s.workspace_id = r.workspace_id and s.status in ('pending', 'active', 'paused') and n.workspace_id = r.source_id
    and n.email operator (extensions.=) s.email and (n.status in ('left', 'paused', 'suppressed') or n.status = 'pending' and n.left_at is not null);
end $$;

-- Turns posts whose time has come from scheduled to published. Readers see them without it (private.visible_posts);
-- it makes the rows say so, with one activity and one announcement each. One that cannot be published keeps none of the others. Any number of callers share the work:
-- each takes rows nobody else holds. A ticker calls it on the embedded stack, pg_cron where there is one.
create or replace function private.publish_due_posts(batch int default 200) returns int
language plpgsql security definer set search_path = '' as $$
declare
  published int := 0;
  post uuid;
begin
  begin
    with due as (
      select p.id from public.posts p where p.status = 'scheduled' and p.publish_at <= clock_timestamp()
      order by p.publish_at limit batch for update skip locked
    )
    update public.posts p set status = 'published' from due where p.id = due.id;
    get diagnostics published = row_count;
    return published;
  exception when others then
    null; -- one of them cannot be published, and the others are not to wait for it
  end;
  for post in
    select p.id from public.posts p where p.status = 'scheduled' and p.publish_at <= clock_timestamp() order by p.publish_at for update skip locked
  loop
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

-- Removes what has served: answers kept for retries, full rate-limit buckets, yesterday's readers, subdomains whose
-- block is over. Nothing breaks when it does not run. Hourly by pg_cron where there is one, else by the ticker.
-- A week after an invitation was accepted nobody needs the address it went to; who never said yes is forgotten as soon.
create or replace function private.tidy_up() returns void
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
  delete from private.mail_days m where m.day < (now() at time zone 'utc')::date - 1;
  select private.audit_other_sign_ins();
  select private.forget_old_audit();
  select private.discard_unused_images();
  select private.discard_lost_pictures();
$$;

create or replace trigger subscribers_90_tell_webhooks after update of status on public.subscribers
for each row when (old.status <> new.status and (new.status = 'left' and old.status <> 'pending' or new.status = 'active' and old.status in ('pending', 'left')))
execute function private.tell_webhooks_of_subscriber();
