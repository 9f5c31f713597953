import { enter, found } from "./support/people.ts";
import { expect, type Page, test } from "./support/test.ts";
import { bodyOf, editorPath, newPost, openPost, saveButton, titleOf } from "./support/writing.ts";

/** Requests that match wait until they are let go. */
async function hold(page: Page, url: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

test("the editor is fetched while it is not known yet who asks and for what", async ({ page }) => {
  await enter(page, "Ed Early");
  const workspaceId = await found(page, "Slow line");
  const { id } = await newPost(page, workspaceId);
  const letGo = await hold(page, "**/api/profiles/me");
  const editor = page.waitForRequest("**/block-editor-*.js");
  await page.goto(editorPath(workspaceId, id));
  await editor;
  letGo();
  await expect(bodyOf(page)).toBeVisible();
});

for (const missing of ["**/toaster-*", "**/toaster-*.js"])
  test(`messages come again after the first one could not be loaded, for want of ${missing}`, async ({ page }) => {
    await enter(page, "Olga Offline");
    const workspaceId = await found(page, "Slow line");
    const { id } = await newPost(page, workspaceId, { status: "published" });
    await page.route(missing, (route) => route.abort());
    await openPost(page, workspaceId, id);
    await titleOf(page).fill("");
    await saveButton(page).click();
    await page.waitForTimeout(500);
    await expect(page.getByText("Title is required")).toHaveCount(0);
    await page.unroute(missing);
    await titleOf(page).fill("With a title");
    await saveButton(page).click();
    await expect(page.locator("[data-sonner-toast]").filter({ hasText: "Saved" })).toBeVisible();
  });

test("tags are reached with the keyboard, and the title's counter leaves them free", async ({ page }) => {
  await enter(page, "Kay Board");
  const workspaceId = await found(page, "Tags");
  const { id } = await newPost(page, workspaceId, { tags: ["feature"], title: "x".repeat(115) });
  await openPost(page, workspaceId, id);
  const counter = (await page.getByText("4 characters left").boundingBox())!;
  const tags = (await page.getByRole("list", { name: "Tags" }).boundingBox())!;
  expect(counter.y + counter.height).toBeLessThanOrEqual(tags.y);

  const button = page.getByRole("button", { name: "Edit tags" });
  await button.focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog", { name: "Tags" }).first();
  await expect(panel.getByRole("checkbox", { name: "Feature" })).toBeFocused();
  await panel.getByLabel("New tag").focus();
  await page.keyboard.type("Mobile");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("list", { name: "Tags" })).toContainText("Mobile");
  await expect(panel.getByLabel("New tag")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(button).toBeFocused();
});
