import { useCallback, useMemo, useState } from "react";
import { searchMaxLimit } from "#contract/limits.ts";
import type { PostSummary } from "#contract/posts.ts";
import type { StatusFilter } from "#contract/rules/sidebar-posts.ts";
import { isServerSearch, tagsOf, visiblePosts } from "./post-filter.ts";
import { usePostList, type PostListing } from "./use-post-list.ts";
import { usePostSearch } from "../search/use-post-search.ts";

/** The posts of a workspace with what the person filters them by. */
export interface PostBrowser {
  status: StatusFilter;
  /** An exact tag, or null for all. */
  tag: string | null;
  term: string;
  /** Every tag found in the posts, sorted. */
  tags: readonly string[];
  /** What the filters leave. */
  posts: readonly PostSummary[];
  loading: boolean;
  /** A filter or search is active. */
  filtered: boolean;
  list: PostListing;
  setStatus(status: StatusFilter): void;
  setTag(tag: string | null): void;
  setTerm(term: string): void;
}

export function usePostBrowser(workspaceId: string): PostBrowser {
  const [status, changeStatus] = useState<StatusFilter>("all");
  const [chosenTag, setTag] = useState<string | null>(null);
  const [term, setTerm] = useState("");
  const list = usePostList(workspaceId, status);
  const search = usePostSearch(workspaceId, term, searchMaxLimit);
  const searching = isServerSearch(term);

  const tags = useMemo(() => tagsOf(list.posts), [list.posts]);
  const tag = chosenTag !== null && tags.includes(chosenTag) ? chosenTag : null; // its last post may be gone
  const source = searching ? search.posts : list.posts;
  const posts = useMemo(() => visiblePosts(source, { status, tag, term }), [source, status, tag, term]);

  // Another status begins again with the first page and clears the search. Source: specification, section 4.
  const setStatus = useCallback((next: StatusFilter) => {
    changeStatus(next);
    setTerm("");
  }, []);

  return {
    status,
    tag,
    term,
    tags,
    posts,
    loading: searching ? search.status === "searching" : list.loading,
    filtered: status !== "all" || tag !== null || term.trim() !== "",
    list,
    setStatus,
    setTag,
    setTerm,
  };
}
