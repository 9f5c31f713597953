import { setTimeout as wait } from "node:timers/promises";
import { makePreviewToken } from "#contract/rules/preview-token.ts";
import type { Placement } from "#contract/rules/placement.ts";
import { type Changelog, newChangelog, publish } from "./support/changelog.ts";
import { type OtherSite, otherSite } from "./support/other-site.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";

let site: OtherSite;
let acme: Changelog;
let publicUrl: string;
test.beforeAll(async ({ workerStack }) => {
  site = await otherSite();
  acme = await newChangelog(workerStack, { allowedOrigins: [site.origin], settings: { appearance: { theme: "system" } } });
  publicUrl = workerStack.publicUrl;
});
test.afterAll(async () => {
  await acme.end();
  await site.close();
});

const snippet = (more = ""): string => `<script async src="${publicUrl}/widget.js" data-workspace="${acme.subdomain}" ${more}></script>`;

async function place(title: string, placement: Partial<Placement> | null, more = {}): Promise<void> {
  await acme.sql`update public.posts set details = ${placement && acme.sql.json({ placement, ...more } as never)}
    where workspace_id = ${acme.id} and title = ${title}`;
}
test.beforeEach(async () => {
  await acme.sql`update public.posts set details = null where workspace_id = ${acme.id}`;
});

const box = (page: Page) => page.locator(".placed");
const close = (page: Page) => box(page).getByRole("button", { name: "Close" });
const button = { text: "Try it", url: "https://acme.example/try" };
const counted = async (title: string): Promise<Record<string, number>> => {
  await acme.sql`select private.roll_up_counts()`;
  const rows = await acme.sql<{ what: string; n: number }[]>`
    select d.what, d.n from public.daily_counts d join public.posts p on p.id = d.post_id
    where p.workspace_id = ${acme.id} and p.title = ${title} and d.what like 'placement%'`;
  return Object.fromEntries(rows.map(({ what, n }) => [what.replace("placement_", ""), n]));
};

/** The sum of layout shifts so far. */
const shifts = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve(sum), 100);
      }),
  );

const body = `<p style="height: 40px">Text</p><button id="export">Export</button><div id="news" style="min-height: 200px"></div>`;
const surfaces: Record<string, Partial<Placement>> = {
  "banner-top": { surface: "banner-top" },
  "banner-bottom": { surface: "banner-bottom" },
  modal: { surface: "modal" },
  toast: { surface: "toast" },
  spotlight: { surface: "spotlight", selector: "#export" },
  inline: { surface: "inline", selector: "#news" },
};

const strict = (): Record<string, string> => ({
  "content-security-policy": `default-src 'none'; script-src ${publicUrl}; connect-src ${publicUrl}; img-src ${publicUrl}; style-src 'unsafe-inline'; require-trusted-types-for 'script'; trusted-types 'none'; form-action 'none'; base-uri 'none'`,
});
const hostile: Record<string, { body: string; headers?: () => Record<string, string> }> = {
  "a strict Content-Security-Policy and Trusted Types": { body: "", headers: strict },
  "styles that want everything": {
    body: "<style>*, *::before { font-size: 40px !important; color: red !important; all: unset } tidings-widget, tidings-placement { opacity: 0 !important }</style>",
  },
  "polluted prototypes": {
    body: `<script>Object.prototype.hidden = true; Object.prototype.class = "x"; Array.prototype.extra = () => 1; Array.prototype.toJSON = () => "no"; Element.prototype.hide = function () {}; window.Event = function () {};</script>`,
  },
};

for (const [surface, placement] of Object.entries(surfaces)) {
  for (const [name, { body: more, headers }] of Object.entries(hostile)) {
    test(`a ${surface} works on a page with ${name}`, { tag: "@https" }, async ({ page, problems }) => {
      await place("Webhooks", placement, { button });
      await page.goto(site.page(`/${surface} ${name}`.replaceAll(" ", "-"), body + more + snippet(), headers?.()));
      await expect(box(page).getByRole("link", { name: "Webhooks" })).toBeVisible();
      await expect(box(page).getByRole("link", { name: "Try it" })).toHaveAttribute("href", button.url);
      if (headers) expect(await shifts(page)).toBe(0);
      await close(page).click();
      await expect(box(page)).toHaveCount(0);
      await page.reload();
      await expect(page.getByRole("button", { name: "What's New" })).toBeVisible();
      await wait(700);
      await expect(box(page)).toHaveCount(0);
      expect(problems).toEqual([]);
    });
  }

  for (const colorScheme of ["light", "dark"] as const)
    test(`a ${surface} is accessible in ${colorScheme} and closes by Escape, and focus returns`, async ({ page, problems }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await place("Webhooks", placement, { button });
      await page.goto(
        site.page(`/${surface}-${colorScheme}`, `${body}<a href="#x" id="mine">Mine</a><script>mine.focus()</script>${snippet()}`),
      );
      await expect(box(page).getByText("Hear of everything.")).toBeVisible();
      await expectAccessible(page);
      if (surface !== "modal") {
        await expect(page.locator("#mine")).toBeFocused();
        await close(page).focus();
      }
      await page.keyboard.press("Escape");
      await expect(box(page)).toHaveCount(0);
      await expect(page.locator("#mine")).toBeFocused();
      expect(problems).toEqual([]);
    });
}

test("a banner at the top moves the page down only on request", async ({ page, problems }) => {
  const top = () => page.locator("h1").evaluate((heading) => heading.getBoundingClientRect().top);
  await page.goto(site.page("/push", snippet()));
  const before = await top();
  for (const push of [false, true]) {
    await place("Webhooks", { surface: "banner-top", push });
    await page.reload();
    await expect(box(page).getByText("Hear of everything.")).toBeVisible();
    expect((await top()) > before).toBe(push);
  }
  expect(problems).toEqual([]);
});

test("one placement shows at a time, the newest first, and none over the page's own dialog", async ({ page, problems }) => {
  await place("Dark mode", { surface: "modal", from: "2999-01-01T00:00:00.000Z" });
  await place("Webhooks", { surface: "toast", again: 7 });
  await place("Faster exports", { surface: "banner-bottom" });
  const dialog = `<dialog id="own">Cookies? <button onclick="own.close()">Fine</button></dialog><script>own.showModal()</script>`;
  await page.goto(site.page("/turns", dialog + snippet()));
  await expect(page.getByRole("button", { name: "Fine" })).toBeVisible();
  await wait(1_200);
  await expect(box(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Fine" }).click();
  await expect(box(page).getByRole("link", { name: "Webhooks" })).toBeVisible();
  await page.evaluate(() => (document.querySelector("dialog") as HTMLDialogElement).showModal());
  await expect(box(page)).toBeHidden();
  await page.getByRole("button", { name: "Fine" }).click();
  await close(page).click();
  await page.reload();
  await page.getByRole("button", { name: "Fine" }).click();
  await expect(box(page).getByRole("link", { name: "Faster exports" })).toBeVisible();
  const closedAt = (hours: number) =>
    page.evaluate(
      ([key, time]) => {
        const closed = JSON.parse(localStorage[key] as string) as Record<string, number>;
        localStorage[key] = JSON.stringify(Object.fromEntries(Object.keys(closed).map((id) => [id, time])));
      },
      [`tc:widget:${acme.subdomain}:closed`, Date.now() - hours * 3_600_000] as const,
    );
  for (const [hours, title] of [
    [6 * 24 + 23, "Faster exports"],
    [7 * 24 + 1, "Webhooks"],
  ] as const) {
    await closedAt(hours);
    await page.reload();
    await page.getByRole("button", { name: "Fine" }).click();
    await expect(box(page).getByRole("link", { name: title })).toBeVisible();
  }
  expect(problems).toEqual([]);
});

test("a page without a placement that is due loads no further file; its title opens the post in the panel", async ({ page, problems }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await place("Webhooks", { surface: "toast", until: "2026-01-01T00:00:00.000Z" });
  await page.goto(site.page("/none", snippet()));
  await expect(page.getByRole("button", { name: "What's New" })).toBeVisible();
  expect(asked.filter((path) => path.includes("widget-more"))).toEqual([]);
  await place("Webhooks", { surface: "toast" });
  await page.reload();
  await box(page).getByRole("link", { name: "Webhooks" }).click();
  await expect(page.getByRole("dialog", { name: "What's New" }).getByRole("heading", { name: "Webhooks" })).toBeVisible();
  await expect(box(page)).toHaveCount(0);
  expect(asked.filter((path) => path.includes("widget-more"))).toHaveLength(2);
  expect(problems).toEqual([]);
});

test.describe("readers", () => {
  test.use({ userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" }); // headless ones are bots
  test("placements are counted as shown, dismissed and clicked, once a day and reader", async ({ page, problems }) => {
    await publish(acme, "Counted", { at: "2026-01-05T10:00:00Z", blocks: [{ type: "paragraph", data: { text: "Once." } }] });
    await place("Counted", { surface: "toast", again: "session" }, { button });
    await page.goto(site.page("/counted", snippet()));
    await close(page).click();
    for (let times = 0; times < 2; times++) {
      await page.evaluate(() => sessionStorage.clear());
      await page.reload();
      await box(page).getByRole("link", { name: "Counted" }).click();
    }
    await expect.poll(() => counted("Counted")).toEqual({ shown: 1, dismissed: 1, clicked: 1 });
    expect(problems).toEqual([]);
  });
});

test("a preview link's token shows a draft's placement on the page of any site", async ({ page, problems }) => {
  const token = makePreviewToken();
  const [draft] = await acme.sql<{ id: string }[]>`
    insert into public.posts (workspace_id, title, content_raw, details)
    values (${acme.id}, 'Not yet', '{"time": 0, "blocks": [{"type": "paragraph", "data": {"text": "Soon."}}], "version": "2.28.2"}',
      '{"placement": {"surface": "modal", "from": "2999-01-01T00:00:00.000Z"}}') returning id`;
  await acme.sql`insert into private.post_previews (post_id, token, allows_comments, created_by, expires_at)
    values (${draft!.id}, ${token}, false, ${draft!.id}, now() + interval '1 day')`;
  const address = site.page(`/draft?tidings-preview=${token}`, snippet());
  for (let times = 0; times < 2; times++) {
    await page.goto(address);
    await expect(box(page).getByText("Soon.")).toBeVisible();
    await close(page).click();
  }
  expect(problems).toEqual([]);
});

test("the list shows in the page's own element, and posts are read there", async ({ page, problems }) => {
  await page.goto(site.page("/into", `<h2>News</h2><div id="news"></div>${snippet('data-into="#news"')}`, strict()));
  await page
    .locator("#news")
    .getByRole("link", { name: /^Webhooks/ })
    .click();
  await expect(page.locator("#news").getByText("Hear of everything.")).toBeVisible();
  await page.locator("#news").getByRole("button", { name: "← Back" }).click();
  await expect(page.locator("#news").getByRole("link", { name: /^Webhooks/ })).toBeFocused();
  await expect(page.getByRole("button", { name: "What's New" })).toHaveCount(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expectAccessible(page);
  expect(problems).toEqual([]);
});
