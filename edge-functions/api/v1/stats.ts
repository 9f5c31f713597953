import type { z } from "zod";
import { v1StatsEndpoints } from "#contract/v1/stats.ts";
import type { Binder } from "../../_shared/handle.ts";
import { json } from "../result.ts";

type Stats = z.input<typeof v1StatsEndpoints.read.response>;

export function bindV1Stats({ withKey }: Binder): void {
  withKey(v1StatsEndpoints.read, async ({ db, key }) => {
    const asked = { workspace_id: key.workspaceId };
    const stats = await json<Omit<Stats, "subscribers">>(db.rpc("workspace_stats", asked));
    return { ...stats, subscribers: await json<Stats["subscribers"]>(db.rpc("subscriber_numbers", asked)) };
  });
}
