import type { Post } from "./data.ts";

const keyOf = (workspace: string): string => `tc:widget:${workspace}`;

/** How many posts appeared since this browser last looked. A first visit knows no older ones: then nothing is new. */
export function unreadCount(workspace: string, posts: readonly Post[]): number {
  try {
    const seen = localStorage[keyOf(workspace)] as string | undefined;
    if (seen !== undefined) return posts.filter(({ published_at }) => published_at > seen).length;
    markSeen(workspace, posts);
  } catch {
    // Storage is switched off: rather no badge than one that never goes.
  }
  return 0;
}

/** Remembers that everything up to the newest of these has been seen; what was seen before stays seen, also when it is not among them. */
export function markSeen(workspace: string, posts: readonly Post[]): void {
  try {
    const key = keyOf(workspace);
    localStorage[key] = posts.reduce(
      (latest, { published_at }) => (published_at > latest ? published_at : latest),
      // Before every time there is, but for those of what was imported ("+002026-…"): these are no news, whatever was seen.
      (localStorage[key] ?? "2") as string,
    );
  } catch {
    // Full or switched off.
  }
}
