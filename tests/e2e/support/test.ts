import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import AxeBuilder from "@axe-core/playwright";
import { type BrowserContextOptions, expect, type Page, test as base } from "playwright/test";
import { startBehindFrontDoor } from "../../support/front-door-stack.ts";
import { type RunningStack, startStack, toPrivate } from "../../support/stack.ts";
import { frontDoor } from "./another-place.ts";
import { contextChoices } from "./context-choices.ts";
import { keepContexts, type KeptContexts } from "./kept-contexts.ts";
import { PolicyReports } from "./policy-reports.ts";

export { expect, type Page };

let running: RunningStack | null = null;
export const workerStack = (): RunningStack => {
  if (!running) throw new Error("The worker's stack is not up: ask for the fixture page or stack.");
  return running;
};

interface Fixtures {
  stack: RunningStack;
  problems: string[];
  contextChoices: BrowserContextOptions;
  /** The CSP violations that a test expects: `test.use({ provokes: … })`. Others fail it. */
  provokes: RegExp | null;
  contexts: void;
}

/**
 * Fails tests on CSP violations, and on console errors if they use `problems`. One stack per worker: the development stack, or with
 * E2E_FRONT_DOOR=caddy the service behind deploy/Caddyfile with https.
 */
export const test = base.extend<Fixtures, { workerStack: RunningStack; policyReports: PolicyReports; keptContexts: KeptContexts }>({
  workerStack: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const stack = process.env.E2E_FRONT_DOOR
        ? (frontDoor.stack = await startBehindFrontDoor())
        : await startStack({
            seed: "none",
            env: toPrivate,
          });
      running = stack;
      await use(stack);
      await stack.stop();
    },
    { scope: "worker", timeout: 300_000 },
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

/** Chromium logs every 4xx; the tests check responses instead. */
const expected = (text: string): boolean => /^Failed to load resource: the server responded with a status of 4\d\d/.test(text);

/** Retries, since contrast is too low during fades. `frames: false` if a frame runs no scripts, so axe can't enter it. */
export async function expectAccessible(page: Page, { frames = true } = {}): Promise<void> {
  await expect(async () => {
    await page.evaluate(fadesEnded);
    const { violations } = await (await axe(page, frames)).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`)).toEqual([]);
  }).toPass({ timeout: 20_000, intervals: [300] });
}

const axeProgram = readFileSync(createRequire(import.meta.resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"), "utf8");

/** Without frames axe runs in legacy mode, which saves a page. Its source (a megabyte) is injected once per document. */
async function axe(page: Page, frames: boolean): Promise<AxeBuilder> {
  const isAlone = page.frames().length === 1;
  if (isAlone && !(await page.evaluate(() => "axe" in window))) await page.evaluate(axeProgram);
  const builder = new AxeBuilder({ page, axeSource: isAlone ? ";" : axeProgram });
  return builder.options({ resultTypes: ["violations"] }).setLegacyMode(!frames || isAlone);
}

/** Waits for finite animations, except the typeface's timer, which runs on an invisible character. */
async function fadesEnded(): Promise<void> {
  const isSeen = (effect: AnimationEffect | null): boolean => !(effect instanceof KeyframeEffect && effect.target?.className === "later");
  const ending = document
    .getAnimations()
    .filter(({ playState, effect }) => playState === "running" && Number.isFinite(effect?.getComputedTiming().endTime) && isSeen(effect));
  await Promise.allSettled(ending.map(({ finished }) => finished));
}
