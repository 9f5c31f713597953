import { sidebarPageSize } from "#contract/limits.ts";
import type { PostList, PostSummary } from "#contract/posts.ts";
import { sidebarPosts, type StatusFilter } from "#contract/rules/sidebar-posts.ts";
import { isOutdated, type PostEvent } from "../post-events.ts";

export interface PostListState {
  posts: readonly PostSummary[];
  page: number;
  pages: number;
  /** The page to load next, considering posts removed meanwhile. */
  next: number;
  loading: boolean;
  error: string | null;
  highlighted: string | null;
}

export type PostListAction =
  | { type: "reset" }
  | { type: "reloaded"; answers: readonly PostList[] }
  | { type: "loading" }
  | { type: "page"; answer: PostList }
  | { type: "unchanged" }
  | { type: "failed"; message: string }
  | { type: "event"; event: PostEvent; workspaceId: string; status: StatusFilter; tag: string | null }
  | { type: "highlight-over" };

export const emptyPostList: PostListState = { posts: [], page: 0, pages: 1, next: 1, loading: true, error: null, highlighted: null };

export function postListReducer(state: PostListState, action: PostListAction): PostListState {
  switch (action.type) {
    case "reset":
      return emptyPostList;
    case "loading":
      return { ...state, loading: true, error: null };
    case "page": {
      const { page: answered, pages } = action.answer.pagination;
      const next = state.next < answered ? state.next : answered + 1; // race: posts were removed during the request
      const posts = append(state.posts, action.answer.posts);
      return { ...state, posts, page: Math.max(1, next - 1), pages, next, loading: false, error: null };
    }
    case "reloaded":
      return action.answers.reduce((list, answer) => postListReducer(list, { type: "page", answer }), emptyPostList);
    case "unchanged":
      return { ...state, loading: false };
    case "failed":
      return { ...state, loading: false, error: action.message };
    case "event": {
      if (isOutdated(action.event, state.posts)) return state;
      const posts = sidebarPosts(state.posts, action.event, action);
      const next = posts.length < state.posts.length ? Math.min(state.next, pageAfter(posts)) : state.next;
      return { ...state, posts, next, highlighted: posts.length > state.posts.length ? posts[0]!.id : state.highlighted };
    }
    case "highlight-over":
      return { ...state, highlighted: null };
  }
}

const pageAfter = (posts: readonly PostSummary[]): number => Math.floor(posts.length / sidebarPageSize) + 1;

/** Skips duplicates: new posts push others onto the next page. */
function append(before: readonly PostSummary[], next: readonly PostSummary[]): readonly PostSummary[] {
  const ids = new Set(before.map((post) => post.id));
  return [...before, ...next.filter((post) => !ids.has(post.id))];
}
