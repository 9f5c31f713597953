import { enter, found, invite } from "./support/people.ts";
import type { Locator } from "playwright/test";
import { expect, expectAccessible, test } from "./support/test.ts";
import { bodyOf, newPost, openPost } from "./support/writing.ts";

test("the text is 640 px wide at 1280 beside at most 22% of chrome; the list folds, focus mode hides all, and the browser remembers", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await enter(page, "Rita Room");
  const workspaceId = await found(page, "Room");
  const { id } = await newPost(page, workspaceId);
  await openPost(page, workspaceId, id);
  const menu = page.getByRole("navigation", { name: "Workspace" });
  const list = page.getByRole("region", { name: "Posts" });
  await expect(menu).toBeVisible();
  await expect(list).toBeVisible();
  const text = page.locator(".ce-block__content").first();
  const place = (await text.boundingBox())!;
  expect(place.width).toBeGreaterThanOrEqual(640);
  const right = async (one: Locator) => (await one.boundingBox())!.x + (await one.boundingBox())!.width;
  expect(await right(list)).toBeLessThanOrEqual(0.22 * 1280);
  await page.getByRole("button", { name: "Comments" }).click();
  await expect(page.getByRole("complementary", { name: "Comments" })).toBeVisible();
  expect(await text.boundingBox()).toEqual(place);
  expect((await page.getByRole("complementary", { name: "Comments" }).boundingBox())!.x).toBeGreaterThanOrEqual(await right(text));
  await expectAccessible(page);
  await page.getByRole("button", { name: "Close comments" }).click();

  await page.getByRole("button", { name: "Hide post list" }).click();
  await page.reload();
  await expect(bodyOf(page)).toBeVisible();
  await expect(list).toBeHidden();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Show post list" }).click();
  await expect(list).toBeVisible();

  await page.getByRole("button", { name: "Open menu" }).click();
  await expect(page.getByRole("link", { name: "New post" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Show posts" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: "New post" })).toHaveCount(0);

  await bodyOf(page).click();
  await page.keyboard.press("Control+\\");
  await expect(bodyOf(page)).toBeFocused();
  for (const gone of [menu, list, page.getByRole("banner")]) await expect(gone).toBeHidden();
  await expectAccessible(page);
  await page.keyboard.press("Control+\\");
  await expect(menu).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(page.getByRole("button", { name: "Focus mode" })).toHaveCount(0);
  await expectAccessible(page);
});

test("the toolbar fits with four people, and rare actions are in its menu", async ({ page, browser, stack }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await enter(page, "Una Unfolded");
  const workspaceId = await found(page, "Full");
  const { id } = await newPost(page, workspaceId);
  await openPost(page, workspaceId, id);
  for (const name of ["Vera Vast", "Willa Wide", "Xenia Ample", "Yara Full"]) {
    const other = await (await browser.newContext({ baseURL: stack.publicUrl })).newPage();
    await enter(other, name);
    const token = new URL(await invite(page, workspaceId)).searchParams.get("token");
    await other.request.post("/api/team/join", { headers: { origin: stack.publicUrl }, data: { token } });
    await openPost(other, workspaceId, id);
  }
  await expect(page.getByRole("list", { name: "Also here" }).getByRole("listitem")).toHaveCount(4);
  const more = page.getByRole("button", { name: "More actions" });
  for (const width of [1280, 768, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(async () => {
      const box = (await more.boundingBox({ timeout: 1_000 }))!;
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }).toPass();
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await more.focus();
  await page.keyboard.press("Enter");
  for (const choice of ["New post from template", "Focus mode"])
    await expect(page.getByRole("menuitem", { name: choice, exact: true })).toBeVisible();
  await page.getByRole("menuitem", { name: "Focus mode" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Posts" })).toBeHidden();
  await expect(page.getByRole("button", { name: "Preview", exact: true })).toBeVisible();
});
