import { useCallback, useEffect, useRef, useState } from "react";
import type { BlockerFunction } from "react-router-dom";
import { useIsHeld, useUnsavedGuard } from "../../../lib/leave-guard.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import type { PostSession, PostView } from "../session/session.ts";
import { visitAt, type EditorVisit } from "./editor-visit.ts";

/** A draft that leaves goes to the server first; whoever waits longer than this is asked. */
const patienceMs = 2_500;

export interface Leaving {
  /** Someone wants to leave, and the person has to say what becomes of what is unsaved. */
  asks: boolean;
  /** A navigation waits, or is under way: another one would take its place. */
  held: boolean;
  stay(): void;
  leave(): void;
}

/**
 * Holds a navigation that ends the visit while something is unsaved. Asked then, because a navigation can follow a save before the next render.
 * The step from a new post to its own address is no leaving. What saves itself is saved then, and nobody is asked when that works.
 * `onHeld` hears of it at once: until the next render is there, much can happen.
 */
export function useLeaveGuard(session: PostSession, view: PostView, visit: EditorVisit, onHeld: () => void): Leaving {
  const holds = useCallback<BlockerFunction>(
    ({ nextLocation }) => {
      const isHeld = session.isDirty() && visitAt(nextLocation, visit)?.key !== visit.key;
      if (isHeld) onHeld();
      return isHeld;
    },
    [session, visit, onHeld],
  );
  const blocker = useUnsavedGuard(holds);
  const held = useIsHeld();
  const latest = useLatest({ blocker, view });
  const blocked = blocker.state === "blocked";
  const left = useRef(false);
  const [asks, setAsks] = useState(false);

  const leave = useCallback(() => {
    const { blocker } = latest.current;
    if (blocker.state !== "blocked" || left.current) return; // a late answer and a click may both say so
    left.current = true;
    blocker.proceed();
  }, [latest]);
  const stay = useCallback(() => latest.current.blocker.reset?.(), [latest]);

  useEffect(() => {
    left.current = false;
    if (!blocked) return setAsks(false);
    const { savesItself, uploading, newer, trouble } = latest.current.view;
    if (!savesItself || uploading || newer || trouble) return setAsks(true);
    const timer = setTimeout(() => setAsks(true), patienceMs);
    void session.keep().then(() => (session.isDirty() ? setAsks(true) : leave()));
    return () => clearTimeout(timer);
  }, [blocked, session, latest, leave]);
  const saved = blocked && asks && !view.dirty; // meanwhile, by what was under way
  useEffect(() => {
    if (saved) leave();
  }, [saved, leave]);

  return { asks: blocked && asks, held, stay, leave };
}
