import { deleteDraft, DraftStoreError, putDraft, type LocalDraft } from "./draft-store.ts";

/** Why the local draft cannot be kept; null when it is. */
export type DraftProblem = DraftStoreError["reason"] | null;

export interface DraftKeeper {
  /** Something changed: it is stored within a second, also while the person goes on typing. */
  touch(): void;
  /** Stores now. */
  flush(): Promise<void>;
  /** Nothing is left that the server does not have. */
  clear(): Promise<void>;
}

/** Below the second that may be lost at most, with room for reading the editor and writing. */
export const draftDelayMs = 700;

export interface DraftKeeperOptions {
  sessionId: string;
  /** What is on the screen, or null while there is nothing to keep. */
  snapshot(): Promise<LocalDraft | null>;
  onProblem(problem: DraftProblem): void;
}

/** Keeps one session's draft on this device, one storage operation after the other. */
export function createDraftKeeper({ sessionId, snapshot, onProblem }: DraftKeeperOptions): DraftKeeper {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let work: Promise<void> = Promise.resolve();

  const enqueue = (task: () => Promise<void>) => {
    clearTimeout(timer);
    timer = undefined;
    work = work.then(task).then(
      () => onProblem(null),
      (error: unknown) => onProblem(error instanceof DraftStoreError ? error.reason : "unavailable"),
    );
    return work;
  };
  const store = async () => {
    const draft = await snapshot();
    if (draft) await putDraft(draft);
  };

  return {
    touch: () => void (timer ??= setTimeout(() => enqueue(store), draftDelayMs)),
    flush: () => enqueue(store),
    clear: () => enqueue(() => deleteDraft(sessionId)),
  };
}
