import { build, type Rolldown } from "vite";
import { expect, test } from "vitest";
import { toastSwipeThreshold } from "./toast-swipe-threshold.ts";

test("toastSwipeThreshold sets sonner's swipe threshold to 20 px", async () => {
  const bundle = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [toastSwipeThreshold()],
    build: { write: false, minify: false, rolldownOptions: { input: "sonner", external: /^react/, preserveEntrySignatures: "strict" } },
  });
  const { code } = (bundle as Rolldown.RolldownOutput).output[0];
  expect(code).toMatch(/ SWIPE_THRESHOLD = 20;/);
});
