import { useRef } from "react";
import type { Post } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { emitPostEvent } from "../post-events.ts";
import { summaryOf } from "../post-summary.ts";
import type { PostSession } from "../session/session.ts";
import { duplicatePost } from "./template-calls.ts";

/** Makes a draft like the open post and goes there. A draft is saved first, so that the copy has every word; of others it is what is saved. */
export function useDuplicate(session: PostSession, post: Post | null, onMade: (id: string) => void): () => Promise<void> {
  const running = useRef(false);
  const attempt = useRef<{ of: string; key: string }>(undefined);
  return async () => {
    if (post === null || running.current) return;
    running.current = true;
    try {
      if (post.status === "draft" && session.isDirty() && !(await session.autosave()))
        return void toasts.error("The post was not duplicated", "Save what is in the editor first.");
      const of = `${post.id} ${session.getSnapshot().post?.version}`;
      // Asked again after an answer that was lost, it is the same copy, unless the post says something else by now.
      if (attempt.current?.of !== of) attempt.current = { of, key: crypto.randomUUID() };
      const copy = await duplicatePost(post.id, attempt.current.key);
      attempt.current = undefined;
      emitPostEvent({ type: "post-upserted", workspaceId: copy.workspace_id, post: summaryOf(copy) });
      toasts.success("Post duplicated", "This is the copy: a draft of its own.");
      onMade(copy.id);
    } catch (error) {
      if (error instanceof ApiError && error.isRefusal) attempt.current = undefined;
      const signedOut = error instanceof ApiError && error.code === "unauthenticated"; // has a dialog of its own
      if (!signedOut) toasts.error("The post was not duplicated", error instanceof ApiError ? error.message : "Please try again later.");
    } finally {
      running.current = false;
    }
  };
}
