import { useEffect, useState } from "react";
import { searchDebounceMs } from "../../../lib/timings.ts";
import type { PostSummary } from "#contract/posts.ts";
import { searchPosts } from "../post-calls.ts";
import { onPostEvent } from "../post-events.ts";
import { isServerSearch } from "../list/post-filter.ts";

export interface PostSearch {
  /** `idle` below two characters. */
  status: "idle" | "searching" | "found" | "failed";
  posts: readonly PostSummary[];
}

const idle: PostSearch = { status: "idle", posts: [] };

/** Asks the server 300 ms after the last letter, from two characters on; a late answer to an older term is dropped. Source: specification, section 5. */
export function usePostSearch(workspaceId: string | null, term: string, limit?: number): PostSearch {
  const [search, setSearch] = useState(idle);
  const trimmed = term.trim();

  useEffect(() => {
    if (!workspaceId || !isServerSearch(trimmed)) return setSearch(idle);
    const request = new AbortController();
    setSearch((before) => ({ status: "searching", posts: before.posts }));
    const timer = setTimeout(async () => {
      try {
        const posts = await searchPosts(workspaceId, trimmed, limit, request.signal);
        if (!request.signal.aborted) setSearch({ status: "found", posts });
      } catch (error) {
        if (request.signal.aborted) return;
        console.warn("Searching posts failed", error);
        setSearch({ status: "failed", posts: [] });
      }
    }, searchDebounceMs);
    return () => {
      clearTimeout(timer);
      request.abort();
    };
  }, [workspaceId, trimmed, limit]);

  useEffect(
    () =>
      onPostEvent((event) => {
        if (event.type === "post-removed") setSearch((now) => ({ ...now, posts: now.posts.filter((post) => post.id !== event.postId) }));
      }),
    [],
  );

  return search;
}
