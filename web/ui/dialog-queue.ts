import { useEffect, useState } from "react";
import { createListeners } from "../lib/listeners.ts";

/** Number of open dialogs, panels and menus, which own the keyboard. */
let openCount = 0;
const closings = createListeners();

export function useOverlayOpen(open = true): void {
  useEffect(() => {
    if (!open) return;
    openCount += 1;
    return () => {
      openCount -= 1;
      closings.notify();
    };
  }, [open]);
}

/** Queues a dialog the user didn't request until no other is open; `requested` shows it immediately. */
export function useDialogQueue(isWanted: boolean, requested: boolean): boolean {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (!isWanted) return setIsShown(false);
    const update = () => {
      if (requested || openCount === 0) setIsShown(true);
    };
    update();
    return closings.listen(() => queueMicrotask(update)); // the closing dialog may open another
  }, [isWanted, requested]);
  return isWanted && (requested || isShown);
}
