import { analytics, type Analytics, analyticsEndpoints, type DayRange, type PostAnalytics, rangeMeant } from "#contract/analytics.ts";
import { analyticsCsv } from "#contract/analytics-csv.ts";
import type { Database } from "../_shared/clients.ts";
import type { Binder } from "../_shared/handle.ts";
import { json } from "./result.ts";
import { findSubdomain } from "./workspaces/queries.ts";

export function bindAnalytics({ signedIn, file }: Binder): void {
  signedIn(analyticsEndpoints.read, ({ db, params, query }) => readAnalytics(db, params.workspaceId, rangeMeant(query, new Date())));

  signedIn(analyticsEndpoints.post, ({ db, params, query }) => {
    const { from, to } = rangeMeant(query, new Date());
    const args = { workspace_id: params.workspaceId, post_id: params.postId, from_day: from, to_day: to };
    return json<PostAnalytics>(db.rpc("post_analytics", args));
  });

  file(analyticsEndpoints.csv, async ({ db, params, query: { table, ...ends } }) => {
    const range = rangeMeant(ends, new Date());
    const content = analyticsCsv(analytics.parse(await readAnalytics(db, params.workspaceId, range)), table);
    const subdomain = await findSubdomain(db, params.workspaceId);
    return { name: `analytics-${subdomain}-${table}-${range.from}-${range.to}.csv`, content };
  });
}

export const readAnalytics = (db: Database, workspaceId: string, { from, to }: DayRange): Promise<Analytics> =>
  json(db.rpc("analytics", { workspace_id: workspaceId, from_day: from, to_day: to }));
