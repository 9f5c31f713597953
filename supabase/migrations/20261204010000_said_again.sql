-- A digest of more than fifty posts says so; names of one person keep nobody else's waiting; who is named twice in a thread hears of the second
-- comment when the first is taken back.

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
