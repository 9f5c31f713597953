import type { Plugin } from "vite";

const declared = "const SWIPE_THRESHOLD = 45;";
const thresholdPx = 20;

/**
 * Sets the distance from which a swiped toast is dismissed; sonner has no option for it. Source: specification, section 9. A version that
 * declares it in another way stops the build: look at this again then.
 */
export function toastSwipeThreshold() {
  return {
    name: "toast-swipe-threshold",
    apply: "build",
    transform: {
      filter: { id: /\/sonner\/dist\/index\.mjs$/ },
      handler(code) {
        if (code.split(declared).length !== 2) this.error(`sonner no longer says ${declared}`);
        return { code: code.replace(declared, `const SWIPE_THRESHOLD = ${thresholdPx};`), map: null };
      },
    },
  } satisfies Plugin;
}
