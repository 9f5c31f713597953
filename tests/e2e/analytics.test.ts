import { readFile } from "node:fs/promises";
import postgres from "postgres";
import { type Analytics, analytics, type AnalyticsTable } from "#contract/analytics.ts";
import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { createPost, unique } from "./support/workspace.ts";
import type { RunningStack } from "../support/stack.ts";

const dayMs = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

type Counted = readonly [string, string, number, number, number?];

const happened: readonly Counted[] = [
  ["view", "page", 0, 5, 0],
  ["view", "page", 3, 40, 0],
  ["view", "widget", 3, 12, 0],
  ["view", "mail", 3, 30, 0],
  ["view", "page", 9, 7, 1],
  ["view", "feed", 20, 6, 1],
  ["view", "page", 40, 21, 1],
  ["link_click", "widget", 3, 8, 0],
  ["mail_sent", "mail", 3, 240, 0],
  ["reader", "page", 3, 61],
  ["reader", "page", 40, 20],
  ["widget_shown", "widget", 3, 90],
  ["widget_open", "widget", 3, 18],
  ["subscribed", "page", 4, 9],
  ["left", "page", 5, 2],
  ["referrer", "news.example", 3, 14],
  ["search_none", "=single sign-on", 3, 3],
  ["country", "DE", 3, 11],
  ["language", "de", 3, 11],
];

async function readWorkspace(page: Page, stack: RunningStack) {
  const subdomain = unique("numbers");
  const { workspaceId } = await newWorkspace(page, "Nora Numbers", subdomain);
  const post = (path: string, data: object) => page.request.post(path, { headers: { origin: stack.publicUrl }, data });
  for (const title of ["Read often", "Read seldom"]) await createPost(page, stack.publicUrl, workspaceId, { title, status: "published" });
  await post("/api/public/changelog/toggle", { isPublic: true, workspaceId });
  expect((await post(`/api/workspaces/${workspaceId}/add-ons`, { add_ons: ["analytics"] })).ok()).toBe(true);
  return { workspaceId, subdomain, posts: await count(stack, workspaceId, happened) };
}

async function count(stack: RunningStack, workspaceId: string, all: readonly Counted[]): Promise<string[]> {
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  const posts = await sql<{ id: string }[]>`select id from public.posts where workspace_id = ${workspaceId} order by title`;
  const rows = all.map(([what, source, ago, n, place]) => {
    return { workspace_id: workspaceId, post_id: place === undefined ? null : posts[place]!.id, what, day: daysAgo(ago), source, n };
  });
  await sql`insert into private.count_queue ${sql(rows)}`;
  await sql`select private.roll_up_counts()`;
  await sql.end();
  return posts.map(({ id }) => id);
}

const figure = (page: Page, name: string) => page.locator("label", { has: page.getByRole("radio", { name: new RegExp(`^${name} `) }) });
const lines = (page: Page, name: string) => page.getByRole("table", { name, exact: true }).locator("tbody tr");

async function csv(page: Page, title: string): Promise<string[][]> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: `CSV: ${title}` }).click();
  const text = await readFile(await (await download).path(), "utf8");
  const [, ...rest] = text
    .replace(/^\uFEFF/, "")
    .trim()
    .split(/\r?\n/);
  return rest.map((line) => line.split(","));
}

async function answered(page: Page, workspaceId: string, query = ""): Promise<Analytics> {
  return analytics.parse(await (await page.request.get(`/api/workspaces/${workspaceId}/analytics${query}`)).json());
}

test("the analytics page shows the numbers of dashboard, API and files", { tag: "@journey" }, async ({ page, stack, problems: _ }) => {
  const { workspaceId, posts } = await readWorkspace(page, stack);

  await page.goto(`/workspace/${workspaceId}/dashboard`);
  await page.getByRole("link", { name: "Changelog views: 100 in the last 30 days, go to analytics" }).click();
  await expect(page).toHaveURL(`/workspace/${workspaceId}/analytics`);
  await expect(page.getByRole("heading", { name: "Analytics", level: 1 })).toBeFocused();
  await expect(figure(page, "Views")).toHaveText(/^Views 100 ↑ 376% more than 21 before$/);
  await expect(figure(page, "Readers")).toHaveText(/^Readers 61 ↑ 205% more than 20 before$/);
  await expect(figure(page, "Widget opens")).toHaveText(/^Widget opens 18 new$/);
  await expect(figure(page, "Clicks")).toHaveText(/^Clicks 8 new$/);
  await expectAccessible(page);

  const { totals, ...said } = await answered(page, workspaceId);
  expect(totals).toMatchObject({ views: 100, readers: 61, widget_opens: 18, clicks: 8, mails_sent: 240, mails_followed: 30 });
  await expect(lines(page, "Posts")).toHaveText([/^Read often.*8712824030$/, /^Read seldom.*130000$/]);
  await expect(lines(page, "Where posts were read")).toHaveText(["Your page52", "Email30", "The widget12", "Feeds6"]);
  await expect(lines(page, "Where readers came from")).toHaveText(["news.example14"]);
  await expect(lines(page, "What to write next")).toHaveText(["=single sign-on3"]);
  await expect(lines(page, "Countries")).toHaveText(["Germany11"]);
  await expect(lines(page, "Languages")).toHaveText(["German11"]);
  await expect(page.getByText("20% of readers who saw it")).toBeVisible();
  await expect(page.getByText("Subscribers: 7 more than before")).toBeVisible();

  const [days, written] = [await csv(page, "Days"), await csv(page, "Posts")];
  expect(days.map(([day]) => day)).toEqual(said.days.map(({ day }) => day));
  expect(days.reduce((sum, [, views]) => sum + Number(views), 0)).toBe(totals.views);
  expect(written.map(([id]) => id)).toEqual(posts);
  const files: [string, AnalyticsTable & keyof typeof said][] = [
    ["Where posts were read", "sources"],
    ["Where readers came from", "referrers"],
    ["Countries", "countries"],
    ["Languages", "languages"],
  ];
  for (const [title, name] of files) expect(await csv(page, title)).toEqual(said[name].map((row) => Object.values(row).map(String)));
  expect(await csv(page, "What to write next")).toEqual([["'=single sign-on", "3"]]);

  await page.getByRole("link", { name: "Read often" }).click();
  await expect(page).toHaveURL(`/workspace/${workspaceId}/changelog/edit/${posts[0]}`);
});

test("the analytics page can be reached and read with the keyboard alone", async ({ page, stack, problems: _ }) => {
  const { workspaceId } = await readWorkspace(page, stack);
  await page.goto(`/workspace/${workspaceId}/analytics?range=7`);
  const reach = async (target: ReturnType<Page["locator"]>) => {
    for (let presses = 0; presses < 60 && !(await target.evaluate((element) => element === document.activeElement)); presses++) {
      await page.keyboard.press("Tab");
    }
    await expect(target).toBeFocused();
  };
  await expect(figure(page, "Views")).toBeVisible();
  await reach(page.getByRole("radio", { name: /^7 days/ }));
  await page.keyboard.press("ArrowRight");
  await expect(figure(page, "Views")).toHaveText(/^Views 100 /);
  await reach(page.getByRole("radio", { name: /^Views/ }));
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("heading", { name: "Clicks by day" })).toBeVisible();
  await page.keyboard.press("ArrowRight");
  const line = page.getByRole("slider", { name: "Views by day" });
  await reach(line);
  await expect(line).toHaveAttribute("aria-valuetext", /, incomplete: 5 views$/);
  for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowLeft");
  await expect(line).toHaveAttribute("aria-valuetext", /: 82 views$/);
  await expect(line.getByText("82 views")).toBeVisible();
  await page.keyboard.press("Home");
  await expect(line).toHaveAttribute("aria-valuetext", /: 0 views$/);
  await page.keyboard.press("End");
  await expect(line).toHaveAttribute("aria-valuenow", "29");
  await reach(page.getByRole("columnheader", { name: "Post" }).getByRole("button"));
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(lines(page, "Posts").getByRole("link")).toHaveText(["Read seldom", "Read often"]);
});
