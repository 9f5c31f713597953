import { z } from "zod";
import { mailAddress } from "#contract/mail-address.ts";
import type { Subscriber } from "#contract/subscribers.ts";
import { v1SubscriberEndpoints } from "#contract/v1/subscribers.ts";
import type { Binder } from "../../_shared/handle.ts";
import { json, rows } from "../result.ts";
import { filterOf, importSubscribers } from "../subscribers.ts";
import { readCursor, writeCursor } from "./cursor.ts";

const endOfPiece = z.string().max(320);

export function bindV1Subscribers({ withKey }: Binder): void {
  withKey(v1SubscriberEndpoints.list, async ({ db, key, query: { cursor, limit, total, ...filter } }) => {
    const after = readCursor(cursor, endOfPiece) ?? null;
    const args = { workspace_id: key.workspaceId, filter: filterOf(filter), after, size: limit + 1 };
    const page = await json<Subscriber[]>(db.rpc("subscribers_after", args));
    const subscribers = page.slice(0, limit);
    const count = { workspace_id: key.workspaceId, filter: filterOf(filter), size: 1 };
    const counted = total === "true" ? await json<{ total: number }>(db.rpc("list_subscribers", count)) : null;
    return { subscribers, total: counted?.total, next_cursor: page.length > limit ? writeCursor(subscribers.at(-1)!.email) : null };
  });

  withKey(v1SubscriberEndpoints.add, ({ db, key, body: { email, frequency, tags } }) => {
    const args = { workspace_id: key.workspaceId, email: mailAddress(email) ?? email, frequency, tags };
    return json<{ added: boolean; subscriber: Subscriber }>(db.rpc("add_subscriber", args));
  });

  withKey(v1SubscriberEndpoints.addMany, ({ db, key, body: { subscribers, declared } }) =>
    importSubscribers(db, key.workspaceId, subscribers, { declared }),
  );

  withKey(v1SubscriberEndpoints.remove, async ({ db, key, params, query }) => {
    await rows(db.rpc("remove_subscriber", { workspace_id: key.workspaceId, subscriber: params.id, erase: query.erase === "true" }));
    return { success: true as const };
  });
}
