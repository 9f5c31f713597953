import type { Browser } from "playwright/test";
import { otherSite } from "./support/other-site.ts";
import { expect, test } from "./support/test.ts";

const strict = { "content-security-policy": "default-src 'none'; script-src 'unsafe-inline'" };

/** A page in a context of its own that tries what its policy forbids, as the editor's tools once did, and goes on without. */
async function breakPolicy(browser: Browser, body: string): Promise<void> {
  const site = await otherSite();
  const page = await (await browser.newContext()).newPage();
  await page.goto(site.page("/", body, strict));
  await expect(page.locator("html")).toHaveAttribute("data-done", "");
  await site.close();
}
const quietly = `<script>try { Function("return this") } catch {} document.documentElement.dataset.done = "";</script>`;
const withoutScript = `<iframe sandbox srcdoc="<img src=/a.png>"></iframe>
  <script>document.querySelector("iframe").onload = () => (document.documentElement.dataset.done = "");</script>`;

test.describe("what is said before is heard, and no fault", () => {
  test.use({ provokes: /script-src|img-src/ });

  for (const [which, body, directive] of [
    ["a script that goes on without", quietly, "script-src"],
    ["a frame without script", withoutScript, "img-src"],
  ] as const) {
    test(`of ${which}, also in a context that an earlier test had`, async ({ browser, policyReports }) => {
      for (let visit = 0; visit < 2; visit++) {
        await breakPolicy(browser, body);
        for (const context of browser.contexts()) await context.close(); // given back: the next visit has the same
        await expect.poll(() => policyReports.take().join("\n")).toContain(directive);
      }
    });
  }
});

test.fail("a page that breaks its policy unsaid fails its test, though nothing in it looks", async ({ browser }) => {
  await breakPolicy(browser, quietly);
});
