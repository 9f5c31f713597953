import type { Browser } from "playwright/test";
import { expect, type Page } from "./test.ts";

export const unique = (name: string): string => `${name}-${Date.now().toString(36)}`;

export async function freshPage(browser: Browser, baseURL: string): Promise<Page> {
  return (await browser.newContext({ baseURL })).newPage();
}

export async function createPost(page: Page, origin: string, workspaceId: string, data: object): Promise<void> {
  const blocks = [{ type: "paragraph", data: { text: "All about it, in a sentence that is longer than a phone is wide." } }];
  const answer = await page.request.post("/api/posts", { headers: { origin }, data: { workspace_id: workspaceId, blocks, ...data } });
  expect(answer.status()).toBe(201);
}
