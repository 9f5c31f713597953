import { defaultAppearance } from "#contract/appearance-choices.ts";
import { locales } from "#contract/locales.ts";
import { languageIn } from "#contract/i18n/index.ts";
import { openWidgetHost } from "./support/another-place.ts";
import { type Changelog, newChangelog } from "./support/changelog.ts";
import { expect, expectAccessible, test, workerStack } from "./support/test.ts";

let acme: Changelog;
test.beforeAll(async ({ workerStack }) => {
  acme = await newChangelog(workerStack, { allowedOrigins: [workerStack.publicUrl] });
});
test.afterAll(() => acme.end());

const speak = (locale: string) => acme.sql`
  insert into public.appearances (workspace_id, settings) values (${acme.id}, ${acme.sql.json({ locale })})
  on conflict (workspace_id) do update set settings = excluded.settings`;

for (const locale of locales) {
  const { dir, words, dates } = languageIn({ ...defaultAppearance, locale });

  test(`the public pages in ${locale} are accessible and contain no English`, async ({ page, problems }) => {
    await speak(locale);
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      for (const path of ["", "/dark-mode", "?q=zebra", "/never-was", "/subscribe.html", "/subscribe.html?asked=1"]) {
        await page.goto(`${acme.origin}/releases${path}`);
        await expectAccessible(page);
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect(wider, path).toBeLessThanOrEqual(0);
        await expect(page.locator("html")).toHaveAttribute("lang", locale);
        await expect(page.locator("html")).toHaveAttribute("dir", dir);
      }
    }
    await page.goto(`${acme.origin}/releases`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(words.page.changelog);
    await expect(page.getByText(dates.day(new Date("2026-03-10T10:00:00Z"))).first()).toBeVisible();
    const english = languageIn(defaultAppearance).words;
    const text = await page.locator("body").innerText();
    if (locale !== "en")
      for (const word of [english.page.search, english.page.byMonth, english.page.whatIsNew("Acme"), english.subscription.getUpdates])
        expect(text).not.toContain(word);
    const [brand, wide] = await page.evaluate(() => [document.querySelector(".brand")!.getBoundingClientRect().left, innerWidth]);
    expect((brand as number) > (wide as number) / 2).toBe(dir === "rtl");
    const away = await page.evaluate(() => {
      const line = document.querySelector(".entry .author")!;
      const words = line.querySelector("span")!;
      return (["ltr", "rtl"] as const).map((dir) => {
        line.parentElement!.dir = dir;
        const side = dir === "rtl" ? "right" : "left";
        return Math.round(Math.abs(line.getBoundingClientRect()[side] - words.getBoundingClientRect()[side]));
      });
    });
    expect(away).toEqual([0, 0]);
    expect(problems).toEqual([]);
  });

  test(`the widget is translated and accessible in ${locale}`, async ({ page, problems }) => {
    await speak(locale);
    await openWidgetHost(page, workerStack().publicUrl, acme.subdomain);
    const panel = page.getByRole("dialog", { name: words.widget.whatsNew });
    await page.getByRole("button", { name: words.widget.whatsNew }).click();
    await expect(panel.getByRole("link", { name: words.widget.all })).toBeVisible();
    await expect(panel).toContainText(dates.day(new Date("2026-03-10T10:00:00Z")));
    await expectAccessible(page);
    const [close, middle] = await panel.evaluate((node) => {
      const box = node.getBoundingClientRect();
      return [node.querySelector(".close")!.getBoundingClientRect().left, box.left + box.width / 2];
    });
    expect(close! > middle!).toBe(dir === "ltr");
    await panel.getByRole("link", { name: "Dark mode" }).click();
    await expect(panel.getByRole("link", { name: words.widget.asPage })).toBeVisible();
    await expectAccessible(page);
    await panel.getByRole("button", { name: words.widget.back }).click();
    expect(problems).toEqual([]);
  });
}
