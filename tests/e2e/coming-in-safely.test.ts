import { startStack } from "../support/stack.ts";
import { enter } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

const script = "https://stats.example/script.js";

test("analytics is loaded only after 'Allow cookies', and no longer after that was taken back", async ({ browser }) => {
  test.slow(); // a stack of its own
  const stack = await startStack({ env: { ANALYTICS_SRC: script } });
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

    await test.step("refused: false is saved, the page begins afresh, nothing is loaded", async () => {
      await Promise.all([page.waitForEvent("load"), popup.getByRole("button", { name: "Refuse cookies" }).click()]);
      await expect(popup).toBeHidden();
      expect(await flag()).toBe('{"analytics":false}');
      expect((await consent())?.value).toBe("deny");
      expect(loaded).toEqual([]);
    });
    await test.step("allowed after all: the script runs at once and on the next visit", async () => {
      await page.getByRole("button", { name: "Cookie settings" }).click();
      await popup.getByRole("button", { name: "Allow cookies" }).click();
      await expect.poll(() => loaded).toEqual([script]);
      await expect.poll(() => page.evaluate(() => "counted" in window)).toBe(true);
      expect(await consent()).toMatchObject({ value: "allow", domain: "localhost", sameSite: "Lax" });
      await page.reload();
      await expect.poll(() => loaded).toEqual([script, script]);
      await expect(popup).toBeHidden();
    });
    await test.step("withdrawn: false is saved, the page begins afresh without it", async () => {
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

test.describe("after signing in nobody is sent to another site", () => {
  // Every way to write it is in contract/rules/safe-return-path.test.ts; these are the ones that browsers themselves read differently.
  const elsewhere = [
    "//evil.example",
    "/\\evil.example",
    "https:evil.example",
    "https://evil.example/",
    "/%2f%2fevil.example",
    "%2f%2fevil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "//localhost@evil.example/",
  ];
  for (const parameter of ["redirectTo", "returnUrl"]) {
    test(`by ${parameter}`, async ({ page, stack }) => {
      test.setTimeout(180_000);
      const { email, password } = await enter(page, "Careful Person");
      await page.route(/evil/, (route) => (new URL(route.request().url()).origin === stack.publicUrl ? route.continue() : route.abort()));
      const visited: string[] = [];
      page.on("request", (request) => request.isNavigationRequest() && visited.push(new URL(request.url()).origin));
      for (const address of elsewhere) {
        await page.context().clearCookies();
        await page.goto(`/auth?${new URLSearchParams({ [parameter]: address })}`);
        await page.getByLabel("Email").fill(email);
        await page.getByLabel("Password", { exact: true }).fill(password);
        await page.getByRole("button", { name: "Sign In", exact: true }).click();
        const arrived = page.getByRole("heading", { name: /Your Workspaces|You are signed in|This page was not found/ });
        await expect(arrived, address).toBeVisible();
        expect(new URL(page.url()).origin, address).toBe(stack.publicUrl);
      }
      expect([...new Set(visited)]).toEqual([stack.publicUrl]);
    });
  }
});
