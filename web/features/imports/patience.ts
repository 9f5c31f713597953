import { ApiError } from "../../lib/api-client.ts";
import type { Waiting } from "./machine.ts";

const firstWaitMs = 1_000;
const longestWaitMs = 15_000;
/** So much of nothing but failures ends it. */
export const patienceMs = 600_000;
/** What one try and the wait after it count at most: a computer that slept has not tried. */
const longestTryMs = 90_000;

/**
 * Repeats a call that failed only for now: the server is busy (it says how long), is away, or cannot be reached, in which case the connection's return
 * ends the wait. `tell` hears that it waits, and null when it goes on. Throws the last ApiError when ten minutes have brought nothing else; a server
 * that says when it takes more is there, and is waited for as long as it asks.
 */
export async function patiently<Answer>(
  work: () => Promise<Answer>,
  signal: AbortSignal,
  tell: (waiting: Waiting | null) => void,
): Promise<Answer> {
  let failingMs = 0;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    const from = Date.now();
    try {
      return await untilAborted(work(), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError) || failingMs >= patienceMs) throw error;
      if (error.code === "network") {
        tell({ why: "offline" });
        await pause(waitMs, signal, "online");
      } else if (error.code === "rate_limited" || error.code === "unavailable") {
        const ms = Math.max(error.retryAfterMs ?? 0, waitMs);
        tell({ why: "busy", until: Date.now() + ms });
        await pause(ms, signal);
      } else {
        throw error;
      }
      tell(null);
      failingMs = error.code === "rate_limited" ? 0 : failingMs + Math.min(Date.now() - from, longestTryMs);
    }
  }
}

/** Waits, until an event of the window says that there is no more need; throws when it was aborted. */
async function pause(ms: number, signal: AbortSignal, endedBy?: "online"): Promise<void> {
  const over = new AbortController();
  await new Promise<void>((resolve) => {
    const end = () => resolve();
    const timer = setTimeout(end, ms);
    over.signal.addEventListener("abort", () => clearTimeout(timer));
    signal.addEventListener("abort", end, { signal: over.signal });
    if (endedBy) window.addEventListener(endedBy, end, { signal: over.signal });
  });
  over.abort();
  signal.throwIfAborted();
}

/** The same promise, which a pressed button ends at once. */
function untilAborted<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  const over = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { signal: over.signal });
  });
  return Promise.race([answer, aborted]).finally(() => over.abort());
}
