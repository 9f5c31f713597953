import { useCallback, useEffect, useMemo, useState } from "react";
import { searchMaxLimit } from "#contract/limits.ts";
import type { PostSummary } from "#contract/posts.ts";
import type { StatusFilter } from "#contract/rules/sidebar-posts.ts";
import { presentTags } from "#contract/tags.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { onMissed } from "../post-events.ts";
import { byName } from "../tags/tags.ts";
import { useTags } from "../tags/use-tags.ts";
import { isServerSearch, visiblePosts } from "./post-filter.ts";
import { usePostList, type PostListing } from "./use-post-list.ts";
import { usePostSearch } from "../search/use-post-search.ts";

/** The posts of a workspace with what the person filters them by. */
export interface PostBrowser {
  status: StatusFilter;
  /** An exact tag, or null for all. */
  tag: string | null;
  term: string;
  /** Every tag found in the workspace's posts, in the alphabetical order of their names. Source: specification, section 2 ("Changelog area"). */
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
  const { tags: offered, carried, former, known, reload: askForTags } = useTags(workspaceId);
  const asking = useLatest(askForTags);
  useEffect(() => onMissed((where) => void (where === workspaceId && asking.current())), [workspaceId, asking]);
  const [wanted = null] = chosenTag === null ? [] : presentTags([chosenTag], former); // it may have another key by now, or be gone
  const list = usePostList(workspaceId, status, wanted);
  const search = usePostSearch(workspaceId, term, searchMaxLimit, status === "archived");
  const searching = isServerSearch(term);

  const tags = useMemo(() => {
    const keys = [
      ...carried.map(({ key }) => key),
      ...presentTags(
        list.posts.flatMap((post) => post.tags),
        former,
      ),
    ];
    return byName(keys, offered).map(({ key }) => key);
  }, [carried, list.posts, offered, former]);
  const tag = wanted !== null && (!known || list.loading || tags.includes(wanted)) ? wanted : null; // its last post may be gone
  useEffect(() => {
    if (tag === null && wanted !== null) setTag(null);
  }, [tag, wanted]);
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
