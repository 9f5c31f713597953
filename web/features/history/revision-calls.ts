import { useState } from "react";
import type { Post } from "#contract/posts.ts";
import { revisionEndpoints, type Revision, type RevisionSummary } from "#contract/revisions.ts";
import { call } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";
import { requestTimeout } from "../posts/post-calls.ts";

/** A post's versions, newest first, reloaded whenever the history opens. `readOlder` loads the next page; null when all are loaded. */
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
    setOlder((before) => [...before, ...page.revisions]);
  }
  return { data: revisions && { revisions }, error, mutate, readOlder: oldest > 1 ? readOlder : null };
}

export async function readRevision(postId: string, version: number): Promise<Revision> {
  const signal = requestTimeout();
  return (await call(revisionEndpoints.read, { params: { id: postId, version }, signal })).revision;
}

/** Restores a version as the newest one. `current`: the version on the screen. Throws an ApiError: `version_conflict` if it is outdated. */
export async function restoreRevision(postId: string, version: number, current: number): Promise<Post> {
  return (await call(revisionEndpoints.restore, { params: { id: postId, version }, body: { version: current } })).post;
}
