import type { Locator } from "playwright/test";
import { newWorkspace } from "./support/people.ts";
import { expect, type Page, test } from "./support/test.ts";
import { unique } from "./support/workspace.ts";

const desk = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
const box = async (part: Locator) => (await part.boundingBox())!;
const settled = (look: () => Promise<void>) => expect(look).toPass({ timeout: 20_000 });
const style = (part: Locator, name: "appearance" | "borderTopColor" | "paddingTop") =>
  part.evaluate((element, name) => getComputedStyle(element)[name], name);

test("every element of a page is visible and in place", async ({ page, stack, problems: _ }) => {
  const { workspaceId } = await newWorkspace(page, "Petra Place", unique("place"));
  const at = (rest: string) => page.goto(`/workspace/${workspaceId}/${rest}`);
  const headers = { origin: stack.publicUrl };
  await page.request.post(`/api/workspaces/${workspaceId}/add-ons`, { headers, data: { add_ons: ["analytics"] } });

  await test.step("the audit log's filters are in one line", async () => {
    await at("audit");
    await settled(async () => {
      const fields = ["Who", "What", "From", "to"].map((name) => page.getByLabel(name, { exact: true }));
      const boxes = await Promise.all(fields.map(box));
      expect(new Set(boxes.map(({ y, height }) => `${y} ${height}`)).size).toBe(1);
      expect((await box(page.getByRole("button", { name: "JSONL" }))).y).toBeGreaterThan(boxes[0]!.y + boxes[0]!.height);
      expect(await style(fields[0]!, "appearance")).toBe("none");
    });
  });

  await test.step("the snippet has its button beside it", async () => {
    await at("widget");
    await settled(async () => {
      const code = page.getByLabel("Script snippet", { exact: true });
      await expect(code).toContainText("data-workspace");
      expect(await code.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      const text = await box(code.locator("code"));
      expect((await box(page.getByRole("button", { name: "Copy the Script snippet" }))).x).toBeGreaterThan(text.x + text.width);
    });
  });

  await test.step("the widget's footer is in the preview", async () => {
    await at("appearance");
    await settled(async () => {
      const preview = page.getByTitle("Preview of the widget");
      const { y, height } = await box(preview);
      expect(y + height).toBeLessThanOrEqual(desk.height);
      expect(await preview.evaluate(({ clientHeight }) => clientHeight)).toBeGreaterThanOrEqual(439);
    });
  });

  await page.setViewportSize(phone);
  await test.step("the dashboard's views have their days below", async () => {
    await at("dashboard");
    await settled(async () => {
      const days = page.getByText("last 30 days");
      expect((await box(days)).height).toBeLessThan(20);
    });
  });

  await test.step("a scrolling page's buttons are below a line", async () => {
    await at("settings/api-keys");
    await page.getByRole("button", { name: "New API key" }).first().click();
    const footer = page.locator(".p-dialog-footer");
    await expect.poll(() => style(footer, "paddingTop")).toBe("16px");
    await expect.poll(() => style(footer, "borderTopColor")).not.toBe(transparent);
    await page.keyboard.press("Escape");
    await at("subscribers");
    await page.getByRole("button", { name: "Add subscriber" }).click();
    await expect(footer.getByRole("button")).toHaveText(["Cancel", "Send confirmation"]);
    await expect.poll(() => style(footer, "borderTopColor")).toBe(transparent);
  });

  await test.step("a switch is beside its long label", async () => {
    await openShortcuts(page);
    await expect.poll(async () => (await box(page.getByRole("dialog").getByRole("switch"))).width).toBe(44);
  });

  await test.step("the Next button is at the window's end", async () => {
    await page.goto("/onboarding");
    const below = async () => {
      const next = await box(page.getByRole("button", { name: "Next" }));
      return Math.round(phone.height - next.y - next.height);
    };
    await page.getByRole("button", { name: "Refuse cookies" }).click(); // the cookie dialog covers the window's bottom, once it has appeared
    await expect.poll(below).toBe(12);
  });
});

const transparent = "rgba(0, 0, 0, 0)";

async function openShortcuts(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
}
