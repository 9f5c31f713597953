import { TOTP } from "otpauth";
import { enter, found } from "./support/people.ts";
import { signIn } from "./support/journey.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

const stepMs = 30_000;

test("an authenticator app becomes the second step of signing in @journey", async ({ page, problems: _ }) => {
  const person = await enter(page, "Ada Lovelace");
  const workspace = await found(page, "Acme");
  await page.goto("/settings/security");
  await page.getByRole("button", { name: "Turn on" }).click();
  const code = page.getByRole("textbox", { name: "Code" });
  await expect(code).toBeFocused();
  await expect(page.getByRole("img", { name: "QR code" })).toBeVisible();
  await expectAccessible(page);
  const secret = (await page.getByRole("dialog").locator("code").textContent())!.replaceAll(" ", "");
  const at = (shift: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + shift * stepMs });
  await code.fill(at(-1));
  await code.press("Enter");
  const recoveryCode = await page.getByRole("list", { name: "Recovery codes" }).locator("code").first().textContent();
  await expectAccessible(page);
  await page.getByRole("button", { name: "I've saved them" }).click();
  await expect(page.getByText("10 of 10 recovery codes left.")).toBeVisible();

  await page.context().clearCookies();
  await signIn(page, person);
  await page.waitForURL(/second-step/);
  await expectAccessible(page);
  await code.fill("000000");
  await code.press("Enter");
  await expect(page.getByText("This code isn't valid.")).toBeVisible();
  await code.fill(at(0));
  await code.press("Enter");
  await page.waitForURL(`**/workspace/${workspace}/dashboard`);

  await page.goto(`/workspace/${workspace}/settings/security`);
  await page.getByLabel("Require two-factor authentication").click();
  await page.getByRole("button", { name: "Require it" }).click();
  await expect(page.getByText("Saved")).toBeVisible();

  await page.goto("/settings/security");
  await page.getByRole("button", { name: "Remove Authenticator app" }).click();
  await code.fill(recoveryCode!);
  await code.press("Enter");
  await expect(page.getByRole("button", { name: "Turn on" })).toBeVisible();
  await page.goto("/workspaces");
  await expect(page.getByText("Acme: two-factor authentication required")).toBeVisible();
  await page.getByRole("link", { name: "Set it up" }).click();
  await page.waitForURL("**/settings/security");
});
