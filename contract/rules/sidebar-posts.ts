import type { PostStatus } from "../kinds.ts";

export type StatusFilter = "all" | PostStatus;
export type SidebarEvent<Post> =
  | { type: "post-upserted"; workspaceId: string; post: Post }
  | { type: "post-removed"; workspaceId: string; postId: string };

/**
 * Applies an event to the sidebar's list. Ignores other workspaces; removes posts the filters exclude; merges known posts in place, new
 * ones go first. Source: specification, section 4, "Post sidebar events".
 */
export function sidebarPosts<Post extends { id: string; status: PostStatus; tags: readonly string[] }>(
  posts: readonly Post[],
  event: SidebarEvent<Post>,
  view: { workspaceId: string; status: StatusFilter; tag?: string | null },
): readonly Post[] {
  if (event.workspaceId !== view.workspaceId) return posts;
  const id = event.type === "post-removed" ? event.postId : event.post.id;
  const listed = posts.some((post) => post.id === id);
  const stays = event.type === "post-upserted" && hasStatus(event.post, view.status) && (!view.tag || event.post.tags.includes(view.tag));
  if (!stays) return listed ? posts.filter((post) => post.id !== id) : posts;
  return listed ? posts.map((post) => (post.id === id ? { ...post, ...event.post } : post)) : [event.post, ...posts];
}

export const hasStatus = (post: { status: PostStatus }, filter: StatusFilter): boolean =>
  filter === "all" ? post.status !== "archived" : post.status === filter;

/** One typed character filters by title or tag; two or more query the server. Source: specification, section 5. */
export function matchesLocally(post: { title: string; tags: readonly string[] }, term: string): boolean {
  const needle = term.trim().toLowerCase();
  return [post.title, ...post.tags].some((text) => text.toLowerCase().includes(needle));
}
