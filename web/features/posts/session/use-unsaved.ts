import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

export interface Unsaved {
  /** Something on the screen is not on the server. */
  dirty: boolean;
  /** The same, for event handlers that run before the next render. */
  dirtyRef: RefObject<boolean>;
  /** One more change. */
  change(): void;
  /** How many changes there were so far. */
  count(): number;
  /** Something is on its way that may be a change: until it is released nothing counts as saved. */
  hold(): void;
  /** It is over. Returns whether everything is on the server. */
  release(): boolean;
  /** The server has everything up to a count; changes since then keep it dirty. Returns whether there are none. */
  savedUpTo(count: number): boolean;
  /** Whatever is unsaved is left behind on purpose. */
  letGo(): void;
}

/** Counts changes, so that a save knows whether the person wrote on while it was under way. Closing the tab warns while dirty. */
export function useUnsaved(): Unsaved {
  const [dirty, setDirty] = useState(false);
  const dirtyRef = useRef(false);
  const changes = useRef(0);
  const saved = useRef(0); // the count the server has
  const awaited = useRef(0);

  const mark = useCallback((value: boolean) => {
    if (dirtyRef.current === value) return;
    dirtyRef.current = value;
    setDirty(value);
  }, []);

  const change = useCallback(() => {
    changes.current += 1;
    mark(true);
  }, [mark]);

  const settle = useCallback(() => {
    const all = saved.current === changes.current && awaited.current === 0; // not whether it is dirty: what was let go of is not on the server
    if (all) mark(false);
    return all;
  }, [mark]);

  const savedUpTo = useCallback(
    (count: number) => {
      saved.current = count;
      return settle();
    },
    [settle],
  );

  const hold = useCallback(() => {
    awaited.current += 1;
    mark(true);
  }, [mark]);

  const release = useCallback(() => {
    awaited.current -= 1;
    return settle();
  }, [settle]);

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => dirtyRef.current && event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, []);

  const count = useCallback(() => changes.current, []);
  const letGo = useCallback(() => mark(false), [mark]);
  return { dirty, dirtyRef, change, count, hold, release, savedUpTo, letGo };
}
