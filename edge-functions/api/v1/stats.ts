import type { z } from "zod";
import { v1StatsEndpoints } from "#contract/v1/stats.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Binder } from "../../_shared/handle.ts";
import { readAnalytics } from "../analytics.ts";
import { json } from "../result.ts";

type Stats = z.input<typeof v1StatsEndpoints.read.response>;

export function bindV1Stats({ withKey }: Binder): void {
  withKey(v1StatsEndpoints.read, ({ db, key, query }) => readStats(db, key.workspaceId, query));
}

export async function readStats(
  db: Database,
  workspaceId: string,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Promise<Stats> {
  const args = { workspace_id: workspaceId };
  const stats = await json<Omit<Stats, "subscribers" | "analytics">>(db.rpc("workspace_stats", args));
  const subscribers = await json<Stats["subscribers"]>(db.rpc("subscriber_numbers", args));
  const hasAddOn = stats.views !== null;
  const isAsked = from !== undefined && to !== undefined;
  return { ...stats, subscribers, analytics: hasAddOn && isAsked ? await readAnalytics(db, workspaceId, { from, to }) : null };
}
