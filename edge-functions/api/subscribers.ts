import type { RowOf } from "#contract/database.ts";
import {
  type MailAudience,
  noMailSettings,
  type ShownMailSettings,
  shownMailSettings,
  subscriberEndpoints,
  type SubscriberNumbers,
  subscribersPageSize,
} from "#contract/subscribers.ts";
import type { Database } from "../_shared/clients.ts";
import { fromDatabase } from "../_shared/backend-errors.ts";
import type { Binder } from "../_shared/handle.ts";
import { json, rows } from "./result.ts";
import { requireRole } from "./workspaces/queries.ts";

export function bindSubscribers({ signedIn }: Binder): void {
  signedIn(subscriberEndpoints.list, async ({ db, params, query }) => {
    await requireRole(db, params.workspaceId, ["owner", "admin"]);
    return await listSubscribers(db, params.workspaceId, query);
  });

  signedIn(subscriberEndpoints.numbers, async ({ db, params }) => {
    return { numbers: await json<SubscriberNumbers>(db.rpc("subscriber_numbers", { workspace_id: params.workspaceId })) };
  });

  signedIn(subscriberEndpoints.audience, async ({ db, params, query: { tags, post = null } }) => {
    return { audience: await json<MailAudience>(db.rpc("mail_audience", { workspace_id: params.workspaceId, tags, post_id: post })) };
  });

  signedIn(subscriberEndpoints.remove, async ({ db, params, query }) => {
    const { workspaceId, subscriberId } = params;
    await rows(db.rpc("remove_subscriber", { workspace_id: workspaceId, subscriber: subscriberId, erase: query.erase === "true" }));
    return { success: true as const };
  });

  signedIn(subscriberEndpoints.settings, async ({ db, params }) => {
    const call = db.from("mail_settings").select().eq("workspace_id", params.workspaceId).maybeSingle();
    const [row] = await Promise.all([rows(call), requireRole(db, params.workspaceId)]);
    return { settings: presentSettings(row ?? noMailSettings) };
  });

  signedIn(subscriberEndpoints.saveSettings, async ({ db, params, body }) => {
    const row = await rows(db.rpc("save_mail_settings", { workspace_id: params.workspaceId, settings: body }));
    return { success: true as const, settings: presentSettings(row) };
  });
}

const presentSettings = (row: RowOf<"mail_settings"> | ShownMailSettings): ShownMailSettings =>
  Object.fromEntries(Object.keys(shownMailSettings.shape).map((name) => [name, row[name as keyof ShownMailSettings]])) as ShownMailSettings;

interface PageOf {
  page: number;
  status: string;
  q?: string | undefined;
}

/** In `like`, signs that stand for others stand for themselves. */
const literally = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

async function listSubscribers(db: Database, workspaceId: string, { page, status, q }: PageOf) {
  const from = (page - 1) * subscribersPageSize;
  let query = db
    .from("subscribers")
    .select("id, email, status, frequency, tags, created_at, confirmed_at", { count: "exact" })
    .eq("workspace_id", workspaceId);
  if (status !== "all") query = query.eq("status", status as RowOf<"subscribers">["status"]);
  if (q) query = query.ilike("email", `%${literally(q)}%`);
  const answer = await query
    .order("created_at", { ascending: false })
    .order("id")
    .range(from, from + subscribersPageSize - 1);
  // A page behind the last one is empty.
  if (answer.error && answer.status !== 416) throw fromDatabase(answer.error, answer.status);
  const total = answer.count ?? 0;
  return {
    subscribers: answer.data ?? [],
    pagination: { page, pages: Math.max(1, Math.ceil(total / subscribersPageSize)), total },
  };
}
