import { defineConfig } from "playwright/test";
import { chromiumFlags, ensureHeadlessChromium } from "./tests/support/chromium.ts";
import { secondLooks } from "./tests/support/projects.ts";

/** End-to-end tests run against the built product on a stack of their own (tests/e2e/support/stack-fixture.ts). */
export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  workers: 3, // each with a stack and a browser of its own; with as many as cores these are idle while tests wait for a clock
  retries: secondLooks,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    actionTimeout: 45_000, // what waits in vain says so itself, not the whole test
    browserName: "chromium",
    headless: true,
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    screenshot: "only-on-failure",
    trace: { mode: "on-first-retry", screenshots: false }, // a film of every test costs much CPU
    launchOptions: { executablePath: ensureHeadlessChromium(), args: chromiumFlags },
  },
});
