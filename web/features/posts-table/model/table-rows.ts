import type { PostSummary } from "#contract/posts.ts";
import { creatorName } from "#contract/rules/creator-name.ts";
import { matchesQuery } from "#contract/rules/matches-query.ts";
import { clampPage } from "#contract/rules/page-window.ts";
import { comparePosts } from "#contract/rules/post-order.ts";
import { statusAt } from "#contract/rules/post-status.ts";
import type { PostQuery, PostSort } from "#contract/rules/search-tokens.ts";

/** Source: specification, section 9. */
export const defaultSort: PostSort = "most_viewed_last_month";

/** The posts that a query finds, in its order. Source: specification, section 5. */
export function findPosts(posts: readonly PostSummary[], query: PostQuery, now: Date): PostSummary[] {
  return posts
    .filter((post) => matchesQuery({ ...post, status: statusAt(post, now) }, query))
    .sort(comparePosts(query.sort ?? defaultSort));
}

/** Who wrote the posts, each once, in alphabetical order. */
export function creatorsOf(posts: readonly PostSummary[]): string[] {
  return [...new Set(posts.map(creatorName))].sort((one, other) => one.localeCompare(other));
}

export interface PageOf<Row> {
  rows: Row[];
  /** Clamped into 1..pages. */
  page: number;
  pages: number;
  total: number;
}

export function pageOf<Row>(all: readonly Row[], wanted: number, size: number): PageOf<Row> {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const page = clampPage(wanted, pages);
  return { rows: all.slice((page - 1) * size, page * size), page, pages, total: all.length };
}
