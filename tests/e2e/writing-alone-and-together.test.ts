import type { Browser } from "playwright/test";
import { enter, found, invite } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { typeAWhile } from "./support/typing.ts";
import { bodyOf, editorPath, newPost, openPost, readPost, savedWord, storedText, titleOf } from "./support/writing.ts";

const jsonFrom = (origin: string) => ({ origin, "content-type": "application/json" });

async function person(browser: Browser, url: string, name: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: url, permissions: ["clipboard-read", "clipboard-write"] })).newPage();
  await enter(page, name);
  return page;
}

async function pair(browser: Browser, url: string) {
  const owner = await person(browser, url, "Ada Owner");
  const workspaceId = await found(owner, "Pair");
  const editor = await person(browser, url, "Bob Editor");
  const token = new URL(await invite(owner, workspaceId)).searchParams.get("token");
  const joined = await editor.request.post("/api/team/join", { headers: { origin: url }, data: { token } });
  expect(joined.status()).toBe(200);
  return { owner, editor, workspaceId };
}

test("a removed member is signed out of the workspace while typing and keeps the text", async ({ browser, stack }) => {
  const url = stack.publicUrl;
  const { owner, editor, workspaceId } = await pair(browser, url);
  const { id } = await newPost(owner, workspaceId, { status: "published" });
  await openPost(owner, workspaceId, id);
  await openPost(editor, workspaceId, id);
  await expect(owner.getByRole("list", { name: "Also here" })).toContainText("Bob Editor");
  const { text } = await typeAWhile(editor, 25);

  const { members } = (await (await owner.request.get(`/api/team/${workspaceId}/team`)).json()) as {
    members: { user_id: string; full_name: string }[];
  };
  const bob = members.find(({ full_name }) => full_name === "Bob Editor")!;
  const removed = await owner.request.delete(`/api/team/${workspaceId}/members/${bob.user_id}`, { headers: jsonFrom(url) });
  expect(removed.status()).toBe(200);

  await expect(editor.getByRole("heading", { name: "No workspace found" })).toBeVisible();
  await expect(editor.getByText("You have unsaved changes on this device.")).toBeVisible();
  await expectAccessible(editor);
  await editor.getByRole("button", { name: "Copy A post as Markdown" }).click();
  const copied = async () => (await editor.evaluate(() => navigator.clipboard.readText())).replaceAll("\u00a0", " ");
  await expect.poll(copied).toContain(text.trim());
  expect(await storedText(owner, id)).toBe("First words.");
  await expect(owner.getByRole("list", { name: "Also here" })).not.toContainText("Bob Editor");
});

test("a post is created and published with the keyboard alone", async ({ page }) => {
  await enter(page, "Kay Board");
  const workspaceId = await found(page, "Keys");
  const { id } = await newPost(page, workspaceId, { title: "Another post" });
  await newPost(page, workspaceId, { title: "Written by keys" });
  await page.goto(editorPath(workspaceId, id));
  await expect(bodyOf(page)).toBeVisible();
  const tabTo = async (name: RegExp, role: string) => {
    const passed: string[] = [];
    for (let steps = 0; steps < 80; steps++) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate(() => {
        const element = document.activeElement;
        const label = element?.getAttribute("aria-label") ?? element?.textContent ?? "";
        return `${element?.getAttribute("role") ?? element?.tagName.toLowerCase()} ${label.trim()}`;
      });
      if (focused.startsWith(role) && name.test(focused)) return;
      passed.push(focused);
    }
    throw new Error(`no way to ${role} ${name} by Tab, only to: ${passed.join(", ")}`);
  };
  await expect(page.getByRole("list", { name: "Posts" }).getByRole("link", { name: /Written by keys/ })).toBeVisible();
  await page.getByRole("searchbox", { name: "Search posts" }).focus();
  await tabTo(/Written by keys/, "a");
  await page.keyboard.press("Enter");
  await expect(titleOf(page)).toHaveValue("Written by keys");
  await tabTo(/Title/, "textarea");
  await page.keyboard.press("End");
  await page.keyboard.type(" alone");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("## A heading");
  await page.keyboard.press("Enter");
  await page.keyboard.type("- An item");
  await page.keyboard.press("ControlOrMeta+s");
  await expect(savedWord(page)).toBeVisible();
  await page.keyboard.press("ControlOrMeta+Enter");
  const dialog = page.getByRole("dialog", { name: "Publish this post?" });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await expect(dialog.getByRole("button", { name: "Publish" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("This changelog post is live")).toBeVisible();
  const { title, status, content_raw } = await readPost(page, page.url().split("/").at(-1)!);
  expect([title, status]).toEqual(["Written by keys alone", "published"]);
  expect(content_raw).toContain('"type":"header"');
  expect(content_raw).toContain("An item");
});
