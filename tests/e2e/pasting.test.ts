import { enter, found } from "./support/people.ts";
import { expect, type Page, test } from "./support/test.ts";
import { bodyOf, newPost, openPost, paragraph, readPost, savedWord } from "./support/writing.ts";

type Stored = { type: string; data: Record<string, unknown> };

const blocks = (page: Page) => page.locator(".ce-block");
const words = async (page: Page) => (await blocks(page).allInnerTexts()).map((text) => text.trim());

async function writingIn(page: Page, written: object[]): Promise<string> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await enter(page, "Kay Writer");
  const workspaceId = await found(page, "Pasting");
  const { id } = await newPost(page, workspaceId, { blocks: written });
  await openPost(page, workspaceId, id);
  return id;
}

async function stored(page: Page, id: string): Promise<Stored[]> {
  await page.keyboard.press("ControlOrMeta+s");
  await expect(savedWord(page)).toBeVisible();
  const { blocks: all } = JSON.parse((await readPost(page, id)).content_raw) as { blocks: Stored[] };
  return all.map(({ type, data }) => ({ type, data }));
}

const paste = (page: Page, forms: Record<string, string>) =>
  page.evaluate((all) => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(all)) clipboardData.setData(type, text);
    document.activeElement!.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData }));
  }, forms);

async function selectAll(page: Page): Promise<void> {
  await page.locator(".ce-paragraph").first().click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("ControlOrMeta+a");
  await expect(page.locator(".ce-block--selected")).toHaveCount(await blocks(page).count());
}

test("cut blocks can be pasted back with their links, lists, code and ticks", async ({ page }) => {
  const id = await writingIn(page, [
    { type: "header", data: { text: "Head", level: 3 } },
    paragraph('Para <a href="https://x.example/">link</a> <b>bold</b> <s>gone</s>'),
    {
      type: "list",
      data: { style: "ordered", meta: {}, items: [{ content: "one", meta: {}, items: [{ content: "sub", meta: {}, items: [] }] }] },
    },
    { type: "checklist", data: { items: [{ text: "done", checked: true }] } },
    { type: "quote", data: { text: "Q<br>R", caption: "C", alignment: "left" } },
    { type: "code", data: { code: "a\n  b" } },
    {
      type: "table",
      data: {
        withHeadings: true,
        content: [
          ["h1", "h2"],
          ["a<br>b", "c"],
        ],
      },
    },
    paragraph("End"),
  ]);
  const before = await stored(page, id);
  await selectAll(page);
  await page.keyboard.press("ControlOrMeta+x");
  await expect(page.locator(".ce-header")).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+v");
  await expect(page.locator(".ce-header")).toHaveCount(1);
  expect(await stored(page, id)).toEqual(before);
});

test("a pasted or dropped image of HTML is uploaded in place; one that can't be fetched leaves a link", async ({ page }) => {
  const id = await writingIn(page, [paragraph("Before.")]);
  const asked: string[] = [];
  page.on("request", (request) => void asked.push(request.url()));
  await bodyOf(page).click();
  await page.keyboard.press("End");
  const picture = await page.evaluate(() =>
    Object.assign(document.createElement("canvas"), { width: 8, height: 8 }).toDataURL("image/png"),
  );
  await paste(page, { "text/html": `<p>one</p><img src="${picture}"><p>two</p>`, "text/plain": "x" });
  await expect(page.locator(".image-tool__image-picture")).toBeVisible();
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData("text/html", '<p>three</p><p><img src="https://other.example/a.png" alt="A"></p>');
    const last = [...document.querySelectorAll(".ce-paragraph")].at(-1)!;
    const { left, top } = last.getBoundingClientRect();
    last.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, clientX: left + 2, clientY: top + 8, dataTransfer }));
  });
  await expect(page.getByText("Couldn't copy an image")).toBeVisible();
  await expect(blocks(page)).toHaveCount(7); // the last one is the empty paragraph with the caret
  const all = await stored(page, id);
  expect(all.map(({ data }) => data["text"] ?? "picture")).toEqual([
    "Before.",
    "one",
    "picture",
    "two",
    "three",
    '<a href="https://other.example/a.png">A</a>',
  ]);
  expect((all[2]!.data["file"] as { url: string }).url).toContain("/storage/v1/object/public/");
  expect(asked.filter((url) => url.includes("other.example"))).toEqual([]);
});

const ways: [name: string, select: (page: Page) => Promise<void>, left: string[]][] = [
  ["all of it", selectAll, []],
  [
    "two by dragging",
    async (page) => {
      // Retry: a busy browser drops mouse moves, and Editor.js then misses the hover.
      await expect(async () => {
        const from = (await blocks(page).nth(1).boundingBox())!;
        const to = (await blocks(page).nth(2).boundingBox())!;
        await page.mouse.move(from.x + from.width / 2 - 200, from.y + from.height / 2);
        await page.mouse.down();
        await page.mouse.move(to.x + to.width / 2 - 220, to.y + to.height / 2, { steps: 8 });
        await page.mouse.up();
        await expect(page.locator(".ce-block--selected")).toHaveCount(2, { timeout: 1_000 });
      }).toPass();
    },
    ["Alpha one"],
  ],
  [
    "two with Shift and an arrow",
    async (page) => {
      await page.locator(".ce-paragraph").nth(1).click();
      await page.keyboard.press("End");
      await page.keyboard.press("Shift+ArrowDown");
      await page.keyboard.press("Shift+ArrowDown");
      await expect(page.locator(".ce-block--selected")).toHaveCount(2);
    },
    ["Alpha one"],
  ],
];

for (const [name, select, left] of ways) {
  test(`keys delete or replace selected blocks (${name}), and undo restores them`, async ({ page }) => {
    const all = ["Alpha one", "Beta two", "Gamma three"];
    await writingIn(page, all.map(paragraph));
    const undone = async () => {
      await page.keyboard.press("ControlOrMeta+z");
      await expect.poll(() => words(page)).toEqual(all);
    };
    for (const key of ["Backspace", "Delete"]) {
      await select(page);
      await page.keyboard.press(key);
      await expect.poll(() => words(page)).toEqual(left.length > 0 ? left : [""]);
      await undone();
    }
    await select(page);
    await page.keyboard.type("xy");
    await expect.poll(() => words(page)).toEqual([...left, "xy"]);
    await page.keyboard.press("ControlOrMeta+z");
    await expect.poll(() => words(page)).not.toEqual([...left, "xy"]);
    if ((await words(page)).includes("x")) await undone();
    else await expect.poll(() => words(page)).toEqual(all);
    await select(page);
    await page.keyboard.press("Enter");
    await expect.poll(() => words(page)).toEqual([...left, ""]);
    await undone();
    await select(page);
    await paste(page, { "text/html": "<p>in</p><p>stead</p>", "text/plain": "x" });
    await expect.poll(() => words(page)).toEqual([...left, "in", "stead"]);
    await undone();
  });
}
