import type { Browser } from "playwright/test";
import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { newPost, openPost } from "./support/writing.ts";

const blocks = [
  { type: "paragraph", data: { text: "Easy on the eyes after sunset, and it follows your system." } },
  { type: "header", data: { text: "What is new", level: 2 } },
  { type: "list", data: { style: "unordered", items: ["Every page, every dialog", "Contrast checked"] } },
];

async function share(page: Page): Promise<ReturnType<Page["getByRole"]>> {
  await page.getByRole("button", { name: "More actions" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Share preview" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Share preview" });
  await expect(dialog.getByRole("spinbutton", { name: "Expires after (days)" })).toBeFocused();
  return dialog;
}

async function stranger(browser: Browser, look: { width: number; colorScheme: "dark" | "light"; scripts?: boolean }): Promise<Page> {
  const { width, colorScheme, scripts = true } = look;
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, javaScriptEnabled: scripts });
  return await context.newPage();
}

test(
  "a reader with a link reads and comments on a draft of a closed changelog until it is revoked",
  { tag: "@journey" },
  async ({ page, browser, problems: _ }) => {
    const { workspaceId } = await newWorkspace(page, "Ada Sharer", `share-${crypto.randomUUID().slice(0, 13)}`);
    const post = await newPost(page, workspaceId, { title: "Dark mode", blocks, tags: ["feature"] });
    await openPost(page, workspaceId, post.id);

    const dialog = await share(page);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("45");
    await page.keyboard.press("Enter");
    await expect(dialog.getByText("Please choose 1 to 30 days")).toBeVisible();
    const days = dialog.getByRole("spinbutton");
    await expect(days).toHaveValue("45");
    await days.fill("3");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab"); // over Cancel
    await page.keyboard.press("Enter");
    const link = dialog.getByRole("textbox", { name: "Preview link" });
    await expect(link).toHaveValue(/\/releases\/preview\/[\w-]{43}$/);
    await expect(link).toBeFocused();
    const url = await link.inputValue();
    await expect(dialog.getByRole("listitem")).toContainText(/Ada Sharer.*Expires .*readers can comment/);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();

    for (const look of [
      { width: 1280, colorScheme: "light" },
      { width: 390, colorScheme: "dark" },
    ] as const) {
      const reader = await stranger(browser, look);
      const elsewhere: string[] = [];
      reader.on("request", (request) => new URL(request.url()).host !== new URL(url).host && elsewhere.push(request.url()));
      await reader.goto(url);
      await expect(reader.getByRole("complementary", { name: "Preview" })).toHaveText("Draft · version 1 · only people with this link");
      await expect(reader.getByRole("heading", { level: 1, name: "Dark mode" })).toBeVisible();
      await expectAccessible(reader);
      expect(await reader.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      expect(elsewhere).toEqual([]);
      await reader.context().close();
    }

    const reader = await stranger(browser, { width: 390, colorScheme: "light", scripts: false });
    await reader.goto(url);
    await reader.getByRole("link", { name: "Comment on “What is new”" }).click();
    await expect(reader.getByRole("combobox", { name: "Subject" })).toHaveValue(/./);
    await reader.getByRole("textbox", { name: "Your comment" }).fill("Does it come to phones, too?");
    await reader.getByRole("button", { name: "Send comment" }).click();
    await expect(reader.getByText("Please enter your name")).toBeVisible();
    await expect(reader.getByRole("textbox", { name: "Your comment" })).toHaveValue("Does it come to phones, too?");
    await expect(reader.getByRole("combobox", { name: "Subject" })).toHaveValue(/./);
    await reader.getByRole("textbox", { name: "Your name" }).fill("Rita Reader");
    await reader.getByRole("button", { name: "Send comment" }).click();
    await expect(reader.getByRole("status")).toHaveText("Your comment was sent. Thank you.");
    await expect(reader.locator(".said article")).toContainText("What is new");
    await expect(reader.locator(".said article")).toContainText("Does it come to phones, too?");
    await reader.reload();
    await expect(reader.locator(".said article")).toHaveCount(1);

    const again = await share(page);
    await again.getByRole("button", { name: /^Revoke the link by Ada Sharer/ }).click();
    await expect(again.getByRole("button", { name: "Cancel" })).toBeFocused();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Link revoked")).toBeVisible();
    await expect(again.getByRole("listitem")).toHaveCount(0);
    const gone = await reader.goto(url);
    expect(gone?.status()).toBe(404);
    await expect(reader.getByRole("heading", { level: 1 })).toHaveText("This link no longer works");
  },
);
