import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { unique } from "./support/workspace.ts";
import { bodyOf, newPost, openPost, paragraph, readPost, storedText, titleOf } from "./support/writing.ts";

const choose = async (page: Page, choice: string) => {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: choice, exact: true }).click();
};
const addressOf = /\/changelog\/edit\/([0-9a-f-]{36})$/;
const idOf = (page: Page) => addressOf.exec(page.url())![1]!;

test(
  "a post is saved as a template, starts a new post, and is renamed, replaced and deleted",
  { tag: "@journey" },
  async ({ page, problems: _ }) => {
    const { workspaceId } = await newWorkspace(page, "Tess Template", unique("templates"));
    const source = await newPost(page, workspaceId, {
      title: "What is new in May",
      tags: ["fix"],
      summary: "In short.",
      blocks: [paragraph("New:")],
    });
    await openPost(page, workspaceId, source.id);

    await test.step("a template is saved with a name", async () => {
      await choose(page, "Save as template");
      const dialog = page.getByRole("dialog", { name: "Save as template" });
      await expect(dialog.getByLabel("Template name")).toHaveValue("What is new in May");
      await expectAccessible(page);
      await dialog.getByLabel("Template name").fill("");
      await page.keyboard.press("Enter");
      await expect(dialog.getByText("Enter a name")).toBeVisible();
      await dialog.getByLabel("Template name").fill("Monthly");
      await page.keyboard.press("Enter");
      await expect(page.getByText("Template saved")).toBeVisible();
      await expect(dialog).toBeHidden();
    });

    await test.step("a new post starts with it, by keyboard from the palette", async () => {
      await page.keyboard.press("Control+K");
      await page.getByRole("dialog").getByRole("combobox").fill("from template");
      await expect(page.getByRole("option", { name: /New post from template/ })).toBeVisible();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "New post from template" });
      await expect(dialog.getByRole("button", { name: /^Monthly/ })).toBeVisible();
      await expectAccessible(page);
      await dialog.getByRole("button", { name: /^Monthly/ }).press("Enter");
      await page.waitForURL((url) => !url.pathname.endsWith(source.id));
      await expect(titleOf(page)).toHaveValue("What is new in May");
      await expect(bodyOf(page)).toHaveText("New:");
      await titleOf(page).fill("What is new in June");
      await page.waitForURL(addressOf);
      expect(idOf(page)).not.toBe(source.id);
      await expect.poll(async () => (await readPost(page, idOf(page))).title).toBe("What is new in June");
      expect(await readPost(page, idOf(page))).toMatchObject({ status: "draft", summary: "In short.", tags: ["fix"] });
      expect(await storedText(page, idOf(page))).toBe("New:");
    });

    await test.step("another text replaces it after a confirmation", async () => {
      await choose(page, "Save as template");
      const dialog = page.getByRole("dialog", { name: "Save as template" });
      await dialog.getByLabel("Template name").fill("monthly");
      await dialog.getByRole("button", { name: "Save" }).click();
      await expect(dialog.getByText(/A template named “Monthly” already/)).toBeVisible();
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Replace" }).click();
      await expect(page.getByText("Template replaced")).toBeVisible();
    });

    await test.step("it is renamed and deleted in the list", async () => {
      await choose(page, "New post from template"); // the posts list leaves the toolbar no room
      const dialog = page.getByRole("dialog", { name: "New post from template" });
      await dialog.getByRole("button", { name: "Rename monthly" }).click();
      await expect(dialog.getByLabel("Template name")).toBeFocused();
      await dialog.getByLabel("Template name").fill("Every month");
      await page.keyboard.press("Enter");
      await expect(dialog.getByRole("button", { name: /^Every month/ })).toBeVisible();
      await expect(dialog.getByRole("button", { name: "Rename Every month" })).toBeFocused();
      await page.setViewportSize({ width: 390, height: 800 });
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Delete Every month" }).click();
      await expect(dialog.getByText("Posts created from it stay.")).toBeVisible();
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Delete", exact: true }).click();
      await expect(dialog.getByText("No templates yet.")).toBeVisible();
      await expect(dialog.getByRole("button", { name: "Close" })).toBeFocused();
    });

    await test.step("a deleted template is reported, and the post starts empty", async () => {
      await page.goto(`/workspace/${workspaceId}/changelog/new?template=00000000-0000-4000-8000-000000000000`);
      await expect(page.getByText("Couldn't load the template")).toBeVisible();
      await expect(titleOf(page)).toHaveValue("");
    });
  },
);
