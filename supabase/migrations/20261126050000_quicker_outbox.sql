-- Looking for digests that are due took a call for each workspace and rhythm, every few seconds, and all subscribers; now a
-- call for each time zone, and an index.
create or replace function private.make_digests() returns int
language plpgsql security definer set search_path = '' as $$
declare
  made int;
begin
  -- A time zone and what is news are each worked out once for all who share them: every few seconds somebody asks, mostly for nothing.
  with nines as materialized (
    select k.time_zone, k.undo_minutes, r.rhythm,
      private.last_digest_time(k.time_zone, r.rhythm, now() - make_interval(mins => k.undo_minutes)) as nine
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

-- Taking a hundred compared them with all that wait: seconds where there are a hundred thousand.
create or replace function public.claim_mails(batch int default 50, first_week int default 500) returns table (
  id uuid, kind text, attempt int, workspace_id uuid, workspace_name text, subdomain text, logo_url text, sender_name text, reply_to text,
  email text, token text, posts uuid[]
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
        where d.kind = 'held' and d.state = 'waiting' and d.due_at <= clock_timestamp()
      ) as c
      order by c.turn, c.due_at limit size
    ), held as (
      -- as an array, so that each is looked up by its id, however many wait
      select d.id from private.deliveries d where d.id = any (array(select c.id from candidates c))
        and d.state = 'waiting' and d.due_at <= clock_timestamp() and d.channel = 'mail'
      for update skip locked
    ), looked as (
      select d.id, s.id is not null or o.id is not null as still, s, w, m, p.posts, coalesce(s.email::text, o.email::text) as email
      from held h join private.deliveries d on d.id = h.id
      join public.workspaces w on w.id = d.workspace_id
      left join public.mail_settings m on m.workspace_id = d.workspace_id
      left join private.events e on e.id = d.event_id
      left join public.subscribers s on s.id = d.target_id and m.enabled and w.public_changelog_enabled
        and s.status = case d.kind when 'confirmation' then 'pending' else 'active' end::public.subscriber_status
      left join auth.users o on o.id = d.target_id and d.kind = 'held' and m.held_at is not null
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
          from (select not l.still or d.kind in ('post', 'digest') and l.posts is null) as o (pointless)
        )
      from looked l where d.id = l.id
      returning d.id, d.state, d.kind, d.attempt, d.workspace_id
    ), counted as (
      update private.mail_days c set mails = c.mails + n.mails
      from (select t.workspace_id, count(*) as mails from taken t where t.state = 'waiting' and t.attempt = 1 group by 1) as n
      where c.workspace_id = n.workspace_id and c.day = today
    )
    select t.id, t.kind, t.attempt, (l.w).id, (l.w).name, (l.w).subdomain::text, (l.w).logo_url, (l.m).sender_name, (l.m).reply_to,
      l.email, coalesce(private.subscription_token((l.s).id, (l.s).generation), ''), coalesce(l.posts, '{}')
    from taken t join looked l on l.id = t.id where t.state = 'waiting';
end $$;
