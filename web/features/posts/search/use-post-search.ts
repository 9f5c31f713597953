import { useEffect, useMemo, useState } from "react";
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

/** The last answer, and the search that it belongs to. */
interface Answer extends PostSearch {
  key: string | null;
}

const noAnswer: Answer = { ...idle, key: null };

/** Searches on the server from two characters, with a 300 ms debounce; outdated responses are dropped. Follows post events. Source: specification, section 5. */
export function usePostSearch(workspaceId: string | null, term: string, limit: number = searchLimit, archive = false): PostSearch {
  const [answer, setAnswer] = useState(noAnswer);
  const trimmed = term.trim();
  const key = workspaceId && isServerSearch(trimmed) ? JSON.stringify([workspaceId, trimmed, limit, archive]) : null;

  useEffect(() => {
    if (!workspaceId || key === null) return setAnswer(noAnswer);
    const request = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const posts = archive
          ? (await listPosts(workspaceId, { status: "archived", words: trimmed }, 1, request.signal, limit)).posts
          : await searchPosts(workspaceId, trimmed, limit, request.signal);
        if (!request.signal.aborted) setAnswer({ key, status: "found", posts });
      } catch (error) {
        if (request.signal.aborted) return;
        console.warn("Searching posts failed", error);
        setAnswer({ key, status: "failed", posts: [] });
      }
    }, searchDebounceMs);
    return () => {
      clearTimeout(timer);
      request.abort();
    };
  }, [key, workspaceId, trimmed, limit, archive]);

  useEffect(() => onPostEvent((event) => setAnswer((before) => after(before, event, archive))), [archive]);

  // Race: with the render that has new words, not after it, or Enter would open a result of the former ones.
  return useMemo(() => {
    if (key === null) return idle;
    return answer.key === key ? answer : { status: "searching", posts: answer.posts };
  }, [key, answer]);
}

function after(search: Answer, event: PostEvent, archive: boolean): Answer {
  const id = event.type === "post-removed" ? event.postId : event.post.id;
  if (!search.posts.some((post) => post.id === id) || isOutdated(event, search.posts)) return search;
  const matches = event.type === "post-upserted" && (event.post.status === "archived") === archive;
  const posts = matches ? search.posts.map((post) => (post.id === id ? event.post : post)) : search.posts.filter((post) => post.id !== id);
  return { ...search, posts };
}
