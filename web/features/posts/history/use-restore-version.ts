import { useState } from "react";
import type { Post } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { restoreRevision } from "./revision-calls.ts";
import { emitPostEvent } from "../post-events.ts";
import { summaryOf } from "../post-summary.ts";

/** Brings an earlier version back as the newest one and says how it went. `restore` is true when done. */
export function useRestoreVersion() {
  const [busy, setBusy] = useState(false);

  async function restore(post: Post | null, version: number): Promise<boolean> {
    if (!post) return false;
    setBusy(true);
    try {
      const restored = await restoreRevision(post.id, version, post.version);
      emitPostEvent({ type: "post-upserted", workspaceId: restored.workspace_id, post: summaryOf(restored) });
      toasts.success("Version restored", `Version ${version} is the newest one again`);
      return true;
    } catch (error) {
      const code = error instanceof ApiError ? error.code : null;
      const why =
        code === "version_conflict" ? "Somebody saved the post meanwhile. Reload it first." : "Please try again or contact support";
      if (code !== "unauthenticated") toasts.error("Failed to restore the version", why);
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { busy, restore };
}
