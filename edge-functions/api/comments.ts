import { commentEndpoints, type Thread } from "#contract/comments.ts";
import type { Database } from "../_shared/clients.ts";
import type { Binder } from "../_shared/handle.ts";
import { json, rows } from "./result.ts";

export function bindComments({ signedIn }: Binder): void {
  signedIn(commentEndpoints.list, async ({ db, params }) => ({ threads: await listThreads(db, params.id) }));

  signedIn(commentEndpoints.begin, async ({ db, params, body, idempotencyKey }) => {
    const { block_id = null, quote = null, ...comment } = body;
    const args = { post_id: params.id, block_id, quote, ...comment, idempotency_key: idempotencyKey };
    return { thread: await json<Thread>(db.rpc("add_comment", args)) };
  });

  signedIn(commentEndpoints.reply, async ({ db, params, body, idempotencyKey }) => {
    const args = { post_id: params.id, thread_id: params.threadId, ...body, idempotency_key: idempotencyKey };
    return { thread: await json<Thread>(db.rpc("add_comment", args)) };
  });

  signedIn(commentEndpoints.settle, async ({ db, params, body }) => {
    return { thread: await json<Thread>(db.rpc("settle_thread", { post_id: params.id, thread_id: params.threadId, ...body })) };
  });

  signedIn(commentEndpoints.edit, async ({ db, params, body }) => {
    const args = { post_id: params.id, thread_id: params.threadId, comment_id: params.commentId, ...body };
    return { thread: await json<Thread>(db.rpc("change_comment", args)) };
  });

  signedIn(commentEndpoints.remove, async ({ db, params }) => {
    await rows(db.rpc("remove_comment", { post_id: params.id, thread_id: params.threadId, comment_id: params.commentId }));
    return { success: true as const };
  });
}

export const listThreads = (db: Database, postId: string): Promise<Thread[]> => json(db.rpc("post_threads", { post_id: postId }));
