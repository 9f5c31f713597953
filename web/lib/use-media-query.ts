import { useSyncExternalStore } from "react";
import { mobileBreakpointPx } from "./timings.ts";

export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    () => matchMedia(query).matches,
  );
}

export const useIsMobile = (): boolean => useMediaQuery(`(max-width: ${mobileBreakpointPx - 0.02}px)`);
export const useReducedMotion = (): boolean => useMediaQuery("(prefers-reduced-motion: reduce)");
