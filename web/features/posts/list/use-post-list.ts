import { useCallback, useEffect, useReducer, useRef } from "react";
import { highlightMs } from "../../../lib/timings.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { listPosts } from "../post-calls.ts";
import { onMissed, onPostEvent, type PostEvent } from "../post-events.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { emptyPostList, postListReducer, type PostListState } from "./listed-posts.ts";
import type { PostList } from "#contract/posts.ts";
import type { StatusFilter } from "#contract/rules/sidebar-posts.ts";

export interface PostListing extends PostListState {
  /** Reads the next page, when there is one and none is under way. */
  loadMore(): void;
  /** Begins again with the first page. */
  reload(): void;
}

/** The posts of a workspace, 15 at a time, kept right by events. Another workspace, status or tag begins again. */
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
        dispatch({ type: "failed", message: error instanceof ApiError ? error.message : String(error) });
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

  const known = useLatest(state.page);
  const lookAgain = useCallback(async () => {
    if (known.current === 0) return reload();
    running.current?.abort();
    const request = (running.current = new AbortController());
    const meanwhile: PostEvent[] = []; // the answers may be of before
    const stop = onPostEvent((event) => meanwhile.push(event));
    const answers = await readPages(known.current, (page) => listPosts(workspaceId, { status, tag }, page, request.signal)).catch(
      (error: unknown) => void (request.signal.aborted || logFailure(error)),
    );
    stop();
    if (running.current === request) running.current = null;
    if (request.signal.aborted) return;
    dispatch(answers ? { type: "again", answers } : { type: "kept" });
    if (answers) for (const event of meanwhile) dispatch({ type: "event", event, workspaceId, status, tag });
  }, [workspaceId, status, tag, known, reload]);

  useEffect(() => onMissed((where) => void (where === workspaceId && lookAgain())), [workspaceId, lookAgain]);

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

/** The first pages, as many as are wanted and there still are. */
async function readPages(wanted: number, read: (page: number) => Promise<PostList>): Promise<PostList[]> {
  const answers = [await read(1)];
  while (answers.length < Math.min(wanted, answers.at(-1)!.pagination.pages)) answers.push(await read(answers.length + 1));
  return answers;
}
