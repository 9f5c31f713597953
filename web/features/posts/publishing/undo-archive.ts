import type { PostStatus } from "#contract/kinds.ts";
import type { PostSummary } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { undoArchive } from "../post-calls.ts";
import { emitPostEvent } from "../post-events.ts";
import { summaryOf } from "../post-summary.ts";

const states: Readonly<Record<PostStatus, string>> = {
  draft: "is a draft again",
  scheduled: "is scheduled again",
  published: "is published again",
  archived: "stays archived",
};

/** Brings posts back as they were before they were archived just now; lists follow. Answers those it worked for. `posts` are as archiving answered them. */
export async function bringBack(posts: readonly PostSummary[]): Promise<PostSummary[]> {
  const back: PostSummary[] = [];
  let refusal: unknown;
  for (const { id, version } of posts) {
    try {
      const post = summaryOf(await undoArchive(id, version));
      back.push(post);
      emitPostEvent({ type: "post-upserted", workspaceId: post.workspace_id, post });
    } catch (error) {
      refusal = error;
    }
  }
  const [only] = back;
  if (only)
    toasts.success("Post restored", back.length === 1 ? `It ${states[only.status]}` : `${back.length} posts are what they were before`);
  const signedOut = refusal instanceof ApiError && refusal.code === "unauthenticated"; // has a dialog of its own
  if (refusal && !signedOut)
    toasts.error("Failed to restore post", refusal instanceof ApiError ? refusal.message : "Please try again or contact support");
  return back;
}
