import type { Browser, Locator } from "playwright/test";
import { enter, found, invite } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { newPost, openPost, readPost, save, savedWord, titleOf } from "./support/writing.ts";

const line = (id: string, text: string) => ({ id, type: "paragraph", data: { text } });
const textIn = (page: Page, id: string) => page.locator(`.ce-block[data-id="${id}"] [contenteditable=true]`);
const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Post updated elsewhere" });

interface Stored {
  version: number;
  title: string;
  lines: string[];
}
async function stored(page: Page, id: string): Promise<Stored> {
  const { version, title, content_raw } = await readPost(page, id);
  const { blocks } = JSON.parse(content_raw) as { blocks: { data: { text: string } }[] };
  return { version, title, lines: blocks.map(({ data }) => data.text.replaceAll("&nbsp;", " ")) };
}

async function writeAtEnd(page: Page, id: string, text: string): Promise<void> {
  await textIn(page, id).click();
  await page.keyboard.press("End");
  await page.keyboard.type(text);
}

/** Waits until a colleague's lock on a block expires. */
async function resting(block: Locator): Promise<void> {
  const writing = expect(block).toHaveAttribute("data-people", /is writing/, { timeout: 6_000 });
  await writing.catch(() => {});
  await expect(block).not.toHaveAttribute("data-people", /is writing/);
}

async function team(browser: Browser, url: string, names: string[], fields: object, { deaf = false } = {}) {
  const pages: Page[] = [];
  let workspaceId = "";
  let token: string | null = null;
  for (const [index, name] of names.entries()) {
    const page = await (await browser.newContext({ baseURL: url })).newPage();
    await enter(page, name);
    if (index === 0) workspaceId = await found(page, "Team");
    else {
      token = new URL(await invite(pages[0]!, workspaceId)).searchParams.get("token");
      const joined = await page.request.post("/api/team/join", { headers: { origin: url }, data: { token } });
      expect(joined.status()).toBe(200);
    }
    if (deaf && index === names.length - 1) await page.routeWebSocket(/realtime/, () => {});
    pages.push(page);
  }
  const post = await newPost(pages[0]!, workspaceId, fields);
  for (const page of pages) await openPost(page, workspaceId, post.id);
  return { pages, post, workspaceId };
}

const threeLines = { blocks: [line("one", "One"), line("two", "Two"), line("three", "Three")] };

test("a colleague's save merges into an open post around the caret, and both are saved", async ({ browser, stack }) => {
  const { pages, post } = await team(browser, stack.publicUrl, ["Ada Owner", "Bob Editor"], { ...threeLines, status: "published" });
  const [ada, bob] = pages as [Page, Page];
  await writeAtEnd(bob, "two", " by Bob");
  await bob.keyboard.press("ArrowLeft");
  const second = ada.locator('.ce-block[data-id="two"]');
  await expect(second).toHaveAttribute("data-people", /Bob Editor/);
  await writeAtEnd(ada, "one", " by Ada");
  await resting(second);
  await writeAtEnd(ada, "two", "!");
  await textIn(ada, "two").click();
  await ada.keyboard.press("Home");
  await ada.keyboard.type("And ");
  await ada.keyboard.press("End");
  await ada.keyboard.press("Backspace");
  await titleOf(ada).fill("A title by Ada");
  await save(ada);
  await expect(textIn(bob, "one")).toHaveText("One by Ada");
  await expect(textIn(bob, "two")).toHaveText("And Two by Bob");
  await expect(titleOf(bob)).toHaveValue("A title by Ada");
  await bob.keyboard.type("x");
  await expect(textIn(bob, "two")).toHaveText("And Two by Boxb");
  await expect(bob.getByText("newer version")).toHaveCount(0);
  await expect(bob.getByText("Unsaved changes")).toBeVisible();
  await save(bob);
  await expect
    .poll(() => stored(ada, post.id))
    .toMatchObject({ title: "A title by Ada", lines: ["One by Ada", "And Two by Boxb", "Three"] });
  await expect(dialogOf(bob)).toHaveCount(0);
  await expect(textIn(ada, "two")).toHaveText("And Two by Boxb");
  await bob.keyboard.press("ControlOrMeta+z");
  await expect(textIn(bob, "two")).not.toContainText("Boxb");
  await expect(textIn(bob, "one")).toHaveText("One by Ada");
  await expect(textIn(bob, "two")).toContainText("And Two");
});

test("a stale save is merged, names the colleague, and links to the differences", { tag: "@journey" }, async ({ browser, stack }) => {
  const { pages, post } = await team(
    browser,
    stack.publicUrl,
    ["Ada Owner", "Bob Editor"],
    { ...threeLines, status: "published" },
    { deaf: true },
  );
  const [ada, bob] = pages as [Page, Page];
  await writeAtEnd(ada, "one", " by Ada");
  await ada.keyboard.press("Enter");
  await ada.keyboard.type("One and a half");
  await save(ada);
  await expect.poll(async () => (await stored(ada, post.id)).version).toBe(2);
  await writeAtEnd(bob, "three", " by Bob");
  await save(bob);
  await bob.getByText("Merged with Ada Owner's changes").hover();
  await expect(textIn(bob, "one")).toHaveText("One by Ada");
  await expect(savedWord(bob)).toBeVisible();
  expect(await stored(ada, post.id)).toMatchObject({ version: 3, lines: ["One by Ada", "One and a half", "Two", "Three by Bob"] });
  await expectAccessible(bob);
  await bob.getByRole("button", { name: "Compare" }).click();
  const history = bob.getByRole("dialog", { name: "History" });
  await expect(history.getByRole("button", { name: "Restore version 1" })).toBeVisible();
  await expect(history.getByRole("list", { name: "Differences" })).toContainText("by Ada");
});
