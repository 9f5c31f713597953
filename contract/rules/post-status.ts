import type { PostStatus } from "../kinds.ts";

/** A scheduled post counts as published once due, even before the publisher runs. Source: product decision 4. */
export function statusAt(post: { status: PostStatus; publish_at: string | null }, now: Date): PostStatus {
  const due = post.status === "scheduled" && post.publish_at !== null && Date.parse(post.publish_at) <= now.getTime();
  return due ? "published" : post.status;
}
