import { type S3Server, startS3Server } from "../support/s3-server.ts";
import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { unique } from "./support/workspace.ts";
import { newPost } from "./support/writing.ts";

let s3: S3Server;
test.beforeAll(async () => void (s3 = await startS3Server(["copies"])));
test.afterAll(() => s3?.stop());

test(
  "an owner gets the add-on, sets a destination, makes a backup and restores it",
  { tag: "@journey" },
  async ({ page, problems: _ }, { outputDir }) => {
    const { workspaceId } = await newWorkspace(page, "Bea Backup", unique("backup"));
    await newPost(page, workspaceId, { title: "Kept for good" });
    const section = page.getByRole("region", { name: "Backup" });
    const shot = async (name: string) => {
      await section.scrollIntoViewIfNeeded();
      await page.screenshot({ path: `${outputDir}/${name}.png` });
    };

    await test.step("without the add-on the page links to the upgrade", async () => {
      await page.goto(`/workspace/${workspaceId}/settings/backup`);
      await section.getByRole("link", { name: "Get Backup" }).click();
      await page.getByRole("button", { name: "Upgrade now" }).click();
      await page.getByRole("link", { name: "Go to Backup" }).click();
      await expect(section).toBeInViewport();
    });

    await test.step("an error appears at its field, and the input is kept", async () => {
      await section.getByLabel("Endpoint").fill(s3.endpoint);
      await section.getByLabel("Bucket").fill("elsewhere");
      await section.getByLabel("Access key ID").fill(s3.keyId);
      await section.getByLabel("Secret access key").fill(s3.secret);
      await section.getByLabel("Passphrase").fill("a long passphrase");
      await section.getByRole("button", { name: "Test and save" }).click();
      await expect(section.getByText("There's no bucket with this name")).toBeVisible();
      await expect(section.getByLabel("Bucket")).toBeFocused();
      await expectAccessible(page);
      await shot("refused");
      await section.getByLabel("Bucket").fill("copies");
      await section.getByRole("button", { name: "Test and save" }).click();
      await expect(section.getByText("Yes, with your passphrase")).toBeVisible();
      await expect(section.getByText("Your backups will appear here.")).toBeVisible();
    });

    await test.step("a backup is made and listed", async () => {
      await section.getByRole("button", { name: "Back up now" }).click();
      await expect(section.getByRole("list", { name: "Recent backups" })).toContainText("Done", { timeout: 30_000 });
      await expect(section.getByRole("list", { name: "Recent backups" })).toContainText("1 post, 0 images");
      await expectAccessible(page);
      await shot("made");
      await page.emulateMedia({ colorScheme: "dark" });
      await page.setViewportSize({ width: 390, height: 844 });
      await shot("made-dark-phone");
      await page.emulateMedia({ colorScheme: "light" });
      await page.setViewportSize({ width: 1280, height: 720 });
    });

    await test.step("the backup is restored as a new workspace", async () => {
      await section.getByRole("button", { name: "Restore backup" }).click();
      const dialog = page.getByRole("dialog", { name: "Restore backup" });
      await expect(dialog.getByLabel("Backup")).toContainText("B");
      await dialog.getByLabel("New workspace name").fill("Bea again");
      await dialog.getByLabel("Subdomain").fill(unique("again"));
      await expectAccessible(page);
      await page.screenshot({ path: `${outputDir}/restore.png` });
      await dialog.getByRole("button", { name: "Restore", exact: true }).click();
      await page.getByRole("dialog", { name: "Switch workspace?" }).getByRole("button", { name: "Switch workspace" }).click();
      await expect(page).toHaveURL(/\/dashboard$/, { timeout: 30_000 });
      expect(page.url()).not.toContain(workspaceId);
      await page.goto(page.url().replace("/dashboard", "/changelog"));
      await expect(page.getByRole("link", { name: "Kept for good" })).toBeVisible();
    });

    await test.step("disabling backups keeps the list", async () => {
      await page.goto(`/workspace/${workspaceId}/settings/backup`);
      await section.getByRole("button", { name: "Turn off" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
      await expect(section.getByRole("button", { name: "Test and save" })).toBeVisible();
      await expect(section.getByRole("list", { name: "Recent backups" })).toContainText("Done");
    });
  },
);
