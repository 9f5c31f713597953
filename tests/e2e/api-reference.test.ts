import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "./support/test.ts";

const ofSwagger = ["heading-order", "scrollable-region-focusable"];

for (const [width, colorScheme] of [
  [1280, "light"],
  [390, "dark"],
] as const) {
  test(`the API reference loads without third parties, ${width} pixels wide and ${colorScheme}`, async ({ browser, stack, problems }) => {
    const page = await (await browser.newContext({ baseURL: stack.publicUrl, colorScheme, viewport: { width, height: 900 } })).newPage();
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(`${stack.publicUrl}/`) && !request.url().startsWith("data:")) elsewhere.push(request.url());
    });
    page.on("console", (line) => ["error", "warning"].includes(line.type()) && problems.push(line.text()));
    await page.goto("/developers");
    await expect(page.getByRole("heading", { level: 1, name: "API reference" })).toBeVisible();
    const make = page.getByRole("button", { name: /^post \/api\/v1\/posts$/i });
    await make.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByText("Scope: posts:write.")).toBeVisible();
    await expect(page.getByText(/curl -X POST ".*\/api\/v1\/posts"/)).toBeVisible();
    await expect(page.getByText("/api/auth/login")).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "Webhooks", exact: true })).toBeVisible();
    for (const name of [/try it out/i, /authorize/i, /execute/i]) await expect(page.getByRole("button", { name })).toHaveCount(0);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const { violations } = await new AxeBuilder({ page }).disableRules(ofSwagger).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`)).toEqual([]);
    expect(elsewhere).toEqual([]);
    await page.context().close();
  });
}
