import type { LocalDraft } from "./draft-store.ts";

const lockName = (sessionId: string) => `tidings:draft:${sessionId}`;

/** Sessions of this tab that are over; the browser takes a moment to let go of their locks. */
const ended = new Set<string>();

/**
 * Marks a writing session as alive for as long as its tab lives: the browser lets go of the lock even when the tab crashes.
 * Returns how to end it.
 */
export function holdSession(sessionId: string): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  navigator.locks?.request(lockName(sessionId), () => released).catch(() => {}); // no storage: the first draft says so
  ended.delete(lockName(sessionId));
  return () => {
    ended.add(lockName(sessionId));
    release();
  };
}

/** Those of some drafts whose tab is gone: what a crash, a reload or a failed save left behind. */
export async function orphaned(found: Promise<LocalDraft[]>): Promise<LocalDraft[]> {
  const [drafts, alive] = await Promise.all([found, aliveSessions()]);
  return drafts.filter((draft) => !alive.has(lockName(draft.sessionId)));
}

async function aliveSessions(): Promise<ReadonlySet<string>> {
  const snapshot = await navigator.locks?.query();
  return new Set(snapshot?.held?.map((lock) => lock.name ?? "").filter((name) => !ended.has(name)));
}
