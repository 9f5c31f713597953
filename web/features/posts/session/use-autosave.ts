import { useCallback, useEffect, useMemo, useRef } from "react";
import { useLatest } from "../../../lib/use-latest.ts";

/** Rest after the last change before a draft goes to the server by itself. */
export const autosaveRestMs = 5_000;
const longestRestMs = 60_000;
/** Without a copy on this device the server has to be fast, also while the person goes on typing. */
const hastyMs = 500;

export interface Autosave {
  /** The person changed something: the rest begins anew. */
  touch(): void;
}

export interface AutosaveOptions {
  /** Decides whether there is anything to do. */
  save(): void;
  /** A new object for every try that may succeed later, null otherwise: then `save` is called again, ever more rarely. */
  failure: object | null;
  /** This device keeps no copy. */
  hasty: boolean;
}

/** Calls `save` after five seconds of rest, and at once when the connection comes back. */
export function useAutosave({ save, failure, hasty }: AutosaveOptions): Autosave {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const rest = useRef(autosaveRestMs);
  const latest = useLatest({ save, hasty: hasty && !failure });

  const wait = useCallback(
    (ms: number) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        timer.current = undefined;
        latest.current.save();
      }, ms);
    },
    [latest],
  );

  const touch = useCallback(() => {
    if (!latest.current.hasty) wait(rest.current);
    else if (timer.current === undefined) wait(hastyMs);
  }, [wait, latest]);

  useEffect(() => {
    if (hasty && timer.current !== undefined) wait(hastyMs);
  }, [hasty, wait]);

  useEffect(() => {
    if (failure) wait(rest.current);
    rest.current = failure ? Math.min(2 * rest.current, longestRestMs) : autosaveRestMs;
  }, [failure, wait]);

  useEffect(() => {
    const onOnline = () => latest.current.save();
    window.addEventListener("online", onOnline);
    return () => {
      window.removeEventListener("online", onOnline);
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [latest]);

  return useMemo(() => ({ touch }), [touch]);
}
