import type { Browser } from "playwright/test";
import { enter, newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { editorPath, newPost, openPost, readPost, titleOf } from "./support/writing.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const said = (page: Page, words: string | RegExp) => page.getByRole("status").filter({ hasText: words }).first();

async function ownerAndEditor(browser: Browser, url: string) {
  const owner = await (await browser.newContext({ baseURL: url })).newPage();
  const { workspaceId } = await newWorkspace(owner, "Ada Owner", `eyes-${Date.now().toString(36)}`);
  const headers = { origin: url };
  const invited = await owner.request.post(`/api/team/${workspaceId}/invite`, { headers, data: { role: "editor", workspaceId } });
  const link = new URL(((await invited.json()) as { invite: { url: string } }).invite.url);
  const editor = await (await browser.newContext({ baseURL: url })).newPage();
  await enter(editor, "Bob Editor");
  await editor.request.post("/api/team/join", { headers, data: { token: link.searchParams.get("token") } });
  return { owner, editor, workspaceId };
}

async function switchOn(owner: Page, workspaceId: string): Promise<void> {
  await owner.goto(`/workspace/${workspaceId}/settings/approvals`);
  const rules = owner.getByRole("group", { name: "Which posts need approval?" });
  await rules.getByRole("radio", { name: "Posts by editors" }).check();
  await expect(owner.getByText("Saved", { exact: true })).toBeVisible();
  await expectAccessible(owner);
}

test(
  "an editor requests a review, gets changes requested, asks again, and the approver publishes the post",
  { tag: "@journey" },
  async ({ browser, stack }) => {
    const { owner, editor, workspaceId } = await ownerAndEditor(browser, stack.publicUrl);
    await switchOn(owner, workspaceId);
    const { id } = await newPost(editor, workspaceId, { title: "Dark mode" });

    await openPost(editor, workspaceId, id);
    await expect(said(editor, "Someone else needs to approve this post before it's published.")).toBeVisible();
    await expect(button(editor, "Publish")).toHaveCount(0);
    await button(editor, "Request approval").click();
    const asking = editor.getByRole("dialog", { name: "Request approval" });
    await asking.getByRole("textbox", { name: "Note" }).fill("In time for Monday?");
    await expectAccessible(editor);
    await asking.getByRole("button", { name: "Request approval" }).click();
    await expect(said(editor, "Waiting for approval")).toContainText("In time for Monday?");

    await owner.goto(`/workspace/${workspaceId}/dashboard`);
    const waiting = owner.getByRole("region", { name: "Waiting for you (1)" });
    await expect(waiting).toContainText("Bob Editor requested approval for Dark mode");
    await expectAccessible(owner);
    await waiting.getByRole("link", { name: "Dark mode" }).click();
    await expect(said(owner, "Bob Editor requested approval")).toBeVisible();
    await button(owner, "Request changes").click();
    const refusing = owner.getByRole("dialog", { name: "Request changes to this post?" });
    await refusing.getByRole("textbox", { name: "Note" }).fill("A picture is missing.");
    await expectAccessible(owner);
    await refusing.getByRole("button", { name: "Request changes" }).click();
    await expect(said(owner, "requested changes")).toBeVisible();

    await expect(said(editor, "Ada Owner requested changes")).toContainText("A picture is missing.");
    await titleOf(editor).fill("Dark mode, with a picture");
    await button(editor, "Request approval").click();
    await asking.getByRole("button", { name: "Request approval" }).click();
    await expect(said(editor, "Waiting for approval")).toBeVisible();
    expect((await readPost(editor, id)).title).toBe("Dark mode, with a picture");

    await owner.goto(editorPath(workspaceId, id));
    await expect(titleOf(owner)).toHaveValue("Dark mode, with a picture");
    await button(owner, "Approve").click();
    await owner.getByRole("dialog").getByRole("button", { name: "Approve and publish" }).click();
    await expect(owner.getByText("Approved and published")).toBeVisible();
    await expect.poll(async () => (await readPost(owner, id)).status).toBe("published");
  },
);
