import { enter, found } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { bodyOf, newPost, openPost, titleOf } from "./support/writing.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

async function writing(page: Page): Promise<void> {
  await enter(page, "Mobile Writer");
  const workspaceId = await found(page, "Phone");
  const { id } = await newPost(page, workspaceId);
  await openPost(page, workspaceId, id);
  const consent = page.getByRole("button", { name: "Got it!" });
  if (await consent.isVisible()) await consent.click();
}

const inside = async (page: Page, name: string) => {
  const box = (await page.getByRole("menuitem", { name }).boundingBox())!;
  return box.y >= 0 && box.y + box.height <= 844;
};

const publishButton = (page: Page) => page.getByRole("button", { name: "Publish", exact: true });

test("every item of the bottom menu can be reached on a phone", async ({ page, problems: _ }) => {
  await writing(page);
  await page.getByRole("button", { name: "More actions" }).tap();
  for (const name of ["Undo", "History", "Copy as Markdown", "Keyboard shortcuts", "Archive", "Purge"]) {
    expect(await inside(page, name), name).toBe(true);
  }
  await expectAccessible(page);
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).tap();
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await expectAccessible(page);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`a toast can be read and leaves Publish reachable on a phone, ${colorScheme}`, async ({ page, problems: _ }) => {
    await page.emulateMedia({ colorScheme });
    await writing(page);
    await titleOf(page).fill("");
    await page.getByRole("button", { name: "More actions" }).tap();
    await page.getByRole("menuitem", { name: "Save", exact: true }).tap();
    const message = page.locator("[data-sonner-toast]");
    await expect(message).toContainText("Please add a title to your post");
    await message.hover();
    await expect
      .poll(async () => {
        const { y, height } = (await message.boundingBox())!;
        return y + height <= (await publishButton(page).boundingBox())!.y;
      })
      .toBe(true);
    await expectAccessible(page);
    await expect(message).toBeVisible();
    await bodyOf(page).tap();
  });
}

test("the save status is shown in full on a narrow phone", async ({ page, context }) => {
  await writing(page);
  const state = page.locator("p[role=status]").filter({ hasText: /^(Saved|Offline. Saved on this device)$/ });
  const isWhole = (width: number) =>
    test.step(`${width} pixels`, async () => {
      await page.setViewportSize({ width, height: 640 });
      await expect.poll(() => state.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
      const isBeside = async () => {
        const { x, y, width: own, height } = (await state.boundingBox())!;
        const button = (await publishButton(page).boundingBox())!;
        return x + own <= button.x || y + height <= button.y;
      };
      await expect.poll(isBeside).toBe(true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    });
  for (const width of [320, 360, 390]) await isWhole(width);
  await context.setOffline(true);
  await bodyOf(page).tap();
  await page.keyboard.type("More. ");
  await expect(state).toHaveText("Offline. Saved on this device");
  for (const width of [320, 360, 390]) await isWhole(width);
  await expectAccessible(page);
});

test("a block's menu is complete and not covered by a comment badge on a phone", async ({ page, problems: _ }) => {
  await writing(page);
  await bodyOf(page).tap();
  const comment = page.getByRole("button", { name: "Comment on this block" });
  await expect(comment).toBeVisible();
  await page.getByRole("button", { name: "Block settings" }).tap();
  const remove = page.getByRole("button", { name: "Delete", exact: true });
  await expect(remove).toBeInViewport({ ratio: 1 });
  await expect(comment).toBeHidden();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(comment).toBeVisible();
});

test("a table's columns have a minimum width, and it scrolls on a phone", async ({ page, problems: _ }) => {
  await enter(page, "Table Writer");
  const workspaceId = await found(page, "Tables");
  const content = [
    ["Plan", "Seats", "Price", "Support"],
    ["Team", "20", "49", "Same day"],
  ];
  const { id } = await newPost(page, workspaceId, { blocks: [{ type: "table", data: { withHeadings: true, stretched: false, content } }] });
  await openPost(page, workspaceId, id);
  const cells = page.getByRole("textbox", { name: "Table cell" });
  await expect(cells).toHaveCount(8);
  const widths = await cells.evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().width));
  expect(Math.min(...widths)).toBeGreaterThanOrEqual(112);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await cells.last().tap();
  await expect(cells.last()).toBeInViewport({ ratio: 0.9 });
  await page.getByRole("button", { name: "Add column" }).tap();
  await expect(cells).toHaveCount(10);
});
