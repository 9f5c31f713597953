import { ApiError } from "./api-client.ts";

/** Reason for a pause, which ends at a time or when back online. */
export type Waiting = { why: "offline" } | { why: "busy"; until: number };

const firstWaitMs = 1_000;
const longestWaitMs = 15_000;
/** Cap per attempt, so that sleep of the computer doesn't count. */
const maxAttemptMs = 90_000;

/** Timeout of continuous failures. */
export const giveUpMs = 600_000;

/** Retries while the server is busy or unreachable, with backoff. `onWait` gets the reason, and null on the next attempt. Throws the last ApiError after ten minutes; honours retry-after. */
export async function retry<Answer>(
  work: () => Promise<Answer>,
  signal: AbortSignal,
  onWait: (waiting: Waiting | null) => void = () => undefined,
): Promise<Answer> {
  let failingMs = 0;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    const from = Date.now();
    try {
      return await untilAborted(work(), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError) || failingMs >= giveUpMs) throw error;
      if (error.code === "network") {
        onWait({ why: "offline" });
        await pause(waitMs, signal, "online");
      } else if (error.code === "rate_limited" || error.code === "unavailable") {
        const ms = Math.max(error.retryAfterMs ?? 0, waitMs);
        onWait({ why: "busy", until: Date.now() + ms });
        await pause(ms, signal);
      } else {
        throw error;
      }
      onWait(null);
      failingMs = error.code === "rate_limited" ? 0 : failingMs + Math.min(Date.now() - from, maxAttemptMs);
    }
  }
}

/** Resolves after `ms` or the window event; throws on abort. */
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

function untilAborted<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  const over = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { signal: over.signal });
  });
  return Promise.race([answer, aborted]).finally(() => over.abort());
}

export function waitingMessage(waiting: Waiting): string {
  if (waiting.why === "offline") return "Can't reach the server. We'll continue when you're back online.";
  const seconds = Math.max(1, Math.round((waiting.until - Date.now()) / 1_000));
  const moment = new Date(waiting.until).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  return seconds < 20 ? "The server is busy. We'll continue in a moment." : `The server is busy. We'll continue at ${moment}.`;
}
