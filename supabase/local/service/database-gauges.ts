import type { Sql } from "postgres";
import type { Gauge } from "../engine/parts.ts";

export async function databaseGauges(sql: Sql): Promise<Gauge[]> {
  const [row] = await sql<{ lag: number; due: number; discarded: number; connections: number }[]>`
    select coalesce(extract(epoch from max(now() - p.publish_at)), 0)::float8 as lag, count(*)::int as due,
      (select count(*)::int from private.discarded_files) as discarded,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections
    from public.posts p join public.workspaces w on w.id = p.workspace_id and w.suspension is null
    where p.status = 'scheduled' and p.publish_at <= now()
  `.catch(() => []);
  return [
    { name: "publish_lag_seconds", help: "How long the most overdue scheduled post has waited.", value: row?.lag ?? null },
    { name: "due_posts", help: "Scheduled posts that are due and not yet published.", value: row?.due ?? null },
    { name: "discarded_files", help: "Files that wait to be removed.", value: row?.discarded ?? null },
    { name: "database_connections", help: "Connections of clients to the database.", value: row?.connections ?? null },
    { name: "database_up", help: "Whether the database answers.", value: row ? 1 : 0 },
  ];
}
