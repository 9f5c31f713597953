import { useEffect, useState, type RefObject } from "react";

/** The rows to render, and the height in px of those before and after. */
export interface RowWindow {
  start: number;
  end: number;
  before: number;
  after: number;
}

const step = 10; // rows between windows, and spare rows above and below
const unmeasured = 30;

/** Virtualises a list with rows of `rowPx` height. */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, count: number, rowPx: number): RowWindow {
  const [first, setFirst] = useState(0);
  const [visible, setVisible] = useState(unmeasured);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => setFirst(Math.floor(element.scrollTop / rowPx / step) * step);
    const measure = new ResizeObserver(() => setVisible(Math.ceil(element.clientHeight / rowPx)));
    element.addEventListener("scroll", onScroll, { passive: true });
    measure.observe(element);
    return () => {
      element.removeEventListener("scroll", onScroll);
      measure.disconnect();
    };
  }, [scroller, rowPx]);

  const end = Math.min(count, first + visible + 2 * step);
  const start = Math.max(0, Math.min(first, end - visible) - step);
  return { start, end, before: start * rowPx, after: (count - end) * rowPx };
}
