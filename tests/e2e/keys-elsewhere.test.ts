import { newWorkspace } from "./support/people.ts";
import { expect, test } from "./support/test.ts";
import { newPost, openPost, paragraph, titleOf } from "./support/writing.ts";

const list = { type: "list", data: { style: "unordered", meta: {}, items: [{ content: "An item", meta: {}, items: [] }] } };

test("the editor ignores keys pressed outside the text, whatever block had the focus", async ({ page, problems: _ }) => {
  const { workspaceId } = await newWorkspace(page, "Kay Elsewhere", `keys-${Date.now().toString(36)}`);
  const { id } = await newPost(page, workspaceId, { blocks: [paragraph("First words."), list] });
  await openPost(page, workspaceId, id);
  const blocks = page.locator(".ce-block");
  const item = page.locator(".codex-editor [contenteditable=true]", { hasText: "An item" }).last();
  const writeInTheList = async () => {
    await item.click();
    await page.keyboard.press("End");
    await page.keyboard.type("!");
  };

  await test.step("Tab in a dialog moves to its next button", async () => {
    await writeInTheList();
    await page.keyboard.press("ControlOrMeta+Enter");
    const dialog = page.getByRole("dialog", { name: "Publish this post?" });
    await expect(dialog.getByRole("button", { name: "Publish" })).toBeFocused();
    await page.keyboard.press("Shift+Tab");
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
    await page.keyboard.press("Shift+Tab");
    await expect(dialog.getByRole("button", { name: "Preview" })).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
    await expect(blocks).toHaveCount(2);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  });

  await test.step("arrows in the title stay in the title, and Tab moves to the tags", async () => {
    await writeInTheList();
    await titleOf(page).focus();
    for (const key of ["End", "ArrowRight", "Home", "ArrowLeft", "ArrowUp"]) {
      await page.keyboard.press(key);
      await expect(titleOf(page)).toBeFocused();
    }
    await page.keyboard.press("Tab");
    await expect(titleOf(page)).not.toBeFocused();
    expect(await page.evaluate(() => document.activeElement?.closest(".codex-editor") === null)).toBe(true);
    await expect(blocks).toHaveCount(2);
  });

  await test.step("keys in the text work as before", async () => {
    await item.click();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowUp");
    await expect(page.locator(".codex-editor [contenteditable=true]").first()).toBeFocused();
  });
});
