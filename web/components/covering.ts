import { useEffect, useState } from "react";
import { createListeners } from "../lib/listeners.ts";

/** How many dialogs, panels and menus are open: the keys belong to them. */
let covering = 0;
const fewer = createListeners();

/** For what has the keys to itself while it is open. */
export function useCovers(open = true): void {
  useEffect(() => {
    if (!open) return;
    covering += 1;
    return () => {
      covering -= 1;
      fewer.tell();
    };
  }, [open]);
}

/** Whether a dialog that nobody asked for may be shown: once no other one is open, and from then on; `asked`: at once. */
export function useTurn(wanted: boolean, asked: boolean): boolean {
  const [came, setCame] = useState(false);
  useEffect(() => {
    if (!wanted) return setCame(false);
    const look = () => {
      if (asked || covering === 0) setCame(true);
    };
    look();
    return fewer.listen(() => queueMicrotask(look)); // one that closes may open the next
  }, [wanted, asked]);
  return wanted && (asked || came);
}
