import type { Plugin } from "vite";

const declared = "const SWIPE_THRESHOLD = 45;";
const thresholdPx = 20;

/** Patches sonner's swipe threshold, which has no option. Fails the build if the package changes. Source: specification, section 9. */
export function toastSwipeThreshold() {
  return {
    name: "toast-swipe-threshold",
    apply: "build",
    transform: {
      filter: { id: /\/sonner\/dist\/index\.mjs$/ },
      handler(code) {
        if (code.split(declared).length !== 2) this.error(`sonner no longer contains ${declared}`);
        return { code: code.replace(declared, `const SWIPE_THRESHOLD = ${thresholdPx};`), map: null };
      },
    },
  } satisfies Plugin;
}
