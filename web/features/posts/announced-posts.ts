import { postListMaxLimit } from "#contract/limits.ts";
import { readSummaries } from "./post-calls.ts";
import { emitAnnounced, emitMissed, emitPostEvent, onPostEvent } from "./post-events.ts";

/** What is announced within moments is asked for together, and not by everybody who heard it at the same instant. */
const gatherMs = 50;
const spreadMs = 100;
/** Somebody who writes saves every few seconds without knowing: the lists of fifty colleagues need not ask after each of these. */
const leisureMs = 5_000;
const leisureSpreadMs = 5_000;

/**
 * Realtime says which post has changed, not how it reads now: that is told to members only, who ask for it here. Returns how to announce a
 * post. Versions that the page has shown meanwhile (one's own saves) are not asked for; where asking fails, the lists look again.
 */
export function readAnnounced(workspaceId: string, signal: AbortSignal): (postId: string, version: number, autosaved: boolean) => void {
  const shown = new Map<string, number>();
  const waiting = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = Infinity; // when it rings, on the clock of performance.now()

  const isNews = (postId: string, version: number) => (shown.get(postId) ?? 0) < version;
  const stop = onPostEvent((event) => {
    if (event.type === "post-removed") shown.set(event.postId, Infinity);
    else if (isNews(event.post.id, event.post.version)) shown.set(event.post.id, event.post.version);
  });
  signal.addEventListener("abort", () => {
    stop();
    clearTimeout(timer);
  });

  async function ask() {
    due = Infinity;
    const ids = [...waiting].filter(([postId, version]) => isNews(postId, version)).map(([postId]) => postId);
    waiting.clear();
    if (ids.length === 0) return;
    if (ids.length > postListMaxLimit) return emitMissed(workspaceId);
    try {
      const posts = await readSummaries(workspaceId, ids, signal);
      for (const post of posts) if (isNews(post.id, post.version)) emitPostEvent({ type: "post-upserted", workspaceId, post });
    } catch {
      if (!signal.aborted) emitMissed(workspaceId);
    }
  }

  return (postId, version, autosaved) => {
    waiting.set(postId, Math.max(version, waiting.get(postId) ?? 0));
    const soon = gatherMs + Math.random() * spreadMs;
    // Whoever has it open reads it by itself: there is nothing to gather.
    setTimeout(() => !signal.aborted && isNews(postId, version) && emitAnnounced(postId, version), Math.random() * spreadMs);
    const ms = autosaved ? leisureMs + Math.random() * leisureSpreadMs : soon;
    if (performance.now() + ms >= due) return;
    clearTimeout(timer);
    due = performance.now() + ms;
    timer = setTimeout(() => void ask(), ms);
  };
}
