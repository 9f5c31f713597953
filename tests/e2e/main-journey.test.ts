import { fileURLToPath } from "node:url";
import { openWidgetHost, readerStatus } from "./support/another-place.ts";
import { confirm, newPerson, onboard, signIn, signUp } from "./support/journey.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { publishClosed, publishedBanner } from "./support/writing.ts";

const picture = fileURLToPath(new URL("support/picture.png", import.meta.url));

const publicPage = (url: string, subdomain: string, path = "/releases") => url.replace("//localhost", `//${subdomain}.localhost`) + path;

test(
  "a new customer signs up and publishes a post that a reader sees",
  { tag: ["@journey", "@https"] },
  async ({ page, browser, stack, problems: _ }) => {
    const person = newPerson("Ada Lovelace");
    const acme = { name: "Acme", subdomain: `acme-${Date.now().toString(36)}` };

    await test.step("sign up, confirm by email, sign in", async () => {
      await signUp(page, person);
      await expect(page.getByText(`We've sent a confirmation link to ${person.email}`)).toBeVisible();
      await expectAccessible(page);
      await confirm(page, person.email);
      await page.waitForURL((url) => !url.pathname.startsWith("/auth"));
      await page.context().clearCookies();
      const policy = (await page.goto("/workspaces"))?.headers()["content-security-policy"];
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      await page.waitForURL(/\/auth\?redirectTo=/);
      await expectAccessible(page);
      await signIn(page, person);
      await page.waitForURL(/\/(workspaces|onboarding)/);
      await expectAccessible(page);
    });

    await test.step("onboarding ends on the dashboard", async () => {
      await onboard(page, acme);
      await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible();
      await expect(page.getByText("Create your first post")).toBeVisible();
      await expectAccessible(page);
    });

    await test.step("write a post with headers, lists and an image, save, publish", async () => {
      await page.goto(page.url().replace("/dashboard", "/changelog"));
      await page
        .getByRole("button", { name: "Add post" })
        .or(page.getByRole("link", { name: "Add post" }))
        .click();
      await writePost(page);
      await page.keyboard.press("Control+s");
      await expect(page.getByText("Draft saved")).toBeVisible();
      await page.waitForURL(/\/changelog\/edit\/[0-9a-f-]{36}$/);
      await expectAccessible(page);
      await publishClosed(page);
      await expect(publishedBanner(page)).toBeVisible();
      await expect(page.getByText("Your public changelog is currently disabled.")).toBeVisible();
    });

    await test.step("nothing is public before the owner turns it on", async () => {
      const stranger = await (await browser.newContext()).newPage();
      expect(await readerStatus(stranger, publicPage(stack.publicUrl, acme.subdomain))).toBe(404);
      await stranger.context().close();
    });

    await test.step("the owner turns on the public changelog", async () => {
      await page.getByRole("link", { name: "Dashboard" }).first().click();
      await page.getByRole("switch", { name: "Public Changelog" }).click();
      await expect(page.getByRole("switch", { name: "Public Changelog" })).toBeChecked();
    });

    await test.step("a reader without scripts opens it", async () => {
      const stranger = await browser.newContext({ javaScriptEnabled: false });
      const reader = await stranger.newPage();
      await expect(async () => {
        expect((await reader.goto(publicPage(stack.publicUrl, acme.subdomain)))?.status()).toBe(200);
      }).toPass();
      await expect(reader.getByRole("banner").getByRole("link", { name: "Acme", exact: true })).toBeVisible();
      await reader.getByRole("link", { name: "Our first release" }).first().click();
      await expect(reader).toHaveURL(publicPage(stack.publicUrl, acme.subdomain, "/releases/our-first-release"));
      await expect(reader.getByRole("heading", { name: "What is new" })).toBeVisible();
      await expect(reader.getByRole("listitem").filter({ hasText: "Faster pages" })).toBeVisible();
      const image = reader.locator("article img").first();
      await expect(image).toBeVisible();
      await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0);
      await stranger.close();
      await page.goto(publicPage(stack.publicUrl, acme.subdomain, "/releases/our-first-release"));
      await expectAccessible(page);
    });

    await test.step("another site shows the widget with the post", async () => {
      await openWidgetHost(page, stack.publicUrl, acme.subdomain);
      await page.getByRole("button", { name: /what's new/i }).click();
      await expect(page.getByRole("dialog", { name: /what's new/i })).toContainText("Our first release");
      await expectAccessible(page);
    });
  },
);

async function writePost(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Title" }).fill("Our first release");
  const body = page.locator(".codex-editor [contenteditable=true]").first();
  await body.click();
  await page.keyboard.type("Hello to everybody who waited.");
  await page.keyboard.press("Enter");
  await insertBlock(page, "Heading 2");
  await page.keyboard.type("What is new");
  await page.keyboard.press("Enter");
  await insertBlock(page, "Bulleted list");
  await page.keyboard.type("Faster pages");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Fewer clicks");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  const chooser = page.waitForEvent("filechooser");
  await insertBlock(page, "Image");
  await page.getByText("Select an Image").last().click();
  await (await chooser).setFiles(picture);
  await expect(page.locator(".image-tool__image-picture")).toBeVisible();
}

async function insertBlock(page: Page, name: string): Promise<void> {
  await page.keyboard.type("/");
  await page.getByRole("option", { name }).click();
}
