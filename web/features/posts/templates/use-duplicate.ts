import { useRef } from "react";
import type { Post } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { emitPostEvent } from "../post-events.ts";
import { summaryOf } from "../post-summary.ts";
import type { PostSession } from "../../session/session.ts";
import { duplicatePost } from "./template-calls.ts";

export function useDuplicate(session: PostSession, post: Post | null, onCreated: (id: string) => void): () => Promise<void> {
  const running = useRef(false);
  const attempt = useRef<{ of: string; key: string }>(undefined);
  return async () => {
    if (post === null || running.current) return;
    running.current = true;
    try {
      if (post.status === "draft" && session.isDirty() && !(await session.autosave()))
        return void toasts.error("Couldn't duplicate the post", "Save your changes first.");
      const of = `${post.id} ${session.getSnapshot().post?.version}`;
      // Idempotency key: retries of the same version create one copy.
      if (attempt.current?.of !== of) attempt.current = { of, key: crypto.randomUUID() };
      const copy = await duplicatePost(post.id, attempt.current.key);
      attempt.current = undefined;
      emitPostEvent({ type: "post-upserted", workspaceId: copy.workspace_id, post: summaryOf(copy) });
      toasts.success("Post duplicated", "You're now editing the copy.");
      onCreated(copy.id);
    } catch (error) {
      if (error instanceof ApiError && error.isRefusal) attempt.current = undefined;
      toasts.failure("Couldn't duplicate the post", error);
    } finally {
      running.current = false;
    }
  };
}
