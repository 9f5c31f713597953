import { type RefCallback, useCallback, useLayoutEffect, useState } from "react";

export type ToolbarRoom = "roomy" | "snug" | "narrow";

/** Minimum widths, with four people and the longest labels. */
const roomyFromPx = 960;
const snugFromPx = 820;

/** Measures the toolbar itself, because columns beside it can be hidden. Roomy while unmeasured. */
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
