import { chromium, type Page } from "playwright";
import { workspaceEndpoints } from "#contract/workspaces.ts";
import { address } from "../../web/lib/api-client.ts";
import { chromiumFlags, ensureChromium } from "../support/chromium.ts";
import { startStack } from "../support/stack.ts";
import { chooseFilter, typeSearch } from "./dashboard/filters.ts";
import { loadWorkspace } from "./dashboard/load.ts";
import { median, Report } from "./report.ts";

/**
 * The dashboard of a workspace with 5,000 posts, 50 members and the analytics add-on: its data in one call, and in Chromium the posts
 * table from choosing a filter to the painted rows, each time one that was not asked for before. Usage: node tests/bench/dashboard.ts
 * [runs], after npm run build. Ends with 1 when a median or a 95th percentile is over its limit.
 */
const runs = Number(process.argv[2] ?? 20);
const limits = { call: 60, filter: 100 };
const report = new Report();

const stack = await startStack({ env: { RATE_LIMIT_SCALE: "100000" } });
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
try {
  const { workspaceId, owner, names } = await loadWorkspace(stack, { members: 50, posts: 5_000 });
  const context = await browser.newContext({ baseURL: stack.publicUrl, viewport: { width: 1280, height: 800 } });
  const signedIn = await context.request.post("/api/auth/login", { headers: { origin: stack.publicUrl }, data: owner });
  if (!signedIn.ok()) throw new Error(`the owner cannot sign in: ${signedIn.status()}`);
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  judge("the dashboard's data in one call", await measureCall(workspaceId, cookie), limits.call);

  const page = await context.newPage();
  await openQuietly(page, `/workspace/${workspaceId}/dashboard`);
  for (const [figure, times] of Object.entries(await measureFilters(page, names))) judge(`${figure}, to paint`, times, limits.filter);
} finally {
  await browser.close();
  await stack.stop();
}
report.end();

function judge(figure: string, times: number[], limit: number): void {
  report.judge(`${figure}: median`, median(times), "at most", limit, "ms");
  report.judge(`${figure}: p95`, times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN, "at most", limit, "ms");
}

/** Ten times as many calls as filters are chosen; the first ones warm up. */
async function measureCall(workspaceId: string, cookie: string): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < runs * 10 + 20; call++) {
    const began = performance.now();
    const answer = await fetch(stack.publicUrl + address(workspaceEndpoints.dashboard.path, { workspaceId }), { headers: { cookie } });
    const { count, memberCount, views } = workspaceEndpoints.dashboard.response.parse(await answer.json());
    if (call >= 20) times.push(performance.now() - began);
    if (count < 4_000 || memberCount !== 50 || !views) throw new Error(`not the workspace meant: ${count} posts, ${memberCount} members`);
  }
  return times;
}

async function measureFilters(page: Page, names: string[]) {
  const times: Record<string, number[]> = { creator: [], status: [], sort: [], "search text": [], "most viewed of all": [] };
  for (let run = 0; run < runs; run++) {
    const name = names[run % names.length]!;
    times.creator!.push(await chooseFilter(page, "Creator", name));
    times.status!.push(await chooseFilter(page, "Status", run % 2 ? "draft" : "published"));
    times.sort!.push(await chooseFilter(page, "Sort", "recent_activity"));
    times["search text"]!.push(await typeSearch(page, String(run + 10))); // stands in many titles
    await openQuietly(page, `${page.url().split("?")[0]!}?q=${encodeURIComponent("sort:recent_activity")}`);
    times["most viewed of all"]!.push(await chooseFilter(page, "Sort", "most_viewed_last_month"));
  }
  return times;
}

/** Opens the dashboard and waits until everything has arrived and its numbers have rolled up. */
async function openQuietly(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: "networkidle" });
  await page.getByRole("table", { name: "Recent posts" }).waitFor();
  await page.waitForTimeout(2_000);
}
