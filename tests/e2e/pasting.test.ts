import { enter, found } from "./support/people.ts";
import { expect, type Page, test } from "./support/test.ts";
import { bodyOf, newPost, openPost, paragraph, readPost, savedWord } from "./support/writing.ts";

type Stored = { type: string; data: Record<string, unknown> };

const blocks = (page: Page) => page.locator(".ce-block");
const words = async (page: Page) => (await blocks(page).allInnerTexts()).map((text) => text.trim());

/** A person in a post of these blocks, with a clipboard; answers the post's id. */
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

/** Pastes where the caret is, in these forms. */
const paste = (page: Page, forms: Record<string, string>) =>
  page.evaluate((all) => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(all)) clipboardData.setData(type, text);
    document.activeElement!.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData }));
  }, forms);

const list = (...items: string[]) => ({
  type: "list",
  data: { style: "unordered", meta: {}, items: items.map((content) => ({ content, meta: {}, items: [] })) },
});

/** The whole text as blocks: Editor.js takes the block first. */
async function selectAll(page: Page): Promise<void> {
  await page.locator(".ce-paragraph").first().click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("ControlOrMeta+a");
  await expect(page.locator(".ce-block--selected")).toHaveCount(await blocks(page).count());
}

test("blocks that are cut come back as they were, with their links, lists, code and ticks", async ({ page }) => {
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

test("lists, lines, cells and marks of other editors are kept; undo takes the paste back in one step", async ({ page }) => {
  const id = await writingIn(page, [paragraph("Before.")]);
  await bodyOf(page).click();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await paste(page, {
    "text/html":
      '<b style="font-weight:normal" id="docs-internal-guid-1"><p><span style="font-weight:700">Bold</span> <em>soft</em><br>line <span style="text-decoration:line-through">gone</span></p>' +
      "<ul><li>one</li><ul><li>nested</li></ul><li>two</li></ul><blockquote>said</blockquote><table><tr><td>a<br>b</td><td>c</td></tr></table><p>after</p></b>",
    "text/plain": "x",
  });
  await page.keyboard.type("wards");
  expect((await stored(page, id)).slice(1)).toMatchObject([
    { data: { text: "<b>Bold</b> <i>soft</i><br>line <s>gone</s>" } },
    { type: "list", data: { items: [{ content: "one", items: [{ content: "nested" }] }, { content: "two" }] } },
    { type: "quote", data: { text: "said" } },
    { type: "table", data: { content: [["a<br>b", "c"]] } },
    { data: { text: "afterwards" } },
  ]);
  await page.keyboard.press("ControlOrMeta+z");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(blocks(page)).toHaveText(["Before."]);
});

test("a piece of a line is pasted at the caret; blocks come below, in the place of what is selected", async ({ page }) => {
  const id = await writingIn(page, [
    paragraph("Before after"),
    paragraph("Old text"),
    { type: "header", data: { text: "Head", level: 2 } },
  ]);
  await bodyOf(page).click();
  await page.keyboard.press("Home");
  for (let step = 0; step < 7; step++) await page.keyboard.press("ArrowRight");
  await paste(page, { "text/plain": "> 5 ms " });
  await paste(page, { "text/html": "and <strong>more</strong> ", "text/plain": "and more " });
  await page.locator(".ce-header").click();
  await page.keyboard.press("End");
  await paste(page, { "text/html": "<p>&nbsp;of it</p>", "text/plain": " of it" });
  await page.locator(".ce-paragraph").nth(1).click();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
  await paste(page, { "text/plain": "- one\n- two" });
  await expect(page.locator(".cdx-list__item")).toHaveText(["one", "two"]);
  await page.keyboard.type("!");
  const [first, second, third, ...rest] = await stored(page, id);
  expect(rest).toEqual([]);
  expect(String(first!.data["text"]).replaceAll("&nbsp;", " ")).toBe("Before &gt; 5 ms and <b>more</b> after");
  expect(second).toMatchObject({ type: "list", data: { items: [{ content: "one" }, { content: "two!" }] } });
  expect(third).toMatchObject({ type: "header" });
});

test("into a list come items, into a table cells, into a cell lines", async ({ page }) => {
  const id = await writingIn(page, [
    list("item", "last"),
    {
      type: "table",
      data: {
        withHeadings: false,
        content: [
          ["a", "b"],
          ["c", "d"],
        ],
      },
    },
    { type: "checklist", data: { items: [{ text: "todo", checked: true }] } },
  ]);
  await page.locator(".cdx-list__item-content").first().click();
  await page.keyboard.press("End");
  await paste(page, { "text/plain": "- l1\n- l2" });
  await expect(page.locator(".cdx-list-unordered .cdx-list__item")).toHaveText(["item", "l1", "l2", "last"]);
  await page.keyboard.type("!");
  await page.locator(".cdx-list-checklist .cdx-list__item-content").click();
  await page.keyboard.press("End");
  await paste(page, { "text/html": "<ul><li>next</li></ul>", "text/plain": "next" });
  await expect(page.locator(".cdx-list-checklist .cdx-list__item")).toHaveText(["todo", "next"]);
  await page.locator(".tc-cell").nth(2).click();
  await page.keyboard.press("End");
  await paste(page, { "text/plain": "one\ntwo" });
  await page.locator(".tc-cell").nth(1).click();
  await paste(page, { "text/plain": "x\ty", "text/html": "<table><tr><td>x</td><td>y</td></tr><tr><td>z</td><td>w</td></tr></table>" });
  await page.keyboard.type("!");
  expect(await stored(page, id)).toMatchObject([
    list("item", "l1", "l2!", "last"),
    {
      type: "table",
      data: {
        content: [
          ["a", "x", "y"],
          ["cone<br>two", "z", "w!"],
        ],
      },
    },
    {
      type: "list",
      data: {
        style: "checklist",
        items: [
          { content: "todo", meta: { checked: true } },
          { content: "next", meta: { checked: false } },
        ],
      },
    },
  ]);
});

test("an image that HTML carries is uploaded in its place; one of another site that can't be copied leaves a link, also when dropped", async ({
  page,
}) => {
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
  await expect(page.getByText("An image wasn't copied")).toBeVisible();
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
      // A busy browser leaves moves of the mouse out, and Editor.js hears of no block then.
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
  test(`blocks selected (${name}): keys take them away or take their place, and undo brings them back`, async ({ page }) => {
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
    if ((await words(page)).includes("x")) await undone(); // the letters came so slowly that each is a step of its own
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

test("the words of a menu are no keys for the block it belongs to", async ({ page }) => {
  await writingIn(page, ["One", "Two"].map(paragraph));
  await bodyOf(page).click();
  await blocks(page).nth(1).hover();
  await page.getByRole("button", { name: "Block settings" }).click();
  await expect(page.locator(".ce-popover--opened .ce-popover__container").first()).toBeVisible();
  await page.keyboard.press("x");
  await page.keyboard.press("Escape");
  expect((await words(page)).join()).toMatch(/^x?Onex?,Two$/);
});
