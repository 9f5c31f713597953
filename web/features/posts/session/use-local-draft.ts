import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from "react";
import { useLatest } from "../../../lib/use-latest.ts";
import { createDraftKeeper, type DraftKeeper, type DraftProblem } from "./draft-keeper.ts";
import { holdSession, orphaned } from "./draft-session.ts";
import { deleteDraft, draftsOf, type LocalDraft } from "./draft-store.ts";

export interface LocalDrafts extends DraftKeeper {
  problem: DraftProblem;
  /** What an earlier visit of this post left behind, newest first; offered once. */
  found: readonly LocalDraft[];
  /** Takes a draft out of the offer and off this device. */
  forget(draft: LocalDraft): void;
}

/** `snapshot` gives what is on the screen without the session's id; `key` names person and post (see LocalDraft). */
export function useLocalDraft(key: string, snapshot: () => Promise<Omit<LocalDraft, "sessionId" | "key" | "savedAt"> | null>): LocalDrafts {
  const [problem, setProblem] = useState<DraftProblem>(null);
  const [found, setFound] = useState<readonly LocalDraft[]>([]);
  const sessionId = useMemo(() => crypto.randomUUID(), []);
  const latest = useLatest({ key, snapshot });

  const keeper = useMemo(
    () =>
      createDraftKeeper({
        sessionId,
        onProblem: setProblem,
        snapshot: async () => {
          const written = await latest.current.snapshot();
          return written && { ...written, sessionId, key: latest.current.key, savedAt: Date.now() };
        },
      }),
    [sessionId, latest],
  );

  useEffect(() => holdSession(sessionId), [sessionId]);
  useLayoutEffect(() => () => void keeper.flush(), [keeper]); // whatever takes the editor away, its last words are kept

  useEffect(() => {
    orphaned(draftsOf(latest.current.key)).then(setFound, () => {}); // no storage: the problem shows at the first change
  }, [latest]);

  useEffect(() => {
    const onHide = () => document.visibilityState === "hidden" && void keeper.flush();
    document.addEventListener("visibilitychange", onHide);
    return () => document.removeEventListener("visibilitychange", onHide);
  }, [keeper]);

  const forget = useCallback((draft: LocalDraft) => {
    setFound((drafts) => drafts.filter((other) => other.sessionId !== draft.sessionId));
    deleteDraft(draft.sessionId).catch(() => {}); // it will be offered once more: better than lost
  }, []);

  return { ...keeper, problem, found, forget };
}
