import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { bodyOf, newPost, openPost, readPost } from "./support/writing.ts";

const begin = async (page: Page, name: string) => (await newWorkspace(page, name, `tp-${crypto.randomUUID().slice(0, 13)}`)).workspaceId;
const tagsOf = async (page: Page, id: string) => ((await readPost(page, id)) as unknown as { tags: string[] }).tags;
const search = (page: Page) => page.getByRole("combobox", { name: "Search posts" });
const toast = (page: Page, text: string) => page.locator("[data-sonner-toast]", { has: page.getByText(text, { exact: true }) });
const isOnTop = (element: Element): boolean => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
};

test("tags are renamed, merged and deleted by keyboard, with the open post, which saves without a conflict", async ({
  page,
  problems: _,
}) => {
  const workspaceId = await begin(page, "Tess Tagger");
  const { id, version } = await newPost(page, workspaceId, { title: "With tags", tags: ["beta", "fix"] });
  await newPost(page, workspaceId, { title: "Another", tags: ["gamma"] });
  await openPost(page, workspaceId, id);
  const shown = page.getByRole("list", { name: "Tags" }).first();
  await expect(shown).toHaveText("betaFix");

  await page.getByRole("button", { name: "Edit tags" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Manage tags" }).last().press("Enter");
  const dialog = page.getByRole("dialog", { name: "Manage tags" });
  await expect(dialog.getByText("1 post").first()).toBeVisible();
  await expectAccessible(page);

  await test.step("another name and colour", async () => {
    await dialog.getByRole("button", { name: "Edit beta" }).press("Enter");
    await expect(dialog.getByRole("textbox", { name: "Name", exact: true })).toBeFocused();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Early access");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await expect(toast(page, "Tag saved")).toContainText("1 post");
    await expect.poll(() => toast(page, "Tag saved").evaluate(isOnTop)).toBe(true); // not below the dialog's mask
    await expect(dialog.getByRole("button", { name: "Edit Early access" })).toBeVisible();
  });

  await test.step("a name that another one has is a merge", async () => {
    await dialog.getByRole("button", { name: "Edit gamma" }).click();
    await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("early ACCESS");
    await expect(dialog.getByText(/There is a tag Early access already/)).toBeVisible();
    await dialog.getByRole("button", { name: "Merge into Early access" }).click();
    await expect(toast(page, "Merged into Early access")).toBeVisible();
    await expect(dialog.getByRole("listitem").filter({ hasText: "Early access" })).toContainText("2 posts");
  });

  await test.step("Escape closes what was opened, then the dialog", async () => {
    await dialog.getByRole("button", { name: "Delete Early access" }).click();
    await page.keyboard.press("Escape");
    await expect(dialog.getByRole("button", { name: "Delete Early access" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  });

  await expect(shown).toHaveText("Early accessFix");
  await bodyOf(page).click();
  await page.keyboard.type("More. ");
  await page.keyboard.press("ControlOrMeta+s");
  await expect(toast(page, "Saved")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0); // no conflict with oneself
  expect(await tagsOf(page, id)).toEqual(["early-access", "fix"]);
  expect((await readPost(page, id)).version).toBe(version + 1);
});

test("the palette opens on every page, shows recent posts, does what its words say, and closes on a phone", async ({
  page,
  problems: _,
}) => {
  const workspaceId = await begin(page, "Pat Palette");
  const { id } = await newPost(page, workspaceId, { title: "Faster exports" });
  await page.goto(`/workspace/${workspaceId}/dashboard`);
  await expect(page.getByRole("heading", { name: "Dashboard", exact: true })).toBeVisible();

  await test.step("from the dashboard", async () => {
    await page.keyboard.press("ControlOrMeta+k");
    await expect(page.getByText("Start typing to search posts")).toBeVisible();
    await expect(page.getByRole("group", { name: "Recent posts" }).getByRole("option")).toHaveText([/Faster exports/]);
    await expectAccessible(page);
    await search(page).fill("set");
    await expect(page.getByText(/No posts found for/)).toBeVisible();
    await page.getByRole("option", { name: /Go to Workspace settings/ }).click();
    await expect(page.getByRole("heading", { name: "Workspace settings" })).toBeVisible();
  });

  await test.step("arrows and Enter", async () => {
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type("faster");
    await page.keyboard.press("Enter"); // before the answer
    await expect(page).toHaveURL(new RegExp(id));
    await expect(bodyOf(page)).toBeVisible();
  });

  await test.step("with text selected the key makes a link, without it searches", async () => {
    await bodyOf(page).click();
    await page.keyboard.press("Home");
    await page.keyboard.press("ControlOrMeta+k");
    await expect(search(page)).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(bodyOf(page)).toBeFocused();
    await page.keyboard.press("Shift+End");
    await expect(page.getByRole("button", { name: "Link", exact: true })).toBeVisible(); // the marks stand there, and listen to their keys
    await page.keyboard.press("ControlOrMeta+k");
    await expect(page.getByRole("textbox", { name: "Link address" })).toBeFocused();
    await page.keyboard.type("https://example.com");
    await page.keyboard.press("Enter");
    await expect(bodyOf(page).getByRole("link", { name: "First words." })).toBeVisible();
  });

  await test.step("on a phone it has a cross", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Search posts" }).click();
    await expectAccessible(page);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.getByRole("button", { name: /tags$/ }).first().click();
    const sheet = page.getByRole("dialog", { name: "Tags" });
    await expect(sheet.getByRole("checkbox", { name: "Feature" })).toBeVisible();
    await expectAccessible(page);
    const box = (await sheet.boundingBox())!;
    expect([Math.round(box.width), Math.round(box.y + box.height)]).toEqual([390, 844]);
  });
});

test("keys alone lead to pages, '?' lists them, and they can be turned off", async ({ page, problems: _ }) => {
  const workspaceId = await begin(page, "Kay Keys");
  await page.goto(`/workspace/${workspaceId}/dashboard`);
  await expect(page.getByRole("heading", { name: "Dashboard", exact: true })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await expect(page).toHaveURL(/\/team$/);
  await page.keyboard.press("c");
  await expect(page).toHaveURL(/\/changelog\/new$/);
  await page.getByRole("textbox", { name: "Title" }).fill("g d c ?"); // while writing they are letters
  await expect(page).toHaveURL(/\/changelog\/new$/);

  await page.goto(`/workspace/${workspaceId}/team`);
  await expect(page.getByRole("heading", { name: "Team Management" })).toBeVisible();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(dialog.getByText("Go to Dashboard")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("switch", { name: /single key/ }).click();
  await expect(dialog.getByText("Go to Dashboard")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  for (const key of ["g", "d", "?"]) await page.keyboard.press(key);
  await expect(page).toHaveURL(/\/team$/);
  await expect(dialog).toHaveCount(0);
});
