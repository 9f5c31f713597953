import { ApiError } from "../../lib/api-client.ts";
import type { Waiting } from "./machine.ts";

const firstWaitMs = 1_000;
const longestWaitMs = 15_000;

/**
 * Repeats a call that failed only for now, for as long as it takes: the server is busy (it says how long), is away, or cannot be reached, in which case
 * the connection's return ends the wait. `tell` hears that it waits, and null when it goes on.
 */
export async function patiently<Answer>(
  work: () => Promise<Answer>,
  signal: AbortSignal,
  tell: (waiting: Waiting | null) => void,
): Promise<Answer> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      return await untilAborted(work(), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError)) throw error;
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
