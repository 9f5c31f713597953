import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { chromium, type Page } from "playwright";
import { chromiumFlags, ensureChromium } from "../support/chromium.ts";
import { demoAccount } from "../../supabase/local/seed/demo.ts";
import { startStack } from "../support/stack.ts";
import { median, Report } from "./report.ts";

/**
 * The web app's speed in Chromium: the script of the first route, what a person with a four times slower machine waits for, and how fast
 * pages follow each other that were loaded before. Usage: node tests/bench/web.ts [runs], after npm run build.
 * Ends with an error when the median of a figure is over its limit.
 */
const limits = {
  "script of /auth, gzip": [150, "KB"],
  "LCP of /auth at a quarter of the speed": [2, "s"],
  "LCP of /workspaces at a quarter of the speed": [2, "s"],
  "layout shift of /auth": [0.05, ""],
  "layout shift of /workspaces": [0.05, ""],
  "navigation between loaded pages": [100, "ms"],
} as const;
type Figure = keyof typeof limits;

const runs = Number(process.argv[2] ?? 5);
const figures = new Map<Figure, number[]>();
const note = (figure: Figure, value: number) => figures.set(figure, [...(figures.get(figure) ?? []), value]);

const stack = await startStack({ seed: "demo" });
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
try {
  const storageState = await signedIn();
  for (let count = 0; count < runs; count++) {
    await measureArrival("/auth");
    await measureArrival("/workspaces", storageState);
    await measureNavigation(storageState);
  }
} finally {
  await browser.close();
  await stack.stop();
}

const report = new Report();
for (const [figure, values] of figures) {
  const [limit, unit] = limits[figure];
  console.log(`${figure}, ${unit}: ${values.map((value) => value.toFixed(2)).join(", ")}`);
  report.judge(figure, median(values), "at most", limit, unit);
}
report.end();

type State = Awaited<ReturnType<typeof signedIn>>;

/** The session of the demo's owner, as soon as the demo stands. */
async function signedIn() {
  const context = await browser.newContext({ baseURL: stack.publicUrl });
  const { email, password } = demoAccount;
  const signIn = () => context.request.post("/api/auth/login", { headers: { origin: stack.publicUrl }, data: { email, password } });
  for (let tries = 1; !(await signIn()).ok(); tries++) {
    if (tries === 15) throw new Error("the demo's owner cannot sign in");
    await wait(1_000);
  }
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Opens an address in a fresh browser at a quarter of the speed and waits until it is quiet. */
async function measureArrival(path: "/auth" | "/workspaces", storageState?: State): Promise<void> {
  const context = await browser.newContext({ baseURL: stack.publicUrl, viewport: { width: 1280, height: 800 }, storageState });
  const page = await context.newPage();
  await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.addInitScript(observe);
  const scripts: Promise<Buffer>[] = [];
  page.on("response", (response) => response.request().resourceType() === "script" && scripts.push(response.body()));
  await page.goto(path, { waitUntil: "networkidle" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  const { lcp, shift } = await page.evaluate(() => (window as unknown as { seen: { lcp: number; shift: number } }).seen);
  note(`LCP of ${path} at a quarter of the speed`, lcp / 1_000);
  note(`layout shift of ${path}`, shift);
  if (path === "/auth")
    note("script of /auth, gzip", (await Promise.all(scripts)).reduce((sum, body) => sum + gzipSync(body).length, 0) / 1_024);
  await context.close();
}

/** Runs in the page before anything else. */
function observe() {
  const seen = { lcp: 0, shift: 0 };
  Object.assign(window, { seen });
  new PerformanceObserver((list) => (seen.lcp = list.getEntries().at(-1)?.startTime ?? seen.lcp)).observe({
    type: "largest-contentful-paint",
    buffered: true,
  });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
      if (!entry.hadRecentInput) seen.shift += entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** From the click on an entry of the sidebar to the next page's heading on the screen, both pages loaded before. */
async function measureNavigation(storageState: State): Promise<void> {
  const context = await browser.newContext({ baseURL: stack.publicUrl, viewport: { width: 1280, height: 800 }, storageState });
  const page = await context.newPage();
  await page.goto("/workspace", { waitUntil: "networkidle" });
  await follow(page, "Workspace", "Workspace settings");
  await follow(page, "Dashboard", "Dashboard");
  note("navigation between loaded pages", await follow(page, "Workspace", "Workspace settings"));
  note("navigation between loaded pages", await follow(page, "Dashboard", "Dashboard"));
  await context.close();
}

/** Milliseconds until the frame in which the heading stands. */
async function follow(page: Page, entry: string, heading: string): Promise<number> {
  await page.waitForLoadState("networkidle");
  return await page.evaluate(
    ([entry, heading]) =>
      new Promise<number>((resolve) => {
        const link = [...document.querySelectorAll<HTMLElement>("nav[aria-label=Workspace] a")].find(
          (one) => one.textContent?.trim() === entry,
        );
        const began = performance.now();
        link?.click();
        const look = () => {
          if (document.querySelector("h1")?.textContent === heading) requestAnimationFrame(() => resolve(performance.now() - began));
          else requestAnimationFrame(look);
        };
        look();
      }),
    [entry, heading] as const,
  );
}
