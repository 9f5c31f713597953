import type { PostSummary } from "#contract/posts.ts";
import type { SidebarEvent } from "#contract/rules/sidebar-posts.ts";
import { createListeners } from "../../lib/listeners.ts";

/** A change to a post, made here or announced by Realtime. Source: specification, section 4. */
export type PostEvent = SidebarEvent<PostSummary>;

export const removalEvent = ({ id, workspace_id }: { id: string; workspace_id: string }, archived: PostSummary | null): PostEvent =>
  archived
    ? { type: "post-upserted", workspaceId: workspace_id, post: archived }
    : { type: "post-removed", workspaceId: workspace_id, postId: id };

/** True if an event is older than the listed post: Realtime and the response to a save arrive in any order. */
export function isOutdated(event: PostEvent, posts: readonly PostSummary[]): boolean {
  return event.type === "post-upserted" && posts.some((post) => post.id === event.post.id && post.version > event.post.version);
}

const missed = createListeners<[workspaceId: string]>();
/** Events of a workspace were missed: lists reload. */
export const emitMissed = missed.notify;
export const onMissed = missed.listen;

const announced = createListeners<[postId: string, version: number]>();
export const emitAnnounced = announced.notify;
export const onAnnounced = announced.listen;

const commented = createListeners<[postId: string]>();
export const emitCommentsChanged = commented.notify;
export const onCommentsChanged = commented.listen;

const happened = createListeners<[event: PostEvent]>();
export const emitPostEvent = happened.notify;
export const onPostEvent = happened.listen;
