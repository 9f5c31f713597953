import { fileURLToPath } from "node:url";
import type { Locator } from "playwright/test";
import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { createPost, freshPage, unique } from "./support/workspace.ts";

const picture = fileURLToPath(new URL("./support/picture.png", import.meta.url));
const shownPage = (page: Page) => page.frameLocator("iframe[title='Preview of your page']");
const shownWidget = (page: Page) => page.frameLocator("iframe[title='Preview of the widget']");
const save = (page: Page) => page.getByRole("button", { name: "Save changes" });
const colourOf = (link: Locator) => link.evaluate((element) => getComputedStyle(element).color);

test("an admin previews and publishes an appearance", { tag: "@journey" }, async ({ page, browser, stack, problems: _ }) => {
  const subdomain = unique("look");
  const { workspaceId } = await newWorkspace(page, "Lou Look", subdomain);
  await page.request.post("/api/public/changelog/toggle", {
    headers: { origin: stack.publicUrl },
    data: { isPublic: true, workspaceId },
  });

  await test.step("an empty workspace previews a sample post", async () => {
    await page.goto(`/workspace/${workspaceId}/dashboard`);
    await page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: "Workspace" }).click();
    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Appearance" }).click();
    await expect(page.getByRole("heading", { name: "Appearance", level: 1 })).toBeFocused();
    await expect(page.getByText("Sample post")).toBeVisible();
    await expect(shownPage(page).getByRole("heading", { name: "Dark mode is here" })).toBeVisible();
    await expect(shownWidget(page).getByRole("dialog")).toContainText("Dark mode is here");
    await expect(save(page)).toBeDisabled();
  });

  await createPost(page, stack.publicUrl, workspaceId, { title: "Faster exports", status: "published" });
  await page.reload();

  await test.step("the previews follow the unsaved settings, which readers don't see", async () => {
    await expect(shownPage(page).getByRole("heading", { name: "Faster exports" })).toBeVisible();
    await page.getByLabel("Accent colour", { exact: true }).fill("#ffd400");
    const derived = page.getByRole("list", { name: "Colour contrast" });
    await expect(derived).toContainText("darkened, contrast 4.5:1");
    await expect(derived).toContainText("#ffd400 as chosen");
    await page.getByRole("combobox", { name: "Language", exact: true }).selectOption("Deutsch");
    await expect(shownPage(page).locator("html[lang=de]")).toBeAttached();
    await page.getByRole("combobox", { name: "Language", exact: true }).selectOption("العربية");
    await expect(shownPage(page).locator("html[lang=ar][dir=rtl]")).toBeAttached();
    await page.getByRole("combobox", { name: "Language", exact: true }).selectOption("Deutsch");
    await expect(shownPage(page).locator("html[lang=de]")).toBeAttached();
    const answer = await page.request.get(`/api/workspaces/${workspaceId}/appearance`);
    expect(await answer.json()).toMatchObject({ accent: null, locale: "en" });
  });

  await test.step("links are added, moved, completed and removed", async () => {
    for (const [index, [label, url]] of [
      ["Docs", "docs.acme.example"],
      ["Help", "help@acme.example"],
      ["Evil", "javascript:alert(1)"],
    ].entries()) {
      await page.getByRole("button", { name: "Add link" }).click();
      await expect(page.getByLabel(`Label of link ${index + 1}`)).toBeFocused();
      await page.keyboard.type(label!);
      await page.keyboard.press("Tab");
      await page.keyboard.type(url!);
      await page.keyboard.press("Tab");
    }
    await expect(page.getByLabel("URL of link 1")).toHaveValue("https://docs.acme.example");
    await expect(page.getByLabel("URL of link 2")).toHaveValue("mailto:help@acme.example");
    await expect(page.getByText("Please enter a URL that starts with https://, http:// or mailto:")).toBeVisible();
    await expectAccessible(page, { frames: false });
    await save(page).click();
    await expect(page.getByLabel("URL of link 3")).toBeFocused();
    await page.getByRole("button", { name: "Remove Evil" }).click();
    await expect(page.getByLabel("Label of link 2")).toBeFocused();
    await page.getByRole("button", { name: "Move Help up" }).click();
    await expect(page.getByLabel("Label of link 1")).toHaveValue("Help");
    await expect(page.getByRole("button", { name: "Move Help down" })).toBeFocused();
  });

  await test.step("leaving asks about unsaved changes", async () => {
    await page.getByLabel("Footer text").fill("© Acme");
    await page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: "Dashboard" }).click();
    await expect(page.getByText("Your changes aren't saved.")).toBeVisible();
    await page.getByRole("button", { name: "Stay" }).click();
    await expect(page.getByLabel("Footer text")).toHaveValue("© Acme");
  });

  await test.step("saving updates a reader's page immediately", async () => {
    await save(page).click();
    await expect(page.getByText("Appearance saved")).toBeVisible();
    await expect(save(page)).toBeDisabled();
    const reader = await freshPage(browser, stack.publicUrl);
    await reader.goto(`${stack.publicUrl.replace("//localhost", `//${subdomain}.localhost`)}/releases`);
    await expect(reader.locator("html[lang=de]")).toBeAttached();
    expect(await colourOf(reader.locator(".skip"))).toBe("rgb(255, 255, 255)");
    await reader.context().close();
  });

  await test.step("two tabs keep each other's changes", async () => {
    const other = await page.context().newPage();
    await other.goto(`/workspace/${workspaceId}/appearance`);
    await other.getByText("Excerpts", { exact: true }).click();
    await save(other).click();
    await expect(other.getByText("Appearance saved")).toBeVisible();
    await other.close();
    await page.getByLabel("Dates").selectOption("2026-11-23");
    await save(page).click();
    await expect(save(page)).toBeDisabled();
    const answer = await page.request.get(`/api/workspaces/${workspaceId}/appearance`);
    expect(await answer.json()).toMatchObject({ layout: "excerpts", date_format: "iso", footer: "© Acme", accent: "#ffd400" });
  });

  await test.step("a logo for dark pages is saved immediately, and the preview shows it", async () => {
    await page.getByText("Dark", { exact: true }).first().click();
    await page.getByLabel("Logo on dark pages", { exact: true }).setInputFiles(picture);
    await expect(page.getByText("Logo on dark pages saved")).toBeVisible();
    await page.getByRole("button", { name: "Remove logo on dark pages" }).click();
    await expect(page.getByText("Logo on dark pages removed")).toBeVisible();
  });
});
