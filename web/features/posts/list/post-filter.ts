import { type PostStatus } from "#contract/kinds.ts";
import { searchMinLength } from "#contract/limits.ts";
import type { PostSummary } from "#contract/posts.ts";
import { hasStatus, matchesLocally, type StatusFilter } from "#contract/rules/sidebar-posts.ts";

/** Status filters of the sidebar; archived posts are restored from there. Source: specification, section 5; product decision 6. */
export const statusFilters: readonly StatusFilter[] = ["all", "draft", "scheduled", "published", "archived"];

export const statusLabels: Readonly<Record<PostStatus | "all", string>> = {
  all: "All statuses",
  draft: "Draft",
  scheduled: "Scheduled",
  published: "Published",
  archived: "Archived",
};

/** True if a search term is long enough for the server. Source: specification, section 5. */
export const isServerSearch = (term: string): boolean => term.trim().length >= searchMinLength;

export interface ListFilter {
  status: StatusFilter;
  tag: string | null;
  /** Filters here by title or tag if one character long; longer terms are searched by the server. */
  term: string;
}

export function visiblePosts(posts: readonly PostSummary[], { status, tag, term }: ListFilter): PostSummary[] {
  const localTerm = isServerSearch(term) ? "" : term;
  return posts.filter((post) => hasStatus(post, status) && (tag === null || post.tags.includes(tag)) && matchesLocally(post, localTerm));
}
