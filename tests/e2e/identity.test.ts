import postgres from "postgres";
import { IdentityProvider } from "../support/identity-provider.ts";
import { sentMails } from "./support/another-place.ts";
import { newPerson, signIn } from "./support/journey.ts";
import { enter, found } from "./support/people.ts";
import { expect, expectAccessible, type Page, test, workerStack } from "./support/test.ts";

const look = async (page: Page, name: string) => {
  await expectAccessible(page);
  const width = page.viewportSize()!.width;
  expect(await page.evaluate(() => document.documentElement.scrollWidth), `${name} is as wide as the window`).toBe(width);
};

/** Focuses by Tab alone. */
async function tabTo(page: Page, role: Parameters<Page["getByRole"]>[0], name: string | RegExp): Promise<void> {
  const target = page.getByRole(role, { name });
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(target).toBeFocused();
}

test("an owner sets up and requires single sign-on with the keyboard, and uses the break-glass code", async ({
  page,
  browser,
  problems: _,
}) => {
  const stack = workerStack();
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  const provider = await new IdentityProvider().start();
  try {
    const domain = `${crypto.randomUUID()}.example`;
    const owner = await enter(page, { ...newPerson("Ada Lovelace"), email: `ada@${domain}` });
    const acme = await found(page, "Acme");
    const settings = `/workspace/${acme}/settings/security`;
    const approve = (who: Page, subject: string, email: string) =>
      who.route(`${provider.url}/authorize*`, (route) => {
        const query = provider.approve(route.request().url(), { sub: subject, email, name: "Ada Lovelace" });
        return route.fulfill({ status: 302, headers: { location: `${stack.publicUrl}/auth/callback?${query}` } });
      });
    await approve(page, "ada", owner.email);

    await page.goto(settings);
    await page.getByRole("button", { name: "Got it!" }).click();
    await expect(page.getByRole("link", { name: "Get Single sign-on" })).toBeVisible();
    await look(page, "provider-without-add-on");
    await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${acme}, 'sso')`;
    await page.reload();

    await tabTo(page, "textbox", "Domain");
    await page.keyboard.type(domain);
    await page.keyboard.press("Enter");
    await expect(page.getByText("Waiting for DNS")).toBeVisible();
    await look(page, "provider-none-domain-unverified");
    await tabTo(page, "textbox", "Issuer");
    await page.keyboard.type("http://not.a.provider.example");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("textbox", { name: "Client ID" })).toHaveAttribute("aria-invalid", "true");
    await look(page, "provider-invalid");
    await page.getByRole("textbox", { name: "Issuer" }).fill(provider.url);
    await tabTo(page, "textbox", "Client ID");
    await page.keyboard.type(provider.clientId);
    await page.getByLabel("Client secret").focus();
    await page.keyboard.type(provider.secret);
    await page.keyboard.press("Enter");
    await expect(page.getByText("Test the sign-in before you turn it on.")).toBeVisible();
    await look(page, "provider-saved");

    await sql`update private.email_domains set proven_at = now() where domain = ${domain}`;
    await tabTo(page, "button", "Test sign-in");
    await page.keyboard.press("Enter");
    await expect(page.getByText("The test sign-in works")).toBeVisible();
    await expect(page.getByText(/^Tested /)).toBeVisible();
    await tabTo(page, "checkbox", "Turn on single sign-on");
    await page.keyboard.press("Space");
    await expect(page.getByRole("checkbox", { name: "Require single sign-on" })).toBeEnabled();
    await look(page, "provider-on");
    await page.getByRole("checkbox", { name: "Require single sign-on" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Require it" }).click();
    await expect(page.getByText("Couldn't save")).toBeVisible(); // the owner hasn't used it yet
    await look(page, "provider-require-refused");

    await page.context().clearCookies();
    await page.goto("/auth");
    await page.getByRole("link", { name: "Continue with single sign-on" }).click();
    await expect(page.getByRole("textbox", { name: "Work email" })).toBeFocused();
    await look(page, "sign-on");
    await page.keyboard.type("ada@unknown.example");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).toBeVisible();
    await look(page, "sign-on-unknown");
    await page.getByRole("textbox", { name: "Work email" }).fill(owner.email);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/workspace/${acme}/dashboard`);

    const password = "a passphrase of her own";
    await sql`update auth.users set encrypted_password = extensions.crypt(${password}, extensions.gen_salt('bf', 4)) where email = ${owner.email}`;
    await page.goto(settings);
    await tabTo(page, "checkbox", "Require single sign-on");
    await page.keyboard.press("Space");
    await tabTo(page, "button", "Require it");
    await look(page, "provider-require");
    await page.keyboard.press("Enter");
    const code = await page.getByRole("textbox", { name: "Break-glass code" }).inputValue();
    await look(page, "break-glass-code");
    await page.getByRole("button", { name: "I've saved it" }).click();
    await expect(page.getByRole("checkbox", { name: "Require single sign-on" })).toBeChecked();
    await look(page, "provider-required");

    const elsewhere = await (await browser.newContext({ baseURL: stack.publicUrl })).newPage();
    await signIn(elsewhere, { ...owner, password });
    await expect(elsewhere.getByText("Acme: single sign-on required")).toBeVisible();
    await look(elsewhere, "enforcement");
    await tabTo(elsewhere, "button", "Use break-glass code");
    await elsewhere.keyboard.press("Enter");
    const field = elsewhere.getByRole("textbox", { name: "Code" });
    await expect(field).toBeFocused();
    await field.fill("0000-0000");
    await field.press("Enter");
    await expect(elsewhere.getByText("This code isn't valid")).toBeVisible();
    await look(elsewhere, "break-glass-wrong");
    await field.fill(code);
    await field.press("Enter");
    await expect(elsewhere.getByRole("dialog")).toBeHidden();
    await expect(elsewhere.getByText("Acme: single sign-on required")).toBeHidden();
    await elsewhere.goto(settings);
    await expect(elsewhere.getByRole("checkbox", { name: "Require single sign-on" })).not.toBeChecked();
    await elsewhere.context().close();
  } finally {
    provider.stop();
    await sql.end();
  }
});

test("passwords, second factors and their undo links", async ({ page, browser, problems: _ }) => {
  const stack = workerStack();
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  const domain = `${crypto.randomUUID()}.example`;
  const elsewhere = await (await browser.newContext({ baseURL: stack.publicUrl })).newPage();
  const linkTo = async (address: string) => {
    let link: string | undefined;
    await expect(async () => {
      await page.request.post("/api/jobs/run");
      link = (await sentMails(page)).find(({ to }) => to === address)?.links.find((one) => one.includes("/auth/undo-change"));
      expect(link).toBeDefined();
    }).toPass();
    return link!;
  };
  try {
    await page.goto("/auth?type=signup");
    await page.getByRole("button", { name: "Got it!" }).click();
    const password = page.getByLabel("Password", { exact: true });
    for (const [typed, strength] of [
      ["short", "Too short"],
      ["password1", "Weak. It's easy to guess."],
      ["correct horse battery staple", "Strong"],
    ] as const) {
      await password.fill(typed);
      await expect(page.getByText(strength)).toBeVisible();
      await look(page, `strength-${typed.length}`);
    }

    const owner = await enter(page, { ...newPerson("Ada Lovelace"), email: `ada@${domain}` });
    const acme = await found(page, "Acme");
    const member = await enter(elsewhere, { ...newPerson("Grace Hopper"), email: `grace@${domain}` });
    await sql`insert into public.members (workspace_id, user_id, role) select ${acme}, id, 'editor' from auth.users where email = ${member.email}`;
    await sql`insert into private.email_domains (workspace_id, domain, proven_at) values (${acme}, ${domain}, now())`;
    await sql`insert into private.factors (id, user_id, name, secret, confirmed_at)
      select gen_random_uuid(), id, 'Authenticator app', 'unreadable', now() from auth.users where email = ${member.email}`;

    await elsewhere.context().clearCookies();
    await signIn(elsewhere, member);
    await expect(elsewhere.getByRole("textbox", { name: "Code" })).toBeFocused();
    await look(elsewhere, "second-step");
    await elsewhere.keyboard.type("123456");
    await elsewhere.keyboard.press("Enter");
    await expect(elsewhere.getByText("This code isn't valid")).toBeVisible();
    await look(elsewhere, "second-step-wrong");

    await page.goto(`/workspace/${acme}/settings/security`);
    await tabTo(page, "button", "Reset two-factor authentication of Grace Hopper");
    await look(page, "resets");
    await page.keyboard.press("Enter");
    await tabTo(page, "button", "Reset it");
    await page.keyboard.press("Enter");
    await expect(page.getByText(/unless they object/)).toBeVisible();
    await look(page, "resets-requested");
    await elsewhere.goto(await linkTo(member.email));
    await tabTo(elsewhere, "button", "Keep my apps");
    await look(elsewhere, "undo-reset");
    await elsewhere.keyboard.press("Enter");
    await expect(elsewhere.getByText("Nothing was removed.")).toBeVisible();
    await look(elsewhere, "undo-reset-done");

    await page.goto("/settings");
    await page.locator("summary", { hasText: "Change password" }).press("Enter");
    const form = page.locator("details", { hasText: "Change password" });
    await form.getByLabel("Current password").fill("a wrong password");
    await form.getByLabel("New password").fill("a brand new passphrase");
    await expect(form.getByText("Strong")).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(form.getByText("This isn't your current password")).toBeVisible();
    await look(page, "password-wrong");
    await form.getByLabel("Current password").fill(owner.password);
    await page.keyboard.press("Enter");
    await expect(page.getByText("Password changed")).toBeVisible();
    await page.goto(await linkTo(owner.email));
    await tabTo(page, "button", "Undo change");
    await look(page, "undo-password");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("link", { name: "Choose a new password" })).toBeVisible();
    await look(page, "undo-password-done");
  } finally {
    await elsewhere.context().close();
    await sql.end();
  }
});
