import type { Sql, TransactionSql } from "postgres";

export interface Amount {
  days: number;
  sources: string[];
  /** Names of each kind on each day. */
  names: number;
}

/**
 * Fills a workspace with numbers as the roll-up would leave them after so many days in which each of its posts was read in each way; answers how
 * many rows that is. The key is made anew at the end: row by row it would take most of the time.
 */
export async function loadCounts(sql: Sql, workspaceId: string, { days, sources, names }: Amount): Promise<number> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`delete from public.daily_counts where workspace_id = ${workspaceId}`;
    await tx`delete from private.post_counts where workspace_id = ${workspaceId}`;
    await tx`delete from private.workspace_counts where workspace_id = ${workspaceId}`;
    await tx`alter table public.daily_counts drop constraint daily_counts_key`;
    await tx`create temp table d on commit drop as
      select (now() at time zone 'utc')::date - n as day from generate_series(0, ${days}::int - 1) as n`;
    await tx`insert into public.daily_counts (workspace_id, post_id, what, day, source, n)
      select ${workspaceId}, p.id, 'view', d.day, s.source, 1 + (d.day - '2000-01-01') % 7 + length(p.title) % 5
      from d, public.posts p, unnest(${sources}::text[]) as s (source) where p.workspace_id = ${workspaceId} order by d.day`;
    await tx`insert into private.post_counts (workspace_id, span, first_day, post_id, views, widget_opens, mails_followed)
      select c.workspace_id, 'day', c.day, c.post_id, sum(c.n), coalesce(sum(c.n) filter (where c.source = 'widget'), 0),
        coalesce(sum(c.n) filter (where c.source = 'mail'), 0)
      from public.daily_counts c where c.workspace_id = ${workspaceId} group by 1, 3, 4 order by c.day`;
    await tx`insert into private.post_counts (workspace_id, span, first_day, post_id, views, widget_opens, mails_followed)
      select c.workspace_id, 'month', date_trunc('month', c.first_day), c.post_id, sum(c.views), sum(c.widget_opens), sum(c.mails_followed)
      from private.post_counts c where c.workspace_id = ${workspaceId} and c.span = 'day' group by 1, 3, 4 order by 3`;
    await tx`insert into public.daily_counts (workspace_id, post_id, what, day, source, n)
      select c.workspace_id, null, w.what, c.day, c.source, sum(c.n)
      from public.daily_counts c, (values ('view'), ('reader'), ('link_click')) as w (what) where c.workspace_id = ${workspaceId} group by 1, 3, 4, 5`;
    await tx`insert into public.daily_counts (workspace_id, post_id, what, day, source, n)
      select ${workspaceId}, null, w.what, d.day, case w.what when 'mail_sent' then 'mail' when 'widget_shown' then 'widget' when 'widget_open' then 'widget' else 'page' end, 9
      from d, (values ('widget_shown'), ('widget_open'), ('mail_sent'), ('subscribed'), ('left')) as w (what)`;
    await tx`insert into private.workspace_counts (workspace_id, day, views, readers, clicks, mails_followed, widget_shown, widget_opens, mails_sent, subscribed, "left")
      select c.workspace_id, c.day, sum(c.n) filter (where c.what = 'view'), sum(c.n) filter (where c.what = 'reader'),
        sum(c.n) filter (where c.what = 'link_click'), sum(c.n) filter (where c.what = 'view' and c.source = 'mail'), 9, 9, 9, 9, 9
      from public.daily_counts c where c.workspace_id = ${workspaceId} and c.post_id is null group by 1, 2 order by 2`;
    // Other names every few months, as terms and hosts come and go.
    await tx`insert into public.daily_counts (workspace_id, post_id, what, day, source, n)
      select ${workspaceId}, null, w.what, d.day, 'name-' || (d.day - '2000-01-01') / 100 || '-' || n, 1 + n % 9
      from d, (values ('referrer'), ('search_none'), ('country'), ('language')) as w (what), generate_series(1, ${names}::int) as n order by d.day`;
    await tx`alter table public.daily_counts add constraint daily_counts_key unique nulls not distinct (workspace_id, post_id, what, day, source) include (n)`;
  });
  await sql`vacuum (analyze) public.daily_counts`;
  await sql`vacuum (analyze) private.post_counts`;
  await sql`vacuum (analyze) private.workspace_counts`;
  const [row] = await sql`select count(*)::int as rows from public.daily_counts where workspace_id = ${workspaceId}`;
  return row!.rows as number;
}

/** A day's events in the queue: of every post in every way, with readers, where they come from and what they speak. */
export async function loadQueue(
  sql: TransactionSql,
  workspaceId: string,
  { events, sources }: { events: number; sources: string[] },
): Promise<void> {
  await sql`
    with p as (select array_agg(id order by id) as ids from public.posts where workspace_id = ${workspaceId})
    insert into private.count_queue (workspace_id, post_id, what, day, source)
    select ${workspaceId}, case when k.what in ('view', 'link_click') then p.ids[1 + (n % 100003 * 7919) % cardinality(p.ids)] end, k.what,
      (now() at time zone 'utc')::date + 1, case when k.what in ('country', 'language', 'referrer', 'search_none') then 'name-' || n * 31 % 400
      else (${sources}::text[])[1 + n / 10 % ${sources.length}::int] end
    from p, generate_series(1, ${events}::int) as n, lateral (select (array['view', 'view', 'view', 'view', 'view', 'link_click', 'reader', 'country', 'language', 'referrer'])[1 + n % 10] as what) as k`;
  await sql`analyze private.count_queue`;
}
