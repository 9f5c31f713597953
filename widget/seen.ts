import type { Post } from "./data.ts";

const keyOf = (workspace: string): string => `tc:widget:${workspace}`;
const newest = (posts: readonly Post[]): string =>
  posts.reduce((latest, { published_at }) => (published_at > latest ? published_at : latest), "");

/** How many posts appeared since this browser last looked. A first visit knows no older ones: then nothing is new. */
export function unreadCount(workspace: string, posts: readonly Post[]): number {
  try {
    const seen = localStorage.getItem(keyOf(workspace));
    if (seen === null) markSeen(workspace, posts);
    return seen === null ? 0 : posts.filter(({ published_at }) => published_at > seen).length;
  } catch {
    return 0; // storage is switched off: rather no badge than one that never goes
  }
}

/** Remembers that everything up to the newest of these has been seen. */
export function markSeen(workspace: string, posts: readonly Post[]): void {
  try {
    localStorage.setItem(keyOf(workspace), newest(posts));
  } catch {
    // Full or switched off.
  }
}
