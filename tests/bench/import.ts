/** Imports a CHANGELOG.md of 1,000 posts in Chromium, and exports 10,000 posts as Markdown with the function's memory. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { chromium, type Page } from "playwright";
import postgres from "postgres";
import { adapterFor } from "#importers/detect.ts";
import { prepare } from "#importers/to-post.ts";
import { chromiumFlags, ensureChromium } from "../support/chromium.ts";
import { startStack } from "../support/stack.ts";
import { loadWorkspace } from "./import/load.ts";
import { clickToPaint, openPlainButton, servePlainPages } from "./plain/page.ts";
import { median, Report } from "./report.ts";

const [posts, postLength, exported] = [1_000, 5_000, 10_000];
const limits = {
  /** 3 s, where the plain table takes 75 ms. */
  preview: 40,
  /** 50 ms, unnoticeable while typing, where the plain table takes 75. */
  task: 0.67,
  /** 30 s, where 1,000 plain inserts take 0.12. */
  write: 250,
  /** 20 s, where the same posts by one query, compressed, take 0.25. */
  export: 80,
  /** MB during four exports: garbage before collection, and no growth per export. */
  memory: 200,
};
const report = new Report();

const words =
  "every reader finds faster exports calmer pages nothing else moves teams write together and publish what changed this week".split(" ");
const sections = ["Added", "Changed", "Fixed"];

function notesOf(number: number): string {
  let text = "";
  for (let line = 0; text.length < postLength; line++) {
    if (line % 12 === 0) text += `\n### ${sections[(line / 12) % sections.length]}\n\n`;
    const said = Array.from({ length: 14 }, (_, at) => words[(number * 7 + line * 3 + at) % words.length]).join(" ");
    text +=
      line % 12 === 11
        ? `\n\`\`\`js\nchanged(${number}, ${line});\n\`\`\`\n`
        : `- **${number}** ${said} ([#${line}](https://x.example/${line}))\n`;
  }
  return text;
}

const changelog = `# Changelog\n\n${Array.from({ length: posts }, (_, at) => {
  const day = new Date(Date.UTC(2016, 0, 1 + (posts - at) * 3)).toISOString().slice(0, 10);
  return `## [${Math.floor((posts - at) / 10)}.${(posts - at) % 10}.0] - ${day}\n${notesOf(at)}`;
}).join("\n")}`;
/** Passed by path: Playwright decodes buffers in the page, which is a long task. */
const folder = mkdtempSync(path.join(os.tmpdir(), "tidings-import-"));
const file = path.join(folder, "CHANGELOG.md");
writeFileSync(file, changelog);

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

await tellOfReading();
const stack = await startStack({ env: { RATE_LIMIT_SCALE: "100000" } });
const plainPages = await servePlainPages();
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
try {
  const { workspaceId, owner } = await loadWorkspace(stack, { members: 1, posts: 1 });
  const context = await browser.newContext({ baseURL: stack.publicUrl, viewport: { width: 1280, height: 800 } });
  const signedIn = await context.request.post("/api/auth/login", { headers: { origin: stack.publicUrl }, data: owner });
  if (!signedIn.ok()) throw new Error(`the owner cannot sign in: ${signedIn.status()}`);
  const page = await context.newPage();
  const button = await openPlainButton(browser, plainPages);
  await page.goto(`/workspace/${workspaceId}/import`, { waitUntil: "networkidle" });
  const tables: number[] = [];
  for (let click = 0; click < 10; click++) tables.push(await clickToPaint(button));
  await page.bringToFront();

  await watchTasks(page);
  const previewed = await seconds(async () => {
    await page.getByLabel(/Choose files, or drop them/).setInputFiles(file);
    await page.getByRole("heading", { name: `${posts.toLocaleString("en-US")} posts in` }).waitFor({ timeout: 120_000 });
    await page.getByRole("button", { name: /^Import \d/ }).waitFor();
  });
  const longest = await longestTask(page);
  const plain = { reference: median(tables), unit: "ms", against: "plain table" };
  const size = `${(changelog.length / 1e6).toFixed(1)} MB`;
  report.compare(`preview of ${posts} posts, in Chromium`, { measured: previewed * 1_000, ...plain }, "at most", limits.preview, size);
  report.compare("longest task of the page until the preview", { measured: longest, ...plain }, "at most", limits.task);

  const written = await seconds(async () => {
    await page.getByRole("button", { name: /^Import \d/ }).click();
    await page.getByRole("heading", { name: / is in/ }).waitFor({ timeout: 300_000 });
  });
  const inserted = await plainInserts();
  report.compare(
    `${posts} posts written, from the button to the result`,
    { measured: written, reference: inserted, unit: "s", against: "plain inserts" },
    "at most",
    limits.write,
  );
  const [there] = await sql`select count(*)::int as count, count(*) filter (where published_at < '2026-01-01')::int as dated
    from public.posts where workspace_id = ${workspaceId} and external_id is not null`;
  report.judge("posts that are there", there!["count"] as number, "at least", posts, "", `${there!["dated"]} with their original dates`);
  report.tell("longest task of the page while it writes", await longestTask(page), "ms");
  await page.close();

  await measureExport();
} finally {
  await browser.close();
  await plainPages.close();
  await sql.end();
  await stack.stop();
  rmSync(folder, { recursive: true });
}
report.end();

async function tellOfReading(): Promise<void> {
  const now = new Date();
  const files = [{ name: "CHANGELOG.md", bytes: new TextEncoder().encode(changelog) }];
  const took = await seconds(async () => {
    const { entries } = adapterFor(files)!.read(files, { now });
    for (const entry of entries) await prepare(entry, { now });
    if (entries.length !== posts) throw new Error(`${entries.length} posts were read`);
  });
  report.tell(`${posts} posts read and prepared, in Node`, took, "s");
}

async function watchTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const place = window as typeof window & { longestTask?: number };
    place.longestTask = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) place.longestTask = Math.max(place.longestTask ?? 0, duration);
    }).observe({ type: "longtask" });
  });
}

async function longestTask(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const place = window as typeof window & { longestTask?: number };
    const longest = place.longestTask ?? 0;
    place.longestTask = 0;
    return longest;
  });
}

async function plainInserts(): Promise<number> {
  await sql`create table public.plain_posts (id int primary key, title text, content jsonb, published_at timestamptz)`;
  const texts = Array.from({ length: posts }, (_, at) => JSON.stringify({ blocks: [{ type: "paragraph", data: { text: notesOf(at) } }] }));
  const took = await seconds(async () => {
    for (const [at, text] of texts.entries())
      await sql`insert into public.plain_posts values (${at}, ${`Post ${at}`}, ${text}::text::jsonb, now())`;
  });
  await sql`drop table public.plain_posts`;
  return took;
}

async function measureExport(): Promise<void> {
  const { workspaceId, owner } = await loadWorkspace(stack, { members: 1, posts: exported });
  const context = await browser.newContext({ baseURL: stack.publicUrl });
  const signedIn = await context.request.post("/api/auth/login", { headers: { origin: stack.publicUrl }, data: owner });
  if (!signedIn.ok()) throw new Error(`the owner cannot sign in: ${signedIn.status()}`);
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const address = `${stack.publicUrl}/api/workspaces/${workspaceId}/export?format=markdown`;
  const idle = residentMegabytes();
  let bytes = 0;
  let most = idle;
  const take = () =>
    seconds(async () => {
      const answer = await fetch(address, { headers: { cookie } });
      if (!answer.ok || answer.body === null) throw new Error(`${answer.status} ${await answer.text()}`);
      bytes = 0;
      for await (const piece of answer.body) bytes += piece.length;
    });
  const watch = setInterval(() => (most = Math.max(most, residentMegabytes())), 200);
  const took = await take();
  const first = most;
  for (let time = 0; time < 3; time++) await take();
  clearInterval(watch);
  const plain = await seconds(async () => {
    const rows = await sql`select title, slug, content_raw, published_at from public.posts where workspace_id = ${workspaceId}`;
    for (const row of rows) gzipSync(JSON.stringify(row));
    if (rows.length !== exported) throw new Error(`${rows.length} posts are there`);
  });
  const pair = { measured: took, reference: plain, unit: "s", against: "one query, compressed" };
  report.compare(`${exported.toLocaleString("en-US")} posts as Markdown`, pair, "at most", limits.export, `${(bytes / 1e6).toFixed(1)} MB`);
  const after = `${(first - idle).toFixed(0)} MB after the first; ${idle.toFixed(0)} MB before`;
  report.judge("memory of the API more while it makes them four times", most - idle, "at most", limits.memory, "MB", after);
}

function residentMegabytes(): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(stack.pids.functions["api"])], { encoding: "utf8" })) / 1_024;
}
