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

  const mark = useCallback((value: boolean) => {
    if (dirtyRef.current === value) return;
    dirtyRef.current = value;
    setDirty(value);
  }, []);

  const change = useCallback(() => {
    changes.current += 1;
    mark(true);
  }, [mark]);

  const savedUpTo = useCallback(
    (count: number) => {
      const all = count === changes.current; // not whether it is dirty: what was let go of is not on the server
      if (all) mark(false);
      return all;
    },
    [mark],
  );

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => dirtyRef.current && event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, []);

  const count = useCallback(() => changes.current, []);
  const letGo = useCallback(() => mark(false), [mark]);
  return { dirty, dirtyRef, change, count, savedUpTo, letGo };
}
