import { enter, found } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test.describe("every page passes the accessibility rules", () => {
  for (const [width, colorScheme] of [
    [1280, "light"],
    [1280, "dark"],
    [390, "light"],
    [390, "dark"],
  ] as const) {
    test(`pages are accessible at ${width} px, ${colorScheme}`, async ({ page, problems: _ }) => {
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
      await look("/nowhere", "Page not found");

      await enter(page, "Ada Lovelace");
      await look("/workspaces", "Your Workspaces");
      await look("/onboarding", "Tell us about your company");
      const acme = await found(page, "Acme");
      await look("/settings", "Profile settings");
      await look(`/upgrade?workspace=${acme}`, "Upgrade");
      await look(`/workspace/${acme}/settings`, "Workspace settings");
      await look(`/workspace/${acme}/settings/danger`, "Danger zone");
      await page.getByRole("button", { name: "Delete workspace" }).click();
      await expect(page.getByRole("dialog", { name: "Delete this workspace?" })).toBeVisible();
      await expectAccessible(page);
      await page.goto(`/workspace/${acme}/analytics`);
      await expect(page.getByRole("dialog", { name: "Upgrade your plan" })).toBeVisible();
      await expectAccessible(page);
    });
  }
});
