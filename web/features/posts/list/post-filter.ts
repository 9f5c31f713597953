import { type PostStatus } from "#contract/kinds.ts";
import { searchMinLength } from "#contract/limits.ts";
import type { PostSummary } from "#contract/posts.ts";
import { matchesLocally, type StatusFilter } from "#contract/rules/sidebar-posts.ts";

/** The post sidebar's status choice; archived posts leave every list. Source: specification, section 5; product decision 6. */
export const statusFilters: readonly StatusFilter[] = ["all", "draft", "scheduled", "published"];

export const statusLabels: Readonly<Record<PostStatus | "all", string>> = {
  all: "All statuses",
  draft: "Draft",
  scheduled: "Scheduled",
  published: "Published",
  archived: "Archived",
};

/** Archived posts match no filter of the sidebar. */
const matchesStatus = (post: PostSummary, filter: StatusFilter): boolean =>
  post.status !== "archived" && (filter === "all" || post.status === filter);

/** Every tag found in the posts, once, in alphabetical order. Source: specification, section 2 ("Changelog area"). */
export function tagsOf(posts: readonly PostSummary[]): string[] {
  return [...new Set(posts.flatMap((post) => post.tags))].sort((one, other) => one.localeCompare(other));
}

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
  return posts.filter((post) => matchesStatus(post, status) && (tag === null || post.tags.includes(tag)) && matchesLocally(post, here));
}
