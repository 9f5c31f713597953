-- What members are told by mail of the work they share (supabase/schemas/76-outbox.sql).

-- squawk-ignore require-concurrent-index-creation
create index deliveries_to_members on private.deliveries (due_at) where kind in ('review_asked', 'review_decided', 'mentioned') and state = 'waiting';
-- squawk-ignore require-concurrent-index-creation
create unique index deliveries_to_member_once on private.deliveries (target_id, workspace_id, kind, (data ->> 'subject'))
where kind in ('review_asked', 'review_decided', 'mentioned') and state = 'waiting' and attempt = 0;

create function private.kinds_for_members() returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select '{review_asked,review_decided,mentioned}'::text[]
$$;

create function private.tell_member(workspace uuid, kind text, person uuid, data jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not kind = any (private.kinds_for_members()) or coalesce(data ->> 'subject', '') = '' then
    raise exception 'members are not told of % about %', kind, data ->> 'subject';
  end if;
  if not exists (select from public.members m where m.workspace_id = workspace and m.user_id = person) then return; end if;
  if 50 <= (
    select count(*) from private.deliveries d
    where d.target_id = person and d.workspace_id = workspace and d.kind = any (private.kinds_for_members())
      and d.created_at > clock_timestamp() - interval '1 day'
  ) then return; end if;
  insert into private.deliveries (workspace_id, channel, kind, target_id, data) values (workspace, 'mail', tell_member.kind, person, tell_member.data)
  on conflict do nothing;
end $$;

drop function public.claim_mails(int, int, boolean);
create function public.claim_mails(
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
      left join public.subscribers s on s.id = d.target_id and m.enabled and w.public_changelog_enabled
        and s.status = case d.kind when 'confirmation' then 'pending' else 'active' end::public.subscriber_status
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
revoke all on function public.claim_mails(int, int, boolean, boolean) from public, anon, authenticated;
grant execute on function public.claim_mails(int, int, boolean, boolean) to service_role;

create or replace function private.hold_harmful(workspace uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  mails int;
  complaints int;
  bounces int;
  reason text;
begin
  select count(*), count(*) filter (where l.bounce = 'complaint'), count(*) filter (where l.bounce = 'hard') into mails, complaints, bounces from (
    select d.bounce from private.deliveries d
    where d.workspace_id = workspace and d.state in ('done', 'failed') and (d.state = 'done' or d.bounce is not null)
      and d.kind <> all (private.kinds_for_owners() || private.kinds_for_members())
      and d.ended_at > coalesce((select m.released_at from public.mail_settings m where m.workspace_id = workspace), '-infinity')
    order by d.ended_at desc limit 1000
  ) as l;
  reason := case when complaints >= 3 and complaints > mails * 0.003 then 'complaints' when bounces >= 10 and bounces > mails * 0.05 then 'bounces' end;
  if reason is null then return; end if;
  update public.mail_settings m set held_at = clock_timestamp(), held_reason = reason where m.workspace_id = workspace and m.held_at is null;
  if not found then return; end if;
  insert into private.deliveries (workspace_id, channel, kind, target_id)
  select m.workspace_id, 'mail', 'held', m.user_id from public.members m where m.workspace_id = workspace and m.role = 'owner';
end $$;

create or replace function private.note_mail_event(key text, kind text, mail private.deliveries, email text, happened timestamptz) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  reader public.subscribers;
  recipient uuid; -- of reports
  address text;
begin
  if mail.kind = any (private.kinds_for_owners() || private.kinds_for_members()) then return false; end if;
  select s.* into reader from public.subscribers s where s.id = mail.target_id;
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
