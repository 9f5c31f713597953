import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Post } from "#contract/posts.ts";
import { ids } from "../../../../tests/support/web/fixtures.ts";
import { changelogStubs, forgetDrafts, fullPost, paragraph, paths, stubSockets } from "../../../../tests/support/web/posts-support.ts";
import { renderApp } from "../../../../tests/support/web/render-app.tsx";
import { emitAnnounced } from "../../posts/post-events.ts";
import { stubApi } from "../../../../tests/support/web/stub-api.ts";

vi.mock("../../editor/mount-editor.ts", async () => ({
  mountEditor: (await import("../../../../tests/support/web/posts-support.ts")).fakeMountEditor,
}));
vi.mock("../../posts/use-live-posts.ts", () => ({ useLivePosts: () => undefined }));

beforeEach(stubSockets);
beforeEach(forgetDrafts);

const newer = fullPost({ version: 2, content_raw: paragraph("Their words") });
const stale = () =>
  Response.json(
    {
      error: "Post updated elsewhere",
      code: "version_conflict",
      conflict: { version: 2, updated_at: new Date(Date.now() - 300_000).toISOString(), updated_by_name: "Grace Hopper" },
    },
    { status: 409 },
  );

async function conflict(theirs: Post = newer) {
  const api = stubApi({ ...changelogStubs(), "PUT /api/posts/*": stale });
  const app = renderApp(paths.edit());
  const body = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Body" });
  await app.user.type(body, " My words");
  api.set({ "GET /api/posts/*": { post: theirs } });
  await app.user.keyboard("{Control>}s{/Control}");
  const dialog = await screen.findByRole("dialog", { name: "Post updated elsewhere" });
  return { ...app, api, body, dialog, writes: () => api.requests.filter((request) => request.method !== "GET") };
}

test("a stale save shows who saved, when, and both versions block by block", async () => {
  const { dialog } = await conflict();
  expect(dialog.textContent).toContain("Grace Hopper saved a newer version of this post 5 min ago");
  await within(dialog).findByText("Their words");
  expect(within(dialog).getByText("Twice as fast. My words")).toBeTruthy();
});

const saved = (request: { body: unknown }) => {
  const { version, title, content_raw } = request.body as { version: number; title: string; content_raw: string };
  return Response.json({ post: fullPost({ version: version + 1, title, content_raw }) });
};

test.each([
  ["Yours", "Twice as fast. My words"],
  ["Grace Hopper’s", "Their words"],
  ["Both", "Their words Twice as fast. My words"],
])("a block conflict is resolved with %s", async (choice, text) => {
  const { user, api, dialog, body, writes } = await conflict();
  api.set({ "PUT /api/posts/*": saved });
  expect(within(dialog).getByText("1 conflict")).toBeTruthy();
  await user.click(within(dialog).getByRole("button", { name: "Save merged" }));
  expect(within(dialog).getByRole("alert").textContent).toBe("Choose a version for 1 more conflict");
  expect(document.activeElement).toBe(within(dialog).getByRole("radio", { name: "Yours" }));
  await user.click(within(dialog).getByRole("radio", { name: choice }));
  expect(within(dialog).getByText("all conflicts resolved")).toBeTruthy();
  await user.click(within(dialog).getByRole("button", { name: "Save merged" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(body.value).toBe(text);
  const last = writes().at(-1)?.body as { version: number; content_raw: string };
  expect(last.version).toBe(2);
  expect(last.content_raw).toContain(text);
});

test("conflicts of a title and a deleted block are resolved", async () => {
  const theirs = fullPost({ version: 2, title: "Their title", content_raw: JSON.stringify({ blocks: [] }) });
  const api = stubApi({ ...changelogStubs(), "PUT /api/posts/*": stale });
  const { user } = renderApp(paths.edit());
  const body = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Body" });
  await user.type(screen.getByRole("textbox", { name: "Title" }), "!");
  await user.type(body, " My words");
  api.set({ "GET /api/posts/*": { post: theirs } });
  await user.keyboard("{Control>}s{/Control}");
  const dialog = await screen.findByRole("dialog", { name: "Post updated elsewhere" });
  expect(within(dialog).getByText("2 conflicts")).toBeTruthy();
  const [title, block] = within(dialog).getAllByRole("group");
  await user.click(within(title!).getByRole("radio", { name: "Grace Hopper’s" }));
  expect(within(block!).queryByRole("radio", { name: "Both" })).toBeNull();
  await user.click(within(block!).getByRole("radio", { name: "Yours" }));
  api.set({ "PUT /api/posts/*": saved });
  await user.click(within(dialog).getByRole("button", { name: "Save merged" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Title" }).value).toBe("Their title");
  expect(body.value).toBe("Twice as fast. My words");
});

test("publishing a merge shows the result first", async () => {
  const api = stubApi({ ...changelogStubs(), "PUT /api/posts/*": stale });
  const { user } = renderApp(paths.edit());
  const body = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Body" });
  await user.type(body, " My words");
  api.set({ "GET /api/posts/*": { post: fullPost({ version: 2, content_raw: paragraph("Thrice as fast.") }) } });
  await user.click(screen.getByRole("button", { name: "Publish" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Publish" }));
  const dialog = await screen.findByRole("dialog", { name: "Post updated elsewhere" });
  const comparison = await within(dialog).findByRole("list", { name: "Differences" });
  expect(within(comparison).getByText("Thrice", { selector: "ins" })).toBeTruthy();
  expect(comparison.textContent).toContain("My words");
  expect(within(dialog).getByText("1 block from both, no conflicts")).toBeTruthy();
  expect(api.to("PUT /api/posts/*")).toHaveLength(1);
  api.set({ "PUT /api/posts/*": { post: fullPost({ version: 3, status: "published", published_at: "2026-01-05T09:00:00+00:00" }) } });
  await user.click(within(dialog).getByRole("button", { name: "Publish merged" }));
  await screen.findByText("Post published");
  expect(api.to("PUT /api/posts/*").at(-1)?.body).toMatchObject({
    version: 2,
    status: "published",
    content_raw: expect.stringContaining("Thrice as fast. My words") as string,
  });
});

test("a colleague's save shows a notice over unsaved changes, then compares both", async () => {
  const live = fullPost({ status: "published", published_at: "2026-01-05T09:00:00+00:00" });
  const api = stubApi({ ...changelogStubs(live), "PUT /api/posts/*": stale });
  const { user } = renderApp(paths.edit());
  const body = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Body" });
  await user.type(body, " My words");
  const theirs = {
    ...live,
    version: 2,
    content_raw: paragraph("Their words"),
    updated_by_name: "Ana",
    updated_at: new Date().toISOString(),
  };
  api.set({ "GET /api/posts/*": { post: theirs } });
  act(() => emitAnnounced(ids.post, 2));
  await screen.findByText(/Ana saved a newer version just now\. You'll be asked to choose when you save\./);
  expect(body.value).toBe("Twice as fast. My words");
  expect(screen.queryByRole("dialog")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Compare" }));
  const dialog = await screen.findByRole("dialog", { name: "Post updated elsewhere" });
  await user.click(within(dialog).getByRole("button", { name: "Discard & Refresh" }));
  await waitFor(() => expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Body" }).value).toBe("Their words"));
  expect(screen.queryByText(/Ana saved a newer version/)).toBeNull();
});
