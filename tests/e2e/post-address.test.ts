import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { bodyOf, newPost, openPost, readPost, save, savedWord } from "./support/writing.ts";

test("changing a live post's URL keeps its unsaved edits", async ({ page, problems: _ }) => {
  const { workspaceId } = await newWorkspace(page, "Ada Mover", `mover-${Date.now().toString(36)}`);
  const other = await newPost(page, workspaceId, { title: "Taken", status: "published" });
  const post = await newPost(page, workspaceId, { title: "Dark mode", status: "published" });
  await openPost(page, workspaceId, post.id);
  await bodyOf(page).click();
  await page.keyboard.press("End");
  await page.keyboard.type(" And more.");

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Change URL" }).click();
  const dialog = page.getByRole("dialog", { name: "Change URL" });
  const field = dialog.getByRole("textbox", { name: /Post URL/ });
  await expect(field).toHaveValue("dark-mode");
  await expect(field).toBeFocused();
  await expectAccessible(page);
  await field.fill("dark mode");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Please use letters, digits and single hyphens, 80 at most")).toBeVisible();
  await field.fill(other.slug);
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Another post in this workspace already uses this URL.")).toBeVisible();
  await field.fill("Night-Mode");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByText("URL changed")).toBeVisible();
  const moved = await readPost(page, post.id);
  expect([moved.slug, moved.version]).toEqual(["night-mode", post.version + 1]);
  expect(moved.content_raw).not.toContain("And more.");

  await save(page);
  await expect(savedWord(page)).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect.poll(async () => (await readPost(page, post.id)).content_raw).toContain("And more.");
});
