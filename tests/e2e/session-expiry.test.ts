import { signIn } from "./support/journey.ts";
import { dashboardOf, enter, found, newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { bodyOf, newPost, openPost, readPost, save, savedWord } from "./support/writing.ts";

test("an expired session while typing loses no word", { tag: ["@journey", "@https"] }, async ({ page }) => {
  const { person, workspaceId } = await newWorkspace(page, "Grace Hopper", `grace-${Date.now().toString(36)}`);
  await page.goto(`/workspace/${workspaceId}/changelog/new`);
  await page.getByRole("textbox", { name: "Title" }).fill("Written before the session ended");
  await page.locator(".codex-editor [contenteditable=true]").first().click();
  await page.keyboard.type("These words must survive.");

  await page.context().clearCookies();
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("Written before the session ended");

  await dialog.getByLabel("Password", { exact: true }).fill("not the password");
  await dialog.getByRole("button", { name: "Sign In" }).click();
  await expect(dialog).toContainText("The email address or password is incorrect.");
  await dialog.getByLabel("Password", { exact: true }).fill(person.password);
  await dialog.getByRole("button", { name: "Sign In" }).click();
  await expect(dialog).toBeHidden();

  await page.keyboard.press("Control+s");
  await page.waitForURL(/\/changelog\/edit\/[0-9a-f-]{36}$/);
  const postId = page.url().split("/").at(-1)!;
  await expect
    .poll(() => readPost(page, postId))
    .toMatchObject({ title: "Written before the session ended", content_raw: expect.stringContaining("These words must survive.") });
});

test(
  "a browser whose session was ended elsewhere shows it, stops saving, and keeps the text",
  { tag: "@https" },
  async ({ page, browser, stack }) => {
    const { person, workspaceId } = await newWorkspace(page, "Lise Meitner", `lise-${Date.now().toString(36)}`);
    const post = await newPost(page, workspaceId, { title: "Open on the old laptop" });
    const elsewhere = await browser.newContext({ baseURL: stack.publicUrl });
    const laptop = await elsewhere.newPage();
    await signIn(laptop, person);
    await laptop.waitForURL(dashboardOf(workspaceId));
    await openPost(laptop, workspaceId, post.id);
    await bodyOf(laptop).click();
    await laptop.keyboard.type("Typed on the laptop. ");

    await page.goto("/settings/security");
    await page.getByRole("button", { name: "Sign out everywhere else" }).click();
    await expect(page.getByText("Signed out everywhere else")).toBeVisible();

    const dialog = laptop.getByRole("dialog", { name: "Your session has ended" });
    await expect(dialog).toBeVisible();
    expect((await laptop.request.get(`/api/posts/${post.id}`)).status()).toBe(401);
    await dialog.getByLabel("Password", { exact: true }).fill(person.password);
    await dialog.getByRole("button", { name: "Sign In" }).click();
    await expect(dialog).toBeHidden();
    await expect(bodyOf(laptop)).toContainText("Typed on the laptop.");
    await save(laptop);
    await expect(savedWord(laptop)).toBeVisible();
    await elsewhere.close();
  },
);

test("a user who signs in in another tab sees nothing of the previous user's", { tag: "@https" }, async ({ page }) => {
  const { workspaceId } = await newWorkspace(page, "Ada Alpha", `alpha-${Date.now().toString(36)}`);
  await openPost(page, workspaceId, (await newPost(page, workspaceId, { title: "Alpha secret" })).id);
  await bodyOf(page).click();
  await page.keyboard.type("Unsaved words of Ada. ");
  await page.context().clearCookies();
  await save(page);
  await expect(page.getByRole("dialog", { name: "Your session has ended" })).toBeVisible();

  const other = await page.context().newPage();
  await enter(other, "Bob Beta");
  await found(other, "Beta Co");
  await page.bringToFront();
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

  await page.waitForURL(/\/workspaces$/);
  await expect(page.getByRole("link", { name: /Beta Co/ })).toBeVisible();
  await page.goto(`/workspace/${workspaceId}/changelog`);
  await expect(page.getByRole("heading", { name: "No workspace found" })).toBeVisible();
  await expect(page.getByText("Alpha secret")).toHaveCount(0);
  await expect(page.getByText("Your unsaved text")).toHaveCount(0);
});
