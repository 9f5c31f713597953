import { useCallback, useEffect, useState } from "react";
import type { Thread } from "#contract/comments.ts";
import type { Post } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { readPostAndThreads } from "../post-calls.ts";

export type LoadedPost =
  | { status: "loading" }
  /** `post` is null for one that was never saved. */
  | { status: "ready"; post: Post | null; threads: readonly Thread[] }
  | { status: "missing"; retry(): void }
  | { status: "failed"; retry(): void };

/**
 * Reads a post afresh for editing: never from a cache, whose version could be old, and never again behind the writer's back.
 * The id of the first render counts; a new post that gets its id by the first save goes on.
 */
export function useLoadedPost(postId: string | null): LoadedPost {
  const [id] = useState(postId);
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState<LoadedPost>(id === null ? { status: "ready", post: null, threads: [] } : { status: "loading" });
  const retry = useCallback(() => setAttempt((count) => count + 1), []);

  useEffect(() => {
    if (id === null) return;
    let wanted = true;
    setLoaded({ status: "loading" });
    readPostAndThreads(id).then(
      (read) => wanted && setLoaded({ status: "ready", ...read }),
      (error: unknown) => {
        if (!wanted) return;
        const missing = error instanceof ApiError && (error.status === 404 || error.status === 403);
        if (!missing) toasts.error("Failed to load post", "Please try again or contact support");
        setLoaded({ status: missing ? "missing" : "failed", retry });
      },
    );
    return () => {
      wanted = false;
    };
  }, [id, attempt, retry]);

  return loaded;
}
