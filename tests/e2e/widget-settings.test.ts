import { elsewhereThan, openWidgetHost, readerStatus } from "./support/another-place.ts";
import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { createPost, freshPage, unique } from "./support/workspace.ts";

test(
  "widget settings and the public switch apply immediately on other sites",
  { tag: "@journey" },
  async ({ page, browser, stack, problems: _ }) => {
    const subdomain = unique("widget");
    const { workspaceId } = await newWorkspace(page, "Wim Widget", subdomain);
    for (const title of ["First news", "Second news", "Third news"])
      await createPost(page, stack.publicUrl, workspaceId, { title, status: "published" });
    const stranger = await freshPage(browser, stack.publicUrl);
    const releases = `${stack.publicUrl.replace("//localhost", `//${subdomain}.localhost`)}/releases`;
    const elsewhere = await elsewhereThan(stack.publicUrl);

    await test.step("readers see the page when on, not when off, and again when on", async () => {
      const readable = () => readerStatus(stranger, releases);
      const toggle = page.getByRole("switch", { name: "Public Changelog" });
      await page.goto(`/workspace/${workspaceId}/dashboard`);
      expect(await readable()).toBe(404);
      for (const [checked, status] of [
        [true, 200],
        [false, 404],
        [true, 200],
      ] as const) {
        const answered = page.waitForResponse("**/api/public/changelog/toggle");
        await toggle.click();
        expect((await answered).ok()).toBe(true);
        await expect(toggle).toBeChecked({ checked });
        await expect(toggle).toHaveAttribute("aria-busy", "false");
        expect(await readable()).toBe(status);
      }
    });

    await test.step("a site that isn't allowed shows nothing", async () => {
      await openWidgetHost(stranger, elsewhere, subdomain);
      await stranger.waitForTimeout(500);
      await expect(stranger.getByRole("button", { name: /what's new/i })).toHaveCount(0);
    });

    await test.step("the settings page previews with the real widget", async () => {
      await page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: "Widget" }).click();
      await expect(page.getByText("Pesonalise your widget")).toBeVisible();
      const preview = page.frameLocator("iframe[title='Widget preview']");
      const panel = preview.getByRole("dialog", { name: "What's New" });
      const pressLauncher = async () => {
        await page.getByTitle("Widget preview").evaluate((frame) => frame.scrollIntoView({ block: "center" }));
        await preview.getByRole("button", { name: "What's New" }).click();
      };
      await expect(panel.getByRole("listitem")).toHaveCount(5);
      await expect(panel).toContainText("Latest updates and features");
      await expect(panel).toContainText("View all updates");
      await expectAccessible(page);
      for (const [size, width] of [
        ["Medium", 320],
        ["Large", 384],
        ["Small", 288],
      ] as const) {
        await page.getByText(size, { exact: true }).click();
        await expect.poll(async () => (await panel.boundingBox())?.width).toBe(width);
      }
      await expect(page.getByRole("radio", { name: "Small" })).toBeFocused();
      await pressLauncher();
      await expect(panel).toBeHidden();
      await page.getByText("Dark", { exact: true }).click();
      await expect(panel).toBeHidden();
      await pressLauncher();
      await expect(panel).toBeVisible();
    });

    await test.step("saved changes appear in the widget on an allowed site", async () => {
      await page.getByRole("combobox", { name: "Position" }).selectOption("Top Left");
      await page.getByText("Large", { exact: true }).click();
      await page.getByLabel("Maximum posts").fill("2");
      await page.getByRole("button", { name: "Save Changes" }).click();
      await expect(page.getByText("Widget settings saved successfully")).toBeVisible();
      await expect(page.getByRole("button", { name: "Save Changes" })).toBeDisabled();
      await page.getByLabel("Add site").fill(elsewhere);
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await expect(page.getByRole("button", { name: `Remove ${elsewhere}` })).toBeVisible();

      await openWidgetHost(stranger, elsewhere, subdomain);
      const launcher = stranger.getByRole("button", { name: "What's New" });
      await launcher.click();
      const panel = stranger.getByRole("dialog", { name: "What's New" });
      await expect(panel.getByRole("listitem")).toHaveCount(2);
      const [box, button] = [await panel.boundingBox(), await launcher.boundingBox()];
      expect(box?.width).toBe(384);
      expect([box?.x, button?.x, button?.y]).toEqual([16, 16, 16]);
      expect(await panel.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe("rgb(30, 27, 24)");
    });

    await test.step("leaving asks about unsaved changes", async () => {
      await page.getByText("System", { exact: true }).click();
      await page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: "Dashboard" }).click();
      const question = page.getByRole("dialog", { name: "Leave without saving?" });
      await expect(question).toBeVisible();
      await expectAccessible(page);
      await question.getByRole("button", { name: "Save and leave" }).click();
      await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible();
      const { settings } = (await (await page.request.get(`/api/widget-settings/${workspaceId}`)).json()) as {
        settings: { appearance: { theme: string } };
      };
      expect(settings.appearance.theme).toBe("system");
    });
    await stranger.context().close();
  },
);
