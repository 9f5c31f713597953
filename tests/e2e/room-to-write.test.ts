import { enter, found } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { bodyOf, newPost, openPost, readPost, titleOf } from "./support/writing.ts";

test("the text has 640 px at 1280 with both columns; they fold away, focus mode leaves the post alone, and the browser remembers", async ({
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

  await page.getByRole("button", { name: "Hide the list of posts" }).click();
  await page.getByRole("button", { name: "Hide the menu" }).click();
  await page.reload();
  await expect(bodyOf(page)).toBeVisible();
  await expect(menu).toBeHidden();
  await expect(list).toBeHidden();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Show the menu" }).click();
  await page.getByRole("button", { name: "Show the list of posts" }).click();
  await expect(menu).toBeVisible();
  await expect(list).toBeVisible();

  await bodyOf(page).click();
  await page.keyboard.press("Control+\\");
  await expect(bodyOf(page)).toBeFocused(); // one writes on
  for (const gone of [menu, list, page.getByRole("banner")]) await expect(gone).toBeHidden();
  await expectAccessible(page);
  await page.keyboard.press("Control+\\");
  await expect(menu).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(page.getByRole("button", { name: "Focus mode" })).toHaveCount(0);
  await expectAccessible(page);
});

test("a new post with only a title is there when one comes back, and nobody was asked", async ({ page }) => {
  await enter(page, "Otto Only");
  const workspaceId = await found(page, "Title");
  await page.goto(`/workspace/${workspaceId}/changelog/new`);
  await titleOf(page).fill("Only a title");
  await page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: "Dashboard" }).click(); // before it rests
  await page.waitForURL(/dashboard$/);
  await page.goto(`/workspace/${workspaceId}/changelog`);
  await expect(titleOf(page)).toHaveValue("Only a title");
  expect(await readPost(page, page.url().split("/").at(-1)!)).toMatchObject({ status: "draft", version: 1 });
});
