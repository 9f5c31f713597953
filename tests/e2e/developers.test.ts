import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { unique } from "./support/workspace.ts";

interface SlackMessage {
  text?: string;
  blocks?: object[];
}

async function slackShaped(): Promise<{ url: string; messages: SlackMessage[]; close: () => void }> {
  const messages: SlackMessage[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => {
      messages.push(JSON.parse(body) as SlackMessage);
      response.end("ok");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/services/T0/B0/secret`, messages, close: () => server.close() };
}

test(
  "a key publishes a release, a chat webhook receives it, its log resends it, and the audit log lists the actors",
  { tag: "@journey" },
  async ({ page, stack, problems: _ }) => {
    const subdomain = unique("machines");
    const { workspaceId } = await newWorkspace(page, "Dev Developer", subdomain);
    const headers = { origin: stack.publicUrl };
    await page.request.post("/api/public/changelog/toggle", { headers, data: { isPublic: true, workspaceId } });
    await page.request.put(`/api/workspaces/${workspaceId}/mail-settings`, { headers, data: { undo_minutes: 0 } });
    const chat = await slackShaped();

    await page.goto(`/workspace/${workspaceId}/settings`);
    await page.getByRole("link", { name: "API keys" }).click();
    await expect(page.getByText("No API keys yet")).toBeVisible();
    await expectAccessible(page);

    const secret = await test.step("a key is created by keyboard and can't be lost by Escape", async () => {
      await page.getByRole("button", { name: "New API key" }).focus();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
      await page.keyboard.type("CI");
      await page.getByRole("checkbox", { name: "Publish" }).focus();
      await page.keyboard.press("Space");
      await expectAccessible(page);
      await page.getByRole("textbox", { name: "Name" }).focus();
      await page.keyboard.press("Enter");
      const field = page.getByRole("textbox", { name: "API key" });
      await expect(field).toHaveValue(/^tdk_[0-9A-Za-z]{36}$/);
      await page.keyboard.press("Escape");
      await page.goBack();
      await page.getByRole("button", { name: /Stay/ }).click();
      const value = await field.inputValue();
      await expectAccessible(page);
      await page.getByRole("checkbox", { name: "I've saved it in a safe place" }).check();
      await page.getByRole("button", { name: "Done" }).click();
      await expect(page.getByRole("table", { name: "API keys" })).toContainText("Never");
      return value;
    });

    await test.step("a chat webhook is added in Slack's format", async () => {
      await page.getByRole("link", { name: "Chat" }).click();
      await page.getByRole("button", { name: "Connect chat" }).click();
      const dialog = page.getByRole("dialog");
      await expect(dialog.getByRole("region", { name: "Message preview" })).toContainText("Example message");
      await dialog.getByRole("textbox", { name: "Webhook URL" }).fill(chat.url);
      await dialog.getByRole("textbox", { name: /^Name/ }).fill("#releases");
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Connect" }).click();
      await expect(page.getByRole("table", { name: "Chat" })).toContainText("#releases");
      await expect(page.locator("body")).not.toContainText("/services/T0/B0/secret");
    });

    await test.step("the release is published twice and is one post", async () => {
      for (const turn of [1, 2]) {
        const answer = await fetch(`${stack.publicUrl}/api/v1/posts/by-external-id/v1.2.0`, {
          method: "PUT",
          headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
          body: JSON.stringify({ title: "Faster search", markdown: "Results **while you type**.", tags: ["feature"], status: "published" }),
        });
        expect([turn, answer.status < 300, await answer.text()]).toEqual([turn, true, expect.stringContaining("Faster search")]);
      }
      const reader = await page.context().newPage();
      await reader.goto(stack.publicUrl.replace("//", `//${subdomain}.`) + "/releases");
      await expect(reader.getByRole("heading", { name: "Faster search" })).toHaveCount(1);
      await reader.close();
      await expect.poll(() => chat.messages.length, { timeout: 30_000 }).toBe(1);
      expect(JSON.stringify(chat.messages[0])).toContain("Faster search");
    });

    await test.step("the delivery is in the log, and is resent", async () => {
      await page.getByRole("link", { name: "#releases" }).click();
      await page.getByRole("button", { name: /Delivered · 200/ }).click();
      await expect(page.getByRole("list", { name: "Attempts" })).toContainText("200");
      await page.getByRole("button", { name: "Show body" }).click();
      await expect(page.getByLabel("the body", { exact: true })).toContainText("Faster search");
      await expectAccessible(page);
      await page.getByRole("button", { name: "Resend", exact: true }).click();
      await expect(page.getByText("Resending")).toBeVisible();
      await expect.poll(() => chat.messages.length).toBe(2);
      expect(JSON.stringify(chat.messages[1])).toContain("Faster search");
    });

    await test.step("the audit log shows user and key as actors", async () => {
      await page.getByRole("button", { name: "Settings" }).first().click();
      await page.getByRole("menuitem", { name: "Audit log" }).click();
      const lines = page.getByRole("table", { name: "Audit log" });
      await expect(lines).toContainText("API key CIPublished Faster search");
      for (const words of ["Created API key CI", "Used API key CI for the first time", "Added webhook #releases"]) {
        await expect(lines).toContainText(words);
      }
      await expectAccessible(page);
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "JSONL" }).click();
      expect((await download).suggestedFilename()).toMatch(/^audit-machines.*\.jsonl$/);
      await page.getByRole("combobox", { name: "What" }).selectOption("API keys: all");
      await expect(page).toHaveURL(/\?kind=keys$/);
      await expect(lines.getByRole("row")).toHaveCount(3);
      await page.reload();
      await expect(lines.getByRole("row")).toHaveCount(3);
    });
    chat.close();
  },
);
