import { useEffect, useState } from "react";
import { searchDebounceMs } from "../../../lib/timings.ts";
import type { PostSummary } from "#contract/posts.ts";
import { searchLimit } from "#contract/limits.ts";
import { listPosts, searchPosts } from "../post-calls.ts";
import { isOutdated, onPostEvent, type PostEvent } from "../post-events.ts";
import { isServerSearch } from "../list/post-filter.ts";

export interface PostSearch {
  status: "idle" | "searching" | "found" | "failed";
  posts: readonly PostSummary[];
}

const idle: PostSearch = { status: "idle", posts: [] };

/** Searches on the server from two characters, with a 300 ms debounce; outdated responses are dropped. Follows post events. Source: specification, section 5. */
export function usePostSearch(workspaceId: string | null, term: string, limit: number = searchLimit, archive = false): PostSearch {
  const [search, setSearch] = useState(idle);
  const trimmed = term.trim();

  useEffect(() => {
    if (!workspaceId || !isServerSearch(trimmed)) return setSearch(idle);
    const request = new AbortController();
    setSearch((before) => ({ status: "searching", posts: before.posts }));
    const timer = setTimeout(async () => {
      try {
        const posts = archive
          ? (await listPosts(workspaceId, { status: "archived", words: trimmed }, 1, request.signal, limit)).posts
          : await searchPosts(workspaceId, trimmed, limit, request.signal);
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
  }, [workspaceId, trimmed, limit, archive]);

  useEffect(() => onPostEvent((event) => setSearch((before) => after(before, event, archive))), [archive]);

  return search;
}

function after(search: PostSearch, event: PostEvent, archive: boolean): PostSearch {
  const id = event.type === "post-removed" ? event.postId : event.post.id;
  if (!search.posts.some((post) => post.id === id) || isOutdated(event, search.posts)) return search;
  const matches = event.type === "post-upserted" && (event.post.status === "archived") === archive;
  const posts = matches ? search.posts.map((post) => (post.id === id ? event.post : post)) : search.posts.filter((post) => post.id !== id);
  return { ...search, posts };
}
