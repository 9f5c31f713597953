import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "playwright";
import { newChangelog } from "../e2e/support/changelog.ts";
import { otherSite } from "../e2e/support/other-site.ts";
import { chromiumFlags, ensureChromium } from "../support/chromium.ts";
import { startStack } from "../support/stack.ts";
import { servePlainPages } from "./plain/page.ts";
import { inPairs, median, Report } from "./report.ts";

/** The cost of the unopened widget for a host page in Chromium, against the same page with a plain script of its size. */
const rounds = Number(process.argv[2] ?? 12);
const limits = {
  /** Multiple of the page with the plain script. The widget builds its button and its panel's frame; setting up `Intl` (20 ms) made it 3. */
  mainThread: 2,
  /** Multiple of the load event with a plain async script; the rest is the server's response and the script's run. */
  load: 1.5,
  same: 1.15,
};

interface Look {
  mainThread: number;
  firstPaint: number;
  domReady: number;
  load: number;
  shift: number;
  asked: string[];
  errors: number;
}

const stack = await startStack();
const site = await otherSite();
const acme = await newChangelog(stack, { allowedOrigins: [site.origin] });
const bundle = readFileSync(new URL("../../dist/widget/widget.js", import.meta.url), "utf8");
const plainScript = `(() => { void function () { ${bundle} }; fetch(new URL("plain-data.js", document.currentScript.src)).then((answer) => answer.json()).then(() => document.body.append(document.createElement("plain-guest"))); })();`;
const others = await servePlainPages({
  scripts: { "/plain.js": plainScript, "/plain-data.js": JSON.stringify({ posts: ["x".repeat(2_000)] }) },
});
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
const content = Array.from({ length: 60 }, (_, index) => `<h2>Part ${index}</h2><p>${"A shop sells things. ".repeat(30)}</p>`).join("");
const ours = `${stack.publicUrl}/widget.js`;
const theirs = `${others.origin.replace("127.0.0.1", "localhost")}/plain.js`; // a host name to resolve, like the product's
const tag = (src: string) => `<script async src="${src}" data-workspace="${acme.subdomain}"></script>`;
const afterLoad = (src: string) =>
  `<script>addEventListener("load", () => { const script = document.createElement("script"); script.src = "${src}"; script.dataset.workspace = "${acme.subdomain}"; document.head.append(script); });</script>`;
const pages = {
  without: site.page("/without", content),
  "plain tag": site.page("/plain-tag", content + tag(theirs)),
  "with the tag": site.page("/tag", content + tag(ours)),
  "plain tag after load": site.page("/plain-after", content + afterLoad(theirs)),
  "with the tag after load": site.page("/after", content + afterLoad(ours)),
};
const names = Object.keys(pages) as (keyof typeof pages)[];
const found = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<keyof typeof pages, Look[]>;
try {
  await look(browser, pages.without, false);
  for (let round = 0; round < rounds; round++) {
    const turned = names.map((_, index) => names[(index + round) % names.length]!); // rotates the order
    for (const name of turned) found[name].push(await look(browser, pages[name], name.startsWith("with the tag")));
  }
} finally {
  await browser.close();
  await acme.end();
  await site.close();
  await others.close();
  await stack.stop();
}

type Measure = "mainThread" | "firstPaint" | "domReady" | "load";

const middle = (name: keyof typeof pages, of: Measure): number => median(found[name].map((one) => one[of]));
const withWidget = [...found["with the tag"], ...found["with the tag after load"]];
const report = new Report();
const size = gzipSync(bundle, { level: 9 }).length;
report.judge("script before opening, gzip", size, "at most", 5 * 1024, "bytes");
const requests = Math.max(...withWidget.map(({ asked }) => asked.length));
// The script, the data, and once a day the pixel that counts the view.
report.judge("requests before opening", requests, "at most", 3, "");
against("main thread before opening", "with the tag after load", "mainThread", limits.mainThread);
report.judge("layout shift", Math.max(...withWidget.map(({ shift }) => shift)), "at most", 0, "");
report.judge("errors on the page", Math.max(...withWidget.map(({ errors }) => errors)), "at most", 0, "");
// An async script delays the load event; inserted after it, as docs/widget.md shows, it doesn't.
against("load event with the tag", "with the tag", "load", limits.load);
against("load event with the tag after load", "with the tag after load", "load", limits.same);
for (const name of ["with the tag", "with the tag after load"] as const) {
  against(`first paint ${name}`, name, "firstPaint", limits.same);
  against(`document ready ${name}`, name, "domReady", limits.same);
}
console.table(
  Object.fromEntries(
    names.map((name) => [
      name,
      Object.fromEntries((["mainThread", "firstPaint", "domReady", "load"] as const).map((of) => [of, middle(name, of).toFixed(1)])),
    ]),
  ),
);
report.end();

function against(figure: string, name: "with the tag" | "with the tag after load", of: Measure, limit: number): void {
  const plainly = name === "with the tag" ? "plain tag" : "plain tag after load";
  const all = (page: keyof typeof pages) => found[page].map((one) => one[of]);
  const pair = inPairs(all(name), all(plainly), "ms", "plain script");
  report.compare(figure, pair, "at most", limit, `without ${middle("without", of).toFixed(1)} ms`);
}

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
  ts: number;
  tdur?: number;
}

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
