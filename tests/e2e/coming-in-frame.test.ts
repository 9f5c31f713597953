import { dashboardOf, enter, found } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test("the app asks before an open post is left for another workspace by link, back button or keys", async ({
  page,
  stack,
  problems: _,
}) => {
  await enter(page, "Ada Lovelace");
  const [acme, globex] = [await found(page, "Acme"), await found(page, "Globex")];
  const made = await page.request.post("/api/posts", {
    headers: { origin: stack.publicUrl },
    data: {
      title: "A clean post whose title is longer than the sidebar is wide",
      blocks: [{ type: "paragraph", data: { text: "Words." } }],
      workspace_id: acme,
    },
  });
  const { post } = (await made.json()) as { post: { id: string } };
  await page.goto(`/workspace/${globex}/dashboard`);
  await page.getByRole("button", { name: "Workspace: Globex" }).click();
  await page.getByRole("menuitemradio", { name: "Acme" }).click();
  await page.waitForURL(dashboardOf(acme));
  await page.getByRole("button", { name: "Show posts" }).click();
  await page
    .getByRole("list", { name: "Posts" })
    .getByRole("link", { name: /A clean post/ })
    .click();
  const opened = new RegExp(`/changelog/edit/${post.id}$`);
  await page.waitForURL(opened);
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue(/^A clean post/);

  const dialog = page.getByRole("dialog", { name: "Switch workspace?" });
  await page.evaluate(() => history.go(-2));
  await expect(dialog).toContainText("Globex");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(opened);

  await page.getByRole("textbox", { name: "Title" }).fill("A post with changes");
  await page.evaluate(() => history.go(-2));
  await dialog.getByRole("button", { name: "Switch workspace" }).press("Enter");
  await page.waitForURL(dashboardOf(globex)); // a draft saves itself, so there's no dialog
  const saved = await page.request.get(`/api/posts/${post.id}`);
  expect(((await saved.json()) as { post: { title: string } }).post.title).toBe("A post with changes");
});

test("the menu covers the page on a phone, navigates and closes", async ({ page, problems: _ }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enter(page, "Ada Lovelace");
  const acme = await found(page, "Acme");
  await page.goto(`/workspace/${acme}/dashboard`);
  await page.getByRole("button", { name: "Open menu" }).click();
  const menu = page.getByRole("complementary", { name: "Sidebar" });
  await expect(menu.getByRole("link", { name: "Changelog" })).toBeVisible();
  await expectAccessible(page);
  await menu.getByRole("link", { name: "Workspace" }).click();
  await expect(page.getByRole("heading", { name: "Workspace settings" })).toBeVisible();
  await expect(menu).toBeHidden();
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test("one navigation at a time: sidebar, header entries or menu, each with every entry in reach", async ({ page, problems: _ }) => {
  await enter(page, "Wilma Width");
  const workspaceId = await found(page, "Widths");
  const [sidebar, header] = ["Workspace", "Pages"].map((name) => page.getByRole("navigation", { name }));
  const toggle = page.getByRole("button", { name: "Open menu" });
  for (const [width, isSidebar, isHeader] of [
    [1280, true, false],
    [1024, true, false],
    [800, false, true],
    [390, false, false],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/workspace/${workspaceId}/dashboard`);
    await expect(page.getByRole("heading", { name: "Create your first post" })).toBeVisible();
    await expect(sidebar!).toBeVisible({ visible: isSidebar });
    await expect(header!).toBeVisible({ visible: isHeader });
    await expect(toggle).toBeVisible({ visible: !isSidebar });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    if (isHeader)
      for (const name of ["Dashboard", "Changelog", "Analytics", "Widget", "Team"])
        await expect(header!.getByRole("link", { name })).toBeVisible();
    if (!isSidebar) await toggle.click();
    for (const name of ["Dashboard", "Changelog", "New post", "Widget", "Subscribers", /^Analytics/, "Workspace", "Team"])
      await expect(sidebar!.getByRole("link", { name })).toBeVisible();
    await expectAccessible(page);
  }
});

test("at most six tab stops lead into a page, and two more into a post's title; arrow keys move in the toolbar", async ({ page }) => {
  await enter(page, "Tabea Stop");
  const workspaceId = await found(page, "Stops");
  const stopsTo = async (isThere: () => Promise<boolean>) => {
    await page.getByRole("link", { name: "Skip to content" }).focus();
    let stops = -1;
    for (; !(await isThere()); stops++) await page.keyboard.press("Tab");
    return stops;
  };
  const isInPage = () => page.evaluate(() => document.activeElement?.closest("main") !== null);
  await page.goto(`/workspace/${workspaceId}/dashboard`);
  for (const width of [800, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(page.getByRole("heading", { name: "Create your first post" })).toBeVisible();
    expect(await stopsTo(isInPage)).toBeLessThanOrEqual(6);
  }

  await page.goto(`/workspace/${workspaceId}/changelog/new`);
  const title = page.getByRole("textbox", { name: "Title" });
  await expect(title).toBeFocused();
  expect(await stopsTo(() => title.evaluate((element) => element === document.activeElement))).toBeLessThanOrEqual(7);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("End");
  await expect(page.getByRole("button", { name: "More actions" })).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("button", { name: "Publish", exact: true })).toBeFocused();
});

test("a user signs in, switches workspace, opens settings, upgrades and signs out by keyboard", async ({ page, problems: _ }) => {
  const person = await enter(page, "Keyboard Person");
  const acme = await found(page, "Acme");
  await page.context().clearCookies();
  await page.goto("/auth");
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.keyboard.type(person.email);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Forgot password?" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.type(person.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(dashboardOf(acme));
  await expect(page.getByRole("heading", { name: "Dashboard" })).toBeFocused();

  const reach = async (role: "button" | "link", name: string | RegExp) => {
    const target = page.getByRole(role, { name, exact: true }).first();
    for (let presses = 0; presses < 40 && !(await target.evaluate((element) => element === document.activeElement)); presses++) {
      await page.keyboard.press("Tab");
    }
    await expect(target).toBeFocused();
  };
  await reach("link", "Skip to content");
  await reach("button", "Settings");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Workspace settings" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Workspace settings" })).toBeFocused();

  await reach("link", /^Analytics/);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Upgrade your plan" });
  await expect(dialog).toBeVisible();
  await reach("button", "Upgrade now");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/upgrade\?/);
  await reach("button", "Upgrade now");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Your upgrade is active" })).toBeVisible();
  await page.goto(`/workspace/${acme}/analytics`);
  await expect(page.getByRole("heading", { name: "No data yet" })).toBeVisible();

  await reach("button", /^My Account/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await expect(page.getByRole("menuitem", { name: "Logout" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/auth$/);
});
