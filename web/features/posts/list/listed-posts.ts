import { sidebarPageSize } from "#contract/limits.ts";
import type { PostList, PostSummary } from "#contract/posts.ts";
import { sidebarPosts, type StatusFilter } from "#contract/rules/sidebar-posts.ts";
import { isOutdated, type PostEvent } from "../post-events.ts";

/** A list that grows page by page and follows events. */
export interface PostListState {
  posts: readonly PostSummary[];
  /** Pages read so far; 0 before the first answer. */
  page: number;
  pages: number;
  /** The page to read next: where the list that the server has now goes on after the posts that are here. */
  next: number;
  loading: boolean;
  /** The sentence of a failed first page; later pages can simply be asked for again. */
  error: string | null;
  /** The post that an event brought, while it is highlighted. */
  highlighted: string | null;
}

export type PostListAction =
  | { type: "reset" }
  | { type: "again"; answers: readonly PostList[] }
  | { type: "loading" }
  | { type: "page"; answer: PostList }
  | { type: "kept" }
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
      const next = state.next < answered ? state.next : answered + 1; // lower: posts went while the answer was on its way
      const posts = append(state.posts, action.answer.posts);
      return { ...state, posts, page: Math.max(1, next - 1), pages, next, loading: false, error: null };
    }
    case "again":
      return action.answers.reduce((list, answer) => postListReducer(list, { type: "page", answer }), emptyPostList);
    case "kept":
      return { ...state, loading: false };
    case "failed":
      return { ...state, loading: false, error: action.message };
    case "event": {
      if (isOutdated(action.event, state.posts)) return state;
      const posts = sidebarPosts(state.posts, action.event, action);
      const next = posts.length < state.posts.length ? Math.min(state.next, pageAfter(posts)) : state.next; // those behind move up
      return { ...state, posts, next, highlighted: posts.length > state.posts.length ? posts[0]!.id : state.highlighted };
    }
    case "highlight-over":
      return { ...state, highlighted: null };
  }
}

const pageAfter = (posts: readonly PostSummary[]): number => Math.floor(posts.length / sidebarPageSize) + 1;

/** A post that came to the top meanwhile pushes others onto the next page: nobody appears twice. */
function append(known: readonly PostSummary[], next: readonly PostSummary[]): readonly PostSummary[] {
  const ids = new Set(known.map((post) => post.id));
  return [...known, ...next.filter((post) => !ids.has(post.id))];
}
