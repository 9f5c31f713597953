import { gzipSync } from "node:zlib";
import { chromium, type Page } from "playwright";
import postgres from "postgres";
import { chromiumFlags, ensureChromium } from "../support/chromium.ts";
import { startStack } from "../support/stack.ts";
import { loadWorkspace } from "./dashboard/load.ts";
import { clickToPaint, openPlainButton, servePlainPages, within } from "./plain/page.ts";
import { inPairs, quantile, Report } from "./report.ts";

/**
 * The analytics page of a workspace with 5,000 posts that were read, over 400 days, each of which is a point of its line: from the last byte of its
 * data to the painted picture, in turns with a plain page whose button paints a table; and what a person loads to come to it from another page.
 * Usage: node tests/bench/analytics-page.ts [runs], after npm run build. Ends with 1 when a figure is over its limit.
 */
const runs = Number(process.argv[2] ?? 12);
const limits = {
  /** 100 ms, as fast as a hand notices, where the plain table takes 75. */
  paint: 1.35,
  late: 1.7,
  chunk: 25,
};
const points = 400;
const postsRead = 5_000;

const dayMs = 86_400_000;
const dayAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
const report = new Report();

const stack = await startStack({ env: { RATE_LIMIT_SCALE: "100000" } });
const plainPages = await servePlainPages();
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
const times = { ours: [] as number[], plain: [] as number[] };
try {
  const { workspaceId, owner } = await loadWorkspace(stack, { members: 1, posts: postsRead });
  await read(workspaceId);
  const context = await browser.newContext({ baseURL: stack.publicUrl, viewport: { width: 1280, height: 800 } });
  const signedIn = await context.request.post("/api/auth/login", { headers: { origin: stack.publicUrl }, data: owner });
  if (!signedIn.ok()) throw new Error(`the owner cannot sign in: ${signedIn.status()}`);
  report.judge(
    "script and style of the page, gzip",
    await measureChunk(await context.newPage(), workspaceId),
    "at most",
    limits.chunk,
    "KB",
  );

  const page = await context.newPage();
  await page.addInitScript(observe, points);
  const button = await openPlainButton(browser, plainPages);
  for (let run = 0; run <= runs; run++) {
    await page.goto(`/workspace/${workspaceId}/analytics?from=${dayAgo(points - 1)}&to=${dayAgo(0)}`);
    const ours = await within(
      page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted),
      "the line",
    );
    const plain = await clickToPaint(button);
    if (run === 0) continue; // warms up
    times.ours.push(ours);
    times.plain.push(plain);
  }
} finally {
  await browser.close();
  await plainPages.close();
  await stack.stop();
}

const figure = `from the data to the painted line of ${points} points`;
report.compare(`${figure}: median`, inPairs(times.ours, times.plain, "ms", "plain table"), "at most", limits.paint);
const p95 = { measured: quantile(times.ours, 0.95), reference: quantile(times.plain, 0.95), unit: "ms", against: "plain table" };
report.compare(`${figure}: p95`, p95, "at most", limits.late);
report.end();

/** Every post was read on some day, and the workspace on every day of the range. */
async function read(workspaceId: string): Promise<void> {
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  await sql`
    insert into private.count_queue (workspace_id, post_id, what, day, source, n)
    select ${workspaceId}::uuid, p.id, 'view', current_date - (p.place % ${points}::int)::int, (array['page', 'widget', 'mail'])[1 + p.place % 3], 1 + p.place % 90
    from (select id, row_number() over () as place from public.posts where workspace_id = ${workspaceId} and status = 'published') as p
    union all
    select ${workspaceId}::uuid, null, w.what, current_date - d.ago, w.source, 1 + (d.ago * 37) % 200
    from generate_series(0, ${points - 1}::int) as d (ago),
      (values ('reader', 'page'), ('referrer', 'news.example'), ('country', 'DE'), ('language', 'de'), ('widget_open', 'widget')) as w (what, source)`;
  await sql`select private.roll_up_counts()`;
  await sql.end();
}

/** Kilobytes of script and style that come when the page is opened from another one of the workspace. */
async function measureChunk(page: Page, workspaceId: string): Promise<number> {
  await page.goto(`/workspace/${workspaceId}/team`, { waitUntil: "networkidle" });
  const parts: Promise<Buffer>[] = [];
  page.on("response", (response) => /\.(js|css)$/.test(new URL(response.url()).pathname) && parts.push(response.body()));
  await page
    .getByRole("navigation", { name: "Workspace" })
    .getByRole("link", { name: /^Analytics/ })
    .click();
  await page.getByRole("slider").waitFor();
  const bytes = (await Promise.all(parts)).reduce((sum, part) => sum + gzipSync(part).length, 0);
  await page.close();
  return bytes / 1_024;
}

/** Runs in the page before anything else: milliseconds from the last byte of the numbers to the frame that shows their line. */
function observe(points: number): void {
  const painted = new Promise<number>((resolve) => {
    const look = () => {
      if (document.querySelector("[role=slider]")?.getAttribute("aria-valuemax") !== String(points - 1))
        return void requestAnimationFrame(look);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        const data = performance.getEntriesByType("resource").find(({ name }) => /\/analytics\?/.test(name)) as PerformanceResourceTiming;
        resolve(performance.now() - data.responseEnd);
      };
      port2.postMessage(undefined);
    };
    requestAnimationFrame(look);
  });
  Object.assign(window, { painted });
}
