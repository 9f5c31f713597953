import type { Thread } from "#contract/comments.ts";
import { v1CommentEndpoints } from "#contract/v1/comments.ts";
import type { Binder } from "../../_shared/handle.ts";
import { listThreads } from "../comments.ts";

export function bindV1Comments({ withKey }: Binder): void {
  withKey(v1CommentEndpoints.list, async ({ db, params }) => ({ threads: (await listThreads(db, params.id)).map(withoutPeople) }));
}

/** Keys can't see team members. */
const withoutPeople = ({ id, block_id, quote, created_at, resolved_at, comments }: Thread) => ({
  ...{ id, block_id, quote, created_at, resolved_at },
  comments: comments.map(({ id, text, created_at, edited_at }) => ({ id, text, created_at, edited_at })),
});
