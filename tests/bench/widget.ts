import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "playwright";
import { newChangelog } from "../e2e/support/changelog.ts";
import { otherSite } from "../e2e/support/other-site.ts";
import { chromiumFlags, ensureChromium } from "../support/chromium.ts";
import { startStack } from "../support/stack.ts";
import { median, Report } from "./report.ts";

/**
 * What the widget costs a page of another site before anybody opens it, in Chromium: bytes, requests, main thread, layout, and the page's
 * own load time beside the same page without it, in turns. Usage: node tests/bench/widget.ts [rounds], after npm run build.
 */
const rounds = Number(process.argv[2] ?? 15);

/** What one look at a page found; times in milliseconds. */
interface Look {
  /** Of tasks that began after the load event, when a page without the widget rests. */
  mainThread: number;
  firstPaint: number;
  domReady: number;
  load: number;
  shift: number;
  /** Requests to the product, by path. */
  asked: string[];
  errors: number;
}

const stack = await startStack();
const site = await otherSite();
const acme = await newChangelog(stack, { allowedOrigins: [site.origin] });
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
const content = Array.from({ length: 60 }, (_, index) => `<h2>Part ${index}</h2><p>${"A shop sells things. ".repeat(30)}</p>`).join("");
const tag = `<script async src="${stack.publicUrl}/widget.js" data-workspace="${acme.subdomain}"></script>`;
const afterLoad = `<script>addEventListener("load", () => { const script = document.createElement("script"); script.src = "${stack.publicUrl}/widget.js"; script.dataset.workspace = "${acme.subdomain}"; document.head.append(script); });</script>`;
const pages = {
  without: site.page("/without", content),
  "with the tag": site.page("/tag", content + tag),
  "with the tag after load": site.page("/after", content + afterLoad),
};
const found: Record<keyof typeof pages, Look[]> = { without: [], "with the tag": [], "with the tag after load": [] };
try {
  await look(browser, pages.without, false); // the browser's own first page
  for (let round = 0; round < rounds; round++)
    for (const [name, address] of Object.entries(pages) as [keyof typeof pages, string][])
      found[name].push(await look(browser, address, name !== "without"));
} finally {
  await browser.close();
  await acme.end();
  await site.close();
  await stack.stop();
}

const middle = (name: keyof typeof pages, of: "mainThread" | "firstPaint" | "domReady" | "load"): number =>
  median(found[name].map((one) => one[of]));
const withWidget = [...found["with the tag"], ...found["with the tag after load"]];
const report = new Report();
const size = gzipSync(readFileSync(new URL("../../dist/widget/widget.js", import.meta.url)), { level: 9 }).length;
report.judge("script before opening, gzip", size, "at most", 5 * 1024, "bytes");
const requests = Math.max(...withWidget.map(({ asked }) => asked.length));
report.judge("requests before opening", requests, "at most", 2, "");
report.judge(
  "main thread before opening",
  middle("with the tag after load", "mainThread") - middle("without", "mainThread"),
  "at most",
  10,
  "ms",
);
report.judge("layout shift", Math.max(...withWidget.map(({ shift }) => shift)), "at most", 0, "");
report.judge("errors on the page", Math.max(...withWidget.map(({ errors }) => errors)), "at most", 0, "");
// An async script is part of what a page loads; asked for after the load event, as docs/widget.md shows, it is none.
report.judge("load event with the tag, later by", middle("with the tag", "load") - middle("without", "load"), "at most", 20, "ms");
report.judge(
  "load event with the tag after load, against without",
  middle("with the tag after load", "load") / middle("without", "load"),
  "at most",
  1.1,
  "×",
);
for (const name of ["with the tag", "with the tag after load"] as const) {
  // A tenth is what two series of the same page differ by.
  for (const [of, words] of [
    ["firstPaint", "first paint"],
    ["domReady", "document ready"],
  ] as const)
    report.judge(`${words} ${name}, against without`, middle(name, of) / middle("without", of), "at most", 1.1, "×");
}
console.table(
  Object.fromEntries(
    (Object.keys(pages) as (keyof typeof pages)[]).map((name) => [
      name,
      Object.fromEntries((["mainThread", "firstPaint", "domReady", "load"] as const).map((of) => [of, middle(name, of).toFixed(1)])),
    ]),
  ),
);
report.end();

/** One visit with an empty cache, left alone until the widget stands if one is expected: looking at a page costs it time. */
async function look(browser: Browser, address: string, expected: boolean): Promise<Look> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const [asked, problems]: [string[], string[]] = [[], []];
  page.on("request", (request) => request.url().startsWith(stack.publicUrl) && asked.push(new URL(request.url()).pathname));
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.addInitScript(observe);
  await browser.startTracing(page, { categories: ["toplevel", "blink.user_timing"] });
  await page.goto(address, { waitUntil: "load" });
  await wait(1_000);
  const mainThread = mainThreadOf((await browser.stopTracing()).toString());
  if ((await page.locator("tidings-widget").count()) !== (expected ? 1 : 0)) throw new Error(`${address}: the widget is not as expected`);
  const times = await timesOf(page);
  await context.close();
  return { ...times, mainThread, asked, errors: problems.length };
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  ts: number;
  /** Microseconds of processor time: what else this machine does is not counted. */
  tdur?: number;
}

/** Processor time of the page's main thread after its load event. */
function mainThreadOf(trace: string): number {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const loaded = traceEvents.filter(({ name }) => name === "loadEventEnd").at(-1);
  if (!loaded) throw new Error("the trace has no load event");
  return traceEvents
    .filter(
      ({ name, pid, tid, ts }) => name === "ThreadControllerImpl::RunTask" && pid === loaded.pid && tid === loaded.tid && ts > loaded.ts,
    )
    .reduce((sum, { tdur = 0 }) => sum + tdur / 1_000, 0);
}

function observe() {
  const seen = { shift: 0 };
  Object.assign(window, { seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
  }).observe({ type: "layout-shift", buffered: true });
}

function timesOf(page: Page): Promise<Pick<Look, "firstPaint" | "domReady" | "load" | "shift">> {
  return page.evaluate(() => {
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return {
      firstPaint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
      domReady: navigation!.domContentLoadedEventEnd,
      load: navigation!.loadEventEnd,
      shift: (window as unknown as { seen: { shift: number } }).seen.shift,
    };
  });
}
