import { type Changelog, newChangelog } from "./support/changelog.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

let acme: Changelog;
test.beforeAll(async ({ workerStack }) => {
  acme = await newChangelog(workerStack);
});
test.afterAll(() => acme.end());

for (const colorScheme of ["light", "dark"] as const) {
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const) {
    test(`list, post, search and 404 pages are accessible in ${colorScheme}, ${width} wide`, async ({ page, problems }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      for (const path of ["/releases", "/releases/dark-mode", "/releases?q=exports", "/releases?q=zebra", "/releases/never-was"]) {
        await page.goto(acme.origin + path);
        await expectAccessible(page);
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect(wider, path).toBeLessThanOrEqual(0);
      }
      expect(problems).toEqual([]);
    });
  }
}

test("a reader without scripts searches, filters and moves between releases", { tag: "@journey" }, async ({ browser, problems }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${acme.origin}/releases`);
  await page.getByRole("searchbox", { name: "Search updates" }).fill("half the time");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status")).toContainText("1 update with “half the time”");
  await page.getByRole("link", { name: "Faster exports" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Faster exports");
  await page.getByRole("link", { name: "Next → Webhooks" }).click();
  await page.getByRole("link", { name: "Feature" }).click();
  await expect(page.getByRole("article")).toHaveCount(2);
  await page.getByRole("link", { name: "Show everything" }).click();
  await page.getByRole("link", { name: "January 2026" }).click();
  await expect(page.getByRole("article")).toHaveCount(1);
  await context.close();
  expect(problems).toEqual([]);
});

test("the keyboard reaches the content first, with a visible focus", async ({ page }) => {
  await page.goto(`${acme.origin}/releases`);
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("searchbox")).toBeFocused();
  const outline = await page.getByRole("searchbox").evaluate((field) => getComputedStyle(field).outlineWidth);
  expect(outline).toBe("2px");
});

test("a page requests only itself, its icon and the counting pixel, and its layout doesn't shift", async ({ page, problems }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${acme.origin}/releases/dark-mode`, { waitUntil: "networkidle" });
  expect(asked.filter((path) => !path.includes("icon") && !path.startsWith("/fonts/"))).toEqual([
    "/releases/dark-mode",
    "/releases/dark-mode.gif",
  ]);
  const moved = await page.evaluate(
    () =>
      new Promise((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve(sum), 100);
      }),
  );
  expect(moved).toBe(0);
  expect(problems).toEqual([]);
});

test("a printed page shows only the article", async ({ page }) => {
  await page.goto(`${acme.origin}/releases/dark-mode`);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { name: "Dark mode" })).toBeVisible();
  await expect(page.getByRole("navigation")).toBeHidden();
  await expect(page.getByText("Published with Tidings")).toBeHidden();
});
