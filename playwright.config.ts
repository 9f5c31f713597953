import { defineConfig } from "playwright/test";
import { chromiumFlags, ensureHeadlessChromium } from "./tests/support/chromium.ts";

/** End-to-end tests run against the built product on a stack of their own (tests/e2e/support/stack-fixture.ts). */
export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  workers: 4, // each with a stack and a browser of its own; with fewer, two cores are idle for a quarter of the time, while tests wait for a clock
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 30_000 }, // beside everything else a page takes four times as long as alone, now and then ten times
  use: {
    actionTimeout: 45_000, // what waits in vain says so itself, not the whole test
    browserName: "chromium",
    headless: true,
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    screenshot: "only-on-failure",
    trace: { mode: "off" }, // recording every test costs much CPU
    // frames that nobody looks at cost a sixth of a page; what goes through Caddy moves as it does for readers
    reducedMotion: process.env.E2E_FRONT_DOOR ? "no-preference" : "reduce",
    // tabs of one context and site share a process, as many of a person's do: starting one costs as much as a page's script
    launchOptions: { executablePath: ensureHeadlessChromium(), args: [...chromiumFlags, "--process-per-site"] },
  },
});
