import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { PreviewLink } from "#contract/preview-links.ts";
import type { Post } from "#contract/posts.ts";
import type { Role } from "#contract/kinds.ts";
import { acme } from "../../../../tests/support/web/fixtures.ts";
import { changelogStubs, forgetDrafts, fullPost, paths, stubSockets } from "../../../../tests/support/web/posts-support.ts";
import { renderApp } from "../../../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../../../tests/support/web/stub-api.ts";

vi.mock("../editor/mount-editor.ts", async () => ({
  mountEditor: (await import("../../../../tests/support/web/posts-support.ts")).fakeMountEditor,
}));
vi.mock("../use-live-posts.ts", () => ({ useLivePosts: () => undefined })); // Realtime has its own test
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
const open = { "GET /api/workspaces": { workspaces: [{ ...acme, public_changelog_enabled: true }] } };

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
  await app.user.click(screen.getByRole("menuitem", { name: "Share a preview" }));
  return { ...app, dialog: await screen.findByRole("dialog", { name: "Share a preview" }) };
}

describe("a preview is shared", () => {
  test("by a link for so many days, which is shown and listed", async () => {
    const made = link(1, { allows_comments: true, created_by_name: "Ada Lovelace" });
    let links: PreviewLink[] = [];
    const { user, dialog, api } = await openDialog({
      "GET /api/posts/*/preview-links": () => ({ links }),
      "POST /api/posts/*/preview-links": () => {
        links = [made];
        return { link: made };
      },
    });
    const days = within(dialog).getByRole("spinbutton", { name: "Days until it ends" });
    await waitFor(() => expect(document.activeElement).toBe(days));
    await user.clear(days);
    await user.type(days, "3");
    await user.click(within(dialog).getByRole("checkbox", { name: "Readers may comment" }));
    await user.keyboard("{Enter}");
    const field = await within(dialog).findByRole<HTMLInputElement>("textbox", { name: "Link to the preview" });
    expect(field.value).toBe(made.url);
    expect(document.activeElement).toBe(field);
    expect(api.to("POST /api/posts/*/preview-links").map(({ body }) => body)).toEqual([{ days: 3, allows_comments: true }]);
    const row = await within(dialog).findByRole("listitem");
    expect(row.textContent).toMatch(/^New: Ada Lovelace · Just nowUntil .* · readers may comment/);
  });

  test.each(["", "0", "31", "2.5"])("for no other number of days: %j", async (typed) => {
    const { user, dialog, api } = await openDialog({ "GET /api/posts/*/preview-links": { links: [] } });
    const days = within(dialog).getByRole<HTMLInputElement>("spinbutton");
    await user.clear(days);
    if (typed !== "") await user.type(days, typed);
    await user.click(within(dialog).getByRole("button", { name: "Make a link" }));
    expect(await within(dialog).findByText("Please choose 1 to 30 days")).toBeTruthy();
    expect([days.value, days.getAttribute("aria-invalid")]).toEqual([typed, "true"]);
    expect(api.to("POST /api/posts/*/preview-links")).toHaveLength(0);
  });

  test("what the server says against it stands there, and what was chosen stays", async () => {
    const { user, dialog } = await openDialog({
      "GET /api/posts/*/preview-links": { links: [] },
      "POST /api/posts/*/preview-links": refusal("validation_failed", { post: "Readers see this post already. Share its own address." }),
    });
    await user.click(within(dialog).getByRole("checkbox"));
    await user.click(within(dialog).getByRole("button", { name: "Make a link" }));
    expect(await within(dialog).findByText("Readers see this post already. Share its own address.")).toBeTruthy();
    expect(within(dialog).getByRole<HTMLInputElement>("checkbox").checked).toBe(true);
  });

  test("and taken back after one question; what has ended is not listed", async () => {
    let links = [link(1), link(2, { expires_at: inDays(-1) })];
    const { user, dialog, api } = await openDialog({
      "GET /api/posts/*/preview-links": () => ({ links }),
      "DELETE /api/posts/*/preview-links/*": () => {
        links = [];
        return { success: true };
      },
    });
    expect(await within(dialog).findAllByRole("listitem")).toHaveLength(1);
    await user.click(within(dialog).getByRole("button", { name: /^Revoke the link of Grace Hopper/ }));
    expect(document.activeElement).toBe(within(dialog).getByRole("button", { name: "Keep" }));
    await user.keyboard("{Enter}");
    expect(api.to("DELETE /api/posts/*/preview-links/*")).toHaveLength(0);
    await user.click(within(dialog).getByRole("button", { name: /^Revoke the link of Grace Hopper/ }));
    await user.click(within(dialog).getByRole("button", { name: "Revoke" }));
    await waitFor(() => expect(within(dialog).queryByRole("listitem")).toBeNull());
    expect(await screen.findByText("Link revoked")).toBeTruthy();
  });

  test("a link in the list can be copied at any time", async () => {
    const { user, dialog } = await openDialog({ "GET /api/posts/*/preview-links": { links: [link(1), link(2)] } });
    const buttons = await within(dialog).findAllByRole("button", { name: /^Copy the link of Grace Hopper/ });
    await user.click(buttons[1]!);
    expect(await navigator.clipboard.readText()).toBe(link(2).url);
  });

  test("links that could not be read are asked for again", async () => {
    let fails = true;
    const { user, dialog } = await openDialog({
      "GET /api/posts/*/preview-links": () => (fails ? refusal("unavailable") : { links: [link(1)] }),
    });
    await within(dialog).findByText(/The links could not be read/);
    fails = false;
    await user.click(within(dialog).getByRole("button", { name: "Try again" }));
    expect(await within(dialog).findAllByRole("listitem")).toHaveLength(1);
  });

  test.each<[string, object, Post, Role, boolean]>([
    ["a draft", open, fullPost(), "editor", true],
    ["a scheduled post", open, fullPost({ status: "scheduled", publish_at: inDays(1) }), "editor", true],
    ["a published post that nobody reads", {}, fullPost({ status: "published", published_at: inDays(-1) }), "editor", true],
    ["a public post", open, fullPost({ status: "published", published_at: inDays(-1) }), "editor", false],
    ["an archived post", open, fullPost({ status: "archived", archived_at: inDays(-1) }), "editor", false],
    ["a draft, for a viewer", open, fullPost(), "viewer", false],
  ])("of %s or not", async (_name, stubs, post, role, offered) => {
    await openMenu(stubs, post, role);
    expect(screen.queryByRole("menuitem", { name: "Share a preview" }) !== null).toBe(offered);
  });
});
