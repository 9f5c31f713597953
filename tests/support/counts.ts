import type postgres from "postgres";

/**
 * What was counted of a workspace until now: `{ "view mail": 2 }`. A function tells the database about once a second, in the order in which it
 * was asked: what a reading reported has been counted when that of a later reader has.
 */
export async function countsOf(sql: postgres.Sql, workspaceId: string, ...only: string[]): Promise<Record<string, number>> {
  await sql`select private.roll_up_counts()`;
  const rows = await sql<{ name: string; n: number }[]>`
    select what || ' ' || source as name, sum(n)::int as n from public.daily_counts
    where workspace_id = ${workspaceId} and post_id is null and (${only.length} = 0 or what = any (${only})) group by 1 order by 1`;
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}
