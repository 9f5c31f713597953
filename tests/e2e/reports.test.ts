import { randomUUID } from "node:crypto";
import type { Browser } from "playwright/test";
import postgres from "postgres";
import { sentMails } from "./support/another-place.ts";
import { countViews } from "../support/counts.ts";
import { oneClick } from "./support/one-click.ts";
import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, type Page, test, workerStack } from "./support/test.ts";
import { unique } from "./support/workspace.ts";

const mailsTo = async (page: Page, address: string) => (await sentMails(page)).filter(({ to }) => to === address);

async function mailTo(page: Page, address: string, count: number) {
  await expect.poll(async () => (await mailsTo(page, address)).length, { timeout: 30_000 }).toBe(count);
  return (await mailsTo(page, address))[0]!;
}
const linkIn = ({ links }: { links: string[] }) => links.find((link) => link.includes("/reports/"))!;

const elsewhere = async (browser: Browser): Promise<Page> => (await browser.newContext()).newPage();

test(
  "an owner adds a recipient, who confirms, gets a month's report and unsubscribes",
  { tag: "@journey" },
  async ({ page, browser, problems: _ }) => {
    const { workspaceId, person } = await newWorkspace(page, "Rita Reports", unique("reports"));
    const sql = postgres(workerStack().dbUrl, { max: 1, onnotice: () => {} });
    const email = `bob.${randomUUID().slice(0, 8)}@board.example`;
    const reader = await elsewhere(browser);
    await sql`insert into public.workspace_add_ons (workspace_id, add_on, granted_at) values (${workspaceId}, 'reports', '2090-01-01')`;
    /** Simulates the first of a month. It is far in the future, so the stack's own scheduler doesn't interfere. */
    const monthEnds = async (month: string, moment: string) => {
      await countViews(sql, workspaceId, null, 1_234, month);
      await sql`update private.report_recipients set active_since = '2090-01-01' where workspace_id = ${workspaceId} and active_since is not null`;
      await sql`update private.report_recipients set created_at = ${moment} where workspace_id = ${workspaceId}`;
      await sql`select public.enqueue_reports(${moment})`;
    };

    await test.step("the recipients are in the settings, at their URL", async () => {
      await page.goto(`/workspace/${workspaceId}/settings/email`);
      const section = page.getByRole("region", { name: "Monthly report" });
      await expect(section.getByRole("list", { name: "Report recipients" })).toContainText("Owner");
      await section.getByLabel("Add recipient").fill(email);
      await section.getByRole("button", { name: "Add" }).click();
      await expect(section.getByRole("listitem").filter({ hasText: email })).toContainText("Awaiting confirmation");
      await expectAccessible(page);
    });

    await test.step("the confirmation email's link only opens a page", async () => {
      const question = await mailTo(page, email, 1);
      expect(question.subject).toBe("Please confirm: the monthly report of Rita Reports's company");
      await monthEnds("2090-08-31", "2090-09-01T12:00:00Z");
      await reader.goto(linkIn(question));
      await expect(reader.getByRole("heading", { level: 1 })).toHaveText("Confirm your reports");
      await expectAccessible(reader);
      await mailTo(page, person.email, 1);
      expect(await mailsTo(page, email)).toHaveLength(1);
      await reader.getByRole("button", { name: "Yes, send me the reports" }).click();
      await expect(reader.getByRole("status")).toHaveText("You'll get the reports.");
      await expectAccessible(reader);
    });

    await test.step("the report is stopped by the email program's unsubscribe button", async () => {
      await monthEnds("2090-09-30", "2090-10-01T12:00:00Z");
      const report = await mailTo(page, email, 2);
      expect(report.subject).toBe("Rita Reports's company in September 2090: 1,234 views");
      expect(report.text).toContain("Views: 1,234 (as many as in August)");
      const { pathname, origin } = new URL(linkIn(report));
      expect(await oneClick(`${origin}/api${pathname}`)).toBe(200);
      await mailTo(page, person.email, 2);
      await monthEnds("2090-10-31", "2090-11-01T12:00:00Z");
      await mailTo(page, person.email, 3);
      expect(await mailsTo(page, email)).toHaveLength(2);
      await page.reload();
      await expect(page.getByRole("listitem").filter({ hasText: email })).toContainText("Stopped");
    });

    await test.step("the page resubscribes, and the owner stops their own", async () => {
      await reader.reload();
      await reader.getByRole("button", { name: "Send me the reports again" }).click();
      await expect(reader.getByRole("status")).toHaveText("You'll get the reports.");
      await page.getByRole("switch", { name: "Send it to me" }).click();
      await expect(page.getByRole("listitem").filter({ hasText: person.email })).toContainText("Stopped");
      await monthEnds("2090-11-30", "2090-12-01T12:00:00Z");
      await mailTo(page, email, 3);
      expect(await mailsTo(page, person.email)).toHaveLength(3);
    });

    await test.step("last month's report is sent to oneself; a recipient is removed by keyboard", async () => {
      await page.getByRole("button", { name: /^Send me the .* report now$/ }).click();
      await expect(page.getByText("Report sent")).toBeVisible();
      await mailTo(page, person.email, 4);
      await page.getByRole("button", { name: `Remove ${email}` }).focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "Remove recipient?" });
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Remove" }).press("Enter");
      await expect(page.getByRole("listitem").filter({ hasText: email })).toHaveCount(0);
      await reader.reload();
      await expect(reader.getByRole("heading", { level: 1 })).toHaveText("This link no longer works");
    });

    await test.step("nothing overflows on a phone", async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await page.emulateMedia({ colorScheme: "dark" });
      await expectAccessible(page);
    });
    await sql.end();
  },
);
