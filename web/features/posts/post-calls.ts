import type { Thread } from "#contract/comments.ts";
import { postEndpoints, type CreatePostInput, type Post, type PostList, type PostSummary, type UpdatePostInput } from "#contract/posts.ts";
import { searchLimit, sidebarPageSize } from "#contract/limits.ts";
import { call } from "../../lib/api-client.ts";
import type { StatusFilter } from "#contract/rules/sidebar-posts.ts";

/** The calls about posts. Each throws an ApiError and shows nothing. Source: specification, section 7. */
export async function readPost(id: string): Promise<Post> {
  return (await call(postEndpoints.read, { params: { id }, signal: answerDeadline() })).post; // writes may wait for it
}

/** The same with what is said about it. */
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

/** Whether a version is still the newest: cheaper than a save that is refused. */
export async function isCurrentVersion(id: string, version: number): Promise<boolean> {
  const signal = AbortSignal.timeout(checkTimeoutMs);
  return (await call(postEndpoints.version, { params: { id }, query: { version }, signal })).isCurrent;
}

const checkTimeoutMs = 3_000; // it only warns: the save itself is not held up for long

/** A server that is silent for this long counts as unreachable; the write can be repeated with its key. */
const answerTimeoutMs = 20_000;
export const answerDeadline = (): AbortSignal => AbortSignal.timeout(answerTimeoutMs);
const write = (key: string) => ({ headers: { "idempotency-key": key }, signal: answerDeadline() });

/** Archived: out of every list and off the public page, text kept. */
export async function archivePost(id: string): Promise<PostSummary | null> {
  return (await call(postEndpoints.remove, { params: { id } })).post;
}

/** Out of the archive: as it was before, when `version` is still the one that archiving made, else as a draft. */
export async function undoArchive(id: string, version: number): Promise<Post> {
  return (await call(postEndpoints.restore, { params: { id }, body: { version } })).post;
}

/** Gone for good, with its history and images. */
export async function purgePost(id: string): Promise<void> {
  await call(postEndpoints.remove, { params: { id }, query: { purge: true } });
}

/** What a list leaves: a status, a tag's key, and words of title or creator. */
export interface ListedBy {
  status: StatusFilter;
  tag?: string | null;
  words?: string;
}

export function listPosts(
  workspaceId: string,
  { status, tag, words }: ListedBy,
  page: number,
  signal?: AbortSignal,
  limit: number = sidebarPageSize,
): Promise<PostList> {
  return call(postEndpoints.list, { params: { workspaceId }, query: { page, limit, status, tag: tag ?? undefined, q: words }, signal });
}

/** Those of some posts that there are, whatever their status; at most `postListMaxLimit` may be asked for. */
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
