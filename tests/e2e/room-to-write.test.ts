import { enter, found, invite } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { bodyOf, newPost, openPost } from "./support/writing.ts";

test("the text is 640 px wide at 1280 with both columns; columns fold, focus mode hides them, and the browser remembers", async ({
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
  expect((await page.locator(".ce-block__content").first().boundingBox())!.width).toBeGreaterThanOrEqual(640);
  await expectAccessible(page);

  await page.getByRole("button", { name: "Hide post list" }).click();
  await page.getByRole("button", { name: "Hide menu" }).click();
  await page.reload();
  await expect(bodyOf(page)).toBeVisible();
  await expect(menu).toBeHidden();
  await expect(list).toBeHidden();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Show menu" }).click();
  await page.getByRole("button", { name: "Show post list" }).click();
  await expect(menu).toBeVisible();
  await expect(list).toBeVisible();

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

test("the toolbar moves rare actions to its menu when the posts list and four people take its room", async ({ page, browser, stack }) => {
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
  await expect(page.getByRole("list", { name: "Also here" })).toContainText("+2");
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
  for (const choice of ["Preview", "New post from template", "Focus mode"])
    await expect(page.getByRole("menuitem", { name: choice, exact: true })).toBeVisible();
  await page.getByRole("menuitem", { name: "Focus mode" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Posts" })).toBeHidden();
  await expect(page.getByRole("button", { name: "Preview", exact: true })).toBeVisible();
});
