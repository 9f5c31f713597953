import { useEffect, useState } from "react";
import { searchDebounceMs } from "../../../lib/timings.ts";
import type { PostSummary } from "#contract/posts.ts";
import { searchLimit } from "#contract/limits.ts";
import { listPosts, searchPosts } from "../post-calls.ts";
import { isOutdated, onPostEvent, type PostEvent } from "../post-events.ts";
import { isServerSearch } from "../list/post-filter.ts";

export interface PostSearch {
  /** `idle` below two characters. */
  status: "idle" | "searching" | "found" | "failed";
  posts: readonly PostSummary[];
}

const idle: PostSearch = { status: "idle", posts: [] };

/** Asks the server 300 ms after the last letter, from two characters on; a late answer to an older term is dropped. What is archived leaves the results at once. Source: specification, section 5. */
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

  useEffect(() => onPostEvent((event) => setSearch((now) => after(now, event, archive))), [archive]);

  return search;
}

/** Found posts go when they are purged, archived or restored, and are shown as they are now. */
function after(search: PostSearch, event: PostEvent, archive: boolean): PostSearch {
  const id = event.type === "post-removed" ? event.postId : event.post.id;
  if (!search.posts.some((post) => post.id === id) || isOutdated(event, search.posts)) return search;
  const stays = event.type === "post-upserted" && (event.post.status === "archived") === archive;
  const posts = stays ? search.posts.map((post) => (post.id === id ? event.post : post)) : search.posts.filter((post) => post.id !== id);
  return { ...search, posts };
}
