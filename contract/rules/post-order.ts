import { placeholderViews } from "./placeholder-views.ts";
import type { PostSort } from "./search-tokens.ts";

interface Sortable {
  id: string;
  title: string;
  updated_at: string;
}

/** Compares two posts for the posts table; equal ones keep a stable order by id. Source: specification, sections 2 and 9. */
export function comparePosts(sort: PostSort): (a: Sortable, b: Sortable) => number {
  const recency = (post: Sortable): number => Date.parse(post.updated_at);
  const rank = sort === "recent_activity" ? recency : (post: Sortable): number => placeholderViews(post.id, post.title);
  return (a, b) => rank(b) - rank(a) || recency(b) - recency(a) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
