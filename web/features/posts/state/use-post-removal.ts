import { useState } from "react";
import type { Post } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { archivePost, purgePost } from "../api/post-calls.ts";
import { emitPostEvent } from "../model/post-events.ts";

export interface PostRemoval {
  busy: boolean;
  /** Out of every list, kept for restoring. True when done. */
  archive(): Promise<boolean>;
  /** Gone for good. True when done. */
  purge(): Promise<boolean>;
}

/** Archives and purges the open post and says how it went. Source: specification, sections 4 and 8. */
export function usePostRemoval(post: Post | null): PostRemoval {
  const [busy, setBusy] = useState(false);

  async function remove(verb: "archive" | "purge", work: (post: Post) => Promise<void>) {
    if (!post) {
      toasts.error(`Unable to ${verb}`, "No post selected");
      return false;
    }
    setBusy(true);
    try {
      await work(post);
      emitPostEvent({ type: "post-removed", workspaceId: post.workspace_id, postId: post.id });
      return true;
    } catch (error) {
      const signedOut = error instanceof ApiError && error.code === "unauthenticated"; // has a dialog of its own
      if (!signedOut) toasts.error(`Failed to ${verb} post`, "Please try again or contact support");
      return false;
    } finally {
      setBusy(false);
    }
  }

  return {
    busy,
    archive: () =>
      remove("archive", async ({ id }) => {
        await archivePost(id);
        toasts.success("Post archived", "The post has been archived successfully");
      }),
    purge: () =>
      remove("purge", async ({ id }) => {
        await purgePost(id);
        toasts.success("Post purged", "The post has been purged successfully");
      }),
  };
}
