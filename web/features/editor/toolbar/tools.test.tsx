import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { noDetails } from "#contract/rules/post-details.ts";
import { ids } from "../../../../tests/support/web/fixtures.ts";
import { changelogStubs, forgetDrafts, fullPost, paragraph, paths, stubSockets } from "../../../../tests/support/web/posts-support.ts";
import { renderApp } from "../../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../../tests/support/web/stub-api.ts";

vi.mock("../mount-editor.ts", async () => ({
  mountEditor: (await import("../../../../tests/support/web/posts-support.ts")).fakeMountEditor,
}));
vi.mock("../../posts/use-live-posts.ts", () => ({ useLivePosts: () => undefined }));

beforeEach(stubSockets);
beforeEach(forgetDrafts);

async function open(
  stubs: Parameters<typeof stubApi>[0] = {},
  post = fullPost({ version: 3 }),
  role: Parameters<typeof changelogStubs>[1] = "owner",
) {
  const api = stubApi({ ...changelogStubs(post, role), ...stubs });
  const app = renderApp(paths.edit());
  await screen.findByRole("textbox", { name: "Body" });
  const more = async (choice: string) => {
    await app.user.click(screen.getByRole("button", { name: "More actions" }));
    await app.user.click(await screen.findByText(choice));
  };
  return { ...app, api, more };
}

describe("history", () => {
  const revision = (version: number, author_name: string) => ({
    version,
    title: "Faster exports",
    status: "draft",
    tags: [],
    author_id: ids.person,
    summary: null,
    author_name,
    post_author_name: "Ada",
    published_at: null,
    cover_image: null,
    details: noDetails,
    created_at: "2026-01-05T09:00:00+00:00",
  });
  const stubs = {
    "GET /api/posts/*/revisions": { revisions: [revision(3, "Ada"), revision(2, "Grace"), revision(1, "Alan")] },
    "GET /api/posts/*/revisions/2": { revision: { ...revision(2, "Grace"), content_raw: paragraph("As it was"), content_md: "" } },
  };

  test("shows authors and differences and restores a version", async () => {
    const { user, api, more } = await open({ ...stubs, "POST /api/posts/*/revisions/2/restore": { post: fullPost({ version: 4 }) } });
    await more("History");
    const dialog = await screen.findByRole("dialog", { name: "History" });
    await within(dialog).findByText("As it was");
    expect(within(dialog).getByText("Twice as fast.")).toBeTruthy();
    expect(
      within(dialog)
        .getAllByRole("button", { pressed: false })
        .map((button) => button.textContent),
    ).toEqual([expect.stringContaining("Alan")]);
    api.set({ "GET /api/posts/*": { post: fullPost({ version: 4, content_raw: paragraph("As it was") }) } });
    await user.click(within(dialog).getByRole("button", { name: "Restore version 2" }));
    await screen.findByText("Version restored");
    expect(api.to("POST /api/posts/*/revisions/2/restore")[0]?.body).toEqual({ version: 3 });
    await waitFor(() => expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Body" }).value).toBe("As it was"));
  });
});

const menuLines = () =>
  [...screen.getByRole("menu").children].map((line) =>
    line.matches("hr") ? "—" : [...line.children].flatMap(({ textContent }) => textContent || []).join(" "),
  );

test("the post's menu has groups and shows shortcuts", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "More actions" }));
  const undo = await screen.findByRole("menuitem", { name: "Undo" });
  expect(undo.getAttribute("aria-keyshortcuts")).toBe("Control+Z Meta+Z");
  const lines = menuLines();
  expect(lines.slice(0, 3)).toEqual(["Undo Ctrl+Z", "Redo Ctrl+Shift+Z", "—"]);
  expect(lines.slice(-4)).toEqual(["Keyboard shortcuts", "—", "Archive", "Purge"]);
  expect(lines[lines.indexOf("Copy as Markdown") - 1]).toBe("—");
  await user.keyboard("{ArrowDown}{ArrowDown}");
  expect(document.activeElement?.textContent).toContain("Save");
});

test("Ctrl+Enter saves a live post without a dialog", async () => {
  const live = fullPost({ status: "published", published_at: "2026-01-05T09:00:00+00:00" });
  const { user, api } = await open({ "PUT /api/posts/*": { post: { ...live, version: 2 } } }, live);
  await user.type(screen.getByRole("textbox", { name: "Body" }), " More");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(api.to("PUT /api/posts/*")).toHaveLength(1));
  expect(api.to("PUT /api/posts/*")[0]?.body).toMatchObject({ status: "published", publish_at: null });
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.queryByText("Post published")).toBeNull();
});
