import { announceStore, deleteDraft, DraftStoreError, putDraft, type LocalDraft } from "./draft-store.ts";

/** Why the local draft cannot be kept; null when it is. */
export type DraftProblem = DraftStoreError["reason"] | null;

export interface DraftKeeper {
  /** Something changed: it is stored within a second, also while the person goes on typing. */
  touch(): void;
  /** Stores now: what is on the screen is taken before this returns, so it may go right after. False when the device could not keep it. */
  flush(): Promise<boolean>;
  /** Nothing is left that the server does not have. */
  clear(): Promise<boolean>;
}

/** Below the second that may be lost at most, with room for reading the editor and writing. */
export const draftDelayMs = 500;

export interface DraftKeeperOptions {
  sessionId: string;
  /** What is on the screen, or null while there is nothing to keep. */
  snapshot(): Promise<LocalDraft | null>;
  onProblem(problem: DraftProblem): void;
}

/** Keeps one session's draft on this device, one storage operation after the other. */
export function createDraftKeeper({ sessionId, snapshot, onProblem }: DraftKeeperOptions): DraftKeeper {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let work: Promise<unknown> = Promise.resolve();

  const settled = (problem: DraftProblem): boolean => {
    onProblem(problem);
    return problem === null;
  };
  const enqueue = (task: () => Promise<void>) => {
    clearTimeout(timer);
    timer = undefined;
    const done = work.then(task).then(
      () => settled(null),
      (error: unknown) => settled(error instanceof DraftStoreError ? error.reason : "unavailable"),
    );
    announceStore(done);
    work = done;
    return done;
  };
  const store = () => {
    const taken = snapshot();
    taken.catch(() => {}); // told by the task
    return enqueue(async () => {
      const draft = await taken;
      if (draft) await putDraft(draft);
    });
  };

  return {
    touch: () => void (timer ??= setTimeout(store, draftDelayMs)),
    flush: store,
    clear: () => enqueue(() => deleteDraft(sessionId)),
  };
}
