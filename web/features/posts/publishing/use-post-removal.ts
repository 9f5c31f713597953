import { useState } from "react";
import type { Post, PostSummary } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { archivePost, purgePost } from "../post-calls.ts";
import { emitPostEvent, removalEvent } from "../post-events.ts";
import { undoArchives } from "./undo-archive.ts";

export interface PostRemoval {
  busy: boolean;
  archive(): Promise<boolean>;
  purge(): Promise<boolean>;
}

/** Source: specification, sections 5 and 8. */
const messages = {
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

export function usePostRemoval(post: Post | null, onBack: (post: PostSummary) => Promise<void>): PostRemoval {
  const [busy, setBusy] = useState(false);

  async function remove(text: (typeof messages)[keyof typeof messages], work: (id: string) => Promise<PostSummary | null>) {
    const refuse = () => {
      toasts.error(text.unable, "No post selected");
      return false;
    };
    if (!post) return refuse();
    setBusy(true);
    try {
      const archived = await work(post.id);
      emitPostEvent(removalEvent(post, archived));
      const undo = archived && {
        label: "Undo",
        onClick: () => void undoArchives([archived]).then(([restored]) => restored && onBack(restored)),
      };
      toasts.success(text.done, text.description, undo ?? undefined);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === "not_found") return refuse();
      const signedOut = error instanceof ApiError && error.code === "unauthenticated";
      if (!signedOut) toasts.error(text.failed, "Please try again or contact support");
      return false;
    } finally {
      setBusy(false);
    }
  }

  const purge = async (id: string) => {
    await purgePost(id);
    return null;
  };
  return { busy, archive: () => remove(messages.archive, archivePost), purge: () => remove(messages.purge, purge) };
}
