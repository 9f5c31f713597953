import type { PostSummary } from "#contract/posts.ts";
import type { SidebarEvent } from "#contract/rules/sidebar-posts.ts";
import { createListeners } from "../../lib/listeners.ts";

/** Something happened to a post: by this person's own hand, or told by Realtime. Source: specification, section 4. */
export type PostEvent = SidebarEvent<PostSummary>;

/** A post was archived, and is in the list of those from now on; or purged, and is nowhere. */
export const goneFrom = ({ id, workspace_id }: { id: string; workspace_id: string }, archived: PostSummary | null): PostEvent =>
  archived
    ? { type: "post-upserted", workspaceId: workspace_id, post: archived }
    : { type: "post-removed", workspaceId: workspace_id, postId: id };

/** Realtime and the answer to one's own save come in either order: whether an event tells less than is known. */
export function isOutdated(event: PostEvent, posts: readonly PostSummary[]): boolean {
  return event.type === "post-upserted" && posts.some((post) => post.id === event.post.id && post.version > event.post.version);
}

const missed = createListeners<[workspaceId: string]>();
/** Some of what happened in a workspace was not heard: whoever shows its posts asks again. */
export const emitMissed = missed.tell;
/** Returns how to stop listening. */
export const onMissed = missed.listen;

const announced = createListeners<[postId: string, version: number]>();
/** Realtime says that a post has a newer version: whoever has it open reads it at once. */
export const emitAnnounced = announced.tell;
/** Returns how to stop listening. */
export const onAnnounced = announced.listen;

const commented = createListeners<[postId: string]>();
/** Somebody has said something about a post, or settled it: whoever shows that asks again. */
export const emitCommentsChanged = commented.tell;
/** Returns how to stop listening. */
export const onCommentsChanged = commented.listen;

const happened = createListeners<[event: PostEvent]>();
export const emitPostEvent = happened.tell;
/** Returns how to stop listening. */
export const onPostEvent = happened.listen;
