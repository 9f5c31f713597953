import { useState } from "react";
import type { Post } from "#contract/posts.ts";
import { ApiError, sentenceOf } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { restoreRevision } from "./revision-calls.ts";
import { emitPostEvent } from "../posts/post-events.ts";
import { summaryOf } from "../posts/post-summary.ts";

export function useRestoreVersion() {
  const [busy, setBusy] = useState(false);

  async function restore(post: Post | null, version: number): Promise<boolean> {
    if (!post) return false;
    setBusy(true);
    try {
      const restored = await restoreRevision(post.id, version, post.version);
      emitPostEvent({ type: "post-upserted", workspaceId: restored.workspace_id, post: summaryOf(restored) });
      toasts.success("Version restored", `Version ${version} is now the latest`);
      return true;
    } catch (error) {
      const code = error instanceof ApiError ? error.code : null;
      const reason = code === "version_conflict" ? "Someone else saved this post. Reload it first." : sentenceOf(error);
      if (code !== "unauthenticated") toasts.error("Couldn't restore the version", reason);
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { busy, restore };
}
