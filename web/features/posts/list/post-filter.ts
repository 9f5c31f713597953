import { type PostStatus } from "#contract/kinds.ts";
import { searchMinLength } from "#contract/limits.ts";
import type { PostSummary } from "#contract/posts.ts";
import { hasStatus, matchesLocally, type StatusFilter } from "#contract/rules/sidebar-posts.ts";

/** The post sidebar's status choice: the specification's, then the archive, from where posts come back. Source: specification, section 5; product decision 6. */
export const statusFilters: readonly StatusFilter[] = ["all", "draft", "scheduled", "published", "archived"];

export const statusLabels: Readonly<Record<PostStatus | "all", string>> = {
  all: "All statuses",
  draft: "Draft",
  scheduled: "Scheduled",
  published: "Published",
  archived: "Archived",
};

/** From two characters on the server searches. Source: specification, section 5. */
export const isServerSearch = (term: string): boolean => term.trim().length >= searchMinLength;

export interface ListFilter {
  status: StatusFilter;
  /** An exact tag, or null for all. */
  tag: string | null;
  /** One character filters here, by title or tag; longer terms were answered by the server already. */
  term: string;
}

/** The posts of a list that the sidebar shows. */
export function visiblePosts(posts: readonly PostSummary[], { status, tag, term }: ListFilter): PostSummary[] {
  const here = isServerSearch(term) ? "" : term;
  return posts.filter((post) => hasStatus(post, status) && (tag === null || post.tags.includes(tag)) && matchesLocally(post, here));
}
