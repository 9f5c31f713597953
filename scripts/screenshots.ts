import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium, type Page } from "playwright";
import postgres from "postgres";
import { assistantScopes } from "#contract/oauth.ts";
import { demoAccount, demoSubdomain } from "../supabase/local/seed/demo.ts";
import { chromiumFlags, ensureChromium } from "../tests/support/chromium.ts";
import { startStack } from "../tests/support/stack.ts";

/**
 * Draws docs/images anew from the demo workspace of the built product: `npm run build && node scripts/screenshots.ts [name …]`; without names all of
 * them.
 */
const folder = "docs/images";
const wanted = process.argv.slice(2);

async function signIn(page: Page): Promise<void> {
  await page.goto("/auth");
  await page.getByLabel("Email").fill(demoAccount.email);
  await page.getByLabel("Password", { exact: true }).fill(demoAccount.password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await page.waitForURL(/\/dashboard$/);
  await page.getByRole("button", { name: "Got it!" }).click();
  await page.getByRole("link", { name: "View public page" }).waitFor({ timeout: 60_000 }); // the demo is complete
}

async function draw(page: Page, name: string): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(name)) return;
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(2_500); // fades and tickers come to rest
  await page.screenshot({ path: `${folder}/${name}.png` });
}

/** Readers of the demo workspace, as a list that is brought along. */
async function addReaders(page: Page): Promise<string> {
  const headers = { origin: new URL(page.url()).origin };
  const { workspaces } = (await (await page.request.get("/api/workspaces")).json()) as { workspaces: { id: string }[] };
  const names = ["ada", "grace", "hedy", "katherine", "margaret", "radia", "sophie", "tim"];
  const readers = names.map((name, index) => ({
    email: `${name}@reader.example`,
    frequency: (["instant", "weekly", "daily"] as const)[index % 3]!,
    tags: index % 4 === 3 ? ["fix"] : null,
  }));
  const path = `/api/workspaces/${workspaces[0]!.id}/subscribers/import`;
  const answer = await page.request.post(path, { headers, data: { readers, declared: true } });
  if (!answer.ok()) throw new Error(`no readers: ${answer.status()} ${await answer.text()}`);
  return `/workspace/${workspaces[0]!.id}/subscribers`;
}

/** A changelog that somebody brings along. */
const broughtAlong = Buffer.from(`# Changelog

## [2.4.0] - 2026-03-17

### Added

- Dark mode, on the web and in the app
- Exports as CSV

## [2.3.1] - 2026-02-02

### Fixed

- Dates of exports are in your own time zone

## [2.3.0] - 2026-01-20

### Changed

- Search finds words inside words

### Security

- Sessions end after thirty days

## [2.2.0] - 2025-11-04

### Added

- <details><summary>Keyboard shortcuts</summary>Press the question mark to see them all</details>
`);

/** Keys, a webhook and a chat of the demo workspace; answers the workspace's address, and whether all of them are there. */
async function addMachines(page: Page): Promise<{ workspace: string; complete: boolean }> {
  const headers = { origin: new URL(page.url()).origin };
  const { workspaces } = (await (await page.request.get("/api/workspaces")).json()) as { workspaces: { id: string }[] };
  const api = `/api/workspaces/${workspaces[0]!.id}`;
  const wanted: [string, object][] = [
    ["keys", { name: "Numbers for the wall", scopes: ["stats:read"] }],
    ["keys", { name: "Release pipeline", scopes: ["posts:read", "posts:write", "posts:publish", "tags:write", "media:write"] }],
    ["webhooks", { name: "Website search", url: "https://example.com/hooks/tidings", events: ["post.published", "post.updated"] }],
    [
      "webhooks",
      { name: "#releases", url: "https://hooks.slack.com/services/T000/B000/example", events: ["post.published"], kind: "slack" },
    ],
  ];
  for (const [path, data] of wanted) {
    const answer = await page.request.post(`${api}/${path}`, { headers, data });
    if (path === "webhooks" && answer.status() === 422) {
      console.warn(`Left out: the picture "developers". A webhook's host has to be found in the DNS: ${await answer.text()}`);
      return { workspace: `/workspace/${workspaces[0]!.id}`, complete: false };
    }
    if (!answer.ok()) throw new Error(`no ${path}: ${answer.status()} ${await answer.text()}`);
  }
  return { workspace: `/workspace/${workspaces[0]!.id}`, complete: true };
}

/** The page on which a person lets an assistant in: one of this machine, whose host is shown as one that readers of the picture know. */
async function ask(page: Page): Promise<() => void> {
  const server = createServer((_, response) => {
    const redirect_uris = [`${own}/callback`];
    const document = { client_id: `${own}/client.json`, client_name: "Claude", redirect_uris, token_endpoint_auth_method: "none" };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await page.route("**/api/oauth/request?*", async (route) => {
    const response = await route.fetch();
    const asked = (await response.json()) as { state: string; client: object; redirect: object };
    if (asked.state !== "ask") throw new Error(`nobody asks: ${JSON.stringify(asked)}`);
    const host = "claude.ai";
    await route.fulfill({
      response,
      json: { ...asked, client: { ...asked.client, host }, redirect: { ...asked.redirect, kind: "web", host } },
    });
  });
  const query = new URLSearchParams({
    response_type: "code",
    client_id: `${own}/client.json`,
    redirect_uri: `${own}/callback`,
    code_challenge: "c".repeat(43),
    code_challenge_method: "S256",
    scope: assistantScopes.join(" "),
    state: "s",
  });
  await page.goto(`/oauth/authorize?${query}`);
  await page.getByRole("button", { name: "Allow", exact: true }).waitFor();
  return () => server.close();
}

/** What readers of the demo workspace did in the last sixty days; answers the page's address. */
async function addNumbers(page: Page, dbUrl: string): Promise<string> {
  const headers = { origin: new URL(page.url()).origin };
  const { workspaces } = (await (await page.request.get("/api/workspaces")).json()) as { workspaces: { id: string }[] };
  const { id } = workspaces[0]!;
  const answer = await page.request.post(`/api/workspaces/${id}/add-ons`, { headers, data: { add_ons: ["analytics"] } });
  if (!answer.ok()) throw new Error(`no add-on: ${answer.status()} ${await answer.text()}`);
  const sql = postgres(dbUrl, { max: 1, onnotice: () => {} });
  await sql`
    insert into private.count_queue (workspace_id, post_id, what, day, source, n)
    select p.workspace_id, p.id, w.what, (now() at time zone 'utc')::date - d.ago, w.source, 1 + w.often * (4 + (d.ago * 37 + p.place * 11) % 23) / (8 * p.place)
    from (select *, row_number() over (order by published_at desc) as place from public.posts where workspace_id = ${id} and status = 'published') as p,
      generate_series(0, 59) as d (ago),
      (values ('view', 'page', 9), ('view', 'widget', 4), ('view', 'mail', 3), ('view', 'feed', 1), ('link_click', 'widget', 1)) as w (what, source, often)
    union all
    select ${id}::uuid, null, w.what, (now() at time zone 'utc')::date - d.ago, w.source, 1 + w.often * (4 + d.ago * 37 % 23) / 9
    from generate_series(0, 59) as d (ago),
      (values ('reader', 'page', 14), ('widget_shown', 'widget', 60), ('widget_open', 'widget', 8), ('referrer', 'news.example', 5),
        ('search_none', 'single sign-on', 1), ('language', 'en', 9), ('language', 'de', 4)) as w (what, source, often)`;
  await sql`select private.roll_up_counts()`;
  await sql.end();
  return `/workspace/${id}/analytics`;
}

mkdirSync(folder, { recursive: true });
const stack = await startStack({ seed: "demo", env: { ASSISTANTS_TO_PRIVATE: "1" } });
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
try {
  const page = await browser.newPage({ baseURL: stack.publicUrl, viewport: { width: 1280, height: 800 } });
  await signIn(page);
  await draw(page, "dashboard");
  await page.getByRole("link", { name: "Changelog", exact: true }).first().click();
  await page
    .getByRole("link", { name: /A widget that minds its manners/ })
    .first()
    .click();
  await page.getByText("This changelog post is live").waitFor();
  await page.getByRole("textbox", { name: "Paragraph" }).first().waitFor();
  await draw(page, "editor");
  await page.goto(await addReaders(page));
  await draw(page, "subscribers");
  await page.goto(page.url().replace("/subscribers", "/import"));
  await page
    .getByLabel(/Choose files, or drop them/)
    .setInputFiles({ name: "CHANGELOG.md", mimeType: "text/markdown", buffer: broughtAlong });
  await page.getByRole("table", { name: /posts in CHANGELOG.md/ }).waitFor();
  await draw(page, "import");
  await page.goto(await addNumbers(page, stack.dbUrl));
  await draw(page, "analytics");
  const { workspace, complete } = await addMachines(page);
  if (complete) {
    await page.goto(`${workspace}/developers`);
    await draw(page, "developers");
  }
  const answered = await ask(page);
  await page.setViewportSize({ width: 1280, height: 880 }); // down to where one is sent
  await draw(page, "consent");
  await page.setViewportSize({ width: 1280, height: 800 });
  answered();
  await page.goto(`${workspace}/audit`);
  await draw(page, "audit");
  await page.goto(stack.publicUrl.replace("//", `//${demoSubdomain}.`) + "/releases");
  await draw(page, "public-page");
  await page.goto(`/dev/widget-host?workspace=${demoSubdomain}`);
  await page.getByRole("button", { name: "What's New" }).click();
  await draw(page, "widget");
} finally {
  await browser.close();
  await stack.stop();
}
