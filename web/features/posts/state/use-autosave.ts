import { useCallback, useEffect, useMemo, useRef } from "react";
import { useLatest } from "../../../lib/use-latest.ts";

/** Rest after the last change before a draft goes to the server by itself. */
export const autosaveRestMs = 5_000;

export interface Autosave {
  /** The person changed something: the rest begins anew. */
  touch(): void;
}

/** Calls `save` after five seconds of rest, and when the connection comes back. `save` decides whether there is anything to do. */
export function useAutosave(save: () => void): Autosave {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useLatest(save);

  useEffect(() => {
    const onOnline = () => latest.current();
    window.addEventListener("online", onOnline);
    return () => {
      window.removeEventListener("online", onOnline);
      clearTimeout(timer.current);
    };
  }, [latest]);

  const touch = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(), autosaveRestMs);
  }, [latest]);

  return useMemo(() => ({ touch }), [touch]);
}
