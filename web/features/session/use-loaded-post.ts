import { useCallback, useEffect, useState } from "react";
import type { Thread } from "#contract/comments.ts";
import type { Post } from "#contract/posts.ts";
import { ApiError } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { readPostAndThreads } from "../posts/post-calls.ts";

export type LoadedPost =
  | { status: "loading" }
  | { status: "ready"; post: Post | null; threads: readonly Thread[] }
  | { status: "missing"; retry(): void }
  | { status: "failed"; retry(): void };

/** Loads a post for editing: never from a cache, never reloaded. Uses the id of the first render. */
export function useLoadedPost(postId: string | null): LoadedPost {
  const [id] = useState(postId);
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState<LoadedPost>(id === null ? { status: "ready", post: null, threads: [] } : { status: "loading" });
  const retry = useCallback(() => setAttempt((count) => count + 1), []);

  useEffect(() => {
    if (id === null) return;
    let isMounted = true;
    setLoaded({ status: "loading" });
    readPostAndThreads(id).then(
      (read) => isMounted && setLoaded({ status: "ready", ...read }),
      (error: unknown) => {
        if (!isMounted) return;
        const missing = error instanceof ApiError && (error.status === 404 || error.status === 403);
        if (!missing) toasts.error("Failed to load post", "Please try again or contact support");
        setLoaded({ status: missing ? "missing" : "failed", retry });
      },
    );
    return () => {
      isMounted = false;
    };
  }, [id, attempt, retry]);

  return loaded;
}
