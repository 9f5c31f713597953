import { v1CommentEndpoints } from "#contract/v1/comments.ts";
import type { Binder } from "../../_shared/handle.ts";
import { listThreads } from "../comments.ts";

export function bindV1Comments({ withKey }: Binder): void {
  withKey(v1CommentEndpoints.list, async ({ db, params }) => ({ threads: await listThreads(db, params.id) }));
}
