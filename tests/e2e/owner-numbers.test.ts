import type { Browser } from "playwright/test";
import { readFile } from "node:fs/promises";
import postgres from "postgres";
import { countsOf } from "../support/counts.ts";
import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { createPost, unique } from "./support/workspace.ts";

/** Reads a release as somebody whose browser nobody takes for a machine. */
async function read(browser: Browser, address: string, userAgent: string): Promise<void> {
  const context = await browser.newContext({ userAgent });
  const page = await context.newPage();
  const counted = page.waitForResponse((response) => response.url().endsWith(".gif"));
  await page.goto(address);
  expect((await counted).ok()).toBe(true);
  await context.close();
}

test("views are a blurred number and an offer, and real ones with the analytics add-on", async ({ page, browser, stack, problems: _ }) => {
  const subdomain = unique("views");
  const { workspaceId } = await newWorkspace(page, "Vicky Views", subdomain);
  const dashboard = `/workspace/${workspaceId}/dashboard`;
  const post = (path: string, data: object) => page.request.post(path, { headers: { origin: stack.publicUrl }, data });
  for (const title of ["Read once", "Read often"]) await createPost(page, stack.publicUrl, workspaceId, { title, status: "published" });
  await createPost(page, stack.publicUrl, workspaceId, { title: "Not yet out" });
  await post("/api/public/changelog/toggle", { isPublic: true, workspaceId });
  const releases = `${stack.publicUrl.replace("//", `//${subdomain}.`)}/releases`;
  const agents = ["Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", "Mozilla/5.0 (Macintosh) Safari/605.1"];
  for (const agent of agents) await read(browser, `${releases}/read-often`, agent);
  await read(browser, `${releases}/read-often`, agents[0]!); // the same reader again
  await read(browser, `${releases}/read-once`, agents[1]!);

  await test.step("without the add-on the number is blurred, and following it offers the add-on", async () => {
    await page.goto(dashboard);
    const card = page.getByRole("link", { name: "Changelog views: not available, go to analytics" });
    await expect(card).toHaveText("1234");
    const { gap, blur } = await card.evaluate((link) => {
      const number = link.querySelector("span")!;
      const label = document.createRange();
      label.selectNodeContents(link.closest("dd")!.previousElementSibling!);
      return {
        gap: number.getBoundingClientRect().top - label.getBoundingClientRect().bottom,
        blur: Number(/blur\((.+)px\)/.exec(getComputedStyle(number).filter)![1]),
      };
    });
    expect(gap).toBeGreaterThanOrEqual(blur); // it fades out before the label
    await expect(page.getByText(/\d+ views?$/)).toHaveCount(0);
    await card.hover();
    await expect(page.getByRole("tooltip")).toHaveText("Upgrade to Premium to view detailed analytics");
    await card.click();
    const offer = page.getByRole("dialog", { name: "Upgrade your plan" });
    await expect(offer.getByRole("checkbox", { name: /analytics/i })).toBeChecked();
    await offer.getByRole("button", { name: "Go back" }).click();
    await expect(page).toHaveURL(dashboard);
  });

  await test.step("with it they are counted and sorted by", async () => {
    expect((await post(`/api/workspaces/${workspaceId}/add-ons`, { add_ons: ["analytics"] })).ok()).toBe(true);
    // Counted about a second later, and added up every minute.
    const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
    await expect.poll(() => countsOf(sql, workspaceId, "view")).toEqual({ "view page": 3 });
    await sql.end();
    await page.reload();
    const card = page.getByRole("link", { name: "Changelog views: 3 in the last 30 days, go to analytics" });
    const rows = page.getByRole("table", { name: "Recent posts" }).locator("tbody tr");
    await expect(rows).toHaveText([/Read often.*2 views/, /Read once.*1 view$/, /Not yet out.*0 views/]);
    await expectAccessible(page);
    await page.getByLabel("Sort").selectOption("Recent activity");
    await expect(rows).toHaveText([/Not yet out/, /Read often/, /Read once/]);
    await card.click();
    await expect(page.locator("label", { hasText: /^Views 3 / })).toBeVisible();
  });
});

test("the owner takes the workspace along as a file", async ({ page, stack, problems: _ }) => {
  const subdomain = unique("export");
  const { workspaceId } = await newWorkspace(page, "Edna Export", subdomain);
  await createPost(page, stack.publicUrl, workspaceId, { title: "Taken along" });
  await page.goto(`/workspace/${workspaceId}/settings`);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export workspace" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(new RegExp(`^tidings-${subdomain}-\\d{4}-\\d\\d-\\d\\d\\.json$`));
  const content = JSON.parse(await readFile(await file.path(), "utf8")) as { workspace: { id: string }; posts: { title: string }[] };
  expect([content.workspace.id, content.posts.map(({ title }) => title)]).toEqual([workspaceId, ["Taken along"]]);
});
