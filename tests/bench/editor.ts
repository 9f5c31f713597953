import { setTimeout as wait } from "node:timers/promises";
import { chromium, type BrowserContext, type Page } from "playwright";
import postgres from "postgres";
import { chromiumFlags, ensureChromium } from "../support/chromium.ts";
import { startStack } from "../support/stack.ts";
import { demoAccount } from "../../supabase/local/seed/demo.ts";
import { fill, type Desk } from "./editor/content.ts";
import { observe, openedAfterData, scrollThrough, type Seen } from "./editor/in-page.ts";
import { clickToPaint, openPlainButton, servePlainPages, within } from "./plain/page.ts";
import { median, Report } from "./report.ts";

/** Typing, opening a post, scrolling 5,000 posts, and the editor's chunk; interleaved with a plain contenteditable and table. */
const runs = Number(process.argv[2] ?? 4);
const [postCount, keystrokes] = [5_000, 150];
const limits = {
  typing: 3,
  opening: 4,
  scrolling: 0.65,
};
const found = {
  typing: [] as number[],
  plainTyping: [] as number[],
  opening: [] as number[],
  plainTable: [] as number[],
  scrolling: [] as number[],
};

const stack = await startStack({ seed: "demo" });
const plainPages = await servePlainPages();
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
let elsewhere = 0;
let onItsRoute = 0;
try {
  const context = await signedIn();
  const button = await openPlainButton(browser, plainPages);
  const desk = await furnish(context);
  for (let run = 0; run < runs; run++) {
    found.typing.push(await typing(await openPage(context, editPath(desk, 300)), ".ce-paragraph"));
    found.plainTyping.push(await typing(await openPage(context, `${plainPages.origin}/typing`), "p"));
    found.opening.push(await opening(context, desk));
    for (let click = 0; click < 5; click++) found.plainTable.push(await clickToPaint(button));
  }
  for (let way = 0; way < 2; way++) found.scrolling.push(await scrolling(context, desk));
  for (const path of ["dashboard", "team", "widget", "settings"])
    elsewhere += await editorChunks(context, `/workspace/${desk.workspaceId}/${path}`);
  onItsRoute = await editorChunks(context, editPath(desk, 1));
} finally {
  await browser.close();
  await plainPages.close();
  await stack.stop();
}

const report = new Report();
const plainTable = { reference: median(found.plainTable), unit: "ms", against: "plain table" };
report.compare(
  "typing in a post of 300 blocks, input to paint, p95",
  { measured: median(found.typing), reference: median(found.plainTyping), unit: "ms", against: "plain text" },
  "at most",
  limits.typing,
);
report.compare(
  "opening a post of 100 blocks, after its data",
  { ...plainTable, measured: median(found.opening) },
  "at most",
  limits.opening,
);
report.compare(
  "longest task while scrolling 5,000 posts",
  { ...plainTable, measured: Math.min(...found.scrolling) },
  "at most",
  limits.scrolling,
);
report.judge("loads of the editor's chunk on other routes", elsewhere, "at most", 0, "");
report.judge("loads of the editor's chunk on its own route", onItsRoute, "at least", 1, "");
report.end();

async function signedIn(): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: stack.publicUrl, viewport: { width: 1280, height: 800 } });
  const { email, password } = demoAccount;
  const signIn = () => context.request.post("/api/auth/login", { headers: { origin: stack.publicUrl }, data: { email, password } });
  for (let tries = 1; !(await signIn()).ok(); tries++) {
    if (tries === 15) throw new Error("the demo's owner cannot sign in");
    await wait(1_000);
  }
  return context;
}

async function furnish(context: BrowserContext): Promise<Desk> {
  const input = { name: "Bench", subdomain: "bench-editor", origin: "https://bench.example", jobTitle: "Editor" };
  const answer = await context.request.post("/api/workspaces/create", { headers: { origin: stack.publicUrl }, data: input });
  const { workspace } = (await answer.json()) as { workspace: { id: string } };
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  const desk = await fill(sql, workspace.id, postCount);
  await sql.end();
  return desk;
}

function editPath({ workspaceId, posts }: Desk, blocks: keyof Desk["posts"]): string {
  return `/workspace/${workspaceId}/changelog/edit/${posts[blocks]}`;
}

async function openPage(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(observe);
  await page.goto(path, { waitUntil: "networkidle" });
  return page;
}

function seenIn(page: Page): Promise<Seen> {
  return page.evaluate(() => (window as unknown as { seen: Seen }).seen);
}

async function typing(page: Page, paragraph: string): Promise<number> {
  const place = page.locator(paragraph).nth(100);
  await place.click();
  await page.keyboard.press("End");
  await page.keyboard.type("warm up ", { delay: 60 });
  await page.evaluate(() => (window as unknown as { seen: Seen }).seen.keys.splice(0));
  const text = "What changed this week is here. ";
  for (let at = 0; at < keystrokes; at++) {
    await page.keyboard.press(at % 50 === 49 ? "Enter" : text[at % text.length] === " " ? "Space" : text[at % text.length]!);
    await wait(60);
  }
  await wait(300);
  const { keys } = await seenIn(page);
  await page.close({ runBeforeUnload: false });
  // The browser reports only events longer than 16 ms.
  const all = [...keys, ...Array<number>(Math.max(0, keystrokes - keys.length)).fill(16)].toSorted((a, b) => a - b);
  return all[Math.floor(all.length * 0.95)] ?? Number.NaN;
}

async function opening(context: BrowserContext, desk: Desk): Promise<number> {
  const page = await openPage(context, editPath(desk, 1));
  await page.locator(".ce-paragraph, .ce-header").first().waitFor();
  const taken = await within(page.evaluate(openedAfterData, { id: desk.posts[100], blocks: 100 }), "opening a post");
  await page.close();
  return taken;
}

async function scrolling(context: BrowserContext, desk: Desk): Promise<number> {
  const page = await openPage(context, editPath(desk, 1));
  await page.locator(".ce-paragraph, .ce-header").first().waitFor();
  await page.evaluate(() => (window as unknown as { seen: Seen }).seen.tasks.splice(0));
  await within(page.evaluate(scrollThrough, postCount), "scrolling the list");
  const { tasks } = await seenIn(page);
  await page.close();
  return Math.max(0, ...tasks);
}

async function editorChunks(context: BrowserContext, path: string): Promise<number> {
  const page = await context.newPage();
  let loads = 0;
  page.on("request", (request) => (loads += Number(/\/block-editor-[^/]+\.js$/.test(request.url()))));
  await page.goto(path, { waitUntil: "networkidle" });
  await page.close();
  return loads;
}
