import { defineConfig } from "playwright/test";
import { chromiumFlags, ensureHeadlessChromium } from "./tests/support/chromium.ts";

/** End-to-end tests on the built product (tests/e2e/support/test.ts). */
export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  workers: 4, // each with its own stack and browser; with fewer, the cores idle while tests wait
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 30_000 }, // generous: on a busy machine a page takes four to ten times as long
  use: {
    actionTimeout: 45_000, // fails before the test's timeout, with the action's name
    browserName: "chromium",
    headless: true,
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    screenshot: "only-on-failure",
    trace: { mode: "off" }, // traces cost much CPU
    // animations cost a sixth of a page's time; readers' motion is tested through Caddy
    reducedMotion: process.env.E2E_FRONT_DOOR ? "no-preference" : "reduce",
    // one process per site: starting another costs as much as loading a page
    launchOptions: { executablePath: ensureHeadlessChromium(), args: [...chromiumFlags, "--process-per-site"] },
  },
});
