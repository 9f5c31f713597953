import type { PostStatus } from "../kinds.ts";

const moves: Record<PostStatus, readonly PostStatus[]> = {
  draft: ["draft", "scheduled", "published", "archived"],
  scheduled: ["draft", "scheduled", "published", "archived"],
  // A published post cannot be scheduled or moved back to draft.
  published: ["published", "archived"],
  archived: ["draft", "archived"],
};

/**
 * Whether a post may go from one status to another; staying is a move to itself. The database decides the same way.
 * Source: specification, section 4; product decision 6 (archived posts are restored to draft).
 */
export function canMove(from: PostStatus, to: PostStatus): boolean {
  return moves[from].includes(to);
}

/** The status a post has at a moment: a scheduled post whose time has come is published, whether or not the publisher ran. Source: product decision 4. */
export function statusAt(post: { status: PostStatus; publish_at: string | null }, now: Date): PostStatus {
  const due = post.status === "scheduled" && post.publish_at !== null && Date.parse(post.publish_at) <= now.getTime();
  return due ? "published" : post.status;
}
