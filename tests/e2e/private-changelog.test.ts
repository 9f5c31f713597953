import { enter, found } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test("an owner locks the changelog, and a reader enters with the password, then a colleague without @journey", async ({
  page,
  browser,
  problems: _,
}) => {
  await enter(page, "Ada Lovelace");
  const subdomain = `in-${crypto.randomUUID().slice(0, 13)}`;
  const workspace = await found(page, "Acme", subdomain);
  await page.goto(`/workspace/${workspace}/dashboard`);
  await page.getByRole("switch", { name: "Public Changelog" }).click();
  await expect(page.getByRole("switch", { name: "Public Changelog" })).toBeChecked();
  const { protocol, host } = new URL(page.url());
  const releases = `${protocol}//${subdomain}.${host}/releases`;

  await page.goto(`/workspace/${workspace}/settings/access`);
  await page.getByLabel("People with a password").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Please enter a password")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "Password" }).fill("open sesame");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved")).toBeVisible();
  const again = page.getByRole("textbox", { name: "New password" });
  await expect(again).toHaveValue("");
  await again.fill("open sesame");
  await page.keyboard.press("Enter");
  await expect(again).toHaveValue("");

  const context = await browser.newContext({ javaScriptEnabled: false });
  const reader = await context.newPage();
  await reader.goto(`${releases}?q=mode`);
  await expect(reader.getByLabel("Password")).toBeFocused();
  await reader.keyboard.type("open barley");
  await reader.keyboard.press("Enter");
  await expect(reader.getByLabel("Password")).toHaveAccessibleDescription("This password isn't right. Please try again.");
  await reader.keyboard.type("open sesame");
  await reader.keyboard.press("Enter");
  await expect(reader).toHaveURL(`${releases}?q=mode`);
  await expect(reader.getByRole("searchbox")).toHaveValue("mode");
  await reader.getByRole("button", { name: "Sign out" }).click();
  await expect(reader.getByLabel("Password")).toBeVisible();
  await context.close();

  await page.goto(releases);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Part of the team? Sign in" }).click();
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  await expect(page).toHaveURL(releases);
});
