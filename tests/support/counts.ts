import type postgres from "postgres";

export async function countViews(
  sql: postgres.Sql,
  workspaceId: string,
  postId: string | null,
  n: number,
  day = new Date().toISOString().slice(0, 10),
): Promise<void> {
  await sql`insert into private.count_queue (workspace_id, post_id, what, day, source, n)
    values (${workspaceId}, ${postId}, 'view', ${day}, 'page', ${n})`;
  await sql`select private.roll_up_counts()`;
}

export async function countsOf(sql: postgres.Sql, workspaceId: string, ...only: string[]): Promise<Record<string, number>> {
  await sql`select private.roll_up_counts()`;
  const rows = await sql<{ name: string; n: number }[]>`
    select what || ' ' || source as name, sum(n)::int as n from public.daily_counts
    where workspace_id = ${workspaceId} and post_id is null and (${only.length} = 0 or what = any (${only})) group by 1 order by 1`;
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}
