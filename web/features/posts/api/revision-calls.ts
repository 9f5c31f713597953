import type { Post } from "#contract/posts.ts";
import { revisionEndpoints, type Revision } from "#contract/revisions.ts";
import { call } from "../../../lib/api-client.ts";
import { useCall } from "../../../lib/use-call.ts";

/** Every version of a post, newest first; asked for afresh whenever the history is opened. */
export function useRevisions(postId: string) {
  return useCall(revisionEndpoints.list, { params: { id: postId } }, { revalidateOnFocus: false });
}

export async function readRevision(postId: string, version: number): Promise<Revision> {
  return (await call(revisionEndpoints.read, { params: { id: postId, version } })).revision;
}

/** Makes an earlier version the newest one; `current` is the version on the screen. Throws an ApiError, `version_conflict` when it is old. */
export async function restoreRevision(postId: string, version: number, current: number): Promise<Post> {
  return (await call(revisionEndpoints.restore, { params: { id: postId, version }, body: { version: current } })).post;
}
