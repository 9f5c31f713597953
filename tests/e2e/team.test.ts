import { sentMails } from "./support/another-place.ts";
import { newPerson, type Person } from "./support/journey.ts";
import { enter, newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { createPost, freshPage, unique } from "./support/workspace.ts";

test(
  "a team works from the first invitation to the last member leaving, and each role sees what it can do",
  { tag: "@journey" },
  async ({ page, browser, stack, problems: _ }) => {
    test.setTimeout(150_000);
    const { workspaceId } = await newWorkspace(page, "Olga Owner", unique("team"));
    const dashboard = `/workspace/${workspaceId}/dashboard`;
    const team = `/workspace/${workspaceId}/team`;
    await createPost(page, stack.publicUrl, workspaceId, { title: "For everybody" });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(team);

    const dialog = page.getByRole("dialog", { name: "Invite Team Member" });
    async function inviteByLink(role: "Viewer" | "Editor" | "Administrator"): Promise<string> {
      await page.getByRole("button", { name: "Generate Invite link" }).click();
      if (role === "Administrator") await dialog.getByLabel(role).check();
      else await dialog.getByText(role, { exact: true }).click();
      await dialog.getByRole("button", { name: "Generate link" }).click();
      await expect(dialog.getByRole("button", { name: "Copy" })).toBeVisible();
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Copy" }).click();
      await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
      const link = await page.evaluate(() => navigator.clipboard.readText());
      expect(await dialog.getByLabel("Invitation link").inputValue()).toBe(link);
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      return link;
    }

    const editor = await freshPage(browser, stack.publicUrl);
    const viewer = await freshPage(browser, stack.publicUrl);
    const admin = await freshPage(browser, stack.publicUrl);

    await test.step("an editor and an admin join by link", async () => {
      await joinAs(editor, newPerson("Edith Editor"), await inviteByLink("Editor"), dashboard);
      await joinAs(admin, newPerson("Anton Admin"), await inviteByLink("Administrator"), dashboard);
    });

    await test.step("a viewer joins by the email's link, which is pending until then", async () => {
      const person = newPerson("Vera Viewer");
      await page.reload();
      await page.getByRole("button", { name: "Generate Invite link" }).click();
      await dialog.getByText("Email", { exact: true }).first().click();
      await dialog.getByLabel("Email addresses").fill(person.email);
      await dialog.getByRole("button", { name: "Send invitations" }).click();
      await expect(page.getByText("Invitation sent")).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("list", { name: "Open invitations" })).toContainText(person.email);
      await joinAs(viewer, person, await mailedLink(page, person.email), dashboard);
      await page.reload();
      await expect(page.getByRole("row", { name: /Vera Viewer/ })).toBeVisible();
      await expect(page.getByRole("list", { name: "Open invitations" })).toHaveCount(0);
    });

    await test.step("an invited viewer is made an admin before joining, and gets the same invitation again", async () => {
      const person = newPerson("Late Leader");
      const mails = async () => (await sentMails(page)).filter(({ to }) => to === person.email);
      for (const toast of ["Invitation sent", "Invitation sent again"]) {
        await page.getByRole("button", { name: "Generate Invite link" }).click();
        await dialog.getByText("Email", { exact: true }).first().click();
        await dialog.getByLabel("Email addresses").fill(person.email);
        await dialog.getByRole("button", { name: "Send invitations" }).click();
        await expect(page.getByText(toast, { exact: true }).first()).toBeVisible();
        await page.keyboard.press("Escape");
      }
      const open = page.getByRole("list", { name: "Open invitations" });
      await expect(open.getByRole("listitem")).toHaveCount(1);
      const role = page.getByRole("combobox", { name: `Role of the invitation of ${person.email}` });
      await role.focus();
      await role.selectOption("Administrator");
      await expect(page.getByText("Role changed")).toBeVisible();
      await expectAccessible(page);
      await expect.poll(async () => (await mails()).length).toBe(2);
      const leader = await freshPage(browser, stack.publicUrl);
      await joinAs(
        leader,
        person,
        (await mails()).at(-1)!.links.find((address) => address.includes("/join?token="))!,
        dashboard,
      );
      await page.reload();
      await expect(page.getByRole("row", { name: /Late Leader/ }).getByRole("combobox")).toHaveValue("admin");
      await page.getByRole("button", { name: "Remove Late Leader" }).click();
      await page.getByRole("button", { name: "Remove", exact: true }).click();
      await expect(page.getByRole("row", { name: /Late Leader/ })).toHaveCount(0);
      await leader.context().close();
    });

    await test.step("a revoked link is invalid", async () => {
      const link = await inviteByLink("Viewer");
      await page.getByRole("button", { name: /^Revoke/ }).click();
      await expect(page.getByText("Invitation revoked")).toBeVisible();
      const late = await freshPage(browser, stack.publicUrl);
      await late.goto(link);
      await expect(late.getByRole("heading", { name: "Invalid invitation" })).toBeVisible();
      await late.context().close();
    });

    await test.step("each role sees its menu entries", async () => {
      const expectEntries = async (who: Page, entries: string) => {
        await who.goto(dashboard);
        await expect(who.getByRole("table", { name: "Recent posts" })).toBeVisible();
        await who.setViewportSize({ width: 800, height: 800 });
        await expect(who.getByRole("navigation", { name: "Pages" }).getByRole("link")).toHaveText(entries.split(" "));
      };
      await expectEntries(page, "Dashboard Changelog Analytics Widget Team");
      await expectEntries(admin, "Dashboard Changelog Analytics Widget Team");
      await expectEntries(editor, "Dashboard Changelog Analytics Team");
      await expectEntries(viewer, "Dashboard Changelog Analytics");
      for (const who of [page, admin, editor, viewer]) await who.setViewportSize({ width: 1280, height: 800 });
      for (const who of [admin, editor, viewer]) await expect(who.getByRole("switch", { name: "Public Changelog" })).toHaveCount(0);
      await expect(editor.getByRole("checkbox", { name: "Select For everybody" })).toBeVisible();
      await expect(viewer.getByRole("checkbox")).toHaveCount(0);
    });

    await test.step("an admin and an editor read roles as text, the editor without addresses; a viewer can't see the team", async () => {
      await admin.goto(team);
      await expect(admin.getByRole("row", { name: /Edith Editor/ })).toContainText("Editor");
      await expect(admin.getByRole("combobox")).toHaveCount(0);
      await expect(admin.getByRole("button", { name: /^Remove/ })).toHaveCount(0);
      await expectAccessible(admin);
      await admin.getByRole("button", { name: "Generate Invite link" }).click();
      await expect(admin.getByRole("dialog").getByLabel("Administrator")).toHaveCount(0);
      await editor.goto(team);
      await expect(editor.getByRole("row", { name: /Anton Admin/ })).toContainText("Administrator");
      await expect(editor.getByRole("table")).not.toContainText("@");
      for (const control of ["combobox", "checkbox"] as const) await expect(editor.getByRole(control)).toHaveCount(0);
      await expect(editor.getByRole("button", { name: /Invite|^Remove/ })).toHaveCount(0);
      await expectAccessible(editor);
      await viewer.goto(team);
      await expect(viewer.getByRole("heading", { name: "Owners and admins manage the team" })).toBeVisible();
      expect((await viewer.request.get(`/api/team/${workspaceId}/team`)).status()).toBe(403);
      await viewer.goto(`/workspace/${workspaceId}/widget`);
      await expect(viewer.getByRole("heading", { name: "Appearance" })).toBeVisible();
      await expect(viewer.getByRole("button", { name: "Save Changes" })).toHaveCount(0);
    });

    await test.step("the owner changes a role, which applies immediately", async () => {
      await page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: "Team" }).click();
      await expect(page.getByRole("row").nth(1)).toContainText("Olga Owner");
      const role = page.getByRole("combobox", { name: "Role of Edith Editor" });
      await role.selectOption("Viewer");
      await expect(role).toBeEnabled(); // saved
      await expect(role).toHaveValue("viewer");
      await editor.goto(dashboard);
      await expect(editor.getByRole("table", { name: "Recent posts" })).toBeVisible();
      await expect(editor.getByRole("checkbox")).toHaveCount(0);
    });

    await test.step("the owner removes a member, who is out immediately", async () => {
      await page.getByRole("button", { name: "Remove Edith Editor" }).click();
      await expect(page.getByText("Are you sure you want to remove Edith Editor from the team?")).toBeVisible();
      await page.getByRole("button", { name: "Remove", exact: true }).click();
      await expect(page.getByRole("row", { name: /Edith Editor/ })).toHaveCount(0);
      expect((await editor.request.get(`/api/dashboard/${workspaceId}/all`)).status()).toBe(404);
    });

    await test.step("the owner transfers the workspace and leaves it", async () => {
      await page.getByRole("combobox", { name: "New owner" }).selectOption({ index: 1 });
      await page.getByRole("button", { name: "Transfer ownership" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Transfer" }).click();
      await page.getByRole("button", { name: "Leave workspace" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
      await page.waitForURL("**/workspaces");
      await expect(page.getByText("No workspaces yet")).toBeVisible();
    });

    for (const who of [editor, viewer, admin]) await who.context().close();
  },
);

async function joinAs(page: Page, person: Person, link: string, dashboard: string): Promise<void> {
  await enter(page, person);
  await page.goto(link);
  await page.getByRole("button", { name: "Accept Invitation & Join Team" }).click();
  await page.waitForURL(`**${dashboard}`);
}

async function mailedLink(page: Page, email: string): Promise<string> {
  let link: string | undefined;
  await expect(async () => {
    link = (await sentMails(page)).find((mail) => mail.to === email)?.links.find((address) => address.includes("/join?token="));
    expect(link).toBeDefined();
  }).toPass();
  return link!;
}
