import type { Browser, Locator } from "playwright/test";
import { enter, found, invite } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { newPost, openPost, readPost, saveButton, savedWord, titleOf } from "./support/writing.ts";

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

/** What a block of the editor says, at its end. */
async function writeAtEnd(page: Page, id: string, text: string): Promise<void> {
  await textIn(page, id).click();
  await page.keyboard.press("End");
  await page.keyboard.type(text);
}

/** Waits for the end of what a colleague types in a block: until then, whoever writes there is asked first. */
async function resting(block: Locator): Promise<void> {
  const writing = expect(block).toHaveAttribute("data-people", /is writing/, { timeout: 6_000 });
  await writing.catch(() => {}); // it was over before anybody looked
  await expect(block).not.toHaveAttribute("data-people", /is writing/);
}

/** People with one post open, each in a browser of their own. `deaf`: nothing is announced to the last of them. */
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

test("a colleague's save goes into an open post around what is being written there; the caret stays, and both are saved", async ({
  browser,
  stack,
}) => {
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
  await saveButton(ada).click();
  await expect(textIn(bob, "one")).toHaveText("One by Ada");
  await expect(textIn(bob, "two")).toHaveText("And Two by Bob"); // both in one block: word by word
  await expect(titleOf(bob)).toHaveValue("A title by Ada");
  await bob.keyboard.type("x"); // one letter before the end of his words, which stand elsewhere by now
  await expect(textIn(bob, "two")).toHaveText("And Two by Boxb");
  await expect(bob.getByText("newer version")).toHaveCount(0);
  await expect(bob.getByText("Unsaved changes")).toBeVisible();
  await saveButton(bob).click();
  await expect
    .poll(() => stored(ada, post.id))
    .toMatchObject({ title: "A title by Ada", lines: ["One by Ada", "And Two by Boxb", "Three"] });
  await expect(dialogOf(bob)).toHaveCount(0);
  await expect(textIn(ada, "two")).toHaveText("And Two by Boxb");
  await bob.keyboard.press("ControlOrMeta+z"); // takes back his own words, not hers
  await expect(textIn(bob, "two")).not.toContainText("Boxb");
  await expect(textIn(bob, "one")).toHaveText("One by Ada");
  await expect(textIn(bob, "two")).toContainText("And Two");
});

test("a stale save is merged, says with whom, and leads to what is another", { tag: "@journey" }, async ({ browser, stack }) => {
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
  await saveButton(ada).click();
  await expect.poll(async () => (await stored(ada, post.id)).version).toBe(2);
  await writeAtEnd(bob, "three", " by Bob");
  await saveButton(bob).click();
  await bob.getByText("Merged with Ada Owner's changes").hover(); // keeps it
  await expect(textIn(bob, "one")).toHaveText("One by Ada");
  await expect(savedWord(bob)).toBeVisible();
  expect(await stored(ada, post.id)).toMatchObject({ version: 3, lines: ["One by Ada", "One and a half", "Two", "Three by Bob"] });
  await expectAccessible(bob);
  await bob.getByRole("button", { name: "Compare" }).click();
  const history = bob.getByRole("dialog", { name: "History" });
  await expect(history.getByRole("button", { name: "Restore version 1" })).toBeVisible(); // the one that he had written on
  await expect(history.getByRole("list", { name: "What differs" })).toContainText("by Ada");
});

test("what really collides is decided block by block, with the keyboard alone", async ({ browser, stack }, { outputDir }) => {
  const { pages, post } = await team(browser, stack.publicUrl, ["Ada Owner", "Bob Editor"], {
    blocks: ["mine", "theirs", "both", "quiet"].map((id) => line(id, `The ${id} line`)),
    status: "published",
  });
  const [ada, bob] = pages as [Page, Page];
  const rewrite = async (page: Page, id: string, text: string) => {
    await textIn(page, id).click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(text);
  };
  for (const id of ["mine", "theirs", "both"]) await rewrite(bob, id, `Bob on ${id}`);
  for (const id of ["mine", "theirs", "both", "quiet"]) await rewrite(ada, id, `Ada on ${id}`);
  await saveButton(ada).click();
  await expect(textIn(bob, "quiet")).toHaveText("Ada on quiet"); // what he did not touch is here
  await expect(textIn(bob, "both")).toHaveText("Bob on both");
  await expect(bob.locator(".ce-block[data-changed-too]")).toHaveCount(3);
  await expect(bob.getByText("Ada Owner saved a newer version just now. When you save, both are shown and you choose.")).toBeVisible();
  await expectAccessible(bob);
  await bob.screenshot({ path: `${outputDir}/marked-1280.png` });

  await bob.keyboard.press("ControlOrMeta+s");
  const dialog = dialogOf(bob);
  await expect(dialog).toBeVisible();
  await expect(dialog).toContainText("3 to decide");
  await expectAccessible(bob);
  for (const [width, height, scheme] of [
    [1280, 800, "light"],
    [1280, 800, "dark"],
    [390, 844, "light"],
    [390, 844, "dark"],
  ] as const) {
    await bob.setViewportSize({ width, height });
    await bob.emulateMedia({ colorScheme: scheme });
    await bob.screenshot({ path: `${outputDir}/collision-${width}-${scheme}.png` });
  }
  await bob.setViewportSize({ width: 1280, height: 800 });
  await bob.emulateMedia({ colorScheme: "light" });

  const press = async (name: string, keys: string[] = []) => {
    const button = dialog.getByRole("button", { name });
    for (let steps = 0; steps < 40 && !(await button.evaluate((element) => element === document.activeElement)); steps++)
      await bob.keyboard.press("Tab");
    await expect(button).toBeFocused();
    for (const key of ["Enter", ...keys]) await bob.keyboard.press(key);
  };
  await press("Save merged");
  await expect(dialog.getByRole("alert")).toContainText("3 places are left");
  for (const keys of [["Space"], ["ArrowRight"], ["ArrowLeft"]]) {
    for (const key of keys) await bob.keyboard.press(key);
    await bob.keyboard.press("Tab");
  }
  const checked = dialog.getByRole("radio", { checked: true });
  await expect(checked).toHaveCount(3);
  expect(await checked.evaluateAll((radios) => radios.map((radio) => (radio as HTMLInputElement).value))).toEqual([
    "mine",
    "theirs",
    "both",
  ]);
  await expect(dialog).toContainText("nothing to decide");
  await bob.screenshot({ path: `${outputDir}/decided-1280.png` });
  await press("Save merged");
  await expect(dialog).toHaveCount(0);
  await expect
    .poll(async () => (await stored(ada, post.id)).lines)
    .toEqual(["Bob on mine", "Ada on theirs", "Ada on both", "Bob on both", "Ada on quiet"]);
  await expect(textIn(ada, "mine")).toHaveText("Bob on mine");
  await expect(bob.locator(".ce-block[data-changed-too]")).toHaveCount(0);
});

test("three people write one draft at once, which saves itself: every word is there, on each screen", async ({ browser, stack }) => {
  test.slow(); // three editors
  const names = ["Ada Owner", "Bob Editor", "Cyd Editor"];
  const { pages, post } = await team(browser, stack.publicUrl, names, threeLines);
  const ids = ["one", "two", "three"] as const;
  await Promise.all(pages.map((page, index) => writeAtEnd(page, ids[index]!, ` by ${names[index]}, who goes on and on`)));
  await Promise.all(pages.map((page) => saveButton(page).click()));
  const all = ["One by Ada Owner", "Two by Bob Editor", "Three by Cyd Editor"].map((start) => `${start}, who goes on and on`);
  await expect.poll(async () => (await stored(pages[0]!, post.id)).lines).toEqual(all);
  for (const page of pages) {
    for (const [index, id] of ids.entries()) await expect(textIn(page, id)).toHaveText(all[index]!);
    await expect(savedWord(page)).toBeVisible();
    await expect(dialogOf(page)).toHaveCount(0);
  }
});
