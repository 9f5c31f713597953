-- The reports add-on: an email on the first of the month about the month before. For members, and others who confirm.

-- A recipient, invited or stopped. The owner's row is created when first needed. A member's address is the present one.
create table private.report_recipients (
  id uuid constraint report_recipients_pkey primary key default gen_random_uuid(),
  workspace_id uuid not null constraint report_recipients_workspace_id_fkey references public.workspaces (id) on delete cascade,
  user_id uuid,
  email extensions.citext constraint report_recipients_address check (private.is_mail_address(email::text)),
  state text not null constraint report_recipients_state check (state in ('asked', 'active', 'stopped')),
  named boolean not null default true,
  active_since timestamptz, -- earlier ones aren't sent
  told_month date, -- the last month sent, or skipped as empty
  created_at timestamptz not null default now(),
  constraint report_recipients_member_fkey foreign key (workspace_id, user_id) references public.members (workspace_id, user_id) on delete cascade,
  constraint report_recipients_member unique (workspace_id, user_id),
  constraint report_recipients_email unique (workspace_id, email),
  constraint report_recipients_one_of_them check ((user_id is null) <> (email is null))
);

-- When the report of the month before `month` (its first day) is due: nine in the workspace's time zone, at least 15 minutes after the UTC month.
create function private.report_due(month date, time_zone text) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  return greatest((month + time '09:00') at time zone time_zone, (month + time '00:15') at time zone 'UTC');
end $$;

-- The address for a report or the confirmation; null: none. A member who erased themselves as a subscriber still gets it.
create function private.report_address(recipient private.report_recipients) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_add_on(recipient.workspace_id, 'reports') then return null; end if;
  if recipient.user_id is null then
    return case when not private.is_suppressed(recipient.email::text, recipient.workspace_id) then recipient.email::text end;
  end if;
  return (
    select u.email::text from public.members m join auth.users u on u.id = m.user_id
    where m.workspace_id = recipient.workspace_id and m.user_id = recipient.user_id and (recipient.named or m.role = 'owner')
      and not exists (
        select from private.suppressions s where s.address = private.address_hash(u.email) and s.reason <> 'erased'
          and (s.workspace_id is null or s.workspace_id = recipient.workspace_id)
      )
  );
end $$;

-- The token's recipient, or null.
create function private.report_recipient_of(token text) returns private.report_recipients
language plpgsql stable security definer set search_path = '' as $$
declare
  found private.report_recipients;
begin
  select r.* into found from private.report_recipients r where r.id = private.id_of_mail_token(token);
  return case when private.token_hash(private.mail_token('report', found.id)) = private.token_hash(token) then found end;
end $$;

-- Queues reports due at `moment`, at most 500, once a month per recipient, up to six days late. None for an empty month or a paused workspace.
-- Unanswered confirmations are deleted after thirty days.
create function public.enqueue_reports(moment timestamptz default clock_timestamp()) returns void
language plpgsql security definer set search_path = '' as $$
declare
  month constant date := date_trunc('month', moment at time zone 'UTC');
  told constant date := month - interval '1 month';
begin
  if moment >= (month + 8)::timestamp at time zone 'UTC' then return; end if; -- past in every time zone

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
    select gen_random_uuid() as job_id, w.workspace_id from (select distinct n.workspace_id from noted n) as w
    where exists (
      select from private.workspace_counts c where c.workspace_id = w.workspace_id and c.views > 0 and c.day >= told and c.day < month
    ) or exists (select from private.published_in(w.workspace_id, told))
  )
  insert into private.deliveries (job_id, workspace_id, kind, target_id, data)
  select distinct on (a.workspace_id, lower(a.address)) w.job_id, w.workspace_id, 'report', a.id, jsonb_build_object('month', told)
  from addressed a join newsworthy w on w.workspace_id = a.workspace_id
  where a.address is not null
  order by a.workspace_id, lower(a.address), a.user_id nulls last;
end $$;

-- Posts published in a UTC month and still visible, newest first.
create function private.published_in(workspace uuid, month date) returns table (id uuid, title text, slug text, published_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select p.id, p.title, p.slug, p.published_at from public.posts p
  where p.workspace_id = published_in.workspace and p.status = 'published' and p.details -> 'audience' is null
    and p.published_at >= published_in.month::timestamp at time zone 'UTC'
    and p.published_at < (published_in.month + interval '1 month') at time zone 'UTC'
  order by p.published_at desc, p.id desc
$$;

-- A month's report (`month`: its first day), the same for every recipient, by UTC days. `open`: the page is public; `analytics`: the workspace has
-- the add-on. Anyone can fake referrers and searches, so those below three, and searches like an address, are left out.
create function public.report_numbers(workspace_id uuid, month date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := report_numbers.workspace_id;
  first constant date := date_trunc('month', report_numbers.month);
  next constant date := first + interval '1 month';
  totals jsonb; -- of this month and the one before
  views jsonb;
  named jsonb;
begin
  select jsonb_agg(t.sums order by t.month desc) into totals from (
    select m.month, jsonb_build_object('views', coalesce(sum(c.views), 0), 'readers', coalesce(sum(c.readers), 0),
      'widget_opens', coalesce(sum(c.widget_opens), 0), 'clicks', coalesce(sum(c.clicks), 0), 'subscribed', coalesce(sum(c.subscribed), 0),
      'left', coalesce(sum(c."left"), 0), 'mails_sent', coalesce(sum(c.mails_sent), 0)) as sums
    from (values (first), ((first - interval '1 month')::date)) as m (month)
      left join private.workspace_counts c on c.workspace_id = asked and c.day >= m.month and c.day < m.month + interval '1 month'
    group by m.month
  ) as t;
  select jsonb_object_agg(v.post_id, v.n) into views from (
    select c.post_id, c.views as n from private.post_counts c
    where c.workspace_id = asked and c.span = 'month' and c.first_day = first and c.views > 0
  ) as v;
  select jsonb_object_agg(k.what, k.names) into named from (
    select r.what, jsonb_agg(jsonb_build_object('name', r.source, 'count', r.n) order by r.n desc, r.source) as names from (
      select c.what, c.source, sum(c.n) as n, row_number() over (partition by c.what order by sum(c.n) desc, c.source) as place
      from public.daily_counts c
      where c.workspace_id = asked and c.what in ('referrer', 'search_none') and c.post_id is null and c.source <> 'other'
        and c.day >= first and c.day < next and (c.what = 'referrer' or c.source !~ '://|www\.|[[:alnum:]]\.[[:alpha:]]{2}')
      group by 1, 2 having sum(c.n) >= 3
    ) as r where r.place <= case r.what when 'referrer' then 3 else 5 end group by 1
  ) as k;
  return (
    select jsonb_build_object(
      'open', w.public_changelog_enabled, 'analytics', private.has_add_on(asked, 'analytics'),
      'totals', totals -> 0, 'previous', totals -> 1,
      'published', (select count(*) from private.published_in(asked, first)),
      'posts', (
        select coalesce(jsonb_agg(jsonb_build_object('title', p.title, 'slug', p.slug, 'views', coalesce((views ->> p.id::text)::bigint, 0))
          order by p.published_at desc, p.id desc), '[]')
        from (select * from private.published_in(asked, first) limit 10) as p
      ),
      'most_read', (
        select coalesce(jsonb_agg(jsonb_build_object('title', t.title, 'slug', t.slug, 'views', t.n) order by t.n desc, t.title), '[]') from (
          select p.title, p.slug, v.value::bigint as n from jsonb_each_text(coalesce(views, '{}')) v join public.posts p on p.id = v.key::uuid
          where p.workspace_id = asked and private.public_status(p) = 'published' order by 3 desc, 1 limit 5
        ) as t
      ),
      'referrers', coalesce(named -> 'referrer', '[]'), 'searches', coalesce(named -> 'search_none', '[]'))
    from public.workspaces w where w.id = asked
  );
end $$;

create function private.require_reports(workspace uuid, even_suspended boolean default null) returns public.member_role
language plpgsql stable security definer set search_path = '' as $$
declare
  mine constant public.member_role := private.require_role(workspace, '{owner,admin}', even_suspended);
begin
  if not private.has_add_on(workspace, 'reports') then perform private.refuse('add_on_required'); end if;
  return mine;
end $$;

create function private.report_recipient_json(recipient private.report_recipients) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object('id', recipient.id, 'email', coalesce(recipient.email::text, u.email::text), 'name', p.full_name,
      'kind', case when m.role = 'owner' then 'owner' when m.role is not null then 'member' else 'address' end, 'state', recipient.state)
    from (select) as one
    left join public.members m on m.workspace_id = recipient.workspace_id and m.user_id = recipient.user_id
    left join auth.users u on u.id = m.user_id left join public.profiles p on p.user_id = m.user_id
  );
end $$;

-- {"recipients", "mine", "next_at", "last_month", "held"}: the owner first, then by address; `mine`: the caller gets it.
create function public.workspace_reports(workspace_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := workspace_reports.workspace_id;
  mine constant public.member_role := private.require_reports(asked, true);
  month constant date := date_trunc('month', now() at time zone 'UTC');
  time_zone constant text := coalesce((select s.time_zone from public.mail_settings s where s.workspace_id = asked), 'UTC');
  own constant private.report_recipients := (
    select r from private.report_recipients r where r.workspace_id = asked and r.user_id = private.my_id());
begin
  return jsonb_build_object(
    'recipients', (
      select coalesce(jsonb_agg(s.shown order by s.shown ->> 'kind' <> 'owner', s.shown ->> 'email'), '[]') from (
        select private.report_recipient_json(r) as shown from private.report_recipients r
        where r.workspace_id = asked and (r.named or exists (
          select from public.members m where m.workspace_id = asked and m.user_id = r.user_id and m.role = 'owner'))
        union all
        select jsonb_build_object('id', null, 'email', u.email, 'name', p.full_name, 'kind', 'owner', 'state', 'active')
        from public.members m join auth.users u on u.id = m.user_id left join public.profiles p on p.user_id = m.user_id
        where m.workspace_id = asked and m.role = 'owner'
          and not exists (select from private.report_recipients r where r.workspace_id = asked and r.user_id = m.user_id)
      ) as s
    ),
    'mine', case when own.id is null then mine = 'owner' else own.state = 'active' and (own.named or mine = 'owner') end,
    'next_at', (
      select min(d.at) from (
        values (private.report_due(month, time_zone)), (private.report_due((month + interval '1 month')::date, time_zone))
      ) as d (at) where d.at > now()
    ),
    'last_month', (month - interval '1 month')::date,
    'held', exists (select from public.mail_settings s where s.workspace_id = asked and s.held_at is not null));
end $$;

-- Adds a recipient: a member at once, another address after confirmation, at most two in thirty days. {"added" (false: was one), "recipient"}.
create function public.add_report_recipient(workspace_id uuid, email text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := add_report_recipient.workspace_id;
  address constant text := add_report_recipient.email;
  mine constant public.member_role := private.require_reports(asked);
  member uuid;
  recipient private.report_recipients;
  added boolean := false;
begin
  if not coalesce(private.is_mail_address(address), false) then
    perform private.refuse('validation_failed', '{"email": "Please enter a valid email address"}');
  end if;
  -- Serialised by the rate limit's row.
  if public.take_token('reportRecipients', asked::text, 60, interval '1 hour') > 0 then perform private.refuse('rate_limited'); end if;
  select m.user_id into member from public.members m join auth.users u on u.id = m.user_id
  where m.workspace_id = asked and lower(u.email) = lower(address);
  select r.* into recipient from private.report_recipients r
  where r.workspace_id = asked and (r.user_id = member or r.email operator (extensions.=) address::extensions.citext)
  order by r.user_id nulls last limit 1;
  if recipient.state = 'stopped' then
    perform private.refuse('validation_failed',
      '{"email": "The reports were stopped at this address. Its owner can start them again, by the link in the last one or in the settings"}');
  end if;
  if recipient.id is null and (
    select count(*) from private.report_recipients r where r.workspace_id = asked and r.named and r.state <> 'stopped'
  ) >= {{reportRecipientsMax}} then
    perform private.refuse('validation_failed', '{"email": "A report goes to at most {{reportRecipientsMax}} who are named. Remove one first"}');
  end if;

  if member is not null then
    insert into private.report_recipients as r (workspace_id, user_id, state, active_since) values (asked, member, 'active', clock_timestamp())
    on conflict on constraint report_recipients_member do update set named = true, active_since = clock_timestamp()
    where not r.named returning r.* into recipient;
    added := found;
    if not added then select r.* into recipient from private.report_recipients r where r.workspace_id = asked and r.user_id = member; end if;
    if added then perform private.audit(asked, 'report_recipient_named', member, private.audited_name(member)); end if;
    return jsonb_build_object('added', added, 'recipient', private.report_recipient_json(recipient));
  end if;

  if recipient.state is distinct from 'active' then
    if private.is_suppressed(address, asked) then
      perform private.refuse('validation_failed', '{"email": "Nothing is sent to this address: its owner did not want it, or mails came back"}');
    end if;
    if public.take_token('reportQuestions', asked::text, 20, interval '1 day') > 0 then perform private.refuse('rate_limited'); end if;
    if public.take_token('reportQuestion', asked || ' ' || lower(address), 2, interval '30 days') > 0 then
      perform private.refuse('validation_failed', '{"email": "This address was asked twice in thirty days. It is asked no more for now"}');
    end if;
    -- One limit per address over all workspaces.
    if public.take_token('subscribeMail', lower(address), 4, interval '1 day') > 0 then perform private.refuse('rate_limited'); end if;
  end if;
  if recipient.id is null then
    insert into private.report_recipients as r (workspace_id, email, state) values (asked, address, 'asked') returning r.* into recipient;
    added := true;
    perform private.audit(asked, 'report_recipient_named', recipient.id); -- without the address, which is deleted on removal
  end if;
  if recipient.state = 'asked' and not exists (
    select from private.deliveries d where d.target_id = recipient.id and d.kind = 'report_question' and d.state = 'waiting'
  ) then
    insert into private.deliveries (workspace_id, kind, target_id) values (asked, 'report_question', recipient.id);
  end if;
  return jsonb_build_object('added', added, 'recipient', private.report_recipient_json(recipient));
end $$;

create function public.remove_report_recipient(workspace_id uuid, recipient uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := remove_report_recipient.workspace_id;
  mine constant public.member_role := private.require_reports(asked);
  former private.report_recipients;
begin
  select r.* into former from private.report_recipients r
  where r.id = remove_report_recipient.recipient and r.workspace_id = asked and r.named for update;
  if former.id is null then perform private.refuse('not_found'); end if;
  perform private.audit(asked, 'report_recipient_removed', coalesce(former.user_id, former.id), private.audited_name(former.user_id));
  -- Opting out survives being added again.
  if former.state = 'stopped'
    or exists (select from public.members m where m.workspace_id = asked and m.user_id = former.user_id and m.role = 'owner') then
    update private.report_recipients r set named = false where r.id = former.id;
    return;
  end if;
  delete from private.deliveries d where d.target_id = former.id and d.state = 'waiting';
  delete from private.report_recipients r where r.id = former.id;
end $$;

-- Stops every row of the recipient: by address, as member, as owner.
create function private.stop_reports(recipient private.report_recipients) returns void
language plpgsql security definer set search_path = '' as $$
declare
  address constant text := lower(coalesce(recipient.email::text, (select u.email from auth.users u where u.id = recipient.user_id)));
begin
  update private.report_recipients r set state = 'stopped'
  where r.workspace_id = recipient.workspace_id and r.state <> 'stopped' and (r.id = recipient.id or lower(r.email::text) = address
    or r.user_id in (select u.id from auth.users u join public.members m on m.user_id = u.id
      where m.workspace_id = recipient.workspace_id and lower(u.email) = address));
end $$;

create function public.set_my_report(workspace_id uuid, gets boolean) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  asked constant uuid := set_my_report.workspace_id;
  mine constant public.member_role := private.require_reports(asked);
  wish constant text := case when set_my_report.gets then 'active' else 'stopped' end;
  own private.report_recipients;
begin
  insert into private.report_recipients as r (workspace_id, user_id, state, named, active_since)
  values (asked, private.my_id(), wish, mine <> 'owner', case when mine <> 'owner' then clock_timestamp() end)
  on conflict on constraint report_recipients_member do update set state = excluded.state, named = r.named or excluded.named,
    active_since = case when r.state = excluded.state and (r.named or not excluded.named) then r.active_since else clock_timestamp() end
  returning r.* into own;
  if not set_my_report.gets then perform private.stop_reports(own); end if;
  return set_my_report.gets;
end $$;

-- For the link's page: {"workspace", "email", "state"}, or null.
create function public.report_link(token text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  r constant private.report_recipients := private.report_recipient_of(report_link.token);
begin
  return (
    select jsonb_build_object('workspace', w.name, 'email', private.report_recipient_json(r) -> 'email', 'state', r.state)
    from public.workspaces w where w.id = r.workspace_id
  );
end $$;

-- start or stop. False for an invalid token. Idempotent.
create function public.change_report(token text, action text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  own constant private.report_recipients := private.report_recipient_of(change_report.token);
begin
  if own.id is null then return false; end if;
  if change_report.action = 'start' then
    update private.report_recipients r set state = 'active', active_since = clock_timestamp() where r.id = own.id and r.state <> 'active';
  else
    perform private.stop_reports(own);
  end if;
  return true;
end $$;

grant execute on function public.workspace_reports, public.add_report_recipient, public.remove_report_recipient, public.set_my_report
  to authenticated, service_role;
grant execute on function public.enqueue_reports, public.report_numbers, public.report_link, public.change_report to service_role;
