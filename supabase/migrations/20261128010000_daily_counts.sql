-- Numbers of everything that is read, one table for all of them: public.daily_counts takes the place of public.daily_views.

create or replace function private.refuse(code text, detail jsonb default null) returns void
language plpgsql set search_path = '' as $$
declare
  sentence constant text := case code
    when 'unauthenticated' then 'Please sign in to continue.'
    when 'forbidden' then 'Your role in this workspace does not allow this.'
    when 'scope_missing' then 'This API key is not allowed to do this.'
    when 'not_found' then 'This does not exist, or you have no access to it.'
    when 'subdomain_taken' then 'This subdomain is already taken.'
    when 'subdomain_reserved' then 'This subdomain is reserved. Please choose another one.'
    when 'slug_taken' then 'Another post of this workspace already has this address.'
    when 'version_conflict' then 'Post updated elsewhere'
    when 'published_post_locked' then 'Published posts cannot be scheduled or moved back to draft status'
    when 'archived_post_locked' then 'This post is archived. Restore it before you change it.'
    when 'already_member' then 'This person is already a member of the workspace.'
    when 'too_many_webhooks' then 'A workspace can have 100 webhooks. Delete one first.'
    when 'webhook_off' then 'This webhook is switched off. Switch it on first.'
    when 'owner_required' then 'Hand ownership over to another member first.'
    when 'invalid_invitation' then 'This invitation link is invalid or has expired.'
    when 'wrong_invitation_account' then 'This invitation was sent to another email address.'
    when 'add_on_required' then 'This workspace does not have the add-on that this needs.'
    when 'validation_failed' then 'Please check the highlighted fields.'
    when 'rate_limited' then 'Too many attempts. Please wait a moment and try again.'
  end;
begin
  if sentence is null then
    raise exception 'no sentence for refusal %', code;
  end if;
  raise exception using errcode = 'P0001', message = sentence, hint = code, detail = coalesce(detail::text, '');
end $$;

-- `post_id` null: of the whole workspace, and this has all that its posts have: what a post was read, a workspace was. No key holds it to posts: the
-- numbers of one that is deleted stay. `source`: page, widget, mail, feed, chat or api; of a referrer, a search, a country and a language its name.
create table public.daily_counts (
  workspace_id uuid not null constraint daily_counts_workspace_id_fkey references public.workspaces (id) on delete cascade,
  post_id uuid,
  what text not null constraint daily_counts_what check (what in (
    'view', 'reader', 'widget_shown', 'widget_open', 'link_click', 'mail_sent', 'subscribed', 'left', 'search_none', 'referrer', 'country', 'language')),
  day date not null,
  source text not null constraint daily_counts_source_length check (char_length(source) between 1 and 253),
  n int not null constraint daily_counts_n check (n > 0),
  -- With the number in it, sums of years are read from the key alone.
  constraint daily_counts_key unique nulls not distinct (workspace_id, post_id, what, day, source) include (n)
);
alter table public.daily_counts enable row level security;

-- Where few readers come from is told by public.analytics alone, which adds those countries up.
create policy "members with the analytics add-on read their numbers" on public.daily_counts for select to authenticated
using (
  what <> 'country' and workspace_id = any (array(
    select a.workspace_id from public.workspace_add_ons a
    where a.add_on = 'analytics' and a.workspace_id = any (array(select private.my_workspace_ids()))
  ))
);
-- No insert, update, delete: private.roll_up_counts.
grant select on public.daily_counts to authenticated;
grant select, insert, update, delete on public.daily_counts to service_role;

-- The same of each post, added up over all sources, for a day and for a month: lists of posts are made of this.
create table private.post_counts (
  workspace_id uuid constraint post_counts_workspace_id_fkey references public.workspaces (id) on delete cascade,
  span text constraint post_counts_span check (span in ('day', 'month')),
  first_day date,
  post_id uuid,
  views int not null default 0,
  widget_opens int not null default 0, -- views in the widget
  clicks int not null default 0,
  mails_sent int not null default 0,
  mails_followed int not null default 0, -- views that came from a mail
  constraint post_counts_pkey primary key (workspace_id, span, first_day, post_id)
);
alter table private.post_counts enable row level security;

-- And of each workspace, for a day: what its page draws a line of.
create table private.workspace_counts (
  workspace_id uuid constraint workspace_counts_workspace_id_fkey references public.workspaces (id) on delete cascade,
  day date,
  views int not null default 0,
  readers int not null default 0,
  widget_opens int not null default 0,
  clicks int not null default 0,
  widget_shown int not null default 0,
  mails_sent int not null default 0,
  mails_followed int not null default 0,
  subscribed int not null default 0,
  "left" int not null default 0,
  constraint workspace_counts_pkey primary key (workspace_id, day)
);
alter table private.workspace_counts enable row level security;

-- Days with names (hosts, terms, countries, languages) that are to be squeezed when they are over.
create table private.name_days (
  workspace_id uuid constraint name_days_workspace_id_fkey references public.workspaces (id) on delete cascade,
  day date,
  constraint name_days_pkey primary key (workspace_id, day)
);
alter table private.name_days enable row level security;

-- Nobody's name stands in the queue. Lost in a crash with a minute's numbers.
create unlogged table private.count_queue (
  id bigint generated always as identity constraint count_queue_pkey primary key,
  workspace_id uuid not null,
  post_id uuid,
  what text not null,
  day date not null,
  source text not null,
  n int not null default 1
);
alter table private.count_queue enable row level security;

lock table public.daily_views in share row exclusive mode; -- what is counted meanwhile waits, and is refused once it is gone
-- What was counted so far were views, and nobody knew where: they are the page's.
insert into public.daily_counts (workspace_id, post_id, what, day, source, n)
select v.workspace_id, v.post_id, 'view', v.day, 'page', v.views from public.daily_views v where v.views > 0;
insert into public.daily_counts (workspace_id, post_id, what, day, source, n)
select v.workspace_id, null, 'view', v.day, 'page', sum(v.views) from public.daily_views v where v.views > 0 group by 1, 4;
insert into private.post_counts (workspace_id, span, first_day, post_id, views)
select v.workspace_id, s.span, s.first_day, v.post_id, sum(v.views)
from public.daily_views v, lateral (values ('day', v.day), ('month', date_trunc('month', v.day)::date)) as s (span, first_day)
where v.views > 0 group by 1, 2, 3, 4;
insert into private.workspace_counts (workspace_id, day, views)
select v.workspace_id, v.day, sum(v.views) from public.daily_views v where v.views > 0 group by 1, 2;
-- squawk-ignore ban-drop-table
drop table public.daily_views;

-- The day's salt. The one of the day before goes with its first reader: what it made is nobody's from then on.
create function private.salt_of(today date) returns bytea
language plpgsql security definer set search_path = '' as $$
declare
  salt bytea;
begin
  select s.salt into salt from private.view_salts s where s.day = today;
  if salt is null then
    delete from private.view_salts s where s.day < today;
    insert into private.view_salts (day) values (today) on conflict on constraint view_salts_pkey do nothing;
    select s.salt into salt from private.view_salts s where s.day = today;
  end if;
  return salt;
end $$;
revoke all on function private.salt_of(date) from public, anon, authenticated;

-- The name under which an event counts: as it stands in public.daily_counts; null: it does not count. What could be somebody's address or number is
-- no search term.
create function private.count_name(what text, name text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  clean text;
begin
  if char_length(name) > 400 then return null; end if;
  case what
    when 'referrer' then
      clean := lower(name);
      return case when clean ~ '^[a-z0-9.-]{1,253}$' and clean ~ '[a-z]' then clean end;
    when 'search_none' then
      clean := lower(private.clean_line(name));
      return case when clean <> '' and char_length(clean) <= 100 and clean !~ '@' and regexp_replace(clean, '[^0-9a-z]', '', 'g') !~ '\d{6}' then clean end;
    when 'country' then
      clean := upper(name);
      return case when clean ~ '^[A-Z]{2}$' and clean <> 'XX' then clean end;
    when 'language' then return substring(lower(name) from '^([a-z]{2,3})(?:[-_,;]|$)');
    else return null;
  end case;
end $$;

-- Counts what readers did, at most once per reader and day each: [{subdomain, what, slug, source, name, country, language, address, agent}], at most
-- 500, the rest is ignored, as is what makes no sense; answers how many counted. `what`: view and link_click (of a visible post, also by an older
-- address), widget_shown, widget_open, referrer and search_none (of the workspace; the last two by name). A view also makes its reader count, once
-- per workspace and day, with his country and language.
-- Readers are told apart by what a client says of its browser, so one client could be as many as it likes: from one network at most a thousand of
-- a kind count at once, and as many again in the course of a day. An office reads less.
-- Rows that others wait for are taken in the same order by everybody: tokens by address, then readers.
create function private.count_events(events jsonb) returns int
language plpgsql security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  salt bytea;
  counted int;
begin
  if jsonb_typeof(events) is distinct from 'array' or events = '[]' then return 0; end if;
  salt := private.salt_of(today);
  with given as materialized (
    select g.place, g.event ->> 'what' as what, w.id as workspace, v.id as post, g.event ->> 'country' as country, g.event ->> 'language' as language,
      g.event ->> 'address' as address, g.event ->> 'agent' as agent,
      private.count_name(g.event ->> 'what', g.event ->> 'name') as name,
      case
        when g.event ->> 'what' in ('widget_shown', 'widget_open') then 'widget'
        when g.event ->> 'source' in ('page', 'widget', 'mail', 'feed', 'chat', 'api') then g.event ->> 'source'
        else 'page'
      end as source
    from jsonb_array_elements(events) with ordinality as g (event, place)
    join public.workspaces w on w.subdomain operator (extensions.=) (g.event ->> 'subdomain')::extensions.citext and w.public_changelog_enabled
    left join public.post_slugs s on s.workspace_id = w.id and s.slug = lower(g.event ->> 'slug')
    left join private.visible_posts v on v.id = s.post_id
    where g.place <= 500 and not private.is_bot(g.event ->> 'agent')
  ), meant as materialized (
    select g.*, sha256(salt || convert_to(concat_ws(E'\n', g.what, coalesce(g.post, g.workspace), g.name, g.address, g.agent), 'UTF8')) as reader
    from (
      select g.place, g.what, g.workspace, case when g.what in ('view', 'link_click') then g.post end as post, g.name, g.source, g.country, g.language,
        g.address, g.agent
      from given g
      where case
        when g.what in ('view', 'link_click') then g.post is not null
        when g.what in ('referrer', 'search_none') then g.name is not null
        else g.what in ('widget_shown', 'widget_open') end
    ) as g
  ), fresh as materialized (
    select distinct on (m.reader) m.* from meant m
    where not exists (select from private.view_readers r where r.day = today and r.reader = m.reader)
    order by m.reader, m.place
  ), allowed as materialized (
    select f.* from (select f.* from fresh f order by f.address, f.what, f.place offset 0) as f
    where private.take_token('reading.address', concat_ws('/', encode(salt, 'hex') || f.address, nullif(f.what, 'view')), 1000, interval '1 day') = 0
  ), visits as materialized (
    select distinct on (v.reader) v.* from (
      select a.place, a.workspace, a.source, a.country, a.language,
        sha256(salt || convert_to(concat_ws(E'\n', 'reader', a.workspace, a.address, a.agent), 'UTF8')) as reader
      from allowed a where a.what = 'view'
    ) as v
    order by v.reader, v.place
  ), noted as (
    insert into private.view_readers (day, reader)
    select today, r.reader from (select a.reader from allowed a union all select v.reader from visits v) as r order by r.reader
    on conflict on constraint view_readers_pkey do nothing
    returning reader
  ), queued as (
    insert into private.count_queue (workspace_id, post_id, what, day, source)
    select a.workspace, a.post, a.what, today, case when a.what in ('referrer', 'search_none') then a.name else a.source end
    from allowed a join noted n on n.reader = a.reader
    union all
    select v.workspace, null, k.what, today, k.source
    from visits v join noted n on n.reader = v.reader, lateral (values
      ('reader', v.source), ('country', private.count_name('country', v.country)), ('language', private.count_name('language', v.language))
    ) as k (what, source)
    where k.source is not null
  )
  select count(*) into counted from allowed a join noted n on n.reader = a.reader;
  return counted;
end $$;
revoke all on function private.count_events(jsonb) from public;
grant execute on function private.count_events(jsonb) to anon, service_role;

-- For functions of the version before: one reading of a post on its page; answers whether it counted.
create or replace function private.count_view(subdomain text, address text, reader_address text, user_agent text) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  return private.count_events(jsonb_build_array(jsonb_build_object(
    'subdomain', subdomain, 'what', 'view', 'slug', address, 'source', 'page', 'address', reader_address, 'agent', user_agent))) = 1;
end $$;

-- Sums of what is in the queue; answers how many entries there were. Run twice, by two at once, or broken off, everything counts once: what is
-- taken out of the queue is in the sums when the transaction ends, and else still in the queue. Who comes second waits at the first entry that
-- somebody else has taken, so all of them look in the same order. Of a day's names of one kind there are 200 at most; the rest is 'other'.
create function private.roll_up_counts() returns int
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
    on conflict on constraint daily_counts_key do update set n = d.n + excluded.n
  ), posts as (
    insert into private.post_counts as p (workspace_id, span, first_day, post_id, views, widget_opens, clicks, mails_sent, mails_followed)
    select s.workspace_id, l.span, l.first_day, s.post_id,
      coalesce(sum(s.n) filter (where s.what = 'view'), 0), coalesce(sum(s.n) filter (where s.what = 'view' and s.source = 'widget'), 0),
      coalesce(sum(s.n) filter (where s.what = 'link_click'), 0), coalesce(sum(s.n) filter (where s.what = 'mail_sent'), 0),
      coalesce(sum(s.n) filter (where s.what = 'view' and s.source = 'mail'), 0)
    from summed s, lateral (values ('day', s.day), ('month', date_trunc('month', s.day)::date)) as l (span, first_day)
    where s.post_id is not null
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict on constraint post_counts_pkey do update set views = p.views + excluded.views, widget_opens = p.widget_opens + excluded.widget_opens,
      clicks = p.clicks + excluded.clicks, mails_sent = p.mails_sent + excluded.mails_sent, mails_followed = p.mails_followed + excluded.mails_followed
  ), workspaces as (
    insert into private.workspace_counts as w
      (workspace_id, day, views, readers, widget_opens, clicks, widget_shown, mails_sent, mails_followed, subscribed, "left")
    select s.workspace_id, s.day, coalesce(sum(s.n) filter (where s.what = 'view'), 0), coalesce(sum(s.n) filter (where s.what = 'reader'), 0),
      coalesce(sum(s.n) filter (where s.what = 'widget_open'), 0), coalesce(sum(s.n) filter (where s.what = 'link_click'), 0),
      coalesce(sum(s.n) filter (where s.what = 'widget_shown'), 0), coalesce(sum(s.n) filter (where s.what = 'mail_sent'), 0),
      coalesce(sum(s.n) filter (where s.what = 'view' and s.source = 'mail'), 0),
      coalesce(sum(s.n) filter (where s.what = 'subscribed'), 0), coalesce(sum(s.n) filter (where s.what = 'left'), 0)
    from summed s where s.what <> all (named) group by 1, 2 order by 1, 2
    on conflict on constraint workspace_counts_pkey do update set views = w.views + excluded.views, readers = w.readers + excluded.readers,
      widget_opens = w.widget_opens + excluded.widget_opens, clicks = w.clicks + excluded.clicks, widget_shown = w.widget_shown + excluded.widget_shown,
      mails_sent = w.mails_sent + excluded.mails_sent, mails_followed = w.mails_followed + excluded.mails_followed,
      subscribed = w.subscribed + excluded.subscribed, "left" = w."left" + excluded."left"
  ), days as (
    insert into private.name_days (workspace_id, day) select distinct g.workspace_id, g.day from groups g order by 1, 2
    on conflict on constraint name_days_pkey do nothing
  )
  select count(*) into taken from entries;
  return taken;
end $$;
revoke all on function private.roll_up_counts() from public, anon, authenticated;
grant execute on function private.roll_up_counts() to service_role;

-- Of each kind of name a day that is over keeps the fifty most frequent ones, and countries from which five readers came; the rest is 'other'.
create function private.squeeze_names() returns void
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
  select g.workspace_id, null, g.what, g.day, 'other', sum(g.n) from gone g group by 1, 3, 4 order by 1, 3, 4
  on conflict on constraint daily_counts_key do update set n = d.n + excluded.n;
end $$;
revoke all on function private.squeeze_names() from public, anon, authenticated;

-- Views of the last 30 days by post, most viewed first; empty without the analytics add-on. Posts that are there no more are left out.
create or replace function public.post_views(workspace_id uuid) returns table (post_id uuid, views bigint)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  asked constant uuid := post_views.workspace_id;
begin
  perform private.require_role(asked);
  if not private.has_analytics(asked) then return; end if;
  return query
    select c.post_id, sum(c.views) from private.post_counts c
    where c.workspace_id = asked and c.span = 'day' and c.first_day > private.month_ago() and c.views > 0
      and exists (select from public.posts p where p.id = c.post_id and p.workspace_id = asked)
    group by c.post_id order by 2 desc, 1;
end $$;

-- A range as it is answered: the right way round, three years at most (contract/analytics.ts), without a day the last thirty.
create function private.count_range(from_day date, to_day date, out first_day date, out last_day date)
language plpgsql stable set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  given_last constant date := least(greatest(coalesce(to_day, today), '2000-01-01'), '2999-12-31');
  given_first constant date := least(greatest(coalesce(from_day, given_last - 29), '2000-01-01'), '2999-12-31');
begin
  last_day := greatest(given_first, given_last);
  first_day := greatest(least(given_first, given_last), last_day - 1095);
end $$;

-- The spans of private.post_counts that a range consists of. At its ends a month may be all of it but the days outside, where those are fewer.
create function private.count_spans(first date, last date) returns table (span text, from_day date, to_day date, sign int)
language plpgsql stable rows 5 set search_path = '' as $$
#variable_conflict use_column
declare
  today constant date := (now() at time zone 'utc')::date;
  first_month constant date := date_trunc('month', first);
  last_month constant date := date_trunc('month', last);
begin
  return query
    select s.* from (
      select m.day as begins, (m.day + interval '1 month')::date - 1 as ends, greatest(first, m.day) as inside_from,
        least(last, (m.day + interval '1 month')::date - 1) as inside_to
      from (select first_month as day union select last_month) as m
    ) as m, lateral (
      -- Days that are still to come cost nothing.
      select m.inside_to - m.inside_from + 1 < (m.inside_from - m.begins) + greatest(0, least(m.ends, today) - m.inside_to)
    ) as few (inside), lateral (values
      ('day', m.inside_from, case when few.inside then m.inside_to end, 1),
      ('month', m.begins, case when not few.inside then m.begins end, 1),
      ('day', m.begins, case when not few.inside then m.inside_from - 1 end, -1),
      ('day', m.inside_to + 1, case when not few.inside then m.ends end, -1)
    ) as s (span, from_day, to_day, sign)
    where s.to_day >= s.from_day
    union all
    select 'month', (first_month + interval '1 month')::date, (last_month - interval '1 month')::date, 1 where last_month - first_month > 31;
end $$;

-- [{name, count}] of one kind in a range, most first: fifty names, and the rest together as 'other', with those that were fewer than `least`.
create function private.named_counts(workspace uuid, kind text, first date, last date, fewest int default 1) returns json
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(json_agg(json_build_object('name', o.name, 'count', o.count) order by o.rest, o.count desc, o.name), '[]') from (
      select case when l.listed then l.name else 'other' end as name, not l.listed as rest, sum(l.count) as count from (
        select s.name, s.count, s.name <> 'other' and s.count >= fewest
          and row_number() over (order by s.name = 'other' or s.count < fewest, s.count desc, s.name) <= 50 as listed
        from (
          select d.source as name, sum(d.n) as count from public.daily_counts d
          where d.workspace_id = workspace and d.post_id is null and d.what = kind and d.day between first and last group by 1
        ) as s
      ) as l group by 1, 2
    ) as o
  );
end $$;

-- What contract/analytics.ts says of a workspace, for whoever has asked whether it may be told: the page, and the report by mail.
create function private.analytics_of(workspace uuid, from_day date, to_day date) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  r constant record := private.count_range(from_day, to_day);
  first constant date := r.first_day;
  last constant date := r.last_day;
  before constant date := first - (last - first) - 1;
  totals json;
  previous json;
  days json;
  posts json;
begin
  with counted as materialized (
    select c.* from private.workspace_counts c where c.workspace_id = workspace and c.day between before and last
  ), listed as (
    select g.day::date as day, coalesce(c.views, 0) as views, coalesce(c.readers, 0) as readers, coalesce(c.widget_opens, 0) as widget_opens,
      coalesce(c.clicks, 0) as clicks, coalesce(c.widget_shown, 0) as widget_shown, coalesce(c.mails_sent, 0) as mails_sent,
      coalesce(c.mails_followed, 0) as mails_followed, coalesce(c.subscribed, 0) as subscribed, coalesce(c."left", 0) as "left"
    from generate_series(first, last, interval '1 day') as g (day) left join counted c on c.day = g.day::date
  ), added as (
    select k.now, json_build_object('views', coalesce(sum(c.views), 0), 'readers', coalesce(sum(c.readers), 0),
      'widget_opens', coalesce(sum(c.widget_opens), 0), 'clicks', coalesce(sum(c.clicks), 0), 'widget_shown', coalesce(sum(c.widget_shown), 0),
      'mails_sent', coalesce(sum(c.mails_sent), 0), 'mails_followed', coalesce(sum(c.mails_followed), 0),
      'subscribed', coalesce(sum(c.subscribed), 0), 'left', coalesce(sum(c."left"), 0)) as sums
    from (values (true), (false)) as k (now) left join counted c on (c.day >= first) = k.now group by k.now
  )
  select (select a.sums from added a where a.now), (select a.sums from added a where not a.now), (select json_agg(l order by l.day) from listed l)
  into totals, previous, days;

  with sums as materialized (
    select o.post_id, sum(s.sign * o.views) as views, sum(s.sign * o.widget_opens) as widget_opens, sum(s.sign * o.clicks) as clicks,
      sum(s.sign * o.mails_sent) as mails_sent, sum(s.sign * o.mails_followed) as mails_followed
    from private.count_spans(first, last) s, lateral ( -- grouped by itself: each span is looked up in the index
      select c.post_id, sum(c.views)::int as views, sum(c.widget_opens)::int as widget_opens, sum(c.clicks)::int as clicks,
        sum(c.mails_sent)::int as mails_sent, sum(c.mails_followed)::int as mails_followed
      from private.post_counts c where c.workspace_id = workspace and c.span = s.span and c.first_day between s.from_day and s.to_day
      group by c.post_id
    ) as o
    group by o.post_id
  ), told as (
    select p.id, coalesce(p.title, '') as title, p.slug,
      coalesce(p.published_at, case when p.status = 'scheduled' and p.publish_at <= now() then p.publish_at end) as published_at,
      sum(s.views) as views, sum(s.widget_opens) as widget_opens, sum(s.clicks) as clicks, sum(s.mails_sent) as mails_sent,
      sum(s.mails_followed) as mails_followed
    from sums s left join public.posts p on p.id = s.post_id and p.workspace_id = workspace
    where s.views > 0 or s.clicks > 0 or s.mails_sent > 0
    group by p.id
    order by 5 desc, 8 desc, p.id limit 5000
  )
  select coalesce(json_agg(t), '[]') into posts from told t;

  return json_build_object('from', first, 'to', last, 'totals', totals, 'previous', previous, 'days', days, 'posts', posts,
    'sources', (
      select coalesce(json_agg(json_build_object('source', s.source, 'views', s.views) order by s.views desc, s.source), '[]') from (
        select d.source, sum(d.n) as views from public.daily_counts d
        where d.workspace_id = workspace and d.post_id is null and d.what = 'view' and d.day between first and last group by 1
      ) as s),
    'referrers', private.named_counts(workspace, 'referrer', first, last), 'searches', private.named_counts(workspace, 'search_none', first, last),
    'countries', private.named_counts(workspace, 'country', first, last, 5), 'languages', private.named_counts(workspace, 'language', first, last),
    'since', (select min(c.day) from private.workspace_counts c where c.workspace_id = workspace));
end $$;
revoke all on function private.analytics_of(uuid, date, date), private.named_counts(uuid, text, date, date, int) from public, anon, authenticated;
grant execute on function private.analytics_of(uuid, date, date) to service_role;

-- The page's data; contract/analytics.ts has its shape.
create function public.analytics(workspace_id uuid, from_day date default null, to_day date default null) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  if not private.has_analytics(asked) then perform private.refuse('add_on_required'); end if;
  return private.analytics_of(asked, from_day, to_day);
end $$;

-- The same of one post.
create function public.post_analytics(workspace_id uuid, post_id uuid, from_day date default null, to_day date default null) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  post constant uuid := post_id;
  r constant record := private.count_range(from_day, to_day);
begin
  perform private.require_role(asked);
  if not exists (select from public.posts p where p.id = post and p.workspace_id = asked) then perform private.refuse('not_found'); end if;
  if not private.has_analytics(asked) then perform private.refuse('add_on_required'); end if;
  return (
    with counted as materialized (
      select d.day, d.what, d.source, d.n from public.daily_counts d
      where d.workspace_id = asked and d.post_id = post and d.what = any ('{view,link_click,mail_sent}') and d.day between r.first_day and r.last_day
    )
    select json_build_object(
      'totals', (select json_build_object(
        'views', coalesce(sum(c.n) filter (where c.what = 'view'), 0),
        'widget_opens', coalesce(sum(c.n) filter (where c.what = 'view' and c.source = 'widget'), 0),
        'clicks', coalesce(sum(c.n) filter (where c.what = 'link_click'), 0), 'mails_sent', coalesce(sum(c.n) filter (where c.what = 'mail_sent'), 0),
        'mails_followed', coalesce(sum(c.n) filter (where c.what = 'view' and c.source = 'mail'), 0)) from counted c),
      'days', (
        select json_agg(json_build_object('day', g.day::date, 'views', coalesce(d.views, 0)) order by g.day)
        from generate_series(r.first_day, r.last_day, interval '1 day') as g (day)
        left join (select c.day, sum(c.n) as views from counted c where c.what = 'view' group by 1) as d on d.day = g.day::date),
      'sources', (
        select coalesce(json_agg(json_build_object('source', s.source, 'views', s.views) order by s.views desc, s.source), '[]')
        from (select c.source, sum(c.n) as views from counted c where c.what = 'view' group by 1) as s))
  );
end $$;
revoke all on function public.analytics(uuid, date, date), public.post_analytics(uuid, uuid, date, date) from public, anon;
grant execute on function public.analytics(uuid, date, date), public.post_analytics(uuid, uuid, date, date) to authenticated, service_role;

-- A key reads its own workspace's.
create policy "keys stay in their workspace" on public.daily_counts as restrictive for all to authenticated
using ((select private.key_workspace()) is null or workspace_id = (select private.key_workspace()));
insert into private.key_calls (call, scopes) values ('analytics', '{stats:read}'), ('post_analytics', '{stats:read}');
grant execute on function private.month_ago() to authenticated, service_role;

-- Who begins to be told, and who is told no more because he left, counts on that day (70-counts). Of rows that are added at once one entry is made;
-- a change of what somebody is comes one by one.
create function private.count_added_subscribers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.count_queue (workspace_id, what, day, source, n)
  select a.workspace_id, 'subscribed', (now() at time zone 'utc')::date, 'page', count(*) from added a where a.status = 'active' group by 1;
  return null;
end $$;
create trigger subscribers_70_count_added after insert on public.subscribers
referencing new table as added for each statement execute function private.count_added_subscribers();
create function private.count_subscriber() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.count_queue (workspace_id, what, day, source)
  values (new.workspace_id, case new.status when 'active' then 'subscribed' else 'left' end, (now() at time zone 'utc')::date, 'page');
  return null;
end $$;
create trigger subscribers_70_count_changed after update of status on public.subscribers for each row
when (new.status = 'active' and old.status in ('pending', 'left') or new.status = 'left' and old.status in ('active', 'paused'))
execute function private.count_subscriber();
-- Taken off the list, or wanting to be forgotten: gone as well.
create function private.count_removed_subscribers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.count_queue (workspace_id, what, day, source, n)
  select r.workspace_id, 'left', (now() at time zone 'utc')::date, 'page', count(*) from removed r where r.status in ('active', 'paused') group by 1;
  return null;
end $$;
create trigger subscribers_70_count_removed after delete on public.subscribers
referencing old table as removed for each statement execute function private.count_removed_subscribers();

create or replace function public.settle_deliveries(outcomes jsonb) returns int
language plpgsql security definer set search_path = '' as $$
declare
  waits constant int[] := '{60,300,1800,7200,21600,86400}';
  told record;
  settled int := 0;
  sent uuid[] := '{}';
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
    if (told.mail).state = 'done' then sent := sent || (told.mail).id; end if;
    if told.bounce in ('hard', 'soft') then
      perform private.note_mail_event('sent:' || (told.mail).id, told.bounce, told.mail, null, clock_timestamp());
    end if;
  end loop;
  -- Counted (70-counts): a mail of one post as the post's, a digest as the workspace's.
  insert into private.count_queue (workspace_id, post_id, what, day, source, n)
  select d.workspace_id, e.post_id, 'mail_sent', (now() at time zone 'utc')::date, 'mail', count(*)
  from private.deliveries d left join private.events e on e.id = d.event_id
  where d.id = any (sent) and d.kind in ('post', 'digest') group by 1, 2;
  return settled;
end $$;

create or replace function public.find_posts(
  workspace_id uuid, term text default null, owner text default null, status text default 'all',
  sort text default 'recent_activity', page int default 1, page_size int default 10, tag text default null
) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  words constant text := lower(nullif(btrim(term), ''));
  creator constant text := lower(nullif(btrim(owner), ''));
  size constant int := least(greatest(coalesce(page_size, 10), 1), 100);
  skip constant bigint := (greatest(coalesce(page, 1), 1)::bigint - 1) * size;
  analytics constant boolean := private.has_analytics(asked);
  by_name constant text := 'lower(private.creator_name(p.author_name, p.created_by_name))';
  filter text := 'p.workspace_id = $1';
  ranked text := 'public.posts p';
  ranking text := '';
  found_posts json;
  total bigint;
begin
  perform private.require_role(asked);
  perform private.list_status(status);
  if sort is null or sort not in ('most_viewed_last_month', 'recent_activity') then
    perform private.refuse('validation_failed', '{"sort": "Please use most_viewed_last_month or recent_activity"}');
  end if;
  filter := filter || case status
    when 'all' then $f$ and p.status <> 'archived'$f$
    when 'published' then $f$ and (p.status = 'published' or p.status = 'scheduled' and p.publish_at <= now())$f$
    when 'scheduled' then $f$ and p.status = 'scheduled' and p.publish_at > now()$f$
    when 'draft' then $f$ and p.status = 'draft'$f$
    else $f$ and p.status = 'archived'$f$ end;
  -- The indexes hold what is not archived: the condition has to say so to use them.
  if status not in ('all', 'archived') then filter := filter || $f$ and p.status <> 'archived'$f$; end if;
  if creator is not null then filter := filter || ' and ' || by_name || ' = $3'; end if;
  if find_posts.tag <> '' then filter := filter || $f$ and p.tags <> '{}' and p.tags @> array[$7]$f$; end if; -- the first in the words of posts_tags
  if words is not null then -- spelled out: calling creator_name for every post would take most of the time
    filter := filter || $f$ and (strpos(lower(p.title), $2) > 0
      or strpos(lower(coalesce(nullif(btrim(p.author_name), ''), nullif(btrim(p.created_by_name), ''), 'Unknown')), $2) > 0)$f$;
  end if;
  if sort = 'most_viewed_last_month' then
    ranking := case when analytics then 'coalesce(v.views, 0) desc, ' else 'private.placeholder_views(p.id, p.title) desc, ' end;
    if analytics then ranked := 'public.posts p left join (
      select c.post_id, sum(c.views) as views from private.post_counts c
      where c.workspace_id = $1 and c.span = ''day'' and c.first_day > private.month_ago() group by c.post_id
    ) as v on v.post_id = p.id'; end if;
  end if;

  execute 'select count(*) from public.posts p where ' || filter into total using asked, words, creator, size, skip, analytics, find_posts.tag;
  execute 'select coalesce(json_agg(s order by s.place), ''[]'') from (
      select s.*, f.place,
        case when $6 then coalesce((
          select sum(d.n) from public.daily_counts d
          where d.workspace_id = $1 and d.post_id = s.id and d.what = ''view'' and d.day > private.month_ago()), 0) end as views
      from (
        select row_number() over () as place, o.id from (
          select p.id from ' || ranked || ' where ' || filter || ' order by ' || ranking || 'p.updated_at desc, p.id desc limit $4 offset $5
        ) as o
      ) as f join public.post_summaries s on s.id = f.id
    ) as s'
  into found_posts using asked, words, creator, size, skip, analytics, find_posts.tag;
  return json_build_object('total', total, 'posts', found_posts);
end $$;

create or replace function public.dashboard(workspace_id uuid) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  return json_build_object(
    'recentPosts', coalesce((
      select json_agg(s) from (
        select s.* from public.post_summaries s where s.workspace_id = asked and s.status <> 'archived'
        order by s.updated_at desc, s.id desc limit 20
      ) as s), '[]'),
    'upcomingPosts', coalesce((select json_agg(u) from public.upcoming_posts(asked) as u), '[]'),
    'count', (select count(*) from public.posts p where p.workspace_id = asked and p.status <> 'archived'),
    'hasArchive', exists (select from public.posts p where p.workspace_id = asked and p.status = 'archived'),
    'creators', coalesce((select json_agg(c.name) from private.post_creators(asked) as c (name)), '[]'),
    'memberCount', (select count(*) from public.members m where m.workspace_id = asked),
    'views', case when private.has_analytics(asked) then (
      select coalesce(sum(d.n), 0) from public.daily_counts d
      where d.workspace_id = asked and d.post_id is null and d.what = 'view' and d.day > private.month_ago()
    ) end,
    'recentActivities', coalesce((
      select json_agg(l) from (
        select a.id::text, a.kind, a.actor_name, a.post_id, a.title, a.created_at from public.activities a
        where a.workspace_id = asked order by a.created_at desc, a.id desc limit 10
      ) as l), '[]'),
    'public_changelog_enabled', (select w.public_changelog_enabled from public.workspaces w where w.id = asked),
    'firstSteps', json_build_object(
      'written', exists (select from public.posts p where p.workspace_id = asked),
      'readable', exists (select from private.visible_posts v where v.workspace_id = asked),
      'installed', exists (select from private.widget_sightings s where s.workspace_id = asked),
      'invited', exists (select from public.members m where m.workspace_id = asked and m.role <> 'owner')
        or exists (select from public.invites i where i.workspace_id = asked and i.revoked_at is null)
    )
  );
end $$;

create or replace function public.workspace_stats(workspace_id uuid) returns json
language plpgsql stable set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
begin
  perform private.require_role(asked);
  return json_build_object(
    'posts', json_build_object('draft', public.count_posts(asked, 'draft'), 'scheduled', public.count_posts(asked, 'scheduled'),
      'published', public.count_posts(asked, 'published'), 'archived', public.count_posts(asked, 'archived')),
    'views', case when private.has_analytics(asked) then json_build_object(
      'total', (
        select coalesce(sum(d.n), 0) from public.daily_counts d
        where d.workspace_id = asked and d.post_id is null and d.what = 'view' and d.day > private.month_ago()),
      'posts', coalesce((
        select json_agg(l order by l.views desc, l.id) from (
          select v.post_id as id, p.title, v.views from public.post_views(asked) as v join public.posts p on p.id = v.post_id
          order by v.views desc, v.post_id limit 100
        ) as l), '[]')
    ) end
  );
end $$;

create or replace function private.export_query(part text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select case part
    when 'workspace' then $q$ select '[]'::jsonb, to_jsonb(w) from public.workspaces w where w.id = $1 and $2 is null limit $3 $q$
    when 'widget_settings' then $q$
      select '[]'::jsonb, s.settings from public.widget_settings s where s.workspace_id = $1 and $2 is null limit $3 $q$
    when 'mail_settings' then $q$
      select '[]'::jsonb, to_jsonb(s) from public.mail_settings s where s.workspace_id = $1 and $2 is null limit $3 $q$
    when 'members' then $q$
      select jsonb_build_array(m.created_at, m.user_id), to_jsonb(m) || jsonb_build_object('full_name', p.full_name, 'email', u.email)
      from public.members m join public.profiles p on p.user_id = m.user_id join auth.users u on u.id = m.user_id
      where m.workspace_id = $1 and ($2 is null or (m.created_at, m.user_id) > (($2 ->> 0)::timestamptz, ($2 ->> 1)::uuid))
      order by m.created_at, m.user_id limit $3 $q$
    when 'posts' then $q$
      select jsonb_build_array(k.created_at, k.id), r.line from (
        select p.created_at, p.id from public.posts p
        where p.workspace_id = $1 and ($2 is null or (p.created_at, p.id) > (($2 ->> 0)::timestamptz, ($2 ->> 1)::uuid))
        order by p.created_at, p.id limit $3
      ) as k, lateral (select to_jsonb(p) as line from public.posts p where p.id = k.id offset 0) as r order by k.created_at, k.id $q$
    when 'post_revisions' then $q$
      select jsonb_build_array(k.post_id, k.version), r.line from (
        select v.post_id, v.version from public.posts p join public.post_revisions v on v.post_id = p.id
        where p.workspace_id = $1
          and ($2 is null or p.id >= ($2 ->> 0)::uuid and (v.post_id, v.version) > (($2 ->> 0)::uuid, ($2 ->> 1)::int))
        order by v.post_id, v.version limit $3
      ) as k, lateral (
        select to_jsonb(v) as line from public.post_revisions v where v.post_id = k.post_id and v.version = k.version offset 0
      ) as r order by k.post_id, k.version $q$
    when 'post_slugs' then $q$
      select jsonb_build_array(s.slug), to_jsonb(s) from public.post_slugs s
      where s.workspace_id = $1 and ($2 is null or s.slug > $2 ->> 0) order by s.slug limit $3 $q$
    when 'tags' then $q$
      select jsonb_build_array(t.key), to_jsonb(t) from public.tags t
      where t.workspace_id = $1 and ($2 is null or t.key > $2 ->> 0) order by t.key limit $3 $q$
    when 'former_tags' then $q$
      select jsonb_build_array(t.key), to_jsonb(t) from private.former_tags t
      where t.workspace_id = $1 and ($2 is null or t.key > $2 ->> 0) order by t.key limit $3 $q$
    when 'invites' then $q$
      select jsonb_build_array(i.created_at, i.id), to_jsonb(i) - 'token_hash' from public.invites i
      where i.workspace_id = $1 and ($2 is null or (i.created_at, i.id) > (($2 ->> 0)::timestamptz, ($2 ->> 1)::uuid))
      order by i.created_at, i.id limit $3 $q$
    when 'add_ons' then $q$
      select jsonb_build_array(a.add_on), to_jsonb(a) from public.workspace_add_ons a
      where a.workspace_id = $1 and ($2 is null or a.add_on > $2 ->> 0) order by a.add_on limit $3 $q$
    when 'upgrade_requests' then $q$
      select jsonb_build_array(r.created_at, r.id), to_jsonb(r) from public.upgrade_requests r
      where r.workspace_id = $1 and ($2 is null or (r.created_at, r.id) > (($2 ->> 0)::timestamptz, ($2 ->> 1)::uuid))
      order by r.created_at, r.id limit $3 $q$
    when 'activities' then $q$
      select jsonb_build_array(a.id), to_jsonb(a) from public.activities a
      where a.workspace_id = $1 and ($2 is null or a.id > ($2 ->> 0)::bigint) order by a.id limit $3 $q$
    -- Of the whole workspace first, then of its posts: each in the order of its key, which is null for a workspace.
    when 'daily_counts' then $q$
      select jsonb_build_array(d.post_id, d.what, d.day, d.source), to_jsonb(d) from (
        (select d.* from public.daily_counts d
        where d.workspace_id = $1 and d.post_id is null and (d.what <> 'country' or d.n >= 5) -- fewer tell who it was
          and ($2 is null or $2 ->> 0 is null and (d.what, d.day, d.source) > ($2 ->> 1, ($2 ->> 2)::date, $2 ->> 3))
        order by d.what, d.day, d.source limit $3)
        union all
        (select d.* from public.daily_counts d
        where d.workspace_id = $1 and d.post_id is not null and ($2 is null or $2 ->> 0 is null or d.post_id >= ($2 ->> 0)::uuid
          and (d.post_id, d.what, d.day, d.source) > (($2 ->> 0)::uuid, $2 ->> 1, ($2 ->> 2)::date, $2 ->> 3))
        order by d.post_id, d.what, d.day, d.source limit $3)
      ) as d order by d.post_id nulls first, d.what, d.day, d.source limit $3 $q$
    when 'subscribers' then $q$
      select jsonb_build_array(s.id), to_jsonb(s) from public.subscribers s
      where s.workspace_id = $1 and ($2 is null or s.id > ($2 ->> 0)::uuid) order by s.id limit $3 $q$
    when 'suppressions' then $q$
      select jsonb_build_array(x.id), to_jsonb(x) from private.suppressions x
      where x.workspace_id = $1 and ($2 is null or x.id > ($2 ->> 0)::uuid) order by x.id limit $3 $q$
    when 'files' then $q$
      select jsonb_build_array(o.bucket_id, o.name), jsonb_build_object('bucket', o.bucket_id, 'path', o.name) from storage.objects o
      where o.bucket_id in ('post-images', 'logos') and o.name like $1 || '/%'
        and ($2 is null or (o.bucket_id, o.name) > ($2 ->> 0, $2 ->> 1))
      order by o.bucket_id, o.name limit $3 $q$
  end
$$;

create or replace function private.export_document(workspace uuid, enough int default 4194304) returns setof text
language plpgsql stable set search_path = '' as $$
declare
  part text;
  page record;
begin
  if not exists (select from public.workspaces w where w.id = workspace) then return; end if;
  return next '{"format": "tidings-workspace-1", "exported_at": ' || to_jsonb(now())::text;
  foreach part in array '{workspace,widget_settings,mail_settings}'::text[] loop
    return next ', "' || part || '": ' || coalesce(nullif((private.export_page(workspace, part, null)).lines, ''), '{}');
  end loop;
  foreach part in array
    '{members,posts,post_revisions,post_slugs,tags,former_tags,invites,add_ons,upgrade_requests,activities,daily_counts,subscribers,suppressions,files}'::text[]
  loop
    select * into page from private.export_page(workspace, part, null, enough);
    return next ', "' || part || '": [' || page.lines;
    while page.next is not null loop
      select * into page from private.export_page(workspace, part, page.next, enough);
      if page.lines <> '' then return next ',' || page.lines; end if;
    end loop;
    return next ']';
  end loop;
  return next '}';
end $$;

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
  delete from public.subscribers s where s.status = 'pending' and s.created_at < now() - interval '7 days';
  delete from private.deliveries d where d.state <> 'waiting' and d.ended_at < now() - interval '30 days';
  delete from private.webhook_deliveries d where d.ended_at < now() - interval '30 days';
  delete from private.webhook_events e where e.happened_at < now() - interval '30 days'
    and not exists (select from private.webhook_deliveries d where d.event_id = e.id);
  delete from private.mail_events e where e.noted_at < now() - interval '90 days';
  delete from private.mail_days m where m.day < (now() at time zone 'utc')::date - 1;
  select private.audit_other_sign_ins();
  select private.forget_old_audit();
  select private.discard_unused_images();
$$;

-- What was counted becomes sums (70-counts).
do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    perform cron.schedule('roll-up-counts', '* * * * *', 'select private.roll_up_counts()');
  end if;
end $$;
