import { useState } from "react";
import type { Post } from "#contract/posts.ts";
import { revisionEndpoints, type Revision, type RevisionSummary } from "#contract/revisions.ts";
import { call } from "../../../lib/api-client.ts";
import { useCall } from "../../../lib/use-call.ts";
import { requestTimeout } from "../post-calls.ts";

/**
 * The versions of a post, newest first; asked for afresh whenever the history is opened. `readOlder` adds those that did not fit into the
 * first answer, null when the first version is there.
 */
export function useRevisions(postId: string) {
  const params = { id: postId };
  const {
    data: newest,
    error,
    mutate,
  } = useCall(revisionEndpoints.list, { params }, { revalidateOnFocus: false, revalidateOnReconnect: false });
  const [older, setOlder] = useState<readonly RevisionSummary[]>([]);
  const revisions = newest && [...newest.revisions, ...older];
  const oldest = revisions?.at(-1)?.version ?? 1;

  async function readOlder(): Promise<void> {
    const page = await call(revisionEndpoints.list, { params, query: { before: oldest } });
    setOlder((known) => [...known, ...page.revisions]);
  }
  return { data: revisions && { revisions }, error, mutate, readOlder: oldest > 1 ? readOlder : null };
}

export async function readRevision(postId: string, version: number): Promise<Revision> {
  const signal = requestTimeout(); // a draft that is brought back waits for it
  return (await call(revisionEndpoints.read, { params: { id: postId, version }, signal })).revision;
}

/** Makes an earlier version the newest one; `current` is the version on the screen. Throws an ApiError, `version_conflict` when it is old. */
export async function restoreRevision(postId: string, version: number, current: number): Promise<Post> {
  return (await call(revisionEndpoints.restore, { params: { id: postId, version }, body: { version: current } })).post;
}
