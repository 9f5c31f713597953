import { confirmationLink, fillSignIn, signIn } from "./support/journey.ts";
import { sentMails } from "./support/another-place.ts";
import { enter, found } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test("the profile lists two browsers' sessions and signs one out from the other", async ({ page, browser, stack, problems: _ }) => {
  const person = await enter(page, "Ada Lovelace");
  const phone = await browser.newContext({
    baseURL: stack.publicUrl,
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  });
  const other = await phone.newPage();
  await signIn(other, person);
  await other.waitForURL(/\/workspaces$/);
  await signIn(page, person);
  await page.waitForURL(/\/workspaces$/);

  await page.goto("/settings/security");
  const sessions = page.getByRole("list", { name: "Sessions" });
  await expect(sessions.getByRole("listitem").first()).toContainText(/Chrome on Linux.*This device/);
  await expect(sessions.getByText("Safari on iPhone")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sign out Safari on iPhone" }).click();
  await expect(page.getByText("Device signed out")).toBeVisible();
  await expect(sessions.getByText("Safari on iPhone")).toHaveCount(0);

  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await expect(page.getByText("Signed out everywhere else")).toBeVisible();
  await expect(sessions.getByRole("listitem")).toHaveCount(1);
  await page.reload();
  await expect(sessions.getByRole("listitem")).toHaveCount(1);
  await phone.close();
});

test("a new email address takes effect once its emailed link is opened in any browser", async ({ page, browser, stack, problems: _ }) => {
  const person = await enter(page, "Grace Hopper");
  const address = person.email.replace("@", ".new@");
  await page.goto("/settings");
  await page.locator("summary", { hasText: "Change email" }).click();
  await page.getByLabel("New email address").fill(address);
  await page.getByLabel("Current password").first().fill(person.password);
  await page.getByRole("button", { name: "Change email" }).click();
  await expect(page.getByText(/We've sent a confirmation link to/)).toContainText(address);

  const link = await confirmationLink(page, address);
  const elsewhere = await (await browser.newContext({ baseURL: stack.publicUrl })).newPage();
  await elsewhere.request.get(link);
  await elsewhere.goto(link);
  await expect(elsewhere.getByRole("heading", { name: "Confirm your new email address" })).toBeVisible();
  await expectAccessible(elsewhere);
  await elsewhere.getByRole("button", { name: "Confirm" }).click();
  await elsewhere.waitForURL(/\/workspaces$/);
  await elsewhere.goto("/settings");
  await expect(elsewhere.getByText(`You sign in with ${address}.`)).toBeVisible();

  await elsewhere.context().clearCookies();
  await signIn(elsewhere, person);
  await expect(elsewhere.getByRole("alert")).toContainText("The email address or password is incorrect.");
  await fillSignIn(elsewhere, address, person.password);
  await elsewhere.waitForURL(/\/workspaces$/);

  await elsewhere.request.post("/api/jobs/run");
  const told = (await sentMails(page)).find((mail) => mail.to === person.email && mail.subject.endsWith("was changed"));
  await page.goto(told!.links[0]!);
  await expect(page.getByRole("heading", { name: "Undo email change" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Undo change" }).click();
  await expect(page.getByText(`You sign in with ${person.email} again.`)).toBeVisible();
  await elsewhere.goto("/settings");
  await elsewhere.waitForURL(/\/auth\b/);
  await elsewhere.context().close();
});

test("signing out everywhere else lists keys and assistants, and can revoke them", async ({ page, browser, stack, problems: _ }) => {
  const person = await enter(page, "Ada Lovelace");
  const id = await found(page, "Acme");
  await page.request.post(`/api/workspaces/${id}/keys`, {
    data: { name: "CI", scopes: ["posts:read"] },
    headers: { origin: stack.publicUrl },
  });
  const other = await (await browser.newContext({ baseURL: stack.publicUrl })).newPage();
  await signIn(other, person);
  await other.waitForURL(/\/dashboard$/);
  await page.goto("/settings/security");
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await page.waitForURL(/\/settings\/access$/);
  await expect(page.getByRole("listitem").filter({ hasText: "CI" })).toContainText("API key in");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText(/Nothing created since this day/)).toBeVisible();
  await page.getByRole("link", { name: "Back to settings" }).click();
  await page.waitForURL(/\/settings$/);
  await other.context().close();
});

test("an avatar can be chosen, appears everywhere and can be removed", async ({ page, problems: _ }) => {
  await enter(page, "Ada Lovelace");
  await page.goto("/settings");
  await page.getByLabel("Avatar").setInputFiles("tests/e2e/support/picture.png");
  await expect(page.getByText("Avatar saved")).toBeVisible();
  const picture = page.getByRole("button", { name: /^My Account/ }).locator("img");
  await expect(picture).toBeVisible();
  await page.getByRole("button", { name: "Remove avatar" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Avatar removed")).toBeVisible();
  await expect(picture).toHaveCount(0);
  await expect(page.getByLabel("Avatar")).toBeFocused();
  await page.reload();
  await expect(page.getByRole("button", { name: "Remove avatar" })).toHaveCount(0);
});

test("an owner must transfer a workspace before deleting the account; other members need not", async ({ page, problems: _ }) => {
  const person = await enter(page, "Ada Lovelace");
  const id = await found(page, "Acme");
  await page.goto("/settings");
  await expect(page.getByRole("link", { name: "Acme" }).last()).toHaveAttribute("href", `/workspace/${id}/settings`);
  await expect(page.getByRole("button", { name: "Delete account" })).toHaveCount(0);
  await page.request.delete(`/api/workspaces/${id}`, { data: { name: "Acme" }, headers: { origin: new URL(page.url()).origin } });
  await page.reload();
  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete your account?" });
  await dialog.getByLabel("Current password").fill("a wrong password");
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect(dialog.getByText("This isn't your current password")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Current password").fill(person.password);
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await page.waitForURL(/\/auth\b/);
  await expect(page.getByText("Account deleted")).toBeVisible();
  await signIn(page, person);
  await expect(page.getByRole("alert")).toContainText("The email address or password is incorrect.");
});
