import type { Thread } from "#contract/comments.ts";
import { postEndpoints, type CreatePostInput, type Post, type PostList, type PostSummary, type UpdatePostInput } from "#contract/posts.ts";
import { searchLimit, sidebarPageSize } from "#contract/limits.ts";
import { call } from "../../lib/api-client.ts";
import type { StatusFilter } from "#contract/rules/sidebar-posts.ts";

/** Posts API. Every call throws an ApiError and shows no message. Source: specification, section 7. */
export async function readPost(id: string): Promise<Post> {
  return (await call(postEndpoints.read, { params: { id }, signal: requestTimeout() })).post;
}

export async function readPostAndThreads(id: string): Promise<{ post: Post; threads: Thread[] }> {
  const { post, threads = [] } = await call(postEndpoints.read, { params: { id }, query: { threads: true } });
  return { post, threads };
}

export async function createPost(body: CreatePostInput, key: string): Promise<Post> {
  return (await call(postEndpoints.create, { body, ...write(key) })).post;
}

export async function updatePost(id: string, body: UpdatePostInput, key: string): Promise<Post> {
  return (await call(postEndpoints.update, { params: { id }, body, ...write(key) })).post;
}

export async function isCurrentVersion(id: string, version: number): Promise<boolean> {
  const signal = AbortSignal.timeout(checkTimeoutMs);
  return (await call(postEndpoints.version, { params: { id }, query: { version }, signal })).isCurrent;
}

const checkTimeoutMs = 3_000; // optional check: don't delay the save for longer

/** Timeout after which the server counts as unreachable. Writes are safe to retry: they carry an idempotency key. */
const requestTimeoutMs = 20_000;
export const requestTimeout = (): AbortSignal => AbortSignal.timeout(requestTimeoutMs);
const write = (key: string) => ({ headers: { "idempotency-key": key }, signal: requestTimeout() });

export async function archivePost(id: string): Promise<PostSummary | null> {
  return (await call(postEndpoints.remove, { params: { id } })).post;
}

/** Restores an archived post: with its previous status if `version` is still the archived one, else as a draft. */
export async function undoArchive(id: string, version: number): Promise<Post> {
  return (await call(postEndpoints.restore, { params: { id }, body: { version } })).post;
}

export async function purgePost(id: string): Promise<void> {
  await call(postEndpoints.remove, { params: { id }, query: { purge: true } });
}

export interface ListFilters {
  status: StatusFilter;
  tag?: string | null;
  words?: string;
}

export function listPosts(
  workspaceId: string,
  { status, tag, words }: ListFilters,
  page: number,
  signal?: AbortSignal,
  limit: number = sidebarPageSize,
): Promise<PostList> {
  return call(postEndpoints.list, { params: { workspaceId }, query: { page, limit, status, tag: tag ?? undefined, q: words }, signal });
}

/** Summaries by id, in any status. At most `postListMaxLimit` ids; missing posts are left out. */
export async function readSummaries(workspaceId: string, ids: readonly string[], signal?: AbortSignal): Promise<PostSummary[]> {
  return (await call(postEndpoints.list, { params: { workspaceId }, query: { ids: ids.join(",") }, signal })).posts;
}

export async function searchPosts(
  workspaceId: string,
  term: string,
  limit: number = searchLimit,
  signal?: AbortSignal,
): Promise<PostSummary[]> {
  return (await call(postEndpoints.search, { params: { workspaceId }, query: { q: term.trim(), limit }, signal })).posts;
}
