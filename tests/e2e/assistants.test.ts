import { toolNames } from "#contract/mcp/tools.ts";
import { startAssistant } from "./support/local-assistant.ts";
import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { unique } from "./support/workspace.ts";

const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 800 };

test(
  "a user signs in and authorizes an assistant, which works until access is revoked",
  { tag: ["@journey", "@https"] },
  async ({ page, stack, problems: _ }) => {
    const { person, workspaceId } = await newWorkspace(page, "Ann Asked", unique("asked"));
    const mcpUrl = `${stack.publicUrl}/api/mcp`;
    const assistant = await startAssistant("Helper", mcpUrl);
    await page.context().clearCookies();

    await test.step("the user signs in first, and returns to the request", async () => {
      await page.goto(await assistant.asks());
      await page.getByLabel("Email").fill(person.email);
      await page.getByLabel("Password", { exact: true }).fill(person.password);
      await page.getByRole("button", { name: "Sign In", exact: true }).click();
      await expect(page.getByRole("heading", { name: `Connect ${assistant.host}?` })).toBeVisible();
      await expect(page.getByText("It calls itself “Helper”")).toBeVisible();
      await expect(page.getByRole("note")).toContainText("Any app can use this name");
      expect(new URL(page.url()).searchParams.get("state")).toBe("s".repeat(2_000));
      await expect(page.getByRole("checkbox", { name: "Publish" })).not.toBeChecked();
      await expectAccessible(page);
      await page.setViewportSize(phone);
      await expectAccessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      await page.setViewportSize(desk);
    });

    const client = await test.step("the user grants read access by keyboard, and the assistant reads posts", async () => {
      for (const name of ["Write drafts", "Upload images", "Read analytics"]) {
        await page.getByRole("checkbox", { name }).focus();
        await page.keyboard.press("Space");
      }
      await page.getByRole("button", { name: "Allow", exact: true }).focus();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("heading", { name: "Back at the assistant" })).toBeVisible();
      expect(assistant.answers[0]!.get("state")).toBe("s".repeat(2_000));
      expect(assistant.answers[0]!.get("iss")).toBe(stack.publicUrl);
      const entered = await assistant.enters();
      expect((await entered.listTools()).tools.map(({ name }) => name)).toEqual(toolNames);
      expect((await entered.callTool({ name: "list_posts", arguments: {} })).isError).toBeFalsy();
      const written = await entered.callTool({ name: "create_draft", arguments: { title: "By nobody", markdown: "Text." } });
      expect([written.isError, JSON.stringify(written.content)]).toEqual([true, expect.stringContaining("posts:write")]);
      return entered;
    });

    await test.step("the token works for nothing else", async () => {
      const elsewhere = await fetch(`${stack.publicUrl}/api/v1/posts`, { headers: { authorization: `Bearer ${assistant.token()}` } });
      expect(elsewhere.status).toBe(401);
    });

    await test.step("the user ends the connection in the settings, and it stops immediately", async () => {
      await page.goto(`/workspace/${workspaceId}/settings/assistants`);
      const table = page.getByRole("table", { name: "Assistants" });
      await expect(table).toContainText(assistant.host);
      await expect(table).toContainText("Just now");
      await expectAccessible(page);
      await table.getByRole("button", { name: `Actions for ${assistant.host}` }).click();
      await page.getByRole("menuitem", { name: "Disconnect" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
      await expect(page.getByText("No assistants connected")).toBeVisible();
      const token = assistant.token();
      const refused = await fetch(mcpUrl, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: "{}",
      });
      expect(refused.status).toBe(401);
      await expect(client.listTools()).rejects.toThrow();
    });
    await client.close();
    assistant.stop();
  },
);
