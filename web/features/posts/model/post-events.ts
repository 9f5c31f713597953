import type { PostSummary } from "#contract/posts.ts";
import type { SidebarEvent } from "#contract/rules/sidebar-posts.ts";

/** Something happened to a post: by this person's own hand, or told by Realtime. Source: specification, section 4. */
export type PostEvent = SidebarEvent<PostSummary>;

/** Realtime and the answer to one's own save come in either order: whether an event tells less than is known. */
export function isOutdated(event: PostEvent, posts: readonly PostSummary[]): boolean {
  return event.type === "post-upserted" && posts.some((post) => post.id === event.post.id && post.version > event.post.version);
}

/** Some of what happened in a workspace was not heard: whoever shows its posts asks again. */
const missed = new Set<(workspaceId: string) => void>();

export function emitMissed(workspaceId: string): void {
  missed.forEach((listener) => listener(workspaceId));
}

/** Returns how to stop listening. */
export function onMissed(listener: (workspaceId: string) => void): () => void {
  missed.add(listener);
  return () => missed.delete(listener);
}

const listeners = new Set<(event: PostEvent) => void>();

export function emitPostEvent(event: PostEvent): void {
  listeners.forEach((listener) => listener(event));
}

/** Returns how to stop listening. */
export function onPostEvent(listener: (event: PostEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
