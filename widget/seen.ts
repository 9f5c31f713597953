import type { Post } from "./data.ts";

const keyOf = (workspace: string): string => `tc:widget:${workspace}`;

/** Posts since the last visit. On a first visit none are new. */
export function unreadCount(workspace: string, posts: readonly Post[]): number {
  try {
    const seen = localStorage[keyOf(workspace)] as string | undefined;
    if (seen !== undefined) return posts.filter(({ published_at }) => published_at > seen).length;
    markSeen(workspace, posts);
  } catch {}
  return 0;
}

/** Only moves forward, even if the newest post is missing now. */
export function markSeen(workspace: string, posts: readonly Post[]): void {
  try {
    const key = keyOf(workspace);
    localStorage[key] = posts.reduce(
      (latest, { published_at }) => (published_at > latest ? published_at : latest),
      // Sorts below all times except expanded years ("+002026-…") of imports, which never count as new.
      (localStorage[key] ?? "2") as string,
    );
  } catch {}
}
