import { readFile } from "node:fs/promises";
import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { unique } from "./support/workspace.ts";

test(
  "an owner imports subscribers, searches them, exports them, and permanently deletes one",
  { tag: "@journey" },
  async ({ page, stack, problems: _ }) => {
    const { workspaceId } = await newWorkspace(page, "Sue Subscribers", unique("readers"));
    await page.request.post("/api/public/changelog/toggle", {
      headers: { origin: stack.publicUrl },
      data: { isPublic: true, workspaceId },
    });
    await page.goto(`/workspace/${workspaceId}/subscribers`);
    await expect(page.getByText("No subscribers yet")).toBeVisible();
    await expectAccessible(page);

    await test.step("a spreadsheet's file is checked before the import", async () => {
      await page.getByRole("button", { name: "Import" }).click();
      const lines = Array.from({ length: 1_200 }, (_, at) => `Reader ${at};reader${at}@reader.example;weekly;${at === 7 ? "fix" : ""}`);
      const list = `\uFEFFName;E\u002dmail;Frequency;Tags\r\n${lines.join("\r\n")}\r\n"Nobody; really";nobody;;\r\n`;
      await page.getByLabel(/Choose a CSV file/).setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer: Buffer.from(list) });
      const dialog = page.getByRole("dialog");
      await expect(dialog.getByText('"nobody" isn\'t a valid email address')).toBeVisible();
      await dialog.getByRole("checkbox", { name: /agreed to get these emails/ }).check();
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Import 1,200 readers" }).click();
      await expect(dialog.getByText("1,200 added")).toBeVisible({ timeout: 60_000 });
      await dialog.getByRole("button", { name: "Done" }).click();
      await expect(page.getByText("1–50 of 1,200")).toBeVisible();
      await expect(page.getByRole("region", { name: "Numbers" })).toContainText("1,200 weekly");
      await expectAccessible(page);
    });

    await test.step("a subscriber is found by topic and address, erased by keyboard, and can't be imported again", async () => {
      await page.getByRole("combobox", { name: "Topic" }).selectOption("Chose Fix");
      await expect(page.getByRole("table", { name: "Subscribers", exact: true }).getByRole("rowheader")).toHaveText([
        "reader7@reader.example",
      ]);
      await page.getByRole("button", { name: "Actions for reader7@reader.example" }).focus();
      await page.keyboard.press("Enter");
      await page.keyboard.press("End");
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "Permanently erase this subscriber?" });
      await expect(dialog).toBeVisible();
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Erase" }).click();
      await expect(page.getByText("No matching subscribers")).toBeVisible();
      await page.getByRole("button", { name: "Import" }).click();
      await page.getByLabel("Or paste a list").fill("reader7@reader.example");
      await page.getByRole("button", { name: "Preview list" }).click();
      await expect(page.getByText(/skipped: erased/)).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
      await page.getByRole("button", { name: "Clear filters" }).click();
    });

    await test.step("the list is exported as a file", async () => {
      await expect(page.getByText("1–50 of 1,199")).toBeVisible();
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Export" }).click();
      const file = await download;
      expect(file.suggestedFilename()).toMatch(/^subscribers-readers.*\.csv$/);
      const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
      expect([lines.length, lines[0]]).toEqual([1_200, "email,status,frequency,tags,confirmed_at,created_at"]);
    });

    await test.step("nothing overflows on a phone", async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await expect(page.getByRole("button", { name: "Add subscriber" })).toBeVisible();
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await page.emulateMedia({ colorScheme: "dark" });
      await expectAccessible(page);
    });
  },
);
