import type { PostStatus } from "#contract/kinds.ts";
import type { PostSummary } from "#contract/posts.ts";
import { toasts } from "../../../lib/toasts.ts";
import { undoArchive } from "../post-calls.ts";
import { emitPostEvent } from "../post-events.ts";
import { summaryOf } from "../post-summary.ts";

const states: Readonly<Record<PostStatus, string>> = {
  draft: "a draft again",
  scheduled: "scheduled again",
  published: "published again",
  archived: "still archived",
};

/** Restores posts to their status before archiving and updates lists. Returns the restored posts. `posts`: as returned by archiving. */
export async function undoArchives(posts: readonly PostSummary[]): Promise<PostSummary[]> {
  const restored: PostSummary[] = [];
  let failure: unknown;
  for (const { id, version } of posts) {
    try {
      const post = summaryOf(await undoArchive(id, version));
      restored.push(post);
      emitPostEvent({ type: "post-upserted", workspaceId: post.workspace_id, post });
    } catch (error) {
      failure = error;
    }
  }
  const [only] = restored;
  if (only)
    toasts.success(
      "Post restored",
      restored.length === 1 ? `It's ${states[only.status]}` : `${restored.length} posts are back to their previous status`,
    );
  if (failure) toasts.failure("Failed to restore post", failure, "Please try again or contact support");
  return restored;
}
