-- A valid range: in order, at most three years (contract/analytics.ts), by default the last thirty days.
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

-- The spans of private.post_counts that make up a range. At the ends a month may be used minus the days outside, where these are fewer.
create function private.count_spans(first date, last date) returns table (span text, from_day date, to_day date, sign int)
language plpgsql stable rows 5 set search_path = '' as $$
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
      -- Future days cost nothing.
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

-- [{name, count}] of one kind in a range, most first: fifty names, the rest and those below `fewest` as 'other'.
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

-- Shape: contract/analytics.ts.
create function public.analytics(workspace_id uuid, from_day date default null, to_day date default null) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  workspace constant uuid := workspace_id;
  r constant record := private.count_range(from_day, to_day);
  first constant date := r.first_day;
  last constant date := r.last_day;
  before constant date := first - (last - first) - 1;
  totals json;
  previous json;
  days json;
  posts json;
begin
  perform private.require_role(workspace);
  if not private.has_add_on(workspace, 'analytics') then perform private.refuse('add_on_required'); end if;
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
    from private.count_spans(first, last) s, lateral ( -- lateral: each span uses the index
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

create function public.post_analytics(workspace_id uuid, post_id uuid, from_day date default null, to_day date default null) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  asked constant uuid := workspace_id;
  post constant uuid := post_id;
  r constant record := private.count_range(from_day, to_day);
begin
  perform private.require_role(asked);
  if not exists (select from public.posts p where p.id = post and p.workspace_id = asked) then perform private.refuse('not_found'); end if;
  if not private.has_add_on(asked, 'analytics') then perform private.refuse('add_on_required'); end if;
  return (
    with counted as materialized (
      select d.day, d.what, d.source, d.n from public.daily_counts d
      where d.workspace_id = asked and d.post_id = post and d.what = any ('{view,link_click,mail_sent,placement_shown,placement_dismissed,placement_clicked}') and d.day between r.first_day and r.last_day
    )
    select json_build_object(
      'totals', (select json_build_object(
        'views', coalesce(sum(c.n) filter (where c.what = 'view'), 0),
        'widget_opens', coalesce(sum(c.n) filter (where c.what = 'view' and c.source = 'widget'), 0),
        'clicks', coalesce(sum(c.n) filter (where c.what = 'link_click'), 0), 'mails_sent', coalesce(sum(c.n) filter (where c.what = 'mail_sent'), 0),
        'mails_followed', coalesce(sum(c.n) filter (where c.what = 'view' and c.source = 'mail'), 0),
        'placement_shown', coalesce(sum(c.n) filter (where c.what = 'placement_shown'), 0),
        'placement_dismissed', coalesce(sum(c.n) filter (where c.what = 'placement_dismissed'), 0),
        'placement_clicked', coalesce(sum(c.n) filter (where c.what = 'placement_clicked'), 0)) from counted c),
      'days', (
        select json_agg(json_build_object('day', g.day::date, 'views', coalesce(d.views, 0)) order by g.day)
        from generate_series(r.first_day, r.last_day, interval '1 day') as g (day)
        left join (select c.day, sum(c.n) as views from counted c where c.what = 'view' group by 1) as d on d.day = g.day::date),
      'sources', (
        select coalesce(json_agg(json_build_object('source', s.source, 'views', s.views) order by s.views desc, s.source), '[]')
        from (select c.source, sum(c.n) as views from counted c where c.what = 'view' group by 1) as s))
  );
end $$;

grant execute on function public.analytics, public.post_analytics to authenticated, service_role;
