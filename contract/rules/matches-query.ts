import type { PostStatus } from "../limits.ts";
import { creatorName } from "./creator-name.ts";
import type { PostQuery } from "./search-tokens.ts";

const includes = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

/** Whether the posts table shows a post: status, creator (the whole name) and free text over title and creator, case-insensitive. Source: specification, section 5. */
export function matchesQuery(
  post: { title: string; status: PostStatus; author_name: string | null; created_by_name: string | null },
  query: PostQuery,
): boolean {
  const creator = creatorName(post);
  if (query.status !== undefined && query.status !== "any" && post.status !== query.status) return false;
  if (query.owner !== undefined && creator.toLowerCase() !== query.owner.toLowerCase()) return false;
  return includes(post.title, query.text) || includes(creator, query.text);
}
