import type { LocalDraft } from "./draft-store.ts";

const lockName = (sessionId: string) => `tidings:draft:${sessionId}`;

/** Ended sessions of this tab: the browser releases their locks with a delay. */
const ended = new Set<string>();

/** Marks a session as alive with a Web Lock, which the browser releases even if the tab crashes. Returns a function that ends it. */
export function holdSession(sessionId: string): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  navigator.locks?.request(lockName(sessionId), () => released).catch(() => {});
  ended.delete(lockName(sessionId));
  return () => {
    ended.add(lockName(sessionId));
    release();
  };
}

/** Drafts whose tab is gone, after a crash, a reload or a failed save. */
export async function orphanedDrafts(loading: Promise<LocalDraft[]>): Promise<LocalDraft[]> {
  const [drafts, alive] = await Promise.all([loading, aliveSessions()]);
  return drafts.filter((draft) => !alive.has(lockName(draft.sessionId)));
}

async function aliveSessions(): Promise<ReadonlySet<string>> {
  const snapshot = await navigator.locks?.query();
  return new Set(snapshot?.held?.map((lock) => lock.name ?? "").filter((name) => !ended.has(name)));
}
