import { useEffect, useState, type RefObject } from "react";

/** The rows of a long list that are worth drawing, and the room that the others take, in px. */
export interface RowWindow {
  start: number;
  end: number;
  before: number;
  after: number;
}

const step = 10; // rows: a new window only now and then, with as many to spare above and below
const unmeasured = 30; // rows of a view that has no height yet

/** Follows the scrolling of a list whose rows are all `rowPx` high. */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, count: number, rowPx: number): RowWindow {
  const [first, setFirst] = useState(0);
  const [visible, setVisible] = useState(unmeasured);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => setFirst(Math.floor(element.scrollTop / rowPx / step) * step);
    const measure = new ResizeObserver(() => setVisible(Math.ceil(element.clientHeight / rowPx)));
    element.addEventListener("scroll", look, { passive: true });
    measure.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      measure.disconnect();
    };
  }, [scroller, rowPx]);

  const end = Math.min(count, first + visible + 2 * step);
  const start = Math.max(0, Math.min(first, end - visible) - step);
  return { start, end, before: start * rowPx, after: (count - end) * rowPx };
}
