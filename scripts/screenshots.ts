import { mkdirSync } from "node:fs";
import { chromium, type Page } from "playwright";
import { demoAccount, demoSubdomain } from "../supabase/local/seed/demo.ts";
import { chromiumFlags, ensureChromium } from "../tests/support/chromium.ts";
import { startStack } from "../tests/support/stack.ts";

/** Draws docs/images anew from the demo workspace of the built product: `npm run build && node scripts/screenshots.ts`. */
const folder = "docs/images";

async function signIn(page: Page): Promise<void> {
  await page.goto("/auth");
  await page.getByLabel("Email").fill(demoAccount.email);
  await page.getByLabel("Password", { exact: true }).fill(demoAccount.password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await page.waitForURL(/\/dashboard$/);
  await page.getByRole("button", { name: "Got it!" }).click();
}

async function draw(page: Page, name: string): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(2_500); // fades and tickers come to rest
  await page.screenshot({ path: `${folder}/${name}.png` });
}

mkdirSync(folder, { recursive: true });
const stack = await startStack({ seed: "demo" });
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
try {
  const page = await browser.newPage({ baseURL: stack.publicUrl, viewport: { width: 1280, height: 800 } });
  await signIn(page);
  await draw(page, "dashboard");
  await page.getByRole("link", { name: "Changelog", exact: true }).first().click();
  await page
    .getByRole("link", { name: /A widget that minds its manners/ })
    .first()
    .click();
  await draw(page, "editor");
  await page.goto(stack.publicUrl.replace("//", `//${demoSubdomain}.`) + "/releases");
  await draw(page, "public-page");
  await page.goto(`/dev/widget-host?workspace=${demoSubdomain}`);
  await page.getByRole("button", { name: "What's New" }).click();
  await draw(page, "widget");
} finally {
  await browser.close();
  await stack.stop();
}
