import { enter, found } from "./support/people.ts";
import { expect, test } from "./support/test.ts";
import { newPost, openPost, readPost } from "./support/writing.ts";

test("rows and columns of a table are added and removed by keyboard", async ({ page }) => {
  await enter(page, "Ada Owner");
  const workspaceId = await found(page, "Tables");
  const table = { type: "table", data: { withHeadings: false, content: [["a", "b"]] } };
  const { id } = await newPost(page, workspaceId, { blocks: [table], status: "published" });
  await openPost(page, workspaceId, id);
  const rows = page.locator(".codex-editor .tc-row");
  const cellsOfFirst = rows.first().locator(".tc-cell");
  await rows.first().locator(".tc-cell").first().click();

  await page.keyboard.press("Alt+Shift+ArrowDown");
  await expect(rows).toHaveCount(2);
  await page.keyboard.type("c");
  await page.keyboard.press("Alt+Shift+ArrowRight");
  await expect(cellsOfFirst).toHaveCount(3);
  await page.keyboard.press("ControlOrMeta+s");
  await expect
    .poll(async () => (JSON.parse((await readPost(page, id)).content_raw) as { blocks: { data: object }[] }).blocks[0]?.data)
    .toMatchObject({
      content: [
        ["a", "", "b"],
        ["c", "", ""],
      ],
    });

  await page.keyboard.press("Alt+Shift+Delete");
  await expect(cellsOfFirst).toHaveCount(2);
  await page.keyboard.press("Alt+Shift+Backspace");
  await expect(rows).toHaveCount(1);
  await page.keyboard.press("Alt+Shift+Backspace");
  await page.keyboard.type("!");
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText("!");
});
