import type { Browser } from "playwright/test";
import { elsewhereThan, openWidgetHost, readerStatus, sentMails } from "./support/another-place.ts";
import { confirm, newPerson, newWorkspace, type Person, signUp } from "./support/journey.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";

const unique = (name: string): string => `${name}-${Date.now().toString(36)}`;
const paragraph = [{ type: "paragraph", data: { text: "All about it." } }];

/** A page of somebody who shares nothing with the others. */
async function freshPage(browser: Browser, baseURL: string): Promise<Page> {
  return (await browser.newContext({ baseURL })).newPage();
}

async function createPost(page: Page, origin: string, workspaceId: string, data: object): Promise<void> {
  const answer = await page.request.post("/api/posts", {
    headers: { origin },
    data: { workspace_id: workspaceId, blocks: paragraph, ...data },
  });
  expect(answer.status()).toBe(201);
}

test("the posts table finds, sorts and pages, and its address brings a view back", async ({ page, browser, stack, problems: _ }) => {
  const { workspaceId } = await newWorkspace(page, "Ada Lovelace", unique("table"));
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  for (let number = 1; number <= 75; number++) {
    const status = number % 25 === 0 ? { status: "published" } : number % 15 === 0 ? { publish_at: tomorrow } : {};
    await createPost(page, stack.publicUrl, workspaceId, { title: `Post ${String(number).padStart(2, "0")}`, ...status });
  }
  await page.goto(`/workspace/${workspaceId}/dashboard`);
  const table = page.getByRole("table", { name: "Recent posts" });
  const rows = table.getByRole("rowheader").or(table.locator("tbody tr"));
  const search = page.getByRole("searchbox", { name: "Search posts" });
  const range = page.getByText(/^\d+–\d+ of \d+$/);
  await expect(range).toHaveText("1–10 of 75");
  await expectAccessible(page);

  await test.step("each filter writes its token, and each token moves its filter", async () => {
    await page.getByLabel("Status").selectOption("Published");
    await expect(search).toHaveValue("status:published");
    await expect(range).toHaveText("1–3 of 3");
    await page.getByLabel("Status").selectOption("Scheduled");
    await expect(range).toHaveText("1–4 of 4");
    await page.getByLabel("Creator").selectOption("Ada Lovelace");
    await page.getByLabel("Sort").selectOption("Recent activity");
    await expect(search).toHaveValue(`status:scheduled owner:"Ada Lovelace" sort:recent_activity`);
    await expect(rows.first()).toContainText("Post 60");
    await search.fill(`status:draft owner:"nobody at all"`);
    await expect(page.getByText("No posts found")).toBeVisible();
    await expect(page.getByLabel("Creator")).toHaveValue("nobody at all");
    await search.fill("sort:recent_activity post 7");
    await expect(range).toHaveText("1–6 of 6");
    await expect(rows.first()).toContainText("Post 75");
  });

  await test.step("the address restores it in another window, the back button too", async () => {
    await expect(page).toHaveURL(/q=sort%3Arecent_activity\+post\+7/);
    const second = await page.context().newPage();
    await second.goto(page.url());
    await expect(second.getByText("1–6 of 6")).toBeVisible();
    await expect(second.getByRole("searchbox", { name: "Search posts" })).toHaveValue("sort:recent_activity post 7");
    await second.close();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(range).toHaveText("1–10 of 75");
    await page.goBack();
    await expect(range).toHaveText("1–6 of 6");
    await page.getByRole("button", { name: "Clear filters" }).click();
  });

  await test.step("the pager ends at both ends and keeps the focus where it was pressed", async () => {
    const pager = page.getByRole("navigation", { name: "Pages of the table" });
    await expect(pager.getByRole("button", { name: /^Page/ })).toHaveText(["1", "2", "3", "4", "5", "8"]);
    await expect(pager.getByRole("button", { name: "Previous page" })).toBeDisabled();
    await pager.getByRole("button", { name: "Page 8" }).click();
    await expect(range).toHaveText("71–75 of 75");
    await expect(pager.getByRole("button", { name: "Page 8" })).toBeFocused();
    await expect(pager.getByRole("button", { name: "Next page" })).toBeDisabled();
    await page.goto(`/workspace/${workspaceId}/dashboard?page=99&size=50`);
    await expect(range).toHaveText("51–75 of 75");
    await page.getByLabel("Rows per page").selectOption("100");
    await expect(range).toHaveText("1–75 of 75");
    await expect(page).toHaveURL(/\?size=100$/);
  });

  await test.step("several are tagged and archived at once; the archive gives them back", async () => {
    await search.fill("post 7");
    await expect(range).toHaveText("1–6 of 6");
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    await page.getByRole("button", { name: "Tag", exact: true }).click();
    await page.getByRole("menuitem", { name: "Improvement" }).click();
    await expect(page.getByText("6 posts tagged")).toBeVisible();
    await expect(rows.first()).toContainText("Improvement");
    await page.getByRole("checkbox", { name: "Select Post 71" }).check();
    await page.getByRole("button", { name: "Archive" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
    await expect(range).toHaveText("1–5 of 5");
    await page.getByLabel("Status").selectOption("Archived");
    await expect(range).toHaveText("1–1 of 1");
    await page.getByRole("checkbox", { name: "Select Post 71" }).check();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Restore" }).click();
    await expect(page.getByText("No posts found")).toBeVisible();
    await page.getByLabel("Status").selectOption("Any status");
    await expect(range).toHaveText("1–6 of 6");
  });

  await test.step("a row opens the editor", async () => {
    await rows.first().getByText("Ada Lovelace").click();
    await expect(page).toHaveURL(/\/changelog\/edit\/[0-9a-f-]{36}$/);
  });

  await test.step("on a phone rows are cards, and nothing is wider than the window", async () => {
    const phone = await (await browser.newContext({ baseURL: stack.publicUrl, viewport: { width: 390, height: 844 } })).newPage();
    await phone.context().addCookies(await page.context().cookies());
    await phone.goto(`/workspace/${workspaceId}/dashboard`);
    await expect(phone.getByText("1–10 of 75")).toBeVisible();
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await expectAccessible(phone);
    await phone.context().close();
  });
});

test("a team from the invite dialog to its last leave: what each role sees and may do", async ({ page, browser, stack, problems: _ }) => {
  test.setTimeout(150_000);
  const { workspaceId } = await newWorkspace(page, "Olga Owner", unique("team"));
  const dashboard = `/workspace/${workspaceId}/dashboard`;
  const team = `/workspace/${workspaceId}/team`;
  await createPost(page, stack.publicUrl, workspaceId, { title: "For everybody" });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(team);

  const dialog = page.getByRole("dialog", { name: "Invite Team Member" });
  async function inviteByLink(role: "Viewer" | "Editor" | "Administrator"): Promise<string> {
    await page.getByRole("button", { name: "Generate Invite link" }).click();
    if (role === "Administrator") await dialog.getByLabel(role).check();
    else await dialog.getByText(role, { exact: true }).click();
    await dialog.getByRole("button", { name: "Generate link" }).click();
    await expect(dialog.getByRole("button", { name: "Copy" })).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Copy" }).click();
    await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(await dialog.getByLabel("Invitation link").inputValue()).toBe(link);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    return link;
  }

  const editor = await freshPage(browser, stack.publicUrl);
  const viewer = await freshPage(browser, stack.publicUrl);
  const admin = await freshPage(browser, stack.publicUrl);

  await test.step("by link: an editor and an administrator join", async () => {
    await joinAs(editor, newPerson("Edith Editor"), await inviteByLink("Editor"), dashboard);
    await joinAs(admin, newPerson("Anton Admin"), await inviteByLink("Administrator"), dashboard);
  });

  await test.step("by mail: a viewer joins with the link of the mail, which is open until then", async () => {
    const person = newPerson("Vera Viewer");
    await page.reload();
    await page.getByRole("button", { name: "Generate Invite link" }).click();
    await dialog.getByText("Email", { exact: true }).first().click();
    await dialog.getByLabel("Email", { exact: true }).last().fill(person.email);
    await dialog.getByRole("button", { name: "Send invitation" }).click();
    await expect(page.getByText("Invitation sent")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("list", { name: "Open invitations" })).toContainText(person.email);
    await joinAs(viewer, person, await mailedLink(page, person.email), dashboard);
    await page.reload();
    await expect(page.getByRole("row", { name: /Vera Viewer/ })).toBeVisible();
    await expect(page.getByRole("list", { name: "Open invitations" })).toHaveCount(0);
  });

  await test.step("a revoked link is invalid", async () => {
    const link = await inviteByLink("Viewer");
    await page.getByRole("button", { name: /^Revoke/ }).click();
    await expect(page.getByText("Invitation revoked")).toBeVisible();
    const late = await freshPage(browser, stack.publicUrl);
    await late.goto(link);
    await expect(late.getByRole("heading", { name: "Invalid invitation" })).toBeVisible();
    await late.context().close();
  });

  await test.step("each role sees its entries", async () => {
    const entries = async (who: Page) => {
      await who.goto(dashboard);
      await expect(who.getByRole("table", { name: "Recent posts" })).toBeVisible();
      return (await who.getByRole("navigation", { name: "Pages" }).getByRole("link").allTextContents()).join(" ");
    };
    expect(await entries(page)).toBe("Dashboard Changelog Analytics Widget Team");
    expect(await entries(admin)).toBe("Dashboard Changelog Analytics Widget Team");
    expect(await entries(editor)).toBe("Dashboard Changelog Analytics");
    expect(await entries(viewer)).toBe("Dashboard Changelog Analytics");
    for (const who of [admin, editor, viewer]) await expect(who.getByRole("switch", { name: "Public Changelog" })).toHaveCount(0);
    await expect(editor.getByRole("checkbox", { name: "Select For everybody" })).toBeVisible();
    await expect(viewer.getByRole("checkbox")).toHaveCount(0);
  });

  await test.step("an administrator reads roles as words; editors and viewers read no team", async () => {
    await admin.goto(team);
    await expect(admin.getByRole("row", { name: /Edith Editor/ })).toContainText("Editor");
    await expect(admin.getByRole("combobox")).toHaveCount(0);
    await expect(admin.getByRole("button", { name: /^Remove/ })).toHaveCount(0);
    await expectAccessible(admin);
    await admin.getByRole("button", { name: "Generate Invite link" }).click();
    await expect(admin.getByRole("dialog").getByLabel("Administrator")).toHaveCount(0);
    for (const who of [editor, viewer]) {
      await who.goto(team);
      await expect(who.getByRole("heading", { name: "The team is managed by owners and administrators" })).toBeVisible();
      expect((await who.request.get(`/api/team/${workspaceId}/team`)).status()).toBe(403);
    }
    await viewer.goto(`/workspace/${workspaceId}/widget`);
    await expect(viewer.getByRole("heading", { name: "Appearance" })).toBeVisible();
    await expect(viewer.getByRole("button", { name: "Save Changes" })).toHaveCount(0);
  });

  await test.step("the owner changes a role, which holds at once", async () => {
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Team" }).click();
    await expect(page.getByRole("row").nth(1)).toContainText("Olga Owner");
    await page.getByRole("combobox", { name: "Role of Edith Editor" }).selectOption("Viewer");
    await expect(async () => {
      await editor.goto(dashboard);
      await expect(editor.getByRole("table", { name: "Recent posts" })).toBeVisible();
      await expect(editor.getByRole("checkbox")).toHaveCount(0);
    }).toPass();
  });

  await test.step("and removes somebody, who is out at once", async () => {
    await page.getByRole("button", { name: "Remove Edith Editor" }).click();
    await expect(page.getByText("Are you sure you want to remove Edith Editor from the team?")).toBeVisible();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await expect(page.getByRole("row", { name: /Edith Editor/ })).toHaveCount(0);
    expect((await editor.request.get(`/api/dashboard/${workspaceId}/all`)).status()).toBe(404);
  });

  await test.step("hands the workspace over and leaves it", async () => {
    await page.getByRole("combobox", { name: "New owner" }).selectOption({ index: 1 });
    await page.getByRole("button", { name: "Hand ownership over" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Hand over" }).click();
    await page.getByRole("button", { name: "Leave workspace" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await page.waitForURL("**/workspaces");
    await expect(page.getByText("No workspaces yet")).toBeVisible();
  });

  for (const who of [editor, viewer, admin]) await who.context().close();
});

test("widget settings and the public switch reach other sites and strangers at once", async ({ page, browser, stack, problems: _ }) => {
  const subdomain = unique("widget");
  const { workspaceId } = await newWorkspace(page, "Wim Widget", subdomain);
  for (const title of ["First news", "Second news", "Third news"])
    await createPost(page, stack.publicUrl, workspaceId, { title, status: "published" });
  const stranger = await freshPage(browser, stack.publicUrl);
  const releases = `${stack.publicUrl.replace("//localhost", `//${subdomain}.localhost`)}/releases`;
  const elsewhere = await elsewhereThan(stack.publicUrl);

  await test.step("on: a stranger reads it; off: not any more; on again", async () => {
    const readable = () => readerStatus(stranger, releases);
    const toggle = page.getByRole("switch", { name: "Public Changelog" });
    await page.goto(`/workspace/${workspaceId}/dashboard`);
    expect(await readable()).toBe(404);
    for (const [checked, status] of [
      [true, 200],
      [false, 404],
      [true, 200],
    ] as const) {
      const answered = page.waitForResponse("**/api/public/changelog/toggle");
      await toggle.click();
      expect((await answered).ok()).toBe(true);
      await expect(toggle).toBeChecked({ checked });
      expect(await readable()).toBe(status);
    }
  });

  await test.step("a site that is not allowed shows nothing", async () => {
    await openWidgetHost(stranger, elsewhere, subdomain);
    await stranger.waitForTimeout(500);
    await expect(stranger.getByRole("button", { name: /what's new/i })).toHaveCount(0);
  });

  await test.step("the settings page previews with the real widget", async () => {
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Widget" }).click();
    await expect(page.getByText("Pesonalise your widget")).toBeVisible();
    const preview = page.frameLocator("iframe[title='Preview of the widget']");
    const panel = preview.getByRole("dialog", { name: "What's New" });
    await expect(panel.getByRole("listitem")).toHaveCount(5);
    await expect(panel).toContainText("Latest updates and features");
    await expect(panel).toContainText("View all updates");
    await expectAccessible(page);
    for (const [size, width] of [
      ["Medium", 320],
      ["Large", 384],
      ["Small", 288],
    ] as const) {
      await page.getByText(size, { exact: true }).click();
      await expect.poll(async () => (await panel.boundingBox())?.width).toBe(width);
    }
    await expect(page.getByRole("radio", { name: "Small" })).toBeFocused(); // the preview takes no focus
    await preview.getByRole("button", { name: "What's New" }).click();
    await expect(panel).toBeHidden();
    await page.getByText("Dark", { exact: true }).click();
    await expect(panel).toBeHidden();
    await preview.getByRole("button", { name: "What's New" }).click();
    await expect(panel).toBeVisible();
  });

  await test.step("changes are saved, a site is allowed, and the widget there is as it was set", async () => {
    await page.getByText("Top Left", { exact: true }).click();
    await page.getByText("Large", { exact: true }).click();
    await page.getByLabel("Maximum posts").fill("2");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByText("Widget settings saved successfully")).toBeVisible();
    await expect(page.getByRole("button", { name: "Save Changes" })).toBeDisabled();
    await page.getByLabel("Add a site").fill(elsewhere);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await expect(page.getByRole("button", { name: `Remove ${elsewhere}` })).toBeVisible();

    await openWidgetHost(stranger, elsewhere, subdomain);
    const launcher = stranger.getByRole("button", { name: "What's New" });
    await launcher.click();
    const panel = stranger.getByRole("dialog", { name: "What's New" });
    await expect(panel.getByRole("listitem")).toHaveCount(2);
    const [box, button] = [await panel.boundingBox(), await launcher.boundingBox()];
    expect(box?.width).toBe(384);
    expect([box?.x, button?.x, button?.y]).toEqual([16, 16, 16]);
    expect(await panel.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe("rgb(30, 27, 24)");
  });

  await test.step("unsaved changes are not left behind by mistake", async () => {
    await page.getByText("System", { exact: true }).click();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Dashboard" }).click();
    const question = page.getByRole("dialog", { name: "Leave without saving?" });
    await expect(question).toBeVisible();
    await expectAccessible(page);
    await question.getByRole("button", { name: "Save and leave" }).click();
    await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible();
    const { settings } = (await (await page.request.get(`/api/widget-settings/${workspaceId}`)).json()) as {
      settings: { appearance: { theme: string } };
    };
    expect(settings.appearance.theme).toBe("system");
  });
  await stranger.context().close();
});

/** From an invitation's link over signing up and the confirmation mail to the workspace's dashboard. */
async function joinAs(page: Page, person: Person, link: string, dashboard: string): Promise<void> {
  await signUp(page, person);
  await confirm(page, person.email);
  await page.waitForURL((url) => !url.pathname.startsWith("/auth"));
  await page.goto(link);
  await page.getByRole("button", { name: "Accept Invitation & Join Team" }).click();
  await page.waitForURL(`**${dashboard}`);
}

async function mailedLink(page: Page, email: string): Promise<string> {
  let link: string | undefined;
  await expect(async () => {
    link = (await sentMails(page)).find((mail) => mail.to === email)?.links.find((address) => address.includes("/join?token="));
    expect(link).toBeDefined();
  }).toPass();
  return link!;
}
