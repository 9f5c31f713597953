import type { Locator } from "playwright/test";
import { confirmationLink, newPerson } from "./support/journey.ts";
import { bodyOf, titleOf } from "./support/writing.ts";
import { expect, type Page, test } from "./support/test.ts";
import { unique } from "./support/workspace.ts";

const mostClicks = 11;
const longestMs = 90_000;
const keyMs = 15;

test.use({ trace: { mode: "on", screenshots: true, snapshots: true } });

test(
  "a new customer signs up and publishes a first post that every reader can open",
  { tag: "@journey" },
  async ({ page, browser, problems: _ }) => {
    const person = newPerson("Fay First");
    const began = Date.now();
    let clicks = 0;
    const click = async (what: Locator) => {
      clicks += 1;
      await what.click();
    };
    const type = (text: string) => page.keyboard.type(text, { delay: keyMs });
    const next = () => page.keyboard.press("Tab");

    await test.step("sign up", async () => {
      await page.goto("/auth?type=signup");
      await expect(page.getByLabel("Full name")).toBeFocused();
      for (const text of [person.fullName, unique("First"), person.email]) {
        await type(text);
        await next();
      }
      await type(person.password);
      await click(page.getByRole("button", { name: "Sign up", exact: true }));
      await expect(page.getByRole("heading", { name: "Check Your Email" })).toBeVisible();
    });

    await test.step("open the email's link", async () => {
      const link = await confirmationLink(page, person.email);
      clicks += 1;
      await page.goto(link);
      await click(page.getByRole("button", { name: "Confirm and continue" }));
    });

    await test.step("enter the company's name", async () => {
      await expect(page.getByRole("heading", { name: "Tell us about your company" })).toBeVisible();
      await expect(page.getByLabel("Business name")).not.toHaveValue("");
      await click(page.getByLabel("Business website"));
      await type("first.example");
      await click(page.getByRole("button", { name: "Next" }));
      await expect(page.getByRole("heading", { name: "It's all about you..." })).toBeVisible();
      await click(page.getByLabel("Job title"));
      await type("Founder");
      await click(page.getByRole("button", { name: "Complete" }));
      await page.waitForURL(/\/dashboard$/);
    });

    await test.step("write and publish", async () => {
      await click(page.getByRole("link", { name: "Write a post" }).first());
      await expect(titleOf(page)).toBeFocused();
      await type("We are live");
      await page.keyboard.press("Enter");
      await expect(bodyOf(page)).toBeFocused();
      await type("This is where you hear of everything that is new.");
      await click(page.getByRole("button", { name: "Publish", exact: true }).first());
      await confirmPublishing(page, click);
    });

    const address = await page
      .getByRole("link", { name: /View release post/ })
      .first()
      .getAttribute("href");
    clicks += 1;

    await test.step("a reader opens it", async () => {
      const stranger = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
      await expect(async () => {
        expect((await stranger.goto(address!))?.status()).toBe(200);
      }).toPass();
      await expect(
        stranger
          .getByRole("heading", { name: "We are live" })
          .or(stranger.getByRole("link", { name: "We are live" }))
          .first(),
      ).toBeVisible();
      await stranger.context().close();
    });

    const ms = Date.now() - began;
    test.info().annotations.push({ type: "first post", description: `${clicks} clicks, ${Math.round(ms / 1_000)} s` });
    expect(clicks).toBeLessThanOrEqual(mostClicks);
    expect(ms).toBeLessThanOrEqual(longestMs);
  },
);

async function confirmPublishing(page: Page, click: (what: Locator) => Promise<void>): Promise<void> {
  const dialog = page.getByRole("dialog").filter({ has: page.getByRole("button", { name: /publish/i }) });
  await expect(dialog.or(page.getByRole("region", { name: "Status" })).first()).toBeVisible();
  if (!(await dialog.isVisible())) return;
  const open = dialog.getByRole("switch").or(dialog.getByRole("checkbox")).first();
  if ((await open.count()) > 0 && !(await open.isChecked())) await click(open);
  await click(dialog.getByRole("button", { name: /publish/i }).last());
  await expect(dialog).toBeHidden();
}
