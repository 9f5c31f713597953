import { ApiError } from "../../lib/api-client.ts";
import type { Waiting } from "./machine.ts";

/** Why nothing could be read, a sentence. */
export class ReadingProblem extends Error {
  override readonly name = "ReadingProblem";
}

const firstWaitMs = 1_000;
const longestWaitMs = 15_000;
/** Retrying ends after this long with nothing but failures. */
export const giveUpMs = 600_000;
/** The most that one try and the wait after it count: a computer that slept has not tried. */
const longestTryMs = 90_000;

/**
 * Retries a call while the server is busy, unavailable or out of reach; it doesn't wait longer than until the connection is back. Calls `onWait` with
 * why it waits, and with null when it goes on. Throws the last ApiError after ten minutes of failures; a server that says when it takes more is
 * waited for as long as it asks.
 */
export async function retry<Answer>(
  work: () => Promise<Answer>,
  signal: AbortSignal,
  onWait: (waiting: Waiting | null) => void,
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

/** A sentence that says why nothing moves, and when it will. */
export function waitingWords(waiting: Waiting): string {
  if (waiting.why === "offline") return "The server cannot be reached. This goes on by itself as soon as it can.";
  const seconds = Math.max(1, Math.round((waiting.until - Date.now()) / 1_000));
  const moment = new Date(waiting.until).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  return seconds < 20
    ? "The server is busy; this goes on in a moment."
    : `The server takes no more at the moment. This goes on by itself at ${moment}.`;
}

/** Why something failed, for a person. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ReadingProblem) return error.message;
  if (error instanceof ApiError) return error.sentence;
  console.warn("An import failed.", error);
  return "Something went wrong on our side. Please try again.";
}
