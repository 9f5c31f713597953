import { pictures } from "../api/support/images.ts";
import { enter, found } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { bodyOf, newPost, openPost, paragraph, publishClosed, publishedBanner, readPost, save, savedWord } from "./support/writing.ts";

test(
  "a draft is previewed, gets summary and cover, and is published before the changelog is turned on",
  { tag: "@journey" },
  async ({ page, stack }) => {
    await enter(page, "Pia Publisher");
    const workspaceId = await found(page, "Front page");
    const blocks = [paragraph("Exports take <b>half the time</b>."), paragraph("Glued to nothing.")];
    const { id, slug } = await newPost(page, workspaceId, { title: "Faster exports", blocks });
    await openPost(page, workspaceId, id);

    await test.step("a summary and a cover are chosen beside the text", async () => {
      await page.getByRole("button", { name: "Summary and cover" }).click();
      const summary = page.getByRole("textbox", { name: "Summary" });
      await expect(summary).toHaveAttribute("placeholder", "Exports take half the time.");
      await summary.fill("Exports in half the time.");
      const file = { name: "cover.png", mimeType: "image/png", buffer: Buffer.from(pictures.png) };
      await page.getByLabel("Cover image file").setInputFiles(file);
      await page.getByLabel("Image description").fill("Two bars, one half as long");
      await expectAccessible(page);
      await save(page);
      await expect(savedWord(page)).toBeVisible();
    });

    await test.step("a request is linked", async () => {
      await page.getByRole("button", { name: "Linked requests" }).click();
      await page.getByRole("textbox", { name: "Link request" }).fill("https://linear.app/acme/issue/ENG-12");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("link", { name: "ENG-12 in Linear" })).toBeVisible();
      await expectAccessible(page);
    });

    await test.step("the preview is the public page without scripts", async () => {
      await page.getByRole("button", { name: "Preview", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "Preview" });
      const frame = dialog.frameLocator("iframe[title='Post on your public page']");
      await expect(frame.getByRole("heading", { name: "Faster exports", level: 1 })).toBeVisible();
      await expect(frame.getByText("By Pia Publisher")).toBeVisible();
      const cover = frame.getByRole("img", { name: "Two bars, one half as long" });
      await expect(cover).toBeVisible();
      expect(await frame.locator("h1").evaluate((heading) => getComputedStyle(heading).fontSize)).toBe("42px");
      await frame.getByRole("link", { name: "All updates" }).click(); // links are disabled in the preview
      await expect(frame.getByRole("heading", { name: "Faster exports", level: 1 })).toBeVisible();
      expect(page.context().pages()).toHaveLength(1);
      await dialog.getByText("Email", { exact: true }).click();
      await expect(dialog.getByText("Subject: Faster exports")).toBeVisible();
      const email = dialog.frameLocator("iframe[title='Post as an email']");
      await expect(email.getByRole("link", { name: "Faster exports" })).toBeVisible();
      await dialog.getByText("Phone", { exact: true }).click();
      await dialog.getByText("Dark", { exact: true }).click();
      await expect(email.locator("body")).toHaveCSS("background-color", "rgb(22, 20, 18)");
      expect(await email.locator("html").evaluate(({ clientWidth }) => clientWidth)).toBeLessThanOrEqual(390);
      await expectAccessible(page, { frames: false });
      await dialog.getByText("Widget", { exact: true }).click();
      const widget = dialog.frameLocator("iframe[title='Post in the widget']");
      await expect(widget.getByText("Exports in half the time.")).toBeVisible();
      await dialog.getByText("Link", { exact: true }).click();
      await expect(dialog.getByRole("article", { name: "Link preview" })).toContainText("Exports in half the time.");
      await expectAccessible(page);
      await page.keyboard.press("Escape");
    });

    await test.step("a post published in a closed changelog isn't called live; the owner turns it on there", async () => {
      await publishClosed(page);
      await expect(page.getByText("Readers will see it once your public changelog is on")).toBeVisible();
      await expect(publishedBanner(page)).toBeVisible();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Turn on public changelog" }).click();
      await expect(page.getByText("This changelog post is live")).toBeVisible();
    });

    await test.step("the date is moved back, and history and readers see it", async () => {
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByText("Date and author").click();
      const dialog = page.getByRole("dialog", { name: "Date and author" });
      await dialog.getByRole("textbox", { name: "Date" }).fill("2025-03-04");
      await dialog.getByRole("textbox", { name: "Time" }).fill("9");
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText("Date and author updated")).toBeVisible();
      await expect(page.getByRole("region", { name: "Status" })).toContainText(/2025, 09:00/);
      await bodyOf(page).click();
      await page.keyboard.press("End");
      await page.keyboard.type(" And more.");
      await save(page);
      await expect.poll(async () => (await readPost(page, id)).content_raw).toContain("And more.");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      const subdomain = new URL((await page.getByRole("link", { name: "View release post" }).getAttribute("href"))!).hostname.split(
        ".",
      )[0]!;
      const origin = stack.publicUrl.replace("//", `//${subdomain}.`);
      await page.goto(`${origin}/releases/${slug}`);
      await expect(page.locator("time").first()).toHaveText("March 4th, 2025");
      await expect(page.getByRole("img", { name: "Two bars, one half as long" })).toBeVisible();
    });
  },
);

test("the banner reschedules a scheduled post and unschedules it, on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enter(page, "Pablo Phone");
  const workspaceId = await found(page, "Pocket");
  const { id } = await newPost(page, workspaceId, {
    status: "scheduled",
    publish_at: new Date(Date.now() + 3 * 86_400_000).toISOString(),
  });
  await openPost(page, workspaceId, id);
  await page.getByRole("button", { name: "Change time" }).click();
  const dialog = page.getByRole("dialog", { name: "Schedule publication" });
  await dialog.getByRole("button", { name: "17:00" }).click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Schedule", exact: true }).click();
  await expect(page.getByRole("region", { name: "Status" })).toContainText("17:00");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByRole("button", { name: "Unschedule" }).click();
  await expect(page.getByText("Scheduling removed")).toBeVisible();
  expect((await readPost(page, id)).status).toBe("draft");
});
