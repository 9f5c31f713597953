import type { Browser, Page as BrowserPage } from "playwright/test";
import { enter, invite, newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { newPost, openPost, readPost } from "./support/writing.ts";

const lines = ["First words.", "Second words.", "Third words.", "Fourth words."];
const blocks = lines.map((text, line) => ({ id: `line-${line}`, type: "paragraph", data: { text } }));
const block = (page: Page, line: number) => page.locator(`.ce-block[data-id="line-${line}"]`);
const text = (page: Page, line: number) => block(page, line).locator("[contenteditable=true]");
const question = (page: Page) => page.getByRole("group", { name: "Someone else is writing in this block" });
const names = /[\u2068\u2069]/g;
const peopleAt = async (page: Page, line: number) => ((await block(page, line).getAttribute("data-people")) ?? "").replaceAll(names, "");

async function whileTyping(page: Page, seenBy: Page, line: number, work: () => Promise<void>): Promise<void> {
  let isOver = false;
  await text(page, line).click();
  await page.keyboard.press("End");
  const typing = (async () => {
    while (!isOver) {
      await page.keyboard.type("a");
      await page.waitForTimeout(500);
    }
  })();
  try {
    await expect.poll(() => peopleAt(seenBy, line)).toBe("Ada Owner is writing");
    await work();
  } finally {
    isOver = true;
    await typing;
  }
}
const goTo = async (page: Page, line: number) => {
  await text(page, line).click();
  await page.keyboard.press("End");
};

async function writers(browser: Browser, url: string, people: readonly string[], fields: object = {}) {
  const context = () => browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } });
  const ada = await (await context()).newPage();
  const { workspaceId } = await newWorkspace(ada, "Ada Owner", `pb-${crypto.randomUUID().slice(0, 13)}`);
  const post = await newPost(ada, workspaceId, { title: "Where is who", blocks, status: "published", ...fields });
  const pages: BrowserPage[] = [ada];
  for (const name of people) {
    const page = await (await context()).newPage();
    await enter(page, name);
    const token = new URL(await invite(ada, workspaceId)).searchParams.get("token");
    await page.request.post("/api/team/join", { headers: { origin: url }, data: { token } });
    pages.push(page);
  }
  for (const page of pages) await page.addInitScript(keepSockets);
  for (const page of pages) await openPost(page, workspaceId, post.id);
  for (const page of pages) {
    await expect(page.getByRole("list", { name: "Also here" }).getByRole("listitem")).toHaveCount(people.length);
  }
  return { pages, workspaceId, post };
}

function keepSockets(): void {
  const sockets: WebSocket[] = [];
  window.WebSocket = class extends WebSocket {
    constructor(...options: ConstructorParameters<typeof WebSocket>) {
      super(...options);
      if (this.url.includes("/ws/presence/")) sockets.push(this);
    }
  };
  Object.assign(window, { sockets });
}

test("a bar and names mark a colleague's block for everyone else, and follow the caret", async ({ browser, stack }) => {
  const { pages } = await writers(browser, stack.publicUrl, ["Bob Editor", "Cleo Clerk"]);
  const [ada, bob, cleo] = pages as [Page, Page, Page];
  await text(bob, 1).click();
  await expect.poll(() => peopleAt(ada, 1)).toBe("Bob Editor");
  await expect.poll(() => peopleAt(cleo, 1)).toBe("Bob Editor");
  const drawn = await block(ada, 1)
    .locator(".ce-block__content")
    .evaluate((content) =>
      ["::before", "::after"].map((part) => getComputedStyle(content, part)).map((style) => [style.content, style.height]),
    );
  expect(drawn).toEqual([
    ['""', expect.stringMatching(/^30(\.\d+)?px$/)],
    [expect.stringContaining("Bob Editor"), "16px"],
  ]);
  expect(await peopleAt(bob, 1)).toBe("");
  await text(cleo, 1).click();
  await expect.poll(async () => (await peopleAt(ada, 1)).split(", ").sort()).toEqual(["Bob Editor", "Cleo Clerk"]);
  await cleo.keyboard.press("ArrowDown");
  await expect.poll(() => peopleAt(ada, 2)).toBe("Cleo Clerk");
  await expect.poll(() => peopleAt(ada, 1)).toBe("Bob Editor");

  await text(ada, 1).click();
  await expect(ada.getByText("Bob Editor is in this block")).toBeAttached();
  for (const page of [ada, bob]) await expectAccessible(page);
  await ada.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => ada.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(ada);

  await bob.getByRole("textbox", { name: "Title" }).click();
  await expect.poll(() => peopleAt(ada, 1)).toBe("");
  await cleo.close();
  await expect.poll(() => peopleAt(ada, 2)).toBe("");
});

test("a locked block asks before an edit, and nothing typed is lost", async ({ browser, stack }) => {
  const { pages, post } = await writers(browser, stack.publicUrl, ["Bob Editor"]);
  const [ada, bob] = pages as [Page, Page];
  const paragraphs = bob.locator(".ce-paragraph");

  await test.step("yes, by keyboard, inserts the waiting text at the caret", () =>
    whileTyping(ada, bob, 1, async () => {
      await goTo(bob, 1);
      await bob.keyboard.type(" Bob writes");
      await expect(question(bob)).toContainText("Ada Owner is writing here. Write anyway?");
      await expect(question(bob)).toContainText("Bob writes");
      await expect(text(bob, 1)).toHaveText("Second words.");
      await expect(text(bob, 1)).toBeFocused(); // the typing colleague keeps the focus
      await expectAccessible(bob);
      await bob.keyboard.press("Tab");
      await expect(question(bob).getByRole("button", { name: "Write anyway" })).toBeFocused();
      await bob.keyboard.press("Enter");
      await expect(text(bob, 1)).toHaveText("Second words. Bob writes");
      await bob.keyboard.type(" on"); // the consent lasts until the block is left
      await expect(text(bob, 1)).toHaveText("Second words. Bob writes on");
      await expect(question(bob)).toHaveCount(0);
    }));

  await test.step("below inserts it as a paragraph of its own", () =>
    whileTyping(ada, bob, 0, async () => {
      await goTo(bob, 0);
      await bob.keyboard.type("Mine alone");
      await question(bob).getByRole("button", { name: "Add as a new paragraph" }).click();
      await expect(paragraphs).toHaveText(["First words.", "Mine alone", "Second words. Bob writes on", ...lines.slice(2)]);
      await bob.keyboard.type("!");
      await expect(paragraphs.nth(1)).toHaveText("Mine alone!");
    }));

  await test.step("not now offers it later", () =>
    whileTyping(ada, bob, 2, async () => {
      await goTo(bob, 2);
      await bob.keyboard.type("Perhaps");
      await bob.keyboard.press("Escape");
      await expect(question(bob)).toHaveCount(0);
      await expect(text(bob, 2)).toHaveText("Third words.");
      await bob.getByRole("button", { name: "Add as a new paragraph" }).click();
      await expect(paragraphs.filter({ hasText: "Perhaps" })).toBeVisible();
    }));

  await test.step("leaving the block offers it too; Backspace deletes it, and nothing is asked", () =>
    whileTyping(ada, bob, 3, async () => {
      await goTo(bob, 3);
      await bob.keyboard.type("ab");
      await bob.keyboard.press("Backspace");
      await expect(question(bob).locator("blockquote")).toHaveText("Waiting: a");
      await bob.keyboard.press("Backspace");
      await expect(question(bob)).toHaveCount(0);
      await bob.keyboard.type("Left alone");
      await text(bob, 1).click();
      await expect(question(bob)).toHaveCount(0);
      await expect(bob.getByText("“Left alone”")).toBeVisible();
      await expect(text(bob, 3)).toHaveText("Fourth words.");
    }));

  await test.step("when the lock ends the text is inserted automatically, Enter included", async () => {
    await whileTyping(ada, bob, 3, async () => {
      await goTo(bob, 3);
      await bob.keyboard.type(" Then");
      await bob.keyboard.press("Enter");
      await bob.keyboard.type("a new line");
      await expect(question(bob)).toContainText("a new line");
    });
    await expect(text(bob, 3)).toHaveText("Fourth words. Then");
    await expect(paragraphs.last()).toHaveText("a new line");
    await expect(question(bob)).toHaveCount(0);
  });

  await test.step("when the colleague leaves nothing is asked", async () => {
    await whileTyping(ada, bob, 2, async () => {});
    await ada.close();
    await expect.poll(() => peopleAt(bob, 2)).toBe("");
    await goTo(bob, 2);
    await bob.keyboard.type(" Alone");
    await expect(text(bob, 2)).toHaveText("Third words. Alone");
    await expect(question(bob)).toHaveCount(0);
  });
  expect((await readPost(bob, post.id)).version).toBe(post.version);
});

test("input method text waits for the lock like typed text", async ({ browser, stack }) => {
  const { pages } = await writers(browser, stack.publicUrl, ["Bob Editor"]);
  const [ada, bob] = pages as [Page, Page];
  await whileTyping(ada, bob, 1, async () => {
    await goTo(bob, 1);
    const method = await bob.context().newCDPSession(bob);
    await method.send("Input.imeSetComposition", { text: "か", selectionStart: 1, selectionEnd: 1 });
    await expect(question(bob)).toBeVisible();
    await method.send("Input.imeSetComposition", { text: "かん", selectionStart: 2, selectionEnd: 2 });
    await method.send("Input.insertText", { text: "漢" });
    await expect(question(bob)).toContainText("漢");
    await expect(text(bob, 1)).toHaveText("Second words.");
    await question(bob).getByRole("button", { name: "Write anyway" }).click();
    await expect(text(bob, 1)).toHaveText("Second words.漢");
  });
});
