import { newWorkspace } from "./support/people.ts";
import { expect, test } from "./support/test.ts";
import { bodyOf, newPost, openPost, paragraph } from "./support/writing.ts";

test("what covers the page gives the focus back: to the button, and in the text to the letter", async ({ page, problems: _ }) => {
  const { workspaceId } = await newWorkspace(page, "Ada Focused", `focus-${Date.now().toString(36)}`);
  const { id } = await newPost(page, workspaceId, { blocks: [paragraph("before after")] });
  await openPost(page, workspaceId, id);

  await test.step("the schedule dialog", async () => {
    const button = page.getByRole("button", { name: "Schedule", exact: true });
    await button.click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(button).toBeFocused();
  });

  await test.step("the search palette, opened from the middle of a sentence", async () => {
    await bodyOf(page).click();
    await page.keyboard.press("Home");
    for (const _letter of "before ") await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox", { name: "Search posts" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(bodyOf(page)).toBeFocused();
    await page.keyboard.type("and ");
    await expect(bodyOf(page)).toHaveText("before and after");
  });
});
