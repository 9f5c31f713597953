import type { RowOf } from "#contract/database.ts";
import { mailAddress } from "#contract/mail-address.ts";
import { subscriberCsvHead, subscriberCsvLine } from "#contract/subscriber-csv.ts";
import {
  importDeclaration,
  type ImportedReader,
  type ImportOutcome,
  type MailAudience,
  noMailSettings,
  type ShownMailSettings,
  shownMailSettings,
  type Subscriber,
  subscriberEndpoints,
  type SubscriberFilter,
  type SubscriberNumbers,
  subscribersPageSize,
} from "#contract/subscribers.ts";
import type { Database } from "../_shared/clients.ts";
import type { Binder } from "../_shared/handle.ts";
import { json, rows } from "./result.ts";
import { streamedLines } from "./streamed-lines.ts";
import { findSubdomain, requireRole } from "./workspaces/queries.ts";

export function bindSubscribers({ signedIn, file }: Binder): void {
  signedIn(subscriberEndpoints.list, async ({ db, params, query: { page, ...filter } }) => {
    const args = { workspace_id: params.workspaceId, filter: filterOf(filter), page, size: subscribersPageSize };
    const { subscribers, total } = await json<{ subscribers: Subscriber[]; total: number }>(db.rpc("list_subscribers", args));
    return { subscribers, pagination: { page, pages: Math.max(1, Math.ceil(total / subscribersPageSize)), total } };
  });

  signedIn(subscriberEndpoints.add, async ({ db, params, body: { email, frequency, tags } }) => {
    const args = { workspace_id: params.workspaceId, email: mailAddress(email) ?? email, frequency, tags };
    return await json<{ added: boolean; subscriber: Subscriber }>(db.rpc("add_subscriber", args));
  });

  signedIn(subscriberEndpoints.import, ({ db, params, body: { readers, ...options } }) =>
    importSubscribers(db, params.workspaceId, readers, options),
  );

  file(subscriberEndpoints.export, async ({ db, params, query }) => {
    const content = await exportSubscribers(db, params.workspaceId, query);
    const subdomain = await findSubdomain(db, params.workspaceId);
    return { name: `subscribers-${subdomain}-${new Date().toISOString().slice(0, 10)}.csv`, content };
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

interface ImportOptions {
  declared: boolean;
  trial?: boolean;
}

export async function importSubscribers(
  db: Database,
  workspaceId: string,
  readers: readonly ImportedReader[],
  { declared, trial = false }: ImportOptions,
): Promise<ImportOutcome> {
  const addressed = readers.map((reader) => ({ ...reader, email: mailAddress(reader.email) }));
  const invalid = addressed.flatMap(({ email }, place) => (email === null ? [place] : []));
  const outcome = await json<Omit<ImportOutcome, "invalid">>(
    db.rpc("import_subscribers", {
      workspace_id: workspaceId,
      readers: addressed.filter(({ email }) => email !== null),
      ...(declared && { declared: importDeclaration }),
      trial,
    }),
  );
  return { ...outcome, invalid };
}

const presentSettings = (row: RowOf<"mail_settings"> | ShownMailSettings): ShownMailSettings =>
  Object.fromEntries(Object.keys(shownMailSettings.shape).map((name) => [name, row[name as keyof ShownMailSettings]])) as ShownMailSettings;

export const filterOf = ({ status, frequency, tag, q }: SubscriberFilter): Record<string, string> => ({
  ...(status !== "all" && { status }),
  ...(frequency !== "all" && { frequency }),
  ...(tag !== undefined && { tag }),
  ...(q && { q }),
});

function exportSubscribers(db: Database, workspaceId: string, filter: SubscriberFilter): Promise<ReadableStream<Uint8Array>> {
  const read = (last?: Subscriber) => {
    const args = { workspace_id: workspaceId, filter: filterOf(filter), ...(last !== undefined && { after: last.email }) };
    return json<Subscriber[]>(db.rpc("subscribers_after", args));
  };
  return streamedLines({ head: subscriberCsvHead(), line: subscriberCsvLine, read });
}
