import { confirm, fillSignIn, newPerson, signIn } from "./support/journey.ts";
import { dashboardOf, enter, found, invite } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test.describe("an invitation", () => {
  test("guides a new user through sign-up and email into the team", async ({ page, browser, stack, problems: _ }) => {
    const owner = await (await browser.newContext({ baseURL: stack.publicUrl })).newPage();
    await enter(owner, "Ada Lovelace");
    const workspaceId = await found(owner, "Acme");
    const link = await invite(owner, workspaceId, { role: "viewer" });
    await owner.context().close();

    await page.goto(link);
    await expect(page.getByRole("heading", { name: "You're invited!" })).toBeVisible();
    await expect(page.getByText("Join Acme as a Viewer")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Create a new account" }).click();
    const person = newPerson("New Colleague");
    await page.getByLabel("Full name").fill(person.fullName);
    await expect(page.getByLabel("Company name")).toHaveCount(0);
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.getByRole("button", { name: "Sign up", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Check Your Email" })).toBeVisible();
    await confirm(page, person.email);
    await page.waitForURL(dashboardOf(workspaceId));
    await expect(page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: "New post" })).toHaveCount(0);
    expect(await page.evaluate(() => localStorage.getItem("tc:inviteToken"))).toBeNull();

    await page.goto(link);
    await expect(page.getByRole("heading", { name: "Invalid invitation" })).toBeVisible();
    await expect(page.getByText("This invitation link is invalid or has expired.")).toBeVisible();
    await expectAccessible(page);
  });

  test("is kept by the account when the email is opened in another browser, which asks for a password first", async ({
    page,
    browser,
    stack,
  }) => {
    await enter(page, "Ada Lovelace");
    const workspaceId = await found(page, "Acme");
    const link = new URL(await invite(page, workspaceId));
    const invited = await (await browser.newContext({ baseURL: stack.publicUrl })).newPage();
    const person = newPerson("Two Browsers");
    await invited.goto(`/auth?${new URLSearchParams({ type: "signup", token: link.searchParams.get("token")! })}`);
    await invited.getByLabel("Full name").fill(person.fullName);
    await invited.getByLabel("Email").fill(person.email);
    await invited.getByLabel("Password", { exact: true }).fill(person.password);
    await invited.getByRole("button", { name: "Sign up", exact: true }).click();
    await expect(invited.getByRole("heading", { name: "Check Your Email" })).toBeVisible();
    const phone = await (await browser.newContext({ baseURL: stack.publicUrl })).newPage();
    await confirm(phone, person.email);
    await expect(phone.getByText("You opened this link in a different browser")).toBeVisible();
    await expectAccessible(phone);
    await phone.reload();
    await phone.getByLabel("New password").fill("chosen on the phone");
    await phone.getByRole("button", { name: "Change password" }).click();
    await phone.waitForURL(dashboardOf(workspaceId));
    await signIn(invited, person);
    await expect(invited.getByRole("alert")).toContainText("The email address or password is incorrect.");
    await fillSignIn(invited, person.email, "chosen on the phone");
    await invited.waitForURL(dashboardOf(workspaceId));
    await Promise.all([invited.context().close(), phone.context().close()]);
  });
});
