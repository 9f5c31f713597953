import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { chromium, type Page } from "playwright";
import { chromiumFlags, ensureChromium } from "../support/chromium.ts";
import { demoAccount } from "../../supabase/local/seed/demo.ts";
import { startStack } from "../support/stack.ts";
import { clickToPaint, openPlainButton, servePlainPages, within } from "./plain/page.ts";
import { median, Report } from "./report.ts";

/** The first route's script, loading on a slow CPU, and navigation, in Chromium; interleaved with a plain page that draws a table. */
const limits = {
  lcp: 5,
  navigation: 1.35,
  shift: 0.05,
  script: 150,
};
const paths = ["/auth", "/workspaces"] as const;

const runs = Number(process.argv[2] ?? 5);
const arrivals = { "/auth": [] as Arrival[], "/workspaces": [] as Arrival[], plain: [] as Arrival[] };
const navigations = { ours: [] as number[], plain: [] as number[] };

const stack = await startStack({ seed: "demo" });
const plainPages = await servePlainPages();
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
try {
  const storageState = await signedIn();
  const button = await openPlainButton(browser, plainPages);
  for (let count = 0; count < runs; count++) {
    arrivals["/auth"].push(await measureArrival("/auth"));
    arrivals["/workspaces"].push(await measureArrival("/workspaces", storageState));
    arrivals.plain.push(await measureArrival(`${plainPages.origin}/drawn`));
    navigations.ours.push(...(await measureNavigation(storageState)));
    for (let click = 0; click < 5; click++) navigations.plain.push(await clickToPaint(button));
  }
} finally {
  await browser.close();
  await plainPages.close();
  await stack.stop();
}

const report = new Report();
const middle = (where: keyof typeof arrivals, of: keyof Arrival): number => median(arrivals[where].map((one) => one[of]));
for (const path of paths) {
  const pair = { measured: middle(path, "lcp"), reference: middle("plain", "lcp"), unit: "s", against: "plain page" };
  report.compare(`LCP of ${path} at a quarter of the speed`, pair, "at most", limits.lcp);
  report.judge(`layout shift of ${path}`, middle(path, "shift"), "at most", limits.shift, "");
}
report.judge("script of /auth, gzip", middle("/auth", "script"), "at most", limits.script, "KB");
report.compare(
  "navigation between loaded pages",
  { measured: median(navigations.ours), reference: median(navigations.plain), unit: "ms", against: "plain table" },
  "at most",
  limits.navigation,
);
report.end();

interface Arrival {
  lcp: number;
  shift: number;
  script: number;
}

type State = Awaited<ReturnType<typeof signedIn>>;

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

async function measureArrival(path: string, storageState?: State): Promise<Arrival> {
  const context = await browser.newContext({ baseURL: stack.publicUrl, viewport: { width: 1280, height: 800 }, storageState });
  const page = await context.newPage();
  await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.addInitScript(observe);
  const scripts: Promise<Buffer>[] = [];
  page.on("response", (response) => response.request().resourceType() === "script" && scripts.push(response.body()));
  await page.goto(path, { waitUntil: "networkidle" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  const { lcp, shift } = await page.evaluate(() => (window as unknown as { seen: { lcp: number; shift: number } }).seen);
  const script = (await Promise.all(scripts)).reduce((sum, body) => sum + gzipSync(body).length, 0) / 1_024;
  await context.close();
  return { lcp: lcp / 1_000, shift, script };
}

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

async function measureNavigation(storageState: State): Promise<number[]> {
  const context = await browser.newContext({ baseURL: stack.publicUrl, viewport: { width: 1280, height: 800 }, storageState });
  const page = await context.newPage();
  await page.goto("/workspace", { waitUntil: "networkidle" });
  await follow(page, "Workspace", "Workspace settings");
  await follow(page, "Dashboard", "Dashboard");
  const times = [await follow(page, "Workspace", "Workspace settings"), await follow(page, "Dashboard", "Dashboard")];
  await context.close();
  return times;
}

async function follow(page: Page, entry: string, heading: string): Promise<number> {
  await page.waitForLoadState("networkidle");
  await page.locator("nav[aria-label=Workspace] a", { hasText: entry }).first().waitFor();
  const followed = page.evaluate(
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
  return await within(followed, `the way to ${heading}`);
}
