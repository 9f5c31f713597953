import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import AxeBuilder from "@axe-core/playwright";
import { type BrowserContextOptions, expect, type Page, test as base } from "playwright/test";
import { startBehindFrontDoor } from "../../support/front-door-stack.ts";
import { type RunningStack, startStack } from "../../support/stack.ts";
import { frontDoor } from "./another-place.ts";
import { contextChoices } from "./context-choices.ts";
import { keepContexts, type KeptContexts } from "./kept-contexts.ts";
import { PolicyReports } from "./policy-reports.ts";

export { expect, type Page };

/** The one of this worker. */
let running: RunningStack | null = null;
export const workerStack = (): RunningStack => {
  if (!running) throw new Error("The worker's stack is not up: ask for the fixture page or stack.");
  return running;
};

interface Fixtures {
  stack: RunningStack;
  problems: string[];
  contextChoices: BrowserContextOptions;
  /** Reports of the Content Security Policy that a test calls forth: `test.use({ provokes: … })`. Of any other it fails. */
  provokes: RegExp | null;
  contexts: void;
}

/**
 * Every end-to-end test gets pages that must not break their Content Security Policy, in whatever context; one whose console must stay clean, if it
 * asks for `problems`; and one stack per worker: that of development, or, with E2E_FRONT_DOOR=caddy, the service behind deploy/Caddyfile with https.
 */
export const test = base.extend<Fixtures, { workerStack: RunningStack; policyReports: PolicyReports; keptContexts: KeptContexts }>({
  workerStack: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const stack = process.env.E2E_FRONT_DOOR
        ? (frontDoor.stack = await startBehindFrontDoor())
        : await startStack({
            seed: "none",
            env: { WEBHOOKS_TO_PRIVATE: "1", IMPORTS_TO_PRIVATE: "1", BACKUPS_TO_PRIVATE: "1", ASSISTANTS_TO_PRIVATE: "1" },
          });
      running = stack;
      await use(stack);
      await stack.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  launchOptions: [
    async ({ launchOptions, workerStack: _ }, use) => {
      const flags = frontDoor.stack ? [frontDoor.stack.chromiumFlag] : [];
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...flags] });
    },
    { scope: "worker" },
  ],
  stack: async ({ workerStack }, use) => use(workerStack),
  baseURL: async ({ workerStack }, use) => use(workerStack.publicUrl),
  // oxlint-disable-next-line no-empty-pattern -- as above
  policyReports: [async ({}, use) => use(new PolicyReports()), { scope: "worker" }],
  keptContexts: [
    async ({ browser, policyReports }, use) => {
      const newContext = browser.newContext.bind(browser);
      await use(keepContexts(async (options) => await policyReports.hear(await newContext(options))));
    },
    { scope: "worker" },
  ],
  contextChoices,
  provokes: [null, { option: true }],
  // Whatever a test, or the page it asks for, takes as a new context: tests/e2e/support/kept-contexts.ts. What goes
  // through the front door has new ones: which hosts speak https alone no context can be made to forget.
  contexts: [
    async ({ browser, keptContexts, policyReports, contextChoices, provokes }, use) => {
      const { newContext } = browser;
      browser.newContext = !frontDoor.stack
        ? (options) => keptContexts.take({ ...contextChoices, ...options })
        : async (options) => await policyReports.hear(await newContext.call(browser, options));
      await use();
      browser.newContext = newContext;
      await keptContexts.takeBack();
      expect(policyReports.take().filter((report) => !provokes?.test(report))).toEqual([]);
    },
    { auto: true },
  ],
  problems: async ({ page }, use) => {
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(`page error: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !expected(message.text())) problems.push(`console: ${message.text()}`);
    });
    await use(problems);
    expect(problems).toEqual([]);
  },
});

/** Chromium itself writes a line for every refused request; the tests look at the answers instead. */
const expected = (text: string): boolean => /^Failed to load resource: the server responded with a status of 4\d\d/.test(text);

/**
 * No accessibility violation on the page. Looked at again for a moment, since what fades in or out has too little contrast meanwhile.
 * `frames` false: one of its frames runs no script, so that nothing can look into any.
 */
export async function expectAccessible(page: Page, { frames = true } = {}): Promise<void> {
  await expect(async () => {
    await page.evaluate(fadesEnded);
    const { violations } = await (await axe(page, frames)).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`)).toEqual([]);
  }).toPass({ timeout: 20_000, intervals: [300] });
}

/** The program of axe that its builder brings along, in fewer letters. */
const axeProgram = readFileSync(createRequire(import.meta.resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Across frames axe puts its results together on a page of its own; a page without frames is spared that. The builder would send it twice for each
 * look, a megabyte each time; here it goes once to each document, and less of it.
 */
async function axe(page: Page, frames: boolean): Promise<AxeBuilder> {
  const isAlone = page.frames().length === 1;
  if (isAlone && !(await page.evaluate(() => "axe" in window))) await page.evaluate(axeProgram);
  const builder = new AxeBuilder({ page, axeSource: isAlone ? ";" : axeProgram });
  return builder.options({ resultTypes: ["violations"] }).setLegacyMode(!frames || isAlone);
}

/** Waits for the animations that have an end; not for what asks for a public page's typeface two seconds later: it is on a sign that nobody sees. */
async function fadesEnded(): Promise<void> {
  const isSeen = (effect: AnimationEffect | null): boolean => !(effect instanceof KeyframeEffect && effect.target?.className === "later");
  const ending = document
    .getAnimations()
    .filter(({ playState, effect }) => playState === "running" && Number.isFinite(effect?.getComputedTiming().endTime) && isSeen(effect));
  await Promise.allSettled(ending.map(({ finished }) => finished));
}
