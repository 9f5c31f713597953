import type { PostStatus } from "../kinds.ts";

/** The status a post has at a moment: a scheduled post whose time has come is published, whether or not the publisher ran. Source: product decision 4. */
export function statusAt(post: { status: PostStatus; publish_at: string | null }, now: Date): PostStatus {
  const due = post.status === "scheduled" && post.publish_at !== null && Date.parse(post.publish_at) <= now.getTime();
  return due ? "published" : post.status;
}
