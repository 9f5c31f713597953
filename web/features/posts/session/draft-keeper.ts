import { announceStore, deleteDraft, DraftStoreError, putDraft, type LocalDraft } from "./draft-store.ts";
import type { DraftProblem } from "./state.ts";

export interface DraftKeeper {
  /** Stores what is on the screen: it is taken before this returns, so it may go right after. False when the device could not keep it. */
  store(): Promise<boolean>;
  /** Nothing is left that the server does not have. */
  clear(): Promise<boolean>;
}

export interface DraftKeeperOptions {
  sessionId: string;
  /** What is on the screen, or null while there is nothing to keep. */
  snapshot(): Promise<LocalDraft | null>;
  onProblem(problem: DraftProblem): void;
}

/** Keeps one session's draft on this device, one storage operation after the other. */
export function createDraftKeeper({ sessionId, snapshot, onProblem }: DraftKeeperOptions): DraftKeeper {
  let work: Promise<unknown> = Promise.resolve();

  const failed = (error: unknown): false => {
    onProblem(error instanceof DraftStoreError ? error.reason : "unavailable");
    return false;
  };
  /** Only a draft that was kept shows that there is room again: taking one away, or having none to keep, does not. */
  const enqueue = (task: () => Promise<"kept" | "nothing">) => {
    const done = work.then(task).then((result) => {
      if (result === "kept") onProblem(null);
      return true;
    }, failed);
    announceStore(done);
    work = done;
    return done;
  };

  return {
    store: () => {
      const taken = snapshot();
      taken.catch(() => {}); // told by the task
      return enqueue(async () => {
        const draft = await taken;
        if (!draft) return "nothing";
        await putDraft(draft);
        return "kept";
      });
    },
    clear: () =>
      enqueue(async () => {
        await deleteDraft(sessionId);
        return "nothing";
      }),
  };
}
