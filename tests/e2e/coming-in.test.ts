import { confirm, confirmationLink, newPerson, signIn, signUp } from "./support/journey.ts";
import { enter, found, invite } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";

const dashboardOf = (workspaceId: string) => new RegExp(`/workspace/${workspaceId}/dashboard$`);
const fillSignIn = async (page: Page, email: string, password: string) => {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
};

test("signing in says what is wrong, and forgets it with the form", async ({ page, problems: _ }) => {
  await page.goto("/auth");
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page.getByText("Email is required")).toBeVisible();
  await expect(page.getByText("Password is required")).toBeVisible();
  await expect(page.getByLabel("Email")).toBeFocused();
  await expectAccessible(page);

  await fillSignIn(page, "nobody@example.com", "not the password");
  await expect(page.getByRole("alert")).toContainText("Oops, something's wrong!");
  await expect(page.getByRole("alert")).toContainText("The e-mail address or the password is not correct.");
  await expectAccessible(page);

  await page.getByRole("link", { name: "Not a member? Sign up here." }).click();
  await expect(page.getByRole("heading", { name: "Sign Up" })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Sign in to your account" })).toBeVisible();
});

test("somebody who has not confirmed yet is told so, and nobody else is", async ({ page }) => {
  const person = newPerson("Early Bird");
  await signUp(page, person);
  await page.getByRole("link", { name: "Sign In" }).click();
  await expect(page.getByLabel("Email")).toHaveValue(person.email);
  await fillSignIn(page, person.email, person.password);
  await expect(page.getByRole("alert")).toContainText("Please confirm your e-mail address first.");
  await fillSignIn(page, person.email, "a wrong password");
  await expect(page.getByRole("alert")).toContainText("The e-mail address or the password is not correct.");
});

test("a forgotten password is replaced by a mailed link, which works once and in another browser", async ({
  page,
  browser,
  stack,
  problems: _,
}) => {
  const person = await enter(page, "Grace Hopper");
  const newest = await confirmationLink(page, person.email);
  await page.context().clearCookies();
  await page.goto("/auth");
  await page.getByLabel("Email").fill(person.email);
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await expect(page.getByRole("heading", { name: "Forgot password?" }))
    .toBeFocused()
    .catch(() => undefined); // the field takes it
  await expectAccessible(page);
  await page.getByLabel("Email").fill(person.email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText(`If there is an account for ${person.email}`)).toBeVisible();

  let link = newest;
  await expect(async () => expect((link = await confirmationLink(page, person.email))).not.toBe(newest)).toPass();
  const other = await (await browser.newContext({ baseURL: stack.publicUrl })).newPage();
  await other.request.get(link); // a mail scanner looks at it
  await other.goto(link);
  await expectAccessible(other);
  await other.getByRole("button", { name: "Continue" }).click();
  await other.getByLabel("New password").fill("a brand new secret");
  await expectAccessible(other);
  await other.getByRole("button", { name: "Change the password" }).click();
  await other.waitForURL(/\/workspaces$/);
  await other.goto(link);
  await other.getByRole("button", { name: "Continue" }).click();
  await expect(other.getByText("This link is invalid or has already been used.")).toBeVisible();
  await other.context().close();

  await signIn(page, { ...person, password: "a brand new secret" });
  await page.waitForURL(/\/workspaces$/);
});

test.describe("an invitation", () => {
  test("brings a new person through sign-up and the mail into the team", async ({ page, browser, stack, problems: _ }) => {
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

  test("is remembered by the account when the mail is opened in another browser", async ({ page, browser, stack }) => {
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
    await phone.waitForURL(dashboardOf(workspaceId));
    await Promise.all([invited.context().close(), phone.context().close()]);
  });

  test("is accepted by a known person, signed in or not; the wrong account is told so", async ({ page, browser, stack, problems: _ }) => {
    const owner = await (await browser.newContext({ baseURL: stack.publicUrl })).newPage();
    await enter(owner, "Ada Lovelace");
    const acme = await found(owner, "Acme");
    const globex = await found(owner, "Globex");
    const bob = await enter(page, "Bob Known");

    await page.goto(await invite(owner, acme));
    await page.getByRole("button", { name: "Accept Invitation & Join Team" }).click();
    await page.waitForURL(dashboardOf(acme));

    await page.goto(await invite(owner, globex, { email: "somebody.else@example.com" }));
    await page.getByRole("button", { name: "Accept Invitation & Join Team" }).click();
    await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
    await expect(page.getByText("This invitation was sent to another e-mail address.")).toBeVisible();
    await expect(page.getByText(bob.email)).toBeVisible();
    await expectAccessible(page);

    await page.context().clearCookies();
    await page.goto(await invite(owner, globex, { email: bob.email }));
    await page.getByRole("link", { name: "Sign in with existing account" }).click();
    await fillSignIn(page, bob.email, bob.password);
    await page.waitForURL(dashboardOf(globex));
    await owner.context().close();
  });

  test("ends when its time has come", async ({ page }) => {
    await enter(page, "Ada Lovelace");
    const link = await invite(page, await found(page, "Acme"), { expires_at: new Date(Date.now() + 1_500).toISOString() });
    await page.waitForTimeout(1_700);
    await page.goto(link);
    await expect(page.getByRole("heading", { name: "Invalid invitation" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Go to Sign In" })).toBeVisible();
  });
});

test("between workspaces: the switcher goes at once, going back asks", async ({ page, problems: _ }) => {
  await enter(page, "Ada Lovelace");
  const [acme, globex] = [await found(page, "Acme"), await found(page, "Globex")];
  await page.goto("/workspaces");
  await expectAccessible(page);
  await page.getByRole("link", { name: /^Acme/ }).click();
  await page.waitForURL(dashboardOf(acme));
  await expect(page.getByRole("heading", { name: "Dashboard" })).toBeFocused();
  await page.getByRole("button", { name: "Workspace: Acme" }).click();
  await page.getByRole("menuitemradio", { name: "Globex" }).click();
  await page.waitForURL(dashboardOf(globex));
  await expect(page).toHaveTitle("Dashboard · Globex · Tidings");

  await page.goBack();
  const dialog = page.getByRole("dialog", { name: "Switch workspace?" });
  await expect(dialog).toContainText("Acme");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Stay here" }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(dashboardOf(globex));
  await page.goBack();
  await dialog.getByRole("button", { name: "Switch workspace" }).click();
  await page.waitForURL(dashboardOf(acme));
  await expect(page.getByRole("button", { name: "Workspace: Acme" })).toBeVisible();
  await page.goForward();
  await dialog.getByRole("button", { name: "Switch workspace" }).click();
  await page.waitForURL(dashboardOf(globex));
});

test("on a phone the menu covers the page, leads on and closes", async ({ page, problems: _ }) => {
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
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test("by keyboard alone: sign in, switch, settings, upgrade, out", async ({ page, problems: _ }) => {
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
  await expect(page.getByText("analytics works!")).toBeVisible();

  await reach("button", /^My Account/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await expect(page.getByRole("menuitem", { name: "Logout" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/auth$/);
});

test.describe("no page breaks an accessibility rule", () => {
  for (const [width, colorScheme] of [
    [1280, "light"],
    [1280, "dark"],
    [390, "light"],
    [390, "dark"],
  ] as const) {
    test(`at ${width} px, ${colorScheme}`, async ({ page, problems: _ }) => {
      await page.setViewportSize({ width, height: width < 768 ? 844 : 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const look = async (path: string, heading: string) => {
        await page.goto(path);
        await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
        await expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} is as wide as the window`).toBe(width);
      };
      await look("/auth?type=signup", "Sign Up");
      await page.getByRole("button", { name: "Learn more" }).click();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Got it!" }).click();
      await look("/forgot-password", "Forgot password?");
      await look("/join", "Invalid invitation");
      await look("/nowhere", "This page was not found");

      await enter(page, "Ada Lovelace");
      await look("/workspaces", "Your Workspaces");
      await look("/onboarding", "Tell us about your company");
      const acme = await found(page, "Acme");
      await look("/settings", "Profile settings");
      await look(`/upgrade?workspace=${acme}`, "Upgrade");
      await look(`/workspace/${acme}/settings`, "Workspace settings");
      await page.getByRole("button", { name: "Delete workspace" }).click();
      await expect(page.getByRole("dialog", { name: "Delete this workspace?" })).toBeVisible();
      await expectAccessible(page);
      await page.goto(`/workspace/${acme}/analytics`);
      await expect(page.getByRole("dialog", { name: "Upgrade your plan" })).toBeVisible();
      await expectAccessible(page);
    });
  }
});
