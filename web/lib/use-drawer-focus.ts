import { type RefObject, useLayoutEffect } from "react";

/** Returns the focus from a drawer to where it was before, as a closed drawer is inert. With `enters` an open drawer's first button gets it. */
export function useDrawerFocus(open: boolean, drawer: RefObject<HTMLElement | null>, { enters = false } = {}): void {
  useLayoutEffect(() => {
    if (!open) return;
    const before = document.activeElement;
    const element = drawer.current;
    if (enters) element?.querySelector("button")?.focus();
    return () => {
      const { activeElement } = document;
      const isLost = activeElement === document.body || element?.contains(activeElement);
      if (isLost && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [open, drawer, enters]);
}
