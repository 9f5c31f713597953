import { trackStore, deleteDraft, DraftStoreError, putDraft, type LocalDraft } from "./draft-store.ts";
import type { DraftProblem } from "./state.ts";

export interface DraftKeeper {
  /** Stores the current draft; the snapshot is taken synchronously. False on failure. */
  store(): Promise<boolean>;
  clear(): Promise<boolean>;
}

export interface DraftKeeperOptions {
  sessionId: string;
  snapshot(): Promise<LocalDraft | null>;
  onProblem(problem: DraftProblem): void;
}

export function createDraftKeeper({ sessionId, snapshot, onProblem }: DraftKeeperOptions): DraftKeeper {
  let work: Promise<unknown> = Promise.resolve();

  const failed = (error: unknown): false => {
    onProblem(error instanceof DraftStoreError ? error.reason : "unavailable");
    return false;
  };
  /** Only a stored draft proves that there is room again. */
  const enqueue = (task: () => Promise<"stored" | "nothing">) => {
    const done = work.then(task).then((result) => {
      if (result === "stored") onProblem(null);
      return true;
    }, failed);
    trackStore(done);
    work = done;
    return done;
  };

  return {
    store: () => {
      const pending = snapshot();
      pending.catch(() => {});
      return enqueue(async () => {
        const draft = await pending;
        if (!draft) return "nothing";
        await putDraft(draft);
        return "stored";
      });
    },
    clear: () =>
      enqueue(async () => {
        await deleteDraft(sessionId);
        return "nothing";
      }),
  };
}
