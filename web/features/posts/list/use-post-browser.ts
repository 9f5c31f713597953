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

export interface PostBrowser {
  status: StatusFilter;
  tag: string | null;
  term: string;
  /** Tags of the workspace's posts, sorted by name. Source: specification, section 2 ("Changelog area"). */
  tags: readonly string[];
  posts: readonly PostSummary[];
  loading: boolean;
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
  const { tags: offered, carried, former, loaded, reload: askForTags } = useTags(workspaceId);
  const latestReload = useLatest(askForTags);
  useEffect(() => onMissed((where) => void (where === workspaceId && latestReload.current())), [workspaceId, latestReload]);
  const [currentTag = null] = chosenTag === null ? [] : presentTags([chosenTag], former);
  const list = usePostList(workspaceId, status, currentTag);
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
  const tag = currentTag !== null && (!loaded || list.loading || tags.includes(currentTag)) ? currentTag : null;
  useEffect(() => {
    if (tag === null && currentTag !== null) setTag(null);
  }, [tag, currentTag]);
  const source = searching ? search.posts : list.posts;
  const posts = useMemo(() => visiblePosts(source, { status, tag, term }), [source, status, tag, term]);

  // Changing the status reloads the posts and clears the search. Source: specification, section 4.
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
