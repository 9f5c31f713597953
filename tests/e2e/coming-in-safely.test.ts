import { startStack } from "../support/stack.ts";
import { expect, test } from "./support/test.ts";

const script = "https://stats.example/script.js";

test("analytics loads only after 'Allow cookies', and stops when consent is withdrawn", async ({ browser }) => {
  test.slow();
  const stack = await startStack({ env: { TIDINGS_ANALYTICS_SRC: script } });
  try {
    const context = await browser.newContext({ baseURL: stack.publicUrl });
    await context.route(script, (route) => route.fulfill({ contentType: "text/javascript", body: "window.counted = true;" }));
    const page = await context.newPage();
    const loaded: string[] = [];
    page.on("request", (request) => new URL(request.url()).origin !== stack.publicUrl && loaded.push(request.url()));
    const popup = page.getByRole("region", { name: "Cookie consent" });
    const consent = async () => (await context.cookies()).find(({ name }) => name === "tc-consent");
    const flag = () => page.evaluate(() => localStorage.getItem("tc:consent"));

    await page.goto("/auth");
    await expect(popup).toContainText("This website uses cookies to ensure you get the best experience.");
    expect(await consent()).toBeUndefined();
    expect(loaded).toEqual([]);

    await test.step("refusing saves false, reloads the page and loads nothing", async () => {
      await Promise.all([page.waitForEvent("load"), popup.getByRole("button", { name: "Refuse cookies" }).click()]);
      await expect(popup).toBeHidden();
      expect(await flag()).toBe('{"analytics":false}');
      expect((await consent())?.value).toBe("deny");
      expect(loaded).toEqual([]);
    });
    await test.step("allowing later runs the script immediately and on the next visit", async () => {
      await page.getByRole("button", { name: "Cookie settings" }).click();
      await popup.getByRole("button", { name: "Allow cookies" }).click();
      await expect.poll(() => loaded).toEqual([script]);
      await expect.poll(() => page.evaluate(() => "counted" in window)).toBe(true);
      expect(await consent()).toMatchObject({ value: "allow", domain: "localhost", sameSite: "Lax" });
      await page.reload();
      await expect.poll(() => loaded).toEqual([script, script]);
      await expect(popup).toBeHidden();
    });
    await test.step("withdrawing saves false and reloads the page without the script", async () => {
      await page.getByRole("button", { name: "Cookie settings" }).click();
      await Promise.all([page.waitForEvent("load"), popup.getByRole("button", { name: "Refuse cookies" }).click()]);
      await expect(page.getByRole("heading", { name: "Sign in to your account" })).toBeVisible();
      expect(await flag()).toBe('{"analytics":false}');
      expect(await page.evaluate(() => "counted" in window)).toBe(false);
      expect(loaded).toHaveLength(2);
    });
    await context.close();
  } finally {
    await stack.stop();
  }
});
