import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { CertifiedProvider } from "../support/certified-provider.ts";
import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";

async function signInAtProvider(page: Page, email: string): Promise<void> {
  await page.waitForURL(/\/interaction\//);
  await page.getByPlaceholder("Enter any login").fill(email);
  await page.getByPlaceholder("and password").fill("x");
  await page.getByRole("button", { name: "Sign-in" }).click();
}

test("the owner sets up single sign-on, and a colleague signs in and out with it", { tag: "@journey" }, async ({ page, stack }) => {
  const provider = await new CertifiedProvider({ redirectUri: `${stack.publicUrl}/auth/callback` }).start();
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  try {
    const domain = `${randomUUID()}.example`;
    const { workspaceId } = await newWorkspace(page, "Olive Owner", `sso-${randomUUID().slice(0, 13)}`);
    await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${workspaceId}, 'sso')`;
    await sql`insert into private.email_domains (workspace_id, domain, proven_at) values (${workspaceId}, ${domain}, now())`;

    await page.goto(`/workspace/${workspaceId}/settings/security`);
    await page.getByLabel("Issuer").fill(provider.issuer);
    await page.getByLabel("Client ID").fill(provider.clientId);
    await page.getByLabel("Client secret").fill(provider.secret);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Test sign-in" }).click();
    await signInAtProvider(page, `owner@${domain}`);
    await expect(page.getByText("The test sign-in works")).toBeVisible();
    await page.getByLabel("Turn on single sign-on").click();
    await expect(page.getByText("Saved")).toBeVisible();
    await expectAccessible(page);

    await page.context().clearCookies();
    await page.goto("/auth");
    await page.getByRole("link", { name: "Continue with single sign-on" }).click();
    await page.getByLabel("Email").fill(`grace@${domain}`);
    await page.getByRole("button", { name: "Continue" }).click();
    await signInAtProvider(page, `grace@${domain}`);
    await page.waitForURL(`**/workspace/${workspaceId}/dashboard`);

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(/\/session\/end/);
    await page.getByRole("button", { name: "Yes, sign me out" }).click();
    await page.waitForURL(`${stack.publicUrl}/auth`);
  } finally {
    provider.stop();
    await sql.end();
  }
});
