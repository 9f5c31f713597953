import { v1ReaderEndpoints } from "#contract/v1/readers.ts";
import type { Binder } from "../../_shared/handle.ts";
import { json, rows } from "../result.ts";

export function bindV1Readers({ withKey }: Binder): void {
  withKey(v1ReaderEndpoints.unseen, ({ db, key, params }) =>
    json<{ seen_up_to: string | null; unseen: number }>(db.rpc("reader_unseen", { workspace_id: key.workspaceId, sub: params.sub })),
  );

  withKey(v1ReaderEndpoints.erase, async ({ db, key, params }) => {
    await rows(db.rpc("erase_reader", { workspace_id: key.workspaceId, sub: params.sub }));
    return { success: true as const };
  });
}
