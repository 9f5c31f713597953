import type { Locator } from "playwright/test";
import { enter, found } from "./support/people.ts";
import { expect, type Page, test, workerStack } from "./support/test.ts";
import { bodyOf, newPost, openPost, paragraph, readPost, savedWord } from "./support/writing.ts";

const blocks = (page: Page) => page.locator(".ce-block");
const handle = (page: Page) => page.getByRole("button", { name: "Block settings" });

async function writingIn(page: Page, written: object[]): Promise<string> {
  await enter(page, "Kay Writer");
  const workspaceId = await found(page, "Blocks");
  const { id } = await newPost(page, workspaceId, { blocks: written });
  await openPost(page, workspaceId, id);
  return id;
}

async function storedBlocks(page: Page, id: string): Promise<{ type: string; data: { text?: string } }[]> {
  await page.keyboard.press("ControlOrMeta+s");
  await expect(savedWord(page)).toBeVisible();
  return (JSON.parse((await readPost(page, id)).content_raw) as { blocks: { type: string; data: { text?: string } }[] }).blocks;
}

async function dragToTheTop(page: Page, block: number): Promise<void> {
  const top = (await blocks(page).first().boundingBox())!;
  await blocks(page).nth(block).hover();
  const { x, y } = (await handle(page).boundingBox())!;
  await page.mouse.move(x + 8, y + 8);
  await page.mouse.down();
  await page.mouse.move(x + 8, top.y + 20, { steps: 4 });
  await page.mouse.move(x + 8, top.y + 2, { steps: 4 });
  await page.mouse.up();
}

test("the block under the pointer is dragged, wherever the caret is; undo and redo work by keyboard and menu", async ({ page }) => {
  const id = await writingIn(page, ["One", "Two", "Three"].map(paragraph));
  await bodyOf(page).click();
  await dragToTheTop(page, 2);
  await expect(blocks(page)).toHaveText(["Three", "One", "Two"]);
  expect((await storedBlocks(page, id)).map(({ data }) => data.text)).toEqual(["Three", "One", "Two"]);

  await bodyOf(page).click();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(blocks(page)).toHaveText(["One", "Two", "Three"]);
  const choose = async (name: string) => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await choose("Redo");
  await expect(blocks(page)).toHaveText(["Three", "One", "Two"]);
  await choose("Undo");
  await expect(blocks(page)).toHaveText(["One", "Two", "Three"]);
});

test("a quote keeps its lines; Enter in an empty last line leaves quote and checklist for a paragraph", async ({ page }) => {
  const id = await writingIn(page, [paragraph("Before.")]);
  await bodyOf(page).click();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("> First line");
  await page.keyboard.press("Enter");
  await page.keyboard.type("second line");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.type("[] To do");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.type("After.");
  await expect(blocks(page)).toHaveCount(4);
  const stored = await storedBlocks(page, id);
  expect(stored.map(({ type }) => type)).toEqual(["paragraph", "quote", "list", "paragraph"]);
  expect(stored[1]!.data.text).toBe("First line<br>second line");
  expect(stored[3]!.data.text).toBe("After.");
});

test("headings, list items and table cells keep line breaks", async ({ page }) => {
  const list = { type: "list", data: { style: "unordered", meta: {}, items: [{ content: "Item", meta: {}, items: [] }] } };
  const table = { type: "table", data: { withHeadings: false, content: [["a", "b"]] } };
  const id = await writingIn(page, [paragraph("Before."), { type: "header", data: { text: "Head", level: 2 } }, list, table]);
  for (const part of [".ce-header", ".cdx-list__item-content", ".tc-cell"]) {
    await page.locator(part).first().click();
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("line");
  }
  const [, header, items, cells] = (await storedBlocks(page, id)) as { data: { text?: string; items?: object[]; content?: string[][] } }[];
  expect(header!.data.text).toBe("Head<br>line");
  expect(items!.data.items).toMatchObject([{ content: "Item<br>line" }]);
  expect(cells!.data.content).toEqual([["a<br>line", "b"]]);
});

test("a block's menu and its submenus fit the window, wherever the block is", async ({ page }) => {
  const heading = (text: string) => ({ type: "header", data: { text, level: 2 } });
  await writingIn(
    page,
    Array.from({ length: 12 }, (_, index) => heading(`Heading ${index + 1}`)),
  );
  const toolbar = (await page.getByRole("toolbar", { name: "Quick actions" }).boundingBox())!;
  const isInside = (menu: Locator) =>
    expect(async () => {
      const { x, y, width, height } = (await menu.boundingBox())!;
      expect([y >= toolbar.y + toolbar.height, y + height <= 800, x >= 0, x + width <= 1280]).toEqual([true, true, true, true]);
    }).toPass({ timeout: 10_000 });
  for (const place of [0, 2, 4]) {
    await blocks(page).nth(place).hover();
    await handle(page).click();
    await isInside(page.locator(".ce-popover--opened > .ce-popover__container").first());
    await isInside(page.getByRole("button", { name: "Delete", exact: true }));
    await page.getByRole("button", { name: "Turn into" }).hover();
    await isInside(page.locator(".ce-popover--nested > .ce-popover__container"));
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect(page.locator(".ce-popover--opened")).toHaveCount(0);
  }
});

test("nested lists are indented as on the public page, and a code block's language is inside it", async ({ page }) => {
  const item = (content: string, below: object[] = []) => ({ content, meta: {}, items: below });
  const nested = [item("One", [item("Two", [item("Three")])])];
  await writingIn(page, [
    { type: "list", data: { style: "unordered", meta: {}, items: nested } },
    { type: "list", data: { style: "ordered", meta: {}, items: nested } },
    { type: "code", data: { code: "npm ci", language: "bash" } },
  ]);
  const items = page.getByRole("textbox", { name: "List item" });
  await expect(items).toHaveCount(6);
  const lefts = await items.evaluateAll((items) =>
    items.map((one) => one.getBoundingClientRect().left + parseFloat(getComputedStyle(one).paddingLeft)),
  );
  expect(lefts.map((left) => left - lefts[0]!)).toEqual([0, 24, 48, 0, 24, 48]);
  const code = (await page.getByRole("textbox", { name: "Code" }).boundingBox())!;
  const language = (await page.getByRole("combobox", { name: "Language" }).boundingBox())!;
  expect(language.y).toBeGreaterThan(code.y);
  expect(language.y + language.height).toBeLessThan(code.y + code.height);
});

test("words typed after a click below the text or after a selected block stay in the post", async ({ page, problems: _ }) => {
  await page.context().addCookies([{ name: "tc-consent", value: "deny", url: workerStack().publicUrl }]); // the consent dialog covers the page's bottom
  const id = await writingIn(page, [paragraph("Before.")]);
  const address = page.url();
  const types = async () => (await storedBlocks(page, id)).map(({ type, data }) => data.text ?? type);
  const clickBelow = async () => {
    await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
    const { y, height } = (await blocks(page).last().boundingBox())!;
    const article = (await page.locator("article").boundingBox())!;
    const below = y + height + 125;
    expect(below).toBeLessThan(780);
    await page.mouse.click(article.x + article.width / 2, below);
  };

  await clickBelow();
  await page.keyboard.type("catch up");
  await page.getByRole("toolbar", { name: "Quick actions" }).getByText("Saved").click();
  await page.keyboard.type("cgjk?");
  await expect(page).toHaveURL(address);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await types()).toEqual(["Before.", "catch up"]);

  await clickBelow();
  for (const block of ["Divider", "Image"]) {
    await page.keyboard.type("/");
    await page.getByRole("option", { name: block }).click();
    await page.keyboard.type(`below ${block}`);
    await page.keyboard.press("Enter");
  }
  await page.keyboard.type("/");
  await page.getByRole("option", { name: "Video" }).click();
  await page.keyboard.type("https://vimeo.com/76979871");
  await page.keyboard.press("Enter");
  await page.keyboard.type("below Video");
  expect(await types()).toEqual(["Before.", "catch up", "delimiter", "below Divider", "below Image", "embed", "below Video"]);
  expect(JSON.stringify(await storedBlocks(page, id))).toContain("76979871");

  await page.keyboard.press("Enter");
  await page.keyboard.type("/");
  await page.getByRole("option", { name: "Table" }).click();
  await page.keyboard.type("a cell");
  await clickBelow();
  await page.keyboard.type("below Table");
  expect((await types()).slice(-2)).toEqual(["table", "below Table"]);
  await expect(page.locator(".tc-cell").first()).toHaveText("a cell");
  await expect(page).toHaveURL(address);
});
