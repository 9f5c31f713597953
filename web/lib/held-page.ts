import { useEffect } from "react";

let held = false;
const listeners = new Set<() => void>();

function set(value: boolean): void {
  if (held === value) return;
  held = value;
  listeners.forEach((changed) => changed());
}

/** While a page asks about its unsaved changes itself, the frame asks nothing: the router takes one blocker at a time. */
export function useHeldPage(holds: boolean): void {
  useEffect(() => {
    set(holds);
    return () => set(false);
  }, [holds]);
}

/** For useSyncExternalStore. */
export const heldPage = {
  get: () => held,
  subscribe: (changed: () => void) => {
    listeners.add(changed);
    return () => void listeners.delete(changed);
  },
};
