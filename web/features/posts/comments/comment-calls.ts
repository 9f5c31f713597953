import { commentEndpoints, quoteMaxLength, type Thread } from "#contract/comments.ts";
import { call } from "../../../lib/api-client.ts";

/** The calls about comments. Each throws an ApiError and shows nothing. A comment that is sent again has the key of the first try. */
const timeoutMs = 20_000;
const write = (key: string) => ({ headers: { "idempotency-key": key }, signal: AbortSignal.timeout(timeoutMs) });

export interface Said {
  text: string;
  /** Ids of those whom it names. */
  mentions: string[];
}

export async function listThreads(id: string): Promise<Thread[]> {
  return (await call(commentEndpoints.list, { params: { id } })).threads;
}

export async function beginThread(id: string, blockId: string | null, quote: string, said: Said, key: string): Promise<Thread> {
  const body = { block_id: blockId, quote: quote.slice(0, quoteMaxLength), ...said };
  return (await call(commentEndpoints.begin, { params: { id }, body, ...write(key) })).thread;
}

export async function answerThread(id: string, threadId: string, said: Said, key: string): Promise<Thread> {
  return (await call(commentEndpoints.reply, { params: { id, threadId }, body: said, ...write(key) })).thread;
}

export async function settleThread(id: string, threadId: string, resolved: boolean): Promise<Thread> {
  return (await call(commentEndpoints.settle, { params: { id, threadId }, body: { resolved } })).thread;
}

export async function changeComment(id: string, threadId: string, commentId: string, said: Said): Promise<Thread> {
  return (await call(commentEndpoints.edit, { params: { id, threadId, commentId }, body: said })).thread;
}

export async function removeComment(id: string, threadId: string, commentId: string): Promise<void> {
  await call(commentEndpoints.remove, { params: { id, threadId, commentId } });
}
