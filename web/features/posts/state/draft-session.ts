import { draftsOf, type LocalDraft } from "./draft-store.ts";

const lockName = (sessionId: string) => `tidings:draft:${sessionId}`;

/**
 * Marks a writing session as alive for as long as its tab lives: the browser lets go of the lock even when the tab crashes.
 * Returns how to end it.
 */
export function holdSession(sessionId: string): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  void navigator.locks?.request(lockName(sessionId), () => released);
  return release;
}

/** Drafts of a post whose tab is gone, newest first: what a crash, a reload or a failed save left behind. */
export async function orphanedDrafts(key: string): Promise<LocalDraft[]> {
  const [drafts, alive] = await Promise.all([draftsOf(key), aliveSessions()]);
  return drafts.filter((draft) => !alive.has(lockName(draft.sessionId)));
}

async function aliveSessions(): Promise<ReadonlySet<string>> {
  const snapshot = await navigator.locks?.query();
  return new Set(snapshot?.held?.map((lock) => lock.name ?? ""));
}
