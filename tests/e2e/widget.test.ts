import { type Changelog, newChangelog } from "./support/changelog.ts";
import { type OtherSite, otherSite } from "./support/other-site.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";

let site: OtherSite;
let acme: Changelog;
let globex: Changelog;
let publicUrl: string;
test.beforeAll(async ({ workerStack }) => {
  site = await otherSite();
  acme = await newChangelog(workerStack, { allowedOrigins: [site.origin], settings: { appearance: { theme: "light" } } });
  globex = await newChangelog(workerStack, { allowedOrigins: [site.origin], settings: { behaviour: { delay: 10_000 } } });
  publicUrl = workerStack.publicUrl;
});
test.afterAll(async () => {
  await Promise.all([acme.end(), globex.end()]);
  await site.close();
});

const snippet = (more = "", { subdomain } = acme): string =>
  `<script async src="${publicUrl}/widget.js" data-workspace="${subdomain}" ${more}></script>`;
const launcher = (page: Page) => page.getByRole("button", { name: "What's New" });
const panel = (page: Page) => page.getByRole("dialog", { name: "What's New" });

async function readPost(page: Page): Promise<void> {
  await launcher(page).click();
  await panel(page)
    .getByRole("link", { name: /^Dark mode/ })
    .click();
  await expect(panel(page).getByText("How to turn it on")).toBeVisible();
}

const isolated = (policy: string) => ({ "cross-origin-embedder-policy": policy, "cross-origin-opener-policy": "same-origin" });

const hostile: Record<string, { body: string; headers?: () => Record<string, string>; tag?: string }> = {
  "a strict Content-Security-Policy and Trusted Types": {
    body: "",
    headers: () => ({
      "content-security-policy": `default-src 'none'; script-src ${publicUrl}; connect-src ${publicUrl}; img-src ${publicUrl}; style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; form-action 'none'; base-uri 'none'`,
    }),
  },
  "a Content-Security-Policy of nonces and Trusted Types": {
    body: "",
    tag: `nonce="abc"`,
    headers: () => ({
      "content-security-policy": `default-src 'none'; script-src 'nonce-abc'; connect-src ${publicUrl}; require-trusted-types-for 'script'; trusted-types 'none'`,
    }),
  },
  "isolation from other origins": { body: "", headers: () => isolated("credentialless") },
  "isolation from other origins that do not say they may be shown": { body: "", headers: () => isolated("require-corp") },
  "styles that want everything": {
    body: "<style>*, *::before { font-size: 40px !important; color: red !important; display: block !important; all: unset } tidings-widget { display: none !important; opacity: 0 !important }</style>",
  },
  "elements of the name that its scripts call": {
    body: `<h2 id="Tidings">Tidings</h2><img name="Tidings" alt=""><form name="Tidings"></form>`,
  },
  "polluted prototypes": {
    body: `<script>
      Object.prototype.hidden = true; Object.prototype.class = "x"; Object.prototype.href = "javascript:alert(1)"; Array.prototype.extra = () => 1;
      Array.prototype.toJSON = () => "no"; String.prototype.trim = function () { return "" + this }; Function.prototype.hidden = 1;
    </script>`,
  },
  "an old library that has replaced what browsers bring": {
    body: `<script>
      window.$ = window.jQuery = (selector) => document.querySelectorAll(selector);
      Array.prototype.flat = undefined; Array.prototype.remove = function () {}; Element.prototype.hide = function () {};
      window.Event = function () {}; window.name = "host";
    </script>`,
  },
};

for (const [name, { body, headers, tag }] of Object.entries(hostile)) {
  test(`the widget works on a page with ${name}`, { tag: "@https" }, async ({ page, problems }) => {
    const address = site.page(`/${encodeURIComponent(name)}`, body + snippet(tag), headers?.());
    await page.goto(address);
    await readPost(page);
    const size = await panel(page)
      .getByRole("heading", { name: "What's New" })
      .evaluate((heading) => getComputedStyle(heading).fontSize);
    expect(size).toBe("17.5px");
    expect(problems).toEqual([]);
  });
}

for (const [width, height] of [
  [320, 256],
  [667, 331],
] as const) {
  test(`the widget's posts can be read and the panel closed at ${width} by ${height}`, async ({ page, problems }) => {
    await page.setViewportSize({ width, height });
    await page.goto(site.page("/small", snippet()));
    await launcher(page).click();
    const box = (await panel(page).boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height).toBeLessThanOrEqual(height);
    expect(box.height).toBeGreaterThanOrEqual(height - 100);
    const lists = await panel(page).evaluate((panel) =>
      [panel, ...panel.querySelectorAll(".posts")].map(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight),
    );
    expect(lists).toEqual([true, false]);
    await panel(page)
      .getByRole("link", { name: /^Faster exports/ })
      .click();
    await expect(panel(page).getByText("Exports take half the time.")).toBeInViewport();
    await panel(page).getByRole("button", { name: "Close" }).click();
    await expect(panel(page)).toBeHidden();
    expect(problems).toEqual([]);
  });
}

test("the widget has borders in forced colours mode", async ({ page, problems }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(site.page("/forced", snippet()));
  const { width, colour, ground } = await launcher(page).evaluate((button) => {
    const { borderTopWidth: width, borderTopColor: colour, backgroundColor: ground } = getComputedStyle(button);
    return { width, colour, ground };
  });
  expect([width, colour === ground]).toEqual(["1px", false]);
  expect(problems).toEqual([]);
});

const call = (
  page: Page,
  name: "open" | "destroy" | "mount" | "consent",
  value?: string | { origin: string; workspace: string },
): Promise<void> =>
  page.evaluate(([name, value]) => (window as never as { Tidings: Record<string, (value: unknown) => void> }).Tidings[name]!(value), [
    name,
    value,
  ] as const);

for (const position of ["bottom-right", "top-left"] as const) {
  for (const width of [1280, 390]) {
    test(`two workspaces' widgets share the corner ${position} of a page ${width} px wide`, async ({ page, problems }) => {
      for (const { sql, id } of [acme, globex])
        await sql`update public.widget_settings set settings = ${sql.json({ positioning: { position }, behaviour: { animation: "none" } })} where workspace_id = ${id}`;
      await page.setViewportSize({ width, height: 640 });
      await page.goto(site.page("/corner", snippet()));
      await expect(launcher(page)).toHaveCount(1);
      await call(page, "mount", { origin: publicUrl, workspace: globex.subdomain });
      await expect(launcher(page)).toHaveCount(2);
      const [first, second] = [launcher(page).nth(0), launcher(page).nth(1)];
      for (const [opener, other] of [
        [first, second],
        [second, first],
        [first, second],
      ] as const) {
        await opener.click();
        await expect(panel(page)).toHaveCount(1);
        await expect(opener).toHaveAttribute("aria-expanded", "true");
        await opener.click({ trial: true }); // clickable, so not covered by the panel
        await other.click({ trial: true });
        const [box, ...buttons] = await Promise.all([panel(page), first, second].map((one) => one.boundingBox()));
        for (const button of buttons) expect(box!.y >= button!.y + 44 || box!.y + box!.height <= button!.y).toBe(true);
        expect(box!.y).toBeGreaterThanOrEqual(0);
        expect(box!.y + box!.height).toBeLessThanOrEqual(640);
      }
      const place = await first.boundingBox();
      await call(page, "destroy", acme.subdomain);
      await expect(launcher(page)).toHaveCount(1);
      expect((await launcher(page).boundingBox())!.y).toBe(place!.y);
      expect(problems).toEqual([]);
    });
  }
}

test("the widget neither appears nor throws in a sandboxed frame or on a page that isn't allowed", { tag: "@https" }, async ({ page }) => {
  const errors: Error[] = [];
  page.on("pageerror", (error) => errors.push(error));
  const frame = site.page("/framed", snippet());
  await page.goto(site.page("/frame", `<iframe sandbox="allow-scripts" src="${frame}"></iframe>`), { waitUntil: "networkidle" });
  await expect(page.frameLocator("iframe").locator("h1")).toBeVisible();
  await expect(page.frameLocator("iframe").locator("tidings-widget")).toHaveCount(0);
  const refused = await otherSite();
  await page.goto(refused.page("/", snippet()), { waitUntil: "networkidle" });
  await expect(page.locator("tidings-widget")).toHaveCount(0);
  await refused.close();
  expect(errors).toEqual([]);
});

test(
  "the widget causes no layout shift and requests only its two files and the pixel that counts it",
  { tag: "@https" },
  async ({ page }) => {
    const asked: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(site.origin)) asked.push(new URL(request.url()).pathname);
    });
    await page.goto(site.page("/still", `<p>Text</p>${snippet()}`), { waitUntil: "networkidle" });
    await expect(launcher(page)).toBeVisible();
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
    expect([moved, asked]).toEqual([0, ["/widget.js", "/releases/widget.json", "/releases/widget.shown.gif"]]);
  },
);

for (const theme of ["light", "dark", "system"] as const) {
  test(`the widget is accessible in the theme ${theme}, closed, open and with a post`, async ({ page, problems }) => {
    await acme.sql`update public.widget_settings set settings = ${acme.sql.json({ appearance: { theme } })} where workspace_id = ${acme.id}`;
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" }); // axe would measure contrast during the fade
    await page.goto(site.page("/themes", snippet()));
    await expect(launcher(page)).toBeVisible();
    await expectAccessible(page);
    await launcher(page).click();
    await expect(panel(page).getByRole("link", { name: "View all updates" })).toBeVisible();
    await expectAccessible(page);
    await panel(page)
      .getByRole("link", { name: /^Dark mode/ })
      .click();
    await expect(panel(page).getByText("How to turn it on")).toBeVisible();
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });
}

test("the widget can be used with the keyboard alone", { tag: "@journey" }, async ({ page, problems }) => {
  await page.goto(site.page("/keys", `<a href="#x">A link of the page</a>${snippet()}`));
  await expect(launcher(page)).toBeVisible();
  await page.getByRole("link", { name: "A link of the page" }).focus();
  await page.keyboard.press("Tab");
  await expect(launcher(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(panel(page).getByRole("heading", { name: "What's New" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(panel(page).getByRole("button", { name: "Close" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(panel(page).getByRole("heading", { name: "Dark mode" })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(panel(page).getByRole("button", { name: "← Back" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(panel(page).getByRole("link", { name: /^Dark mode/ })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(panel(page)).toBeHidden();
  await expect(launcher(page)).toBeFocused();
  for (const target of await page.getByRole("button").all()) {
    const box = (await target.boundingBox())!;
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
  }
  expect(problems).toEqual([]);
});
