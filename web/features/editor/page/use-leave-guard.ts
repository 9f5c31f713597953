import { useCallback, useEffect, useRef, useState } from "react";
import type { BlockerFunction } from "react-router-dom";
import { useIsNavigationPending, useUnsavedGuard } from "../../../lib/leave-guard.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import type { PostSession, PostView } from "../../session/session.ts";
import { visitAt, type EditorVisit } from "./editor-visit.ts";

const saveTimeoutMs = 2_500;

export interface Leaving {
  isAsking: boolean;
  isHeld: boolean;
  stay(): void;
  leave(): void;
}

/**
 * Blocks navigation away from a visit with unsaved changes; autosaving posts are saved first and ask only if that fails. Checked on
 * navigation, because one can follow a save before the next render. `onHeld` is called synchronously.
 */
export function useLeaveGuard(session: PostSession, view: PostView, visit: EditorVisit, onHeld: () => void): Leaving {
  const shouldBlock = useCallback<BlockerFunction>(
    ({ nextLocation }) => {
      const isHeld = session.isDirty() && visitAt(nextLocation, visit)?.key !== visit.key;
      if (isHeld) onHeld();
      return isHeld;
    },
    [session, visit, onHeld],
  );
  const blocker = useUnsavedGuard(shouldBlock);
  const isHeld = useIsNavigationPending();
  const latest = useLatest({ blocker, view });
  const blocked = blocker.state === "blocked";
  const hasLeft = useRef(false);
  const [isAsking, setIsAsking] = useState(false);

  const leave = useCallback(() => {
    const { blocker } = latest.current;
    if (blocker.state !== "blocked" || hasLeft.current) return; // race: a late save and a click
    hasLeft.current = true;
    blocker.proceed();
  }, [latest]);
  const stay = useCallback(() => latest.current.blocker.reset?.(), [latest]);

  useEffect(() => {
    hasLeft.current = false;
    if (!blocked) return setIsAsking(false);
    const { autosaves, uploading, newer, trouble } = latest.current.view;
    if (!autosaves || uploading || newer || trouble) return setIsAsking(true);
    let isCurrent = true;
    const timer = setTimeout(() => setIsAsking(true), saveTimeoutMs);
    void session.autosave().then(() => {
      if (!isCurrent) return;
      if (session.isDirty()) setIsAsking(true);
      else leave();
    });
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [blocked, session, latest, leave]);
  const saved = blocked && isAsking && !view.dirty;
  useEffect(() => {
    if (saved) leave();
  }, [saved, leave]);

  return { isAsking: blocked && isAsking, isHeld, stay, leave };
}
