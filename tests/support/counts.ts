import type { Sql } from "postgres";

/** Counts readings as though readers had read, without waiting for the minute's end. */
export async function countViews(sql: Sql, workspaceId: string, postId: string, n: number): Promise<void> {
  await sql`insert into private.count_queue (workspace_id, post_id, what, day, source, n)
    values (${workspaceId}, ${postId}, 'view', (now() at time zone 'utc')::date, 'page', ${n})`;
  await sql`select private.roll_up_counts()`;
}

/** How often something of a workspace was counted until now; `what` is its views where nothing else is said. */
export async function countsOf(sql: Sql, workspaceId: string, what = "view"): Promise<number> {
  await sql`select private.roll_up_counts()`;
  const [row] = await sql<{ n: number }[]>`select coalesce(sum(n), 0)::int as n from public.daily_counts
    where workspace_id = ${workspaceId} and post_id is null and what = ${what}`;
  return row!.n;
}
