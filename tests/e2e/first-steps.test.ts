import { readerStatus } from "./support/another-place.ts";
import { otherSite } from "./support/other-site.ts";
import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { createPost, unique } from "./support/workspace.ts";

test("the first steps tick themselves off, the widget's by being shown on another site", async ({ page, browser, stack, problems: _ }) => {
  const subdomain = unique("steps");
  const { workspaceId } = await newWorkspace(page, "Nora New", subdomain);
  const site = await otherSite();
  const headers = { origin: stack.publicUrl };
  const steps = page.getByRole("list", { name: "First steps" });
  const shows = (done: string) =>
    expect(async () => {
      await page.goto(`/workspace/${workspaceId}/dashboard`);
      await expect(page.getByText(done)).toBeVisible({ timeout: 10_000 });
    }).toPass();

  await shows("0 of 4 done");
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await createPost(page, stack.publicUrl, workspaceId, { title: "The first", status: "published" });
  await shows("1 of 4 done");
  await steps.getByRole("button", { name: "Turn it on" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 of 4 done")).toBeVisible();
  const releases = `${stack.publicUrl.replace("//localhost", `//${subdomain}.localhost`)}/releases`;
  expect(await readerStatus(page, releases)).toBe(200);

  const allowed = await page.request.patch(`/api/workspaces/${workspaceId}`, { headers, data: { allowed_origins: [site.origin] } });
  expect(allowed.ok()).toBe(true);
  await shows("2 of 4 done"); // that somebody means to is not enough
  const reader = await (await browser.newContext()).newPage();
  await reader.goto(site.page("/", `<script async src="${stack.publicUrl}/widget.js" data-workspace="${subdomain}"></script>`));
  await expect(reader.getByRole("button", { name: /what's new/i })).toBeVisible();
  expect(await reader.context().cookies()).toEqual([]);
  await reader.context().close();
  await shows("3 of 4 done"); // in a moment: the widget does not wait until it is written down

  await expect(steps.getByRole("link", { name: "Invite a colleague" })).toBeVisible();
  await page.getByRole("button", { name: "Hide the first steps" }).click();
  await expect(steps).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("table", { name: "Recent posts" })).toBeVisible();
  await expect(steps).toHaveCount(0);
  await site.close();
});
