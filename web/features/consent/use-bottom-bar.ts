import { useEffect, useRef } from "react";

/** Tells the page how high a bar at its bottom is (`--bottom-bar`), so that nothing hides behind it. */
export function useBottomBar() {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const root = document.documentElement.style;
    const element = bar.current;
    if (!element) return;
    const observer = new ResizeObserver(() => root.setProperty("--bottom-bar", `${element.offsetHeight}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.removeProperty("--bottom-bar");
    };
  }, []);
  return bar;
}
