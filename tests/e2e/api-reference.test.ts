import AxeBuilder from "@axe-core/playwright";
import { enter, found } from "./support/people.ts";
import { expect, type Page, test } from "./support/test.ts";

const ofSwagger = ["heading-order", "scrollable-region-focusable"];

async function expectNoViolations(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).disableRules(ofSwagger).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`)).toEqual([]);
}

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
    await page.goto("/developers#version_conflict");
    await expect(page.getByText("Post updated elsewhere")).toBeInViewport(); // a problem's type leads here
    await expect(page.getByRole("heading", { level: 1, name: "API reference" })).toBeVisible();
    const make = page.getByRole("button", { name: /^post \/api\/v1\/posts$/i });
    await make.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByText("Scope: posts:write.")).toBeVisible();
    await expect(page.getByText(/curl -X POST ".*\/api\/v1\/posts"/)).toBeVisible();
    await expect(page.getByText("/api/auth/login")).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "Webhooks", exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: /authorize/i })).toHaveCount(0);
    await page.getByRole("button", { name: "Try it out" }).click();
    await expect(page.getByRole("button", { name: "Execute" })).toBeVisible();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await expectNoViolations(page);
    expect(elsewhere).toEqual([]);
    await page.context().close();
  });
}

test("calls of the API reference can be tried out with a key, which isn't stored", async ({ page, stack, problems: _ }) => {
  await enter(page, "Ada Lovelace");
  const id = await found(page, "Acme");
  const made = await page.request.post(`/api/workspaces/${id}/keys`, {
    data: { name: "Reference", scopes: ["posts:read", "posts:write"] },
    headers: { origin: stack.publicUrl },
  });
  const { secret } = (await made.json()) as { secret: string };
  await page.goto("/developers");
  const post = page.locator(".opblock").filter({ has: page.getByRole("button", { name: /^post \/api\/v1\/posts$/i }) });
  await post.locator(".opblock-summary-control").click();
  await post.getByRole("button", { name: "Try it out" }).click();
  await post.getByRole("textbox", { name: "Request body" }).fill('{"title": "Tried out", "markdown": "From the reference"}');
  const answered = (status: number) => post.locator(".live-responses-table .response-col_status").filter({ hasText: String(status) });
  await post.getByRole("button", { name: "Execute" }).click();
  await expect(answered(401)).toBeVisible(); // not as the person who is signed in
  await page.getByLabel("API key").fill(secret);
  await post.getByRole("button", { name: "Execute" }).click();
  await expect(answered(201)).toBeVisible();
  await expect(post.getByText('"title": "Tried out"').last()).toBeVisible();
  await expectNoViolations(page);
  expect(await page.content()).not.toContain(secret);
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(secret);
  await page.reload();
  await expect(page.getByLabel("API key")).toHaveValue("");
});
