import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, test, workerStack } from "./support/test.ts";
import { unique } from "./support/workspace.ts";

test("an owner adds a domain, sees its records and status, and removes it", { tag: "@journey" }, async ({ page, problems: _ }) => {
  const { workspaceId } = await newWorkspace(page, "Dora Domain", unique("domains"));
  const sql = postgres(workerStack().dbUrl, { max: 1, onnotice: () => {} });
  const host = `changelog.${randomUUID().slice(0, 8)}.example`;
  const section = page.getByRole("region", { name: "Custom domain" });
  const card = section.getByRole("listitem", { name: host });

  await test.step("the add-on is required", async () => {
    await page.goto(`/workspace/${workspaceId}/settings/domain`);
    await expect(section).toBeInViewport();
    await expect(section.getByRole("link", { name: "Get Custom domain" })).toHaveAttribute("href", /\/upgrade\?.*add-ons=custom-domain/);
    await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${workspaceId}, 'custom-domain')`;
    await page.reload();
  });

  await test.step("an invalid domain gets an error at the field", async () => {
    await section.getByLabel("Domain", { exact: true }).fill("192.0.2.7");
    await section.getByRole("button", { name: "Add" }).click();
    await expect(section.getByText(/This is an IP address/)).toBeVisible();
    await section.getByLabel("Domain", { exact: true }).fill(`https://${host.toUpperCase()}/releases`);
    await section.getByRole("button", { name: "Add" }).click();
    await expect(card).toContainText("Waiting for DNS");
    await expect(card).toContainText(`_tidings.${host}`);
    await expectAccessible(page);
  });

  await test.step("the domain is added and checked", async () => {
    await card.getByRole("button", { name: "Check now" }).click();
    // No DNS in this test knows the domain.
    await expect(card).toContainText(/Checked/, { timeout: 30_000 });
    await expect(card).toContainText("Not correct yet");
    await expectAccessible(page);
  });

  await test.step("the domain is live", async () => {
    await sql`update public.domains set state = 'live', live_at = now(), problem = null where host = ${host}`;
    await page.reload();
    await expect(card.getByRole("link", { name: host })).toHaveAttribute("href", `https://${host}/`);
    await expect(card).toContainText("Your page has redirected here since");
    await expectAccessible(page);
  });

  await test.step("the domain is lost", async () => {
    await sql`update public.domains set state = 'lost', grace_until = now() + interval '3 days' where host = ${host}`;
    await page.reload();
    await expect(card).toContainText("it keeps working");
    await expectAccessible(page);
    if (process.env.DOMAIN_PICTURES)
      for (const [width, scheme] of [
        [1280, "light"],
        [1280, "dark"],
        [390, "light"],
        [390, "dark"],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: scheme });
        await section.screenshot({ path: `${process.env.DOMAIN_PICTURES}/${width}-${scheme}.png` });
      }
  });

  await test.step("the domain is removed after a confirmation", async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await card.getByRole("button", { name: `Remove ${host}` }).click();
    const dialog = page.getByRole("dialog", { name: `Remove ${host}?` });
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Remove" }).click();
    await expect(card).toBeHidden();
    expect(await sql`select from public.domains where host = ${host}`).toHaveLength(0);
  });
  await sql.end();
});
