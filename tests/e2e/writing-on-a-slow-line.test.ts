import { enter, found } from "./support/people.ts";
import { expect, test } from "./support/test.ts";
import { newPost, openPost, save, titleOf } from "./support/writing.ts";

for (const missing of ["**/toaster-*", "**/toaster-*.js"])
  test(`messages load on retry after the first attempt failed, without ${missing}`, async ({ page }) => {
    await enter(page, "Olga Offline");
    const workspaceId = await found(page, "Slow line");
    const { id } = await newPost(page, workspaceId, { status: "published" });
    await page.route(missing, (route) => route.abort());
    await openPost(page, workspaceId, id);
    await titleOf(page).fill("");
    await save(page);
    await page.waitForTimeout(500);
    await expect(page.getByText("Title is required")).toHaveCount(0);
    await page.unroute(missing);
    await titleOf(page).fill("With a title");
    await save(page);
    await expect(page.locator("[data-sonner-toast]").filter({ hasText: "Saved" })).toBeVisible();
  });
