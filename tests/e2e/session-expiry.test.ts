import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test("a session that ends while somebody writes costs no word", async ({ page }) => {
  const { person, workspaceId } = await newWorkspace(page, "Grace Hopper", `grace-${Date.now().toString(36)}`);
  await page.goto(`/workspace/${workspaceId}/changelog/new`);
  await page.getByRole("textbox", { name: "Title" }).fill("Written before the session ended");
  await page.locator(".codex-editor [contenteditable=true]").first().click();
  await page.keyboard.type("These words must survive.");

  await page.context().clearCookies();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("Written before the session ended");

  await dialog.getByLabel("Password", { exact: true }).fill("not the password");
  await dialog.getByRole("button", { name: "Sign In" }).click();
  await expect(dialog).toContainText("The e-mail address or the password is not correct.");
  await dialog.getByLabel("Password", { exact: true }).fill(person.password);
  await dialog.getByRole("button", { name: "Sign In" }).click();
  await expect(dialog).toBeHidden();

  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.waitForURL(/\/changelog\/edit\/[0-9a-f-]{36}$/);
  const postId = page.url().split("/").at(-1)!;
  const { post } = (await (await page.request.get(`/api/posts/${postId}`)).json()) as { post: { title: string; content_raw: string } };
  expect(post.title).toBe("Written before the session ended");
  expect(post.content_raw).toContain("These words must survive.");
});
