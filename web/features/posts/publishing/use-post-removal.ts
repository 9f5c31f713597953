import { useState } from "react";
import type { Post, PostSummary } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { archivePost, purgePost } from "../post-calls.ts";
import { emitPostEvent, removalEvent } from "../post-events.ts";
import { bringBack } from "./undo-archive.ts";

export interface PostRemoval {
  busy: boolean;
  /** Out of every list, kept for restoring. True when done. */
  archive(): Promise<boolean>;
  /** Gone for good. True when done. */
  purge(): Promise<boolean>;
}

/** Source: specification, sections 5 and 8. */
const words = {
  archive: {
    unable: "Unable to archive",
    done: "Post archived",
    description: "The post has been archived successfully",
    failed: "Failed to archive post",
  },
  purge: {
    unable: "Unable to purge",
    done: "Post purged",
    description: "The post has been purged successfully",
    failed: "Failed to purge post",
  },
} as const;

/** Archives and purges the open post and says how it went. `onBack`: archiving was taken back. */
export function usePostRemoval(post: Post | null, onBack: (post: PostSummary) => Promise<void>): PostRemoval {
  const [busy, setBusy] = useState(false);

  async function remove(say: (typeof words)[keyof typeof words], work: (id: string) => Promise<PostSummary | null>) {
    const refuse = () => {
      toasts.error(say.unable, "No post selected");
      return false;
    };
    if (!post) return refuse();
    setBusy(true);
    try {
      const archived = await work(post.id);
      emitPostEvent(removalEvent(post, archived));
      const undo = archived && { label: "Undo", onClick: () => void bringBack([archived]).then(([back]) => back && onBack(back)) };
      toasts.success(say.done, say.description, undo ?? undefined);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === "not_found") return refuse(); // a colleague has purged it
      const signedOut = error instanceof ApiError && error.code === "unauthenticated"; // has a dialog of its own
      if (!signedOut) toasts.error(say.failed, "Please try again or contact support");
      return false;
    } finally {
      setBusy(false);
    }
  }

  const purge = async (id: string) => {
    await purgePost(id);
    return null;
  };
  return { busy, archive: () => remove(words.archive, archivePost), purge: () => remove(words.purge, purge) };
}
