-- A digest of more than fifty posts says so; names of one person keep nobody else's waiting; who is named twice in a thread hears of the second
-- comment when the first is taken back; who deletes a workspace whose readers are just being told waits, and nobody in a circle.

-- What is due becomes deliveries: one for each who is to hear of it now, `most` of them at a time, of one event its workspace's share of that or two
-- thousand, workspaces in turns: one post to half a million keeps nobody else's waiting, nor its own from being sent. Any number of callers share
-- the work. What is not visible by then is told to nobody, and what comes out while a workspace mails nothing is no news later.
create or replace function private.tell_events(most int default 10000) returns int
language plpgsql security definer set search_path = '' as $$
declare
  -- Workspaces are held before their events, in the order in which a deletion locks them; one that is just being deleted is passed over.
  held constant uuid[] := array(
    select w.id from public.workspaces w
    where w.id in (select d.workspace_id from private.events d where d.told_at is null and d.due_at <= clock_timestamp())
    for key share skip locked);
  share constant int := greatest(2000, most / greatest(1, cardinality(held)));
  event private.events;
  told int := 0;
  piece int;
  reached_now uuid;
  written int;
begin
  for event in
    select e.* from private.events e join (
      select d.id, d.reached_at, row_number() over (partition by d.workspace_id order by d.reached_at nulls first, d.due_at, d.id) as turn
      from private.events d where d.told_at is null and d.due_at <= clock_timestamp() and d.workspace_id = any (held)
    ) as d on d.id = e.id
    where e.told_at is null
    order by d.turn, d.reached_at nulls first, e.due_at, e.id for update of e skip locked
  loop
    piece := least(share, most - told);
    exit when piece <= 0;
    if not private.mails_readers(event.workspace_id) then
      update private.events e set told_at = clock_timestamp(), quiet = true where e.id = event.id;
      continue;
    end if;
    with next as (
      select s.id from public.subscribers s join private.visible_posts v on v.id = event.post_id
      where s.workspace_id = event.workspace_id and s.status = 'active' and s.frequency = 'instant' and (s.tags is null or s.tags && v.tags)
        and (event.reached is null or s.id > event.reached)
      order by s.id limit piece
    ), deliveries as (
      insert into private.deliveries (event_id, workspace_id, channel, kind, target_id)
      select event.id, event.workspace_id, 'mail', 'post', n.id from next n
      on conflict on constraint deliveries_once do nothing
    )
    select count(*), (array_agg(n.id order by n.id desc))[1] into written, reached_now from next n;
    told := told + written;
    update private.events e set reached = coalesce(reached_now, e.reached), reached_at = clock_timestamp(),
      told_at = case when written < piece then clock_timestamp() end
    where e.id = event.id;
  end loop;
  return told;
end $$;

-- One delivery for each whose digest is due and has something in it. The period ends where the next begins: nothing is told twice. It is made
-- once what was published until its end can be taken back no more, and a minute at least after it, when whatever was saved before is seen. Ten
-- thousand at a time, of one workspace and rhythm a thousand, whosever turn chance makes it.
create or replace function private.make_digests() returns int
language plpgsql security definer set search_path = '' as $$
declare
  made int;
begin
  -- A time zone and what is news are each worked out once for all who share them: every few seconds somebody asks, mostly for nothing.
  with nines as materialized (
    select k.time_zone, k.undo_minutes, r.rhythm,
      private.last_digest_time(case when private.is_time_zone(k.time_zone) then k.time_zone else 'UTC' end, r.rhythm,
        now() - make_interval(mins => greatest(k.undo_minutes, 1))) as nine
    from (select distinct m.time_zone, m.undo_minutes from public.mail_settings m where m.enabled) as k,
      (values ('daily'::public.subscriber_frequency), ('weekly')) as r (rhythm)
  ), turns as materialized (
    select m.workspace_id, n.rhythm, n.nine from nines n
    join public.mail_settings m on m.enabled and m.time_zone = n.time_zone and m.undo_minutes = n.undo_minutes
    join public.workspaces w on w.id = m.workspace_id and w.public_changelog_enabled
    where exists (
      select from public.subscribers d
      where d.workspace_id = m.workspace_id and d.frequency = n.rhythm and d.status = 'active' and d.last_digest_at < n.nine
    )
    order by random() for key share of w skip locked -- before their readers, as a deletion does
  ), due as (
    select s.id, t.workspace_id, s.last_digest_at as since, t.nine as until, s.tags from turns t,
      lateral ( -- with a limit by the index: what it costs is a matter of workspaces, not of subscribers
        select d.id, d.last_digest_at, d.tags from public.subscribers d
        where d.workspace_id = t.workspace_id and d.frequency = t.rhythm and d.status = 'active' and d.last_digest_at < t.nine
        order by d.last_digest_at limit 1000 for update skip locked
      ) as s
    limit 10000
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
-- report tells of its month (of a digest the newest fifty, and one more where there are more). Reports and what members are told are taken by workers that say they know them.
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
  staying uuid[]; -- of those the ones that are not just being deleted: that takes their rows of the day, too
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
    staying := array(select w.id from public.workspaces w where w.id = any (young) order by w.id for key share skip locked);
    busy := array(select b.id from unnest(busy) as b (id) where b.id <> all (young) or b.id = any (staying));
    young := staying;
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
          where d.kind = 'digest' and (s.tags is null or s.tags && v.tags) order by v.published_at desc, v.id desc limit 51)
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

-- Takes names whose look is due, for ten minutes; then another worker may. People in turns, so that nobody's names, however many there are, keep
-- another's waiting. Of a workspace that has the add-on no more none is taken.
create or replace function public.claim_domains(batch int default 10) returns setof public.domains
language sql security definer set search_path = '' as $$
  with due as (
    select n.host, n.next_check_at, row_number() over (partition by coalesce(o.user_id, n.workspace_id) order by n.next_check_at, n.host) as turn
    from public.domains n left join public.members o on o.workspace_id = n.workspace_id and o.role = 'owner'
    where n.next_check_at <= clock_timestamp() and private.has_domains(n.workspace_id)
  ), held as (
    select d.host from public.domains d where d.host = any (array(
      select n.host from due n order by n.turn, n.next_check_at limit least(greatest(coalesce(batch, 10), 1), 50)
    )) and d.next_check_at <= clock_timestamp()
    for update skip locked
  )
  update public.domains d set next_check_at = clock_timestamp() + interval '10 minutes' from held h where d.host = h.host
  returning d.*
$$;

-- A mail that waits says what the comment says: what was deleted, or names somebody no more, is not sent. Whom another comment of the thread has
-- named while it waited (tell_member told them once of both) is told of that one.
create or replace function private.retell_mentioned() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  untold private.deliveries;
  other private.comments;
begin
  for untold in
    delete from private.deliveries d
    where d.target_id in (select (m.person ->> 'user_id')::uuid from jsonb_array_elements(old.mentions) as m (person))
      and d.kind = 'mentioned' and d.state = 'waiting' and d.data ->> 'comment_id' = old.id::text
      and (tg_op = 'DELETE' or not exists (
        select from jsonb_array_elements(new.mentions) as m (person) where m.person ->> 'user_id' = d.target_id::text))
    returning d.*
  loop
    select c.* into other from private.comments c
    where c.thread_id = old.thread_id and c.id <> old.id and c.user_id is distinct from untold.target_id
      and c.mentions @> jsonb_build_array(jsonb_build_object('user_id', untold.target_id))
      and coalesce(c.edited_at, c.created_at) >= untold.created_at
    order by c.created_at desc, c.id desc limit 1;
    if other.id is not null then
      perform private.tell_member(untold.workspace_id, 'mentioned', untold.target_id,
        untold.data || jsonb_build_object('comment_id', other.id, 'by', other.name, 'text', other.text));
    end if;
  end loop;
  if tg_op = 'UPDATE' then
    update private.deliveries d set data = d.data || jsonb_build_object('text', new.text)
    where d.target_id in (select (m.person ->> 'user_id')::uuid from jsonb_array_elements(new.mentions) as m (person))
      and d.kind = 'mentioned' and d.state = 'waiting' and d.data ->> 'comment_id' = new.id::text;
  end if;
  return null;
end $$;

-- Turns posts whose time has come from scheduled to published. Readers see them without it (private.visible_posts);
-- it makes the rows say so, with one activity and one announcement each. One that cannot be published keeps none of the others. Any number of callers share the work:
-- each takes rows nobody else holds, and none of a workspace that is just being deleted. A ticker calls it on the embedded stack, pg_cron where there is one.
create or replace function private.publish_due_posts(batch int default 200) returns int
language plpgsql security definer set search_path = '' as $$
declare
  published int := 0;
  post uuid;
begin
  begin
    with due as (
      select p.id from public.posts p join public.workspaces w on w.id = p.workspace_id
      where p.status = 'scheduled' and p.publish_at <= clock_timestamp()
      order by p.publish_at limit batch for key share of w skip locked for update of p skip locked
    )
    update public.posts p set status = 'published' from due where p.id = due.id;
    get diagnostics published = row_count;
    return published;
  exception when others then
    null; -- one of them cannot be published, and the others are not to wait for it
  end;
  for post in
    select p.id from public.posts p join public.workspaces w on w.id = p.workspace_id
    where p.status = 'scheduled' and p.publish_at <= clock_timestamp()
    order by p.publish_at for key share of w skip locked for update of p skip locked
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
