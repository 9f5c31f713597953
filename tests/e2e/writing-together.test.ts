import type { Browser } from "playwright/test";
import { enter, newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";

const body = (page: Page) => page.locator(".codex-editor [contenteditable=true]").first();
const titleOf = (page: Page) => page.getByRole("textbox", { name: "Title" });
const save = (page: Page) => page.keyboard.press("Control+s");

interface Post {
  id: string;
  title: string;
  version: number;
  content_raw: string;
}

const readPost = async (page: Page, id: string): Promise<Post> =>
  ((await (await page.request.get(`/api/posts/${id}`)).json()) as { post: Post }).post;

async function twoWriters(browser: Browser, url: string) {
  const owner = await (await browser.newContext({ baseURL: url })).newPage();
  const { workspaceId } = await newWorkspace(owner, "Ada Owner", `duo-${Date.now().toString(36)}`);
  const headers = { origin: url };
  const created = await owner.request.post("/api/posts", {
    headers,
    data: {
      title: "Written by two",
      blocks: [{ type: "paragraph", data: { text: "First words." } }],
      workspace_id: workspaceId,
      status: "published",
    },
  });
  const { post } = (await created.json()) as { post: Post };
  const invited = await owner.request.post(`/api/team/${workspaceId}/invite`, { headers, data: { role: "editor", workspaceId } });
  const link = new URL(((await invited.json()) as { invite: { url: string } }).invite.url);

  const editor = await (await browser.newContext({ baseURL: url })).newPage();
  await enter(editor, "Bob Editor");
  await editor.request.post("/api/team/join", { headers, data: { token: link.searchParams.get("token") } });
  for (const page of [owner, editor]) {
    await page.goto(`/workspace/${workspaceId}/changelog/edit/${post.id}`);
    await expect(titleOf(page)).toHaveValue("Written by two");
    await expect(body(page)).toHaveText("First words.");
  }
  return { owner, editor, post, workspaceId };
}

test("two people see each other, and who is typing", async ({ browser, stack }) => {
  const { owner, editor } = await twoWriters(browser, stack.publicUrl);
  await expect(owner.getByRole("list", { name: "Also here" })).toContainText("Bob Editor");
  await expect(editor.getByRole("list", { name: "Also here" })).toContainText("Ada Owner");
  await body(editor).click();
  await expect(owner.getByText("Bob Editor is editing").first()).toBeAttached();
  await expectAccessible(owner);
  await editor.close();
  await expect(owner.getByRole("list", { name: "Also here" })).not.toContainText("Bob Editor");
});

test("a colleague's edits appear in an open, unedited post and keep caret and scroll position", async ({ browser, stack }) => {
  const { owner, editor, post } = await twoWriters(browser, stack.publicUrl);
  const lines = Array.from({ length: 40 }, (_, line) => ({ id: `line-${line}`, type: "paragraph", data: { text: `Line ${line}` } }));
  const write = async (blocks: object[], version: number) => {
    const data = { title: "Written by two", content_raw: JSON.stringify({ blocks }), version };
    const answer = await owner.request.put(`/api/posts/${post.id}`, { headers: { origin: stack.publicUrl }, data });
    expect(answer.status()).toBe(200);
  };
  await write(lines, 1);
  const line = (page: Page, words: string) => page.locator(".ce-paragraph").filter({ hasText: words });
  await expect(line(editor, "Line 39")).toBeAttached();

  await line(editor, "Line 30").click();
  await editor.keyboard.press("End");
  await editor.keyboard.press("ArrowLeft");
  const place = async () => Math.round((await line(editor, "Line 30").boundingBox())!.y);
  const before = await place();
  const above = Array.from({ length: 5 }, (_, n) => ({ type: "paragraph", data: { text: `From above ${n}` } }));
  await write([...above, ...lines.with(30, { ...lines[30]!, data: { text: "Line 30, and more" } })], 2);
  await expect(line(editor, "From above 4")).toBeAttached();
  expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(2);
  await expect(editor.getByText("newer version")).toHaveCount(0);
  await editor.keyboard.type("x");
  await expect(line(editor, "Line 3x0, and more")).toBeVisible();
  await save(editor);
  await expect.poll(async () => (await readPost(owner, post.id)).version).toBe(4);
  await expect(editor.getByRole("dialog")).toHaveCount(0);
});
