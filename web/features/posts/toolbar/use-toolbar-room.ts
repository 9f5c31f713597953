import { type RefCallback, useCallback, useLayoutEffect, useState } from "react";

/** What fits into a toolbar: all of it; not what is rare; only what is used all the time. The rest is in its menu. */
export type ToolbarRoom = "roomy" | "snug" | "narrow";

/** Each is as wide as what it holds at most, with four people and the longest words. */
const roomyFromPx = 960;
const snugFromPx = 820;

/** Measured at the toolbar itself: what stands beside it can be put away. Nothing is folded where nothing can be measured. */
export function useToolbarRoom(): [RefCallback<HTMLElement>, ToolbarRoom] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [room, setRoom] = useState<ToolbarRoom>("roomy");
  useLayoutEffect(() => {
    if (!element) return;
    const measure = () => setRoom(roomOf(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [useCallback((shown) => setElement(shown), []), room];
}

export function roomOf(widthPx: number): ToolbarRoom {
  if (widthPx === 0 || widthPx >= roomyFromPx) return "roomy";
  return widthPx >= snugFromPx ? "snug" : "narrow";
}
