import { useEffect, useState, useSyncExternalStore } from "react";
import { createListeners } from "../lib/listeners.ts";

/** Number of open dialogs, panels and menus, which own the keyboard. */
let openCount = 0;
const changes = createListeners();

export function useOverlayOpen(open = true): void {
  useEffect(() => {
    if (!open) return;
    openCount += 1;
    changes.notify();
    return () => {
      openCount -= 1;
      changes.notify();
    };
  }, [open]);
}

export const useIsOverlayOpen = (): boolean => useSyncExternalStore(changes.listen, () => openCount > 0);

/** Queues a dialog the user didn't request until no other is open; `requested` shows it immediately. */
export function useDialogQueue(isWanted: boolean, requested: boolean): boolean {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (!isWanted) return setIsShown(false);
    const update = () => {
      if (requested || openCount === 0) setIsShown(true);
    };
    update();
    return changes.listen(() => queueMicrotask(update)); // the closing dialog may open another
  }, [isWanted, requested]);
  return isWanted && (requested || isShown);
}
