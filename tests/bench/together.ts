import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { chromium, type BrowserContext, type Page } from "playwright";
import postgres from "postgres";
import { chromiumFlags, ensureChromium } from "../support/chromium.ts";
import { type RunningStack, startStack } from "../support/stack.ts";
import { signToken } from "../support/token.ts";
import { demoAccount } from "../../supabase/local/seed/demo.ts";
import { clickToPaint, openPlainButton, servePlainPages, within } from "./plain/page.ts";
import { median, quantile, Report } from "./report.ts";

/**
 * Twenty people at one post of 100 blocks: from the answer to a colleague's save until its words stand in somebody's open editor, where nothing
 * was touched and where something is unsaved, which is merged then; the other eighteen ask for the new version, too, as their pages do. In turns
 * with a plain page whose button paints a table. Usage: node tests/bench/together.ts [saves], after npm run build. Ends with 1 for a miss.
 */
const saves = Number(process.argv[2] ?? 40);
const [people, blocks] = [20, 100];
/** 300 ms where the plain table takes 50; up to 100 of it are spent on not asking all at once (web/features/posts/announced-posts.ts). */
const limit = 6;

const stack = await startStack({ seed: "demo", env: { RATE_LIMIT_SCALE: "100000" } });
const plainPages = await servePlainPages();
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
const found = { untouched: [] as number[], unsaved: [] as number[], plainTable: [] as number[] };
const sockets: WebSocket[] = [];
try {
  const context = await signedIn(stack);
  const { workspaceId, postId, tokens } = await furnish(context);
  for (const { id, token } of tokens) sockets.push(await present(workspaceId, postId, id, token));
  const button = await openPlainButton(browser, plainPages);
  const page = await context.newPage();
  await page.goto(`/workspace/${workspaceId}/changelog/edit/${postId}`, { waitUntil: "networkidle" });
  for (const state of ["untouched", "unsaved"] as const) {
    if (state === "unsaved") {
      await page.locator('.ce-block[data-id="b50"] [contenteditable=true]').click();
      await page.keyboard.type("Unsaved. ");
      await wait(1_000);
    }
    for (let save = -3; save < saves; save++) {
      const ms = await savedToSeen(page, postId, tokens, `${state} ${save}`, Math.abs(save) % 40);
      if (save >= 0) found[state].push(ms);
      found.plainTable.push(await clickToPaint(button));
    }
  }
} finally {
  for (const socket of sockets) socket.close();
  await browser.close();
  await plainPages.close();
  await stack.stop();
}

const report = new Report();
for (const [state, words] of [
  ["untouched", "where nothing was touched"],
  ["unsaved", "merged around what is unsaved"],
] as const) {
  report.compare(
    `a colleague's save, seen in an open editor ${words}, 20 people at the post, p95`,
    { measured: quantile(found[state], 0.95), reference: median(found.plainTable), unit: "ms", against: "plain table" },
    "at most",
    limit,
    `p50 ${median(found[state]).toFixed(0)} ms`,
  );
}
report.end();

/** A context of the demo's owner, as soon as the demo stands. */
async function signedIn({ publicUrl }: RunningStack): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: publicUrl, viewport: { width: 1280, height: 800 } });
  const signIn = () => context.request.post("/api/auth/login", { headers: { origin: publicUrl }, data: demoAccount });
  for (let tries = 1; !(await signIn()).ok(); tries++) {
    if (tries === 15) throw new Error("the demo's owner cannot sign in");
    await wait(1_000);
  }
  return context;
}

async function furnish(context: BrowserContext) {
  const headers = { origin: stack.publicUrl };
  const input = { name: "Bench", subdomain: "bench-together", origin: "https://bench.example", jobTitle: "Editor" };
  const made = await context.request.post("/api/workspaces/create", { headers, data: input });
  const workspaceId = ((await made.json()) as { workspace: { id: string } }).workspace.id;
  const text = Array.from({ length: blocks }, (_, number) => ({ id: `b${number}`, type: "paragraph", data: { text: `Block ${number}` } }));
  const data = { title: "Together", blocks: text, workspace_id: workspaceId, status: "published" };
  const posted = await context.request.post("/api/posts", { headers, data });
  const postId = ((await posted.json()) as { post: { id: string } }).post.id;
  const ids = Array.from({ length: people - 1 }, () => randomUUID());
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  await sql`insert into auth.users (id, aud, role, email, email_confirmed_at)
    select id::uuid, 'authenticated', 'authenticated', id || '@example.com', now() from unnest(${ids}::text[]) as id`;
  await sql`insert into auth.sessions (id, user_id) select id::uuid, id::uuid from unnest(${ids}::text[]) as id`;
  await sql`insert into public.members (workspace_id, user_id, role) select ${workspaceId}, id::uuid, 'editor' from unnest(${ids}::text[]) as id`;
  await sql.end();
  return { workspaceId, postId, tokens: ids.map((id) => ({ id, token: signToken(stack, { sub: id, email: `${id}@example.com` }) })) };
}

async function present(workspaceId: string, postId: string, userId: string, token: string): Promise<WebSocket> {
  const address = `${stack.url.replace("http", "ws")}/ws/presence/${workspaceId}/${postId}`;
  const socket = new WebSocket(address, ["presence.v1", `jwt.${token}`]);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  socket.send(JSON.stringify({ type: "join", userId, fullName: "x" }));
  return socket;
}

/** Milliseconds between the answer to a save of one block and its words on the screen of somebody else. */
async function savedToSeen(page: Page, postId: string, tokens: { token: string }[], words: string, block: number): Promise<number> {
  const ask = async (path: string, token: string, init: RequestInit = {}): Promise<{ post: { version: number; content_raw: string } }> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(stack.url + path, { ...init, headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { post: { version: number; content_raw: string } };
  };
  const path = `/api/posts/${postId}`;
  const [writer, ...others] = tokens as [{ token: string }, ...{ token: string }[]];
  const { post } = await ask(path, writer.token);
  const content = JSON.parse(post.content_raw) as { blocks: { id: string; data: { text: string } }[] };
  content.blocks.find(({ id }) => id === `b${block}`)!.data.text = words;
  const seen = page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = () => {
          const isThere = [...document.querySelectorAll(".ce-paragraph")].some(({ textContent }) => textContent === wanted);
          if (isThere) resolve(performance.timeOrigin + performance.now());
          else requestAnimationFrame(look);
        };
        look();
      }),
    words,
  );
  await ask(path, writer.token, { method: "PUT", body: JSON.stringify({ content_raw: JSON.stringify(content), version: post.version }) });
  const saved = performance.timeOrigin + performance.now();
  const asking = others.map(async ({ token }) => {
    await wait(50 + Math.random() * 100);
    await ask(path, token);
  });
  const ms = (await within(seen, "what a colleague saved")) - saved;
  await Promise.all(asking);
  return ms;
}
