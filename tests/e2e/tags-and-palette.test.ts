import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { bodyOf, newPost, openPost, readPost } from "./support/writing.ts";

const begin = async (page: Page, name: string) => (await newWorkspace(page, name, `tp-${crypto.randomUUID().slice(0, 13)}`)).workspaceId;
const tagsOf = async (page: Page, id: string) => ((await readPost(page, id)) as unknown as { tags: string[] }).tags;
const toast = (page: Page, text: string) => page.locator("[data-sonner-toast]", { has: page.getByText(text, { exact: true }) });
const isOnTop = (element: Element): boolean => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
};

test("tags are renamed, merged and deleted by keyboard, and the open post saves without a conflict", async ({ page, problems: _ }) => {
  const workspaceId = await begin(page, "Tess Tagger");
  const { id, version } = await newPost(page, workspaceId, { title: "With tags", tags: ["beta", "fix"] });
  await newPost(page, workspaceId, { title: "Another", tags: ["gamma"] });
  await openPost(page, workspaceId, id);
  const shown = page.getByRole("list", { name: "Tags" }).first();
  await expect(shown).toHaveText("betaFix");

  await page.getByRole("button", { name: "Edit tags" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Manage tags" }).last().press("Enter");
  const dialog = page.getByRole("dialog", { name: "Manage tags" });
  await expect(dialog.getByText("1 post").first()).toBeVisible();
  await expectAccessible(page);

  await test.step("a tag gets another name and colour", async () => {
    await dialog.getByRole("button", { name: "Edit beta" }).press("Enter");
    await expect(dialog.getByRole("textbox", { name: "Name", exact: true })).toBeFocused();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Early access");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await expect(toast(page, "Tag saved")).toContainText("1 post");
    await expect.poll(() => toast(page, "Tag saved").evaluate(isOnTop)).toBe(true);
    await expect(dialog.getByRole("button", { name: "Edit Early access" })).toBeVisible();
  });

  await test.step("an existing name merges the tags", async () => {
    await dialog.getByRole("button", { name: "Edit gamma" }).click();
    await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("early ACCESS");
    await expect(dialog.getByText(/A tag named Early access already exists/)).toBeVisible();
    await dialog.getByRole("button", { name: "Merge into Early access" }).click();
    await expect(toast(page, "Merged into Early access")).toBeVisible();
    await expect(dialog.getByRole("listitem").filter({ hasText: "Early access" })).toContainText("2 posts");
  });

  await test.step("Escape closes what was opened, then the dialog", async () => {
    await dialog.getByRole("button", { name: "Delete Early access" }).click();
    await page.keyboard.press("Escape");
    await expect(dialog.getByRole("button", { name: "Delete Early access" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  });

  await expect(shown).toHaveText("Early accessFix");
  await bodyOf(page).click();
  await page.keyboard.type("More. ");
  await page.keyboard.press("ControlOrMeta+s");
  await expect(toast(page, "Saved")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await tagsOf(page, id)).toEqual(["early-access", "fix"]);
  expect((await readPost(page, id)).version).toBe(version + 1);
});
