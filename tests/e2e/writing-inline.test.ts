import { fileURLToPath } from "node:url";
import { enter, found } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { bodyOf, newPost, openPost, paragraph, readPost, savedWord } from "./support/writing.ts";

type Stored = { type: string; data: Record<string, unknown> };

const blocks = (page: Page) => page.locator(".ce-block");
const chosen = (page: Page) => page.locator('[role=option][aria-selected="true"] .caret-menu-title');
const lastText = (page: Page) => page.locator(".ce-paragraph").last();
const keys = (page: Page, text: string) => page.keyboard.type(text, { delay: 5 });
const picture = fileURLToPath(new URL("support/picture.png", import.meta.url));

async function writingIn(page: Page, written: object[] = [paragraph("Before.")]): Promise<string> {
  await enter(page, "Kay Writer");
  const workspaceId = await found(page, "Inline");
  const { id } = await newPost(page, workspaceId, { blocks: written });
  await openPost(page, workspaceId, id);
  await bodyOf(page).click();
  await page.keyboard.press("End");
  return id;
}

async function stored(page: Page, id: string): Promise<Stored[]> {
  await page.keyboard.press("ControlOrMeta+s");
  await expect(savedWord(page)).toBeVisible();
  const { blocks: all } = JSON.parse((await readPost(page, id)).content_raw) as { blocks: Stored[] };
  return all.map(({ type, data }) => ({ type, data }));
}

const paste = (page: Page, text: string) =>
  page.evaluate((words) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", words);
    document.activeElement!.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData }));
  }, text);

test("the / menu inserts the first match by Enter, finds synonyms, opens at the caret and is accessible", async ({ page }) => {
  const id = await writingIn(page);
  await page.keyboard.press("Enter");
  await keys(page, "/");
  await expect(chosen(page)).toHaveText("Text");
  await expectAccessible(page);
  const caret = (await lastText(page).boundingBox())!;
  const standsAtCaret = async () => {
    const { y } = (await page.getByRole("listbox", { name: "Blocks" }).boundingBox())!;
    expect(Math.abs(y - (caret.y + caret.height))).toBeLessThan(12);
  };
  await standsAtCaret();
  await keys(page, "h3");
  await expect(chosen(page)).toHaveText("Heading 3");
  await standsAtCaret();
  await page.keyboard.press("Enter");
  await keys(page, "Deep");
  for (const [query, words] of [
    ["todo", "Do it"],
    ["numbered", "First"],
  ]) {
    await page.keyboard.press("Enter");
    if (query === "numbered") await page.keyboard.press("Enter");
    await keys(page, `/${query}`);
    await page.keyboard.press("Enter");
    await keys(page, words!);
  }
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await keys(page, "/hr");
  await page.keyboard.press("Enter");
  await keys(page, "and/or 1 / 2");
  await expect(page.getByRole("listbox")).toHaveCount(0);
  expect(await stored(page, id)).toMatchObject([
    { type: "paragraph" },
    { type: "header", data: { text: "Deep", level: 3 } },
    { type: "list", data: { style: "checklist", items: [{ content: "Do it" }] } },
    { type: "list", data: { style: "ordered", items: [{ content: "First" }] } },
    { type: "delimiter" },
    { type: "paragraph", data: { text: "and/or 1 / 2" } },
  ]);
});

test("one undo turns converted Markdown back into the typed characters, with the caret after them", async ({ page }) => {
  await writingIn(page, [paragraph("A  end")]);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await keys(page, "**bold**");
  await expect(bodyOf(page).locator("b")).toHaveText("bold");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(bodyOf(page).locator("b")).toHaveCount(0);
  await keys(page, "!");
  await expect(bodyOf(page)).toHaveText(/A \*\*bold\*\*! ?end/);
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await keys(page, "# ");
  await expect(page.locator("h2.ce-header")).toBeVisible();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(page.locator("h2.ce-header")).toHaveCount(0);
  await expect(lastText(page)).toHaveText(/^#\s?$/);
});

test("a pasted URL becomes a link, or links the selected words; the link box edits, opens and removes it", async ({ page }) => {
  const id = await writingIn(page, [paragraph("Word")]);
  await page.keyboard.press("Shift+Home");
  await paste(page, "https://x.example/one");
  await keys(page, " and ");
  await paste(page, "https://y.example/two");
  await expect(bodyOf(page).locator("a")).toHaveText(["Word", "https://y.example/two"]);

  const box = page.getByRole("dialog", { name: "Link" });
  await bodyOf(page).locator("a").first().click();
  await expect(box.getByLabel("Link URL")).toHaveValue("https://x.example/one");
  await expect(box.getByRole("link", { name: "Open" })).toHaveAttribute("href", "https://x.example/one");
  await expectAccessible(page);
  await keys(page, "javascript:alert(1)");
  await page.keyboard.press("Enter");
  await expect(box.getByRole("status")).toHaveText(/Enter a URL/);
  await box.getByLabel("Link URL").fill("example.org/three");
  await page.keyboard.press("Enter");
  await expect(box).toHaveCount(0);
  await expect(bodyOf(page).locator("a").first()).toHaveAttribute("href", "https://example.org/three");
  await bodyOf(page).locator("a").last().click();
  await box.getByRole("button", { name: "Remove" }).click();
  await expect(bodyOf(page).locator("a")).toHaveCount(1);

  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await keys(page, "more");
  await page.keyboard.press("Shift+Home");
  await page.keyboard.press("ControlOrMeta+k");
  await expect(box.getByRole("button")).toHaveText(["Save"]);
  await expect(box.getByRole("link")).toHaveCount(0);
  await box.getByLabel("Link URL").fill("mailto:us@x.example");
  await page.keyboard.press("Enter");
  await keys(page, " behind");
  const texts = (await stored(page, id)).map(({ data }) => String(data["text"]).replaceAll("&nbsp;", " "));
  expect(texts).toEqual([
    '<a href="https://example.org/three">Word</a> and https://y.example/two',
    '<a href="mailto:us@x.example">more</a> behind',
  ]);
});

test("a block is copied by key and menu, and moved and deleted by menu; undo restores it", async ({ page }) => {
  await writingIn(page, ["One", "Two"].map(paragraph));
  await page.keyboard.press("ControlOrMeta+d");
  await expect(blocks(page)).toHaveText(["One", "One", "Two"]);
  await page.keyboard.press("ControlOrMeta+z");
  await expect(blocks(page)).toHaveText(["One", "Two"]);
  const act = async (place: number, name: string) => {
    await blocks(page).nth(place).hover();
    await page.getByRole("button", { name: "Block settings" }).click();
    await page.locator(".ce-popover--opened").getByText(name, { exact: true }).click();
  };
  await act(1, "Duplicate");
  await expect(blocks(page)).toHaveText(["One", "Two", "Two"]);
  await act(0, "Move down");
  await expect(blocks(page)).toHaveText(["Two", "One", "Two"]);
  await act(0, "Delete");
  await expect(blocks(page)).toHaveText(["One", "Two"]);
});

test("an image gets alternative text and a width by keyboard, and the public page shows both", async ({ page }) => {
  const id = await writingIn(page);
  await page.keyboard.press("Enter");
  const chooser = page.waitForEvent("filechooser");
  await keys(page, "/photo");
  await page.keyboard.press("Enter");
  await (await chooser).setFiles(picture);
  const shown = page.locator(".image-tool__image-picture");
  await expect(shown).toBeVisible();
  await shown.hover();
  await page.getByRole("button", { name: "Block settings" }).click();
  await page.locator(".ce-popover--opened").getByText("Alternative text").click();
  await page.getByLabel("Alternative text").fill('A "graph" <up>');
  await expect(shown).toHaveAttribute("alt", 'A "graph" <up>');
  const width = page.getByRole("slider", { name: "Image width" });
  await width.focus();
  await page.keyboard.press("End");
  await expect(width).toHaveAttribute("aria-valuetext", "Full width");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(width).toHaveAttribute("aria-valuetext", "80%");
  await expectAccessible(page);
  const tool = (await page.locator(".image-tool").boundingBox())!;
  const handle = (await width.boundingBox())!;
  await page.mouse.move(handle.x + 4, handle.y + handle.height / 2);
  await page.mouse.down();
  await page.mouse.move(tool.x + tool.width * 0.96, handle.y + 4, { steps: 4 });
  await page.mouse.up();
  await expect(width).toHaveAttribute("aria-valuetext", "Full width");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(page.getByRole("slider")).toHaveAttribute("aria-valuetext", "80%");
  expect((await stored(page, id))[1]).toMatchObject({ type: "image", data: { alt: "A &quot;graph&quot; &lt;up&gt;", width: 80 } });
});

test("the inline toolbar fits the window, also for words at the text's right edge", async ({ page }) => {
  const width = 900;
  await page.setViewportSize({ width, height: 800 });
  await writingIn(page, [paragraph("word ".repeat(40))]);
  const body = bodyOf(page);
  const right = await body.evaluate((text) => {
    const range = document.createRange();
    const rightOf = (start: number) => {
      range.setStart(text.firstChild!, start);
      range.setEnd(text.firstChild!, start + 4);
      return range.getBoundingClientRect().right;
    };
    const starts = Array.from({ length: 39 }, (_, word) => word * 5);
    const last = starts.reduce((best, start) => (rightOf(start) > rightOf(best) ? start : best));
    rightOf(last);
    getSelection()!.removeAllRanges();
    getSelection()!.addRange(range);
    return range.getBoundingClientRect().right;
  });
  expect(right).toBeGreaterThan(width - 290); // the toolbar is that wide
  const link = page.getByRole("button", { name: "Link", exact: true });
  await expect(link).toBeVisible();
  await expect.poll(async () => (await link.boundingBox())!.x + (await link.boundingBox())!.width).toBeLessThan(width);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
});
