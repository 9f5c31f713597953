import { startStack } from "../support/stack.ts";
import { confirmationLink, signIn } from "./support/journey.ts";
import { enter } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test("a first visit logs nothing to the console", async ({ page }) => {
  const seen: string[] = [];
  page.on("console", (message) => seen.push(message.text()));
  page.on("response", (response) => response.status() >= 400 && seen.push(`${response.status()} ${response.url()}`));
  for (const path of ["/", "/auth"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { name: "Sign in to your account" })).toBeVisible();
    await page.waitForLoadState("networkidle");
  }
  expect(seen).toEqual([]);
});

test("an emailed link resets a forgotten password, once, in another browser too", async ({ page, browser, stack, problems: _ }) => {
  const person = await enter(page, "Grace Hopper");
  await page.context().clearCookies();
  await page.goto("/auth");
  await page.getByLabel("Email").fill(person.email);
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await expect(page.getByRole("heading", { name: "Forgot password?" })).toBeVisible();
  await expect(page.getByLabel("Email")).toBeFocused();
  await expect(page.getByLabel("Email")).toHaveValue(person.email);
  await page.getByLabel("Email").fill("");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("Email is required");
  await expectAccessible(page);
  await page.getByLabel("Email").fill(person.email);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByText(`If ${person.email} has an account`)).toBeVisible();

  const link = await confirmationLink(page, person.email);
  const other = await (await browser.newContext({ baseURL: stack.publicUrl })).newPage();
  await other.request.get(link);
  await other.goto(link);
  await expectAccessible(other);
  await other.getByRole("button", { name: "Continue" }).click();
  await expect(other.getByLabel("New password")).toHaveAccessibleDescription("At least 8 characters.");
  await other.getByLabel("New password").fill("a brand new secret");
  await expectAccessible(other);
  await other.getByRole("button", { name: "Change password" }).click();
  await other.waitForURL(/\/workspaces$/);
  await other.goto(link);
  await other.getByRole("button", { name: "Continue" }).click();
  await expect(other.getByText("This link is invalid or has already been used.")).toBeVisible();
  await other.context().close();

  await signIn(page, { ...person, password: "a brand new secret" });
  await page.waitForURL(/\/workspaces$/);
});

test("Google's button opens the provider, which redirects to the requested page", async ({ browser }) => {
  test.slow();
  const stack = await startStack({ env: { TIDINGS_OAUTH_PROVIDERS: "google" } });
  try {
    const context = await browser.newContext({ baseURL: stack.publicUrl });
    const page = await context.newPage();
    const asked = new Promise<URL>((resolve) =>
      context.route(/\/auth\/v1\/authorize/, async (route) => {
        const url = new URL(route.request().url());
        resolve(url);
        const back = new URL(url.searchParams.get("redirect_to")!);
        back.searchParams.set("code", "not-a-code");
        await route.fulfill({ status: 302, headers: { location: back.href } });
      }),
    );
    await page.goto("/auth?returnUrl=%2Fjoin%2Fcomplete%3Ftoken%3Da&token=a");
    await expect(page.getByText(/github/i)).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Continue with Google" })).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("Email").fill("typed@example.com");
    await page.getByRole("button", { name: "Continue with Google" }).focus();
    await page.keyboard.press("Enter");
    expect((await asked).searchParams.get("provider")).toBe("google");

    await page.waitForURL(/\/auth\/callback\?/);
    expect(new URL(page.url()).searchParams.get("next")).toBe("/auth?returnUrl=%2Fjoin%2Fcomplete%3Ftoken%3Da&token=a");
    await expect(page.getByRole("heading", { name: "You're not signed in" })).toBeVisible();
    await expectAccessible(page);
    await context.close();
  } finally {
    await stack.stop();
  }
});
