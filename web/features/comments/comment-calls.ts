import { commentEndpoints, quoteMaxLength, type Thread } from "#contract/comments.ts";
import { call } from "../../lib/api-client.ts";

/** Comments API. Every call throws an ApiError and shows no message. Retries send the same idempotency key. */
const timeoutMs = 20_000;
const write = (key: string) => ({ headers: { "idempotency-key": key }, signal: AbortSignal.timeout(timeoutMs) });

export interface CommentInput {
  text: string;
  mentions: string[];
}

export async function listThreads(id: string): Promise<Thread[]> {
  return (await call(commentEndpoints.list, { params: { id } })).threads;
}

export async function createThread(id: string, blockId: string | null, quote: string, input: CommentInput, key: string): Promise<Thread> {
  const body = { block_id: blockId, quote: quote.slice(0, quoteMaxLength), ...input };
  return (await call(commentEndpoints.begin, { params: { id }, body, ...write(key) })).thread;
}

export async function replyToThread(id: string, threadId: string, input: CommentInput, key: string): Promise<Thread> {
  return (await call(commentEndpoints.reply, { params: { id, threadId }, body: input, ...write(key) })).thread;
}

export async function resolveThread(id: string, threadId: string, resolved: boolean): Promise<Thread> {
  return (await call(commentEndpoints.settle, { params: { id, threadId }, body: { resolved } })).thread;
}

export async function editComment(id: string, threadId: string, commentId: string, input: CommentInput): Promise<Thread> {
  return (await call(commentEndpoints.edit, { params: { id, threadId, commentId }, body: input })).thread;
}

export async function deleteComment(id: string, threadId: string, commentId: string): Promise<void> {
  await call(commentEndpoints.remove, { params: { id, threadId, commentId } });
}
