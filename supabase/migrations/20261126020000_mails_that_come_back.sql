-- Mails that come back: addresses that nothing is sent to any more, workspaces that are held, and how much a new one may send.

-- squawk-ignore require-concurrent-index-creation
create index subscribers_of_address on public.subscribers (email);

alter table public.mail_settings
  add column held_at timestamptz,
  add column held_reason text constraint mail_settings_held_reason check (held_reason in ('bounces', 'complaints')),
  add column released_at timestamptz,
  -- squawk-ignore constraint-missing-not-valid
  add constraint mail_settings_held check ((held_at is null) = (held_reason is null));

alter table private.deliveries
  add column remote_id text constraint deliveries_remote_id_length check (char_length(remote_id) <= 200),
  add column bounce text constraint deliveries_bounce check (bounce in ('soft', 'hard', 'complaint')),
  drop constraint deliveries_kind,
  -- squawk-ignore constraint-missing-not-valid
  add constraint deliveries_kind check (kind in ('confirmation', 'reminder', 'post', 'digest', 'held'));
-- squawk-ignore require-concurrent-index-creation
create index deliveries_of_remote on private.deliveries (remote_id) where remote_id is not null;
-- squawk-ignore require-concurrent-index-creation
create index deliveries_sent on private.deliveries (workspace_id, ended_at desc) where state in ('done', 'failed');
-- squawk-ignore require-concurrent-index-creation
create index deliveries_to_owners on private.deliveries (due_at) where kind = 'held' and state = 'waiting';

create table private.mail_days (
  workspace_id uuid constraint mail_days_workspace_id_fkey references public.workspaces (id) on delete cascade,
  day date,
  mails int not null default 0,
  constraint mail_days_pkey primary key (workspace_id, day)
);
alter table private.mail_days enable row level security;

create table private.mail_events (
  key text constraint mail_events_pkey primary key constraint mail_events_key_length check (char_length(key) between 1 and 300),
  kind text not null constraint mail_events_kind check (kind in ('hard', 'soft', 'complaint', 'left')),
  workspace_id uuid constraint mail_events_workspace_id_fkey references public.workspaces (id) on delete cascade,
  subscriber_id uuid constraint mail_events_subscriber_id_fkey references public.subscribers (id) on delete cascade,
  delivery_id uuid, -- gone after a month
  happened_at timestamptz not null,
  noted_at timestamptz not null default clock_timestamp()
);
alter table private.mail_events enable row level security;
-- squawk-ignore require-concurrent-index-creation
create index mail_events_of_workspace on private.mail_events (workspace_id); -- deleting a workspace
-- squawk-ignore require-concurrent-index-creation
create index mail_events_of_subscriber on private.mail_events (subscriber_id);
-- squawk-ignore require-concurrent-index-creation
create index mail_events_noted on private.mail_events (noted_at); -- for the removal

drop function public.claim_mails(int);
create function public.claim_mails(batch int default 50, first_week int default 500) returns table (
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
  with recursive b as (
    (select d.workspace_id from private.deliveries d where d.state = 'waiting' order by d.workspace_id limit 1)
    union all
    select (select d.workspace_id from private.deliveries d where d.state = 'waiting' and d.workspace_id > b.workspace_id
      order by d.workspace_id limit 1)
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
      select d.id from private.deliveries d where d.id in (select c.id from candidates c)
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

create function private.mail_told_of(delivery uuid, remote text, email text) returns private.deliveries
language plpgsql stable security definer set search_path = '' as $$
declare
  found_one private.deliveries;
begin
  select d.* into found_one from private.deliveries d where d.id = delivery;
  if found_one.id is null then
    select d.* into found_one from private.deliveries d where d.remote_id = remote order by d.created_at desc limit 1;
  end if;
  if found_one.id is null then
    select d.* into found_one from public.subscribers s join private.deliveries d on d.target_id = s.id
    where s.email operator (extensions.=) mail_told_of.email::extensions.citext and d.attempt > 0
    order by coalesce(d.ended_at, d.due_at) desc limit 1;
  end if;
  return found_one;
end $$;

create function private.hold_harmful(workspace uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  mails int;
  complaints int;
  bounces int;
  reason text;
begin
  select count(*), count(*) filter (where l.bounce = 'complaint'), count(*) filter (where l.bounce = 'hard') into mails, complaints, bounces from (
    select d.bounce from private.deliveries d
    where d.workspace_id = workspace and d.state in ('done', 'failed') and (d.state = 'done' or d.bounce is not null) and d.kind <> 'held'
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

create function private.note_mail_event(key text, kind text, mail private.deliveries, email text, happened timestamptz) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  reader public.subscribers;
  address text;
begin
  if mail.kind = 'held' then return false; end if;
  select s.* into reader from public.subscribers s where s.id = mail.target_id;
  -- A mail of ours goes to one reader: who that is, we know better.
  address := coalesce(reader.email::text, case when private.is_mail_address(note_mail_event.email) then note_mail_event.email end);
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
  if mail.workspace_id is not null and note_mail_event.kind in ('hard', 'complaint') then perform private.hold_harmful(mail.workspace_id); end if;
  return true;
end $$;

create function public.note_mail_events(events jsonb) returns int
language plpgsql security definer set search_path = '' as $$
declare
  told record;
  noted int := 0;
begin
  for told in
    select * from jsonb_to_recordset(events) as e (key text, kind text, delivery uuid, remote text, email text, at timestamptz) order by e.key limit 200
  loop
    noted := noted + private.note_mail_event(
      told.key, told.kind, private.mail_told_of(told.delivery, told.remote, told.email), told.email, coalesce(told.at, clock_timestamp()))::int;
  end loop;
  return noted;
end $$;

create or replace function public.settle_deliveries(outcomes jsonb) returns int
language plpgsql security definer set search_path = '' as $$
declare
  waits constant int[] := '{60,300,1800,7200,21600,86400}';
  told record;
  settled int := 0;
begin
  for told in
    update private.deliveries d set
      state = case o.outcome when 'again' then case when d.attempt > cardinality(waits) then 'failed' else 'waiting' end else o.outcome end,
      due_at = case when o.outcome = 'again'
        then clock_timestamp() + make_interval(secs => greatest(least(coalesce(o.after, 0), 86400), waits[least(d.attempt, cardinality(waits))])) else d.due_at end,
      ended_at = case when o.outcome = 'again' and d.attempt <= cardinality(waits) then null else clock_timestamp() end,
      status = o.status, error = left(o.error, 500), remote_id = coalesce(left(o.remote, 200), d.remote_id)
    from jsonb_to_recordset(outcomes) as o (id uuid, outcome text, status int, error text, after numeric, bounce text, remote text)
    where d.id = o.id and d.state = 'waiting'
    returning d as mail, o.bounce
  loop
    settled := settled + 1;
    if told.bounce in ('hard', 'soft') then
      perform private.note_mail_event('sent:' || (told.mail).id, told.bounce, told.mail, null, clock_timestamp());
    end if;
  end loop;
  return settled;
end $$;

revoke all on function public.claim_mails(int, int), public.note_mail_events(jsonb) from public, anon, authenticated;
grant execute on function public.claim_mails(int, int), public.note_mail_events(jsonb) to service_role;

create or replace function private.tidy_up() returns void
language sql security definer set search_path = '' as $$
  delete from private.request_keys k where k.created_at < now() - interval '1 day';
  delete from private.rate_limits r where r.full_at < now();
  delete from private.view_salts s where s.day < (now() at time zone 'utc')::date;
  delete from private.view_readers r where r.day < (now() at time zone 'utc')::date;
  delete from private.released_subdomains r where r.released_at < now() - interval '30 days';
  delete from public.invites i where i.accepted_at is null and least(i.revoked_at, i.expires_at) < now() - interval '30 days';
  update public.invites i set email = null where i.email is not null and i.accepted_at < now() - interval '7 days';
  delete from public.subscribers s where s.status = 'pending' and s.created_at < now() - interval '7 days';
  delete from private.deliveries d where d.state <> 'waiting' and d.ended_at < now() - interval '30 days';
  delete from private.mail_events e where e.noted_at < now() - interval '90 days';
  delete from private.mail_days m where m.day < (now() at time zone 'utc')::date - 1;
  select private.discard_unused_images();
$$;
