import { useCallback, useEffect, useReducer, useRef } from "react";
import { highlightMs } from "../../../lib/timings.ts";
import { sentenceOf } from "../../../lib/api-client.ts";
import { listPosts } from "../post-calls.ts";
import { onMissed, onPostEvent, type PostEvent } from "../post-events.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { emptyPostList, postListReducer, type PostListState } from "./listed-posts.ts";
import type { PostList } from "#contract/posts.ts";
import type { StatusFilter } from "#contract/rules/sidebar-posts.ts";

export interface PostListing extends PostListState {
  loadMore(): void;
  reload(): void;
}

/** A workspace's posts, 15 per page, updated by events. Resets for another workspace, status or tag. */
export function usePostList(workspaceId: string, status: StatusFilter, tag: string | null = null): PostListing {
  const [state, dispatch] = useReducer(postListReducer, emptyPostList);
  const running = useRef<AbortController | null>(null);

  const load = useCallback(
    async (page: number, { more = false } = {}) => {
      const request = (running.current = new AbortController());
      dispatch(more ? { type: "loading" } : { type: "reset" });
      try {
        const answer = await listPosts(workspaceId, { status, tag }, page, request.signal);
        if (!request.signal.aborted) dispatch({ type: "page", answer });
      } catch (error) {
        if (request.signal.aborted) return;
        logFailure(error);
        dispatch({ type: "failed", message: sentenceOf(error, String(error)) });
      } finally {
        if (running.current === request) running.current = null;
      }
    },
    [workspaceId, status, tag],
  );

  const reload = useCallback(() => {
    running.current?.abort();
    void load(1);
  }, [load]);

  const pagesLoaded = useLatest(state.page);
  const refresh = useCallback(async () => {
    if (pagesLoaded.current === 0) return reload();
    running.current?.abort();
    const request = (running.current = new AbortController());
    const meanwhile: PostEvent[] = []; // race: the answers may be older than these events
    const stop = onPostEvent((event) => meanwhile.push(event));
    const answers = await readPages(pagesLoaded.current, (page) => listPosts(workspaceId, { status, tag }, page, request.signal)).catch(
      (error: unknown) => void (request.signal.aborted || logFailure(error)),
    );
    stop();
    if (running.current === request) running.current = null;
    if (request.signal.aborted) return;
    dispatch(answers ? { type: "reloaded", answers } : { type: "unchanged" });
    if (answers) for (const event of meanwhile) dispatch({ type: "event", event, workspaceId, status, tag });
  }, [workspaceId, status, tag, pagesLoaded, reload]);

  useEffect(() => onMissed((where) => void (where === workspaceId && refresh())), [workspaceId, refresh]);

  useEffect(() => {
    void load(1);
    return () => running.current?.abort();
  }, [load]);

  useEffect(() => onPostEvent((event) => dispatch({ type: "event", event, workspaceId, status, tag })), [workspaceId, status, tag]);

  useEffect(() => {
    if (state.highlighted === null) return;
    const timer = setTimeout(() => dispatch({ type: "highlight-over" }), highlightMs);
    return () => clearTimeout(timer);
  }, [state.highlighted]);

  const { page, pages, next } = state;
  const loadMore = useCallback(() => {
    if (running.current === null && page > 0 && page < pages) void load(next, { more: true });
  }, [load, page, pages, next]);

  return { ...state, loadMore, reload };
}

/** Source: specification, section 8 ("Sidebar list load failure"). */
const logFailure = (error: unknown): void => console.error("Loading posts failed", error);

async function readPages(count: number, read: (page: number) => Promise<PostList>): Promise<PostList[]> {
  const answers = [await read(1)];
  while (answers.length < Math.min(count, answers.at(-1)!.pagination.pages)) answers.push(await read(answers.length + 1));
  return answers;
}
