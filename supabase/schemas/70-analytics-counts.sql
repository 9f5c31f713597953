-- Analytics counts readings, never people (product decision 8), by UTC day. A reader is a hash of IP address and browser with the day's salt; both
-- are deleted the next day, so days can't be linked. Only sums stay. Readers' events come in by private.count_events alone. Events are appended to a
-- queue without locks; private.roll_up_counts sums it up every minute.

-- `post_id` null: the whole workspace, including its posts. No foreign key: numbers outlive their post. `source`: page, widget, mail, feed, chat or
-- api; for a referrer, search, country or language its name.
create table public.daily_counts (
  workspace_id uuid not null constraint daily_counts_workspace_id_fkey references public.workspaces (id) on delete cascade,
  post_id uuid,
  what text not null constraint daily_counts_what check (what in (
    'view', 'reader', 'widget_shown', 'widget_open', 'link_click', 'mail_sent', 'subscribed', 'left', 'search_none', 'referrer', 'country', 'language',
    'placement_shown', 'placement_dismissed', 'placement_clicked')),
  day date not null,
  source text not null constraint daily_counts_source_length check (char_length(source) between 1 and 253),
  n int not null constraint daily_counts_n check (n > 0),
  -- Includes the number, for index-only sums.
  constraint daily_counts_key unique nulls not distinct (workspace_id, post_id, what, day, source) include (n)
);

-- Countries with few readers are combined by public.analytics.
create policy "members with the analytics add-on read their numbers" on public.daily_counts for select to authenticated
using (
  what <> 'country' and workspace_id = any (array(
    select a.workspace_id from public.workspace_add_ons a
    where a.add_on = 'analytics' and a.workspace_id = any (array(select private.my_workspace_ids()))
  ))
);
grant select on public.daily_counts to authenticated;

-- The same by post, over all sources, for a day and a month: for lists of posts.
create table private.post_counts (
  workspace_id uuid constraint post_counts_workspace_id_fkey references public.workspaces (id) on delete cascade,
  span text constraint post_counts_span check (span in ('day', 'month')),
  first_day date,
  post_id uuid,
  views int not null default 0,
  widget_opens int not null default 0,
  clicks int not null default 0,
  mails_sent int not null default 0,
  mails_followed int not null default 0,
  constraint post_counts_pkey primary key (workspace_id, span, first_day, post_id)
);

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

-- Days whose names (hosts, terms, countries, languages) are to be squeezed.
create table private.name_days (
  workspace_id uuid constraint name_days_workspace_id_fkey references public.workspaces (id) on delete cascade,
  day date,
  constraint name_days_pkey primary key (workspace_id, day)
);

-- Unlogged: a crash loses a minute's numbers.
create unlogged table private.count_queue (
  id bigint generated always as identity constraint count_queue_pkey primary key,
  workspace_id uuid not null,
  post_id uuid,
  what text not null,
  day date not null,
  source text not null,
  n int not null default 1
);

-- Unlogged, one day's: after a crash a reader may count twice that day.
create unlogged table private.view_salts (
  day date constraint view_salts_pkey primary key,
  salt bytea not null default extensions.gen_random_bytes(32)
);
create unlogged table private.view_readers (
  day date not null,
  reader bytea not null,
  constraint view_readers_pkey primary key (day, reader)
);

-- The name an event counts under in public.daily_counts; null: it doesn't count. Search terms that look like an address or a number aren't stored.
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

-- Counts readers' events, each once per reader and day: [{subdomain, what, slug, source, name, country, language, address, agent}], at most 500;
-- invalid ones are ignored. Returns how many counted. `what`: view, link_click and placement_… (of a visible post, also by a former slug), widget_shown,
-- widget_open, referrer and search_none (of the workspace; the last two by name). A view also counts its reader once per workspace and day, with
-- country and language. A client can invent browsers, so a network is limited to a thousand of a kind at once and as many again over a day. Lock
-- order: tokens by address, then readers.
create function private.count_events(events jsonb) returns int
language plpgsql security definer set search_path = '' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  -- Bots by user agent; the caller filters HEAD and prefetch. CUBOT makes phones.
  bots constant text := '((?<!cu)bot|crawl|spider|slurp|preview|monitor|uptime|headless|lighthouse|feed|scrap|archiv|validator|facebookexternalhit|embedly|curl|wget|python|java/|go-http|node-fetch|axios|okhttp|httpclient|postman|libwww|phantom)';
  of_post constant text[] := '{view,link_click,placement_shown,placement_dismissed,placement_clicked}';
  salt bytea;
  counted int;
begin
  if jsonb_typeof(events) is distinct from 'array' or events = '[]' then return 0; end if;
  select s.salt into salt from private.view_salts s where s.day = today;
  if salt is null then
    delete from private.view_salts s where s.day < today; -- makes yesterday's hashes anonymous
    insert into private.view_salts (day) values (today) on conflict on constraint view_salts_pkey do nothing;
    select s.salt into salt from private.view_salts s where s.day = today;
  end if;
  with given as materialized (
    select g.place, g.event ->> 'what' as what, w.id as workspace, v.id as post, g.event ->> 'country' as country, g.event ->> 'language' as language,
      g.event ->> 'address' as address, g.event ->> 'agent' as agent,
      private.count_name(g.event ->> 'what', g.event ->> 'name') as name,
      case
        when g.event ->> 'what' ~ '^(widget|placement)_' then 'widget'
        when g.event ->> 'source' in ('page', 'widget', 'mail', 'feed', 'chat', 'api') then g.event ->> 'source'
        else 'page'
      end as source
    from jsonb_array_elements(events) with ordinality as g (event, place)
    join lateral (
      select w.id, w.is_open from public.workspaces w where w.subdomain operator (extensions.=) (g.event ->> 'subdomain')::extensions.citext
      union all
      select w.id, w.is_open from private.released_subdomains r join public.workspaces w on w.id = r.workspace_id
      where r.label = lower(g.event ->> 'subdomain') and r.released_at > now() - interval '30 days'
    ) as w on w.is_open
    left join public.post_slugs s on s.workspace_id = w.id and s.slug = lower(g.event ->> 'slug')
    left join private.published_posts v on v.id = s.post_id
    where g.place <= 500 and btrim(g.event ->> 'agent') <> '' and g.event ->> 'agent' !~* bots
  ), meant as materialized (
    select g.*, sha256(salt || convert_to(concat_ws(E'\n', g.what, coalesce(g.post, g.workspace), g.name, g.address, g.agent), 'UTF8')) as reader
    from (
      select g.place, g.what, g.workspace, case when g.what = any (of_post) then g.post end as post, g.name, g.source, g.country, g.language,
        g.address, g.agent
      from given g
      where case
        when g.what = any (of_post) then g.post is not null
        when g.what in ('referrer', 'search_none') then g.name is not null
        else g.what in ('widget_shown', 'widget_open') end
    ) as g
  ), fresh as materialized (
    select distinct on (m.reader) m.* from meant m
    where not exists (select from private.view_readers r where r.day = today and r.reader = m.reader)
    order by m.reader, m.place
  ), allowed as materialized (
    select f.* from (select f.* from fresh f order by f.address, f.what, f.place offset 0) as f
    where public.take_token('reading.address', concat_ws('/', encode(salt, 'hex') || f.address, nullif(f.what, 'view')), 1000, interval '1 day') = 0
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

-- Sums up the queue; returns the number of entries. Exactly once, also if run twice, concurrently or interrupted: an entry leaves the queue in the
-- transaction that adds it. Entries are locked in one order. At most 200 names of a kind and day; the rest is 'other'.
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
  ), homes as materialized ( -- locked against deletion
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

grant execute on function private.count_events to anon, service_role;
grant execute on function private.roll_up_counts to service_role;
