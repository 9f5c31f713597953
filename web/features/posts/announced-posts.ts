import { postListMaxLimit } from "#contract/limits.ts";
import { readSummaries } from "./post-calls.ts";
import { emitAnnounced, emitMissed, emitPostEvent, onPostEvent } from "./post-events.ts";

/** Batching: changes announced close together are fetched in one request, with jitter so members don't all fetch at the same moment. */
const batchDelayMs = 50;
const batchJitterMs = 100;
/** Autosaves arrive every few seconds: lists fetch them less often. */
const autosaveDelayMs = 5_000;
const autosaveJitterMs = 5_000;

/**
 * Realtime only announces ids and versions; the posts are fetched here, in batches. Returns a function that announces a post.
 * Versions already shown (such as your own saves) are skipped. If fetching fails, the lists reload.
 */
export function batchAnnouncements(
  workspaceId: string,
  signal: AbortSignal,
): (postId: string, version: number, autosaved: boolean) => void {
  const shown = new Map<string, number>();
  const waiting = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = Infinity; // performance.now() time of the next batch

  const isNewer = (postId: string, version: number) => (shown.get(postId) ?? 0) < version;
  const stop = onPostEvent((event) => {
    if (event.type === "post-removed") shown.set(event.postId, Infinity);
    else if (isNewer(event.post.id, event.post.version)) shown.set(event.post.id, event.post.version);
  });
  signal.addEventListener("abort", () => {
    stop();
    clearTimeout(timer);
  });

  async function fetchBatch() {
    due = Infinity;
    const ids = [...waiting].filter(([postId, version]) => isNewer(postId, version)).map(([postId]) => postId);
    waiting.clear();
    if (ids.length === 0) return;
    if (ids.length > postListMaxLimit) return emitMissed(workspaceId);
    try {
      const posts = await readSummaries(workspaceId, ids, signal);
      for (const post of posts) if (isNewer(post.id, post.version)) emitPostEvent({ type: "post-upserted", workspaceId, post });
    } catch {
      if (!signal.aborted) emitMissed(workspaceId);
    }
  }

  return (postId, version, autosaved) => {
    waiting.set(postId, Math.max(version, waiting.get(postId) ?? 0));
    setTimeout(() => !signal.aborted && isNewer(postId, version) && emitAnnounced(postId, version), Math.random() * batchJitterMs);
    const ms = autosaved ? autosaveDelayMs + Math.random() * autosaveJitterMs : batchDelayMs + Math.random() * batchJitterMs;
    if (performance.now() + ms >= due) return;
    clearTimeout(timer);
    due = performance.now() + ms;
    timer = setTimeout(() => void fetchBatch(), ms);
  };
}
