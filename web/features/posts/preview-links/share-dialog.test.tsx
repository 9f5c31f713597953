import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { PreviewLink } from "#contract/preview-links.ts";
import type { Post } from "#contract/posts.ts";
import type { Role } from "#contract/kinds.ts";
import { changelogStubs, forgetDrafts, fullPost, paths, stubSockets } from "../../../../tests/support/web/posts-support.ts";
import { renderApp } from "../../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../../tests/support/web/stub-api.ts";

vi.mock("../../editor/mount-editor.ts", async () => ({
  mountEditor: (await import("../../../../tests/support/web/posts-support.ts")).fakeMountEditor,
}));
vi.mock("../use-live-posts.ts", () => ({ useLivePosts: () => undefined }));
beforeEach(stubSockets);
beforeEach(forgetDrafts);

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const host = "http://acme.localhost:3000";
const link = (number: number, fields: Partial<PreviewLink> = {}): PreviewLink => ({
  id: `77777777-7777-4777-8777-${String(number).padStart(12, "0")}`,
  created_at: new Date().toISOString(),
  created_by_name: "Grace Hopper",
  expires_at: inDays(3),
  allows_comments: false,
  url: `${host}/releases/preview/${String(number).repeat(43)}`,
  ...fields,
});

async function openMenu(stubs: object = {}, post: Post = fullPost(), role: Role = "owner") {
  const api = stubApi({ ...changelogStubs(post, role), ...stubs });
  const app = renderApp(paths.edit());
  await screen.findByRole("textbox", { name: "Body" });
  await app.user.click(screen.getByRole("button", { name: "More actions" }));
  await screen.findByRole("menuitem", { name: "Copy as Markdown" });
  return { ...app, api };
}
async function openDialog(stubs: object = {}, post?: Post) {
  const app = await openMenu(stubs, post);
  await app.user.click(screen.getByRole("menuitem", { name: "Share preview" }));
  return { ...app, dialog: await screen.findByRole("dialog", { name: "Share preview" }) };
}

describe("ShareDialog", () => {
  test("creates, shows and lists a link", async () => {
    const created = link(1, { allows_comments: true, created_by_name: "Ada Lovelace" });
    let links: PreviewLink[] = [];
    const { user, dialog, api } = await openDialog({
      "GET /api/posts/*/preview-links": () => ({ links }),
      "POST /api/posts/*/preview-links": () => {
        links = [created];
        return { link: created };
      },
    });
    const days = within(dialog).getByRole("spinbutton", { name: "Expires after (days)" });
    await waitFor(() => expect(document.activeElement).toBe(days));
    await user.clear(days);
    await user.type(days, "3");
    await user.click(within(dialog).getByRole("checkbox", { name: "Readers can comment" }));
    await user.keyboard("{Enter}");
    const field = await within(dialog).findByRole<HTMLInputElement>("textbox", { name: "Preview link" });
    expect(field.value).toBe(created.url);
    expect(document.activeElement).toBe(field);
    expect(api.to("POST /api/posts/*/preview-links").map(({ body }) => body)).toEqual([{ days: 3, allows_comments: true }]);
    const row = await within(dialog).findByRole("listitem");
    expect(row.textContent).toMatch(/^New: Ada Lovelace · Just nowExpires .* · readers can comment/);
  });

  test("revokes a link after a confirmation and hides expired ones", async () => {
    let links = [link(1), link(2, { expires_at: inDays(-1) })];
    const { user, dialog, api } = await openDialog({
      "GET /api/posts/*/preview-links": () => ({ links }),
      "DELETE /api/posts/*/preview-links/*": () => {
        links = [];
        return { success: true };
      },
    });
    expect(await within(dialog).findAllByRole("listitem")).toHaveLength(1);
    await user.click(within(dialog).getByRole("button", { name: /^Revoke the link by Grace Hopper/ }));
    expect(document.activeElement).toBe(within(dialog).getByRole("button", { name: "Cancel" }));
    await user.keyboard("{Enter}");
    expect(api.to("DELETE /api/posts/*/preview-links/*")).toHaveLength(0);
    await user.click(within(dialog).getByRole("button", { name: /^Revoke the link by Grace Hopper/ }));
    await user.click(within(dialog).getByRole("button", { name: "Revoke" }));
    await waitFor(() => expect(within(dialog).queryByRole("listitem")).toBeNull());
    expect(await screen.findByText("Link revoked")).toBeTruthy();
  });
});
