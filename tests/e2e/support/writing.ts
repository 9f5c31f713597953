import { expect, type Page, workerStack } from "./test.ts";

export interface WrittenPost {
  id: string;
  slug: string;
  title: string;
  status: string;
  version: number;
  content_raw: string;
}

export const titleOf = (page: Page) => page.getByRole("textbox", { name: "Title" });
export const bodyOf = (page: Page) => page.locator(".codex-editor [contenteditable=true]").first();
export const save = (page: Page) => page.keyboard.press("Control+s");
/** The toolbar's status once saved; a toast of an earlier save has the same text. */
export const savedWord = (page: Page) => page.locator("p[role=status]").filter({ hasText: /^Saved( ·|$)/ });
/** Leaves the changelog closed. */
export async function publishClosed(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Publish this post?" });
  await dialog.getByRole("checkbox", { name: "Make my changelog public" }).uncheck();
  await dialog.getByRole("button", { name: "Publish" }).click();
}
export const publishedBanner = (page: Page) => page.getByText("This post is published");
export const editorPath = (workspaceId: string, postId: string) => `/workspace/${workspaceId}/changelog/edit/${postId}`;
export const paragraph = (text: string) => ({ type: "paragraph", data: { text } });

export async function newPost(page: Page, workspaceId: string, fields: object = {}): Promise<WrittenPost> {
  const data = { title: "A post", blocks: [paragraph("First words.")], workspace_id: workspaceId, ...fields };
  const answer = await page.request.post("/api/posts", { headers: { origin: workerStack().publicUrl }, data });
  expect(answer.status(), await answer.text()).toBe(201);
  return ((await answer.json()) as { post: WrittenPost }).post;
}

export const readPost = async (page: Page, id: string): Promise<WrittenPost> =>
  ((await (await page.request.get(`/api/posts/${id}`)).json()) as { post: WrittenPost }).post;

export async function storedText(page: Page, id: string): Promise<string> {
  const { blocks } = JSON.parse((await readPost(page, id)).content_raw) as { blocks: { data: { text: string } }[] };
  return (blocks[0]?.data.text ?? "").replaceAll("&nbsp;", " ");
}

export async function openPost(page: Page, workspaceId: string, postId: string): Promise<void> {
  await page.goto(editorPath(workspaceId, postId));
  await expect(bodyOf(page)).toBeVisible();
}
