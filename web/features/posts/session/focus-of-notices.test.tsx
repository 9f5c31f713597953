import { act, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { globex, ids, signedIn } from "../../../../tests/support/web/fixtures.ts";
import { changelogStubs, forgetDrafts, fullPost, paragraph, paths, stubSockets } from "../../../../tests/support/web/posts-support.ts";
import { renderApp } from "../../../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../../../tests/support/web/stub-api.ts";
import { emitAnnounced } from "../post-events.ts";
import { putDraft } from "./draft-store.ts";

vi.mock("../editor/mount-editor.ts", async () => ({
  mountEditor: (await import("../../../../tests/support/web/posts-support.ts")).fakeMountEditor,
}));
vi.mock("../use-live-posts.ts", () => ({ useLivePosts: () => undefined }));

beforeEach(stubSockets);
beforeEach(forgetDrafts);

const keep = (sessionId: string, title: string, savedAt: number) =>
  putDraft({
    ...{ sessionId, key: `${ids.person}:${ids.post}`, workspaceId: ids.acme, title, tags: [], baseVersion: 1, savedAt },
    content: cleanBlocks([{ type: "paragraph", data: { text: `Words of ${title}` } }]),
  });
const title = () => screen.getByRole("textbox", { name: "Title" });
/** By the keyboard: who presses by pointer is led into no field. */
async function press(user: UserEvent, button: HTMLElement) {
  button.focus();
  await user.keyboard("{Enter}");
}
const focusIsOn = (element: () => HTMLElement) => waitFor(() => expect(document.activeElement).toBe(element()));

async function open(post = fullPost()) {
  const api = stubApi(changelogStubs(post));
  const app = renderApp(paths.edit());
  const body = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Body" });
  return { ...app, api, body };
}

test.each(["Restore", "Delete"])("'%s' of the last draft that is offered leaves the focus to the title", async (name) => {
  await keep("older", "Older", 1);
  await keep("newer", "Newer", 2);
  const { user } = await open();
  await press(user, await screen.findByRole("button", { name: "Delete" }));
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Delete" })); // of the next
  await press(user, screen.getByRole("button", { name }));
  await waitFor(() => expect(screen.queryByText(/were not saved/)).toBeNull());
  await focusIsOn(title);
});

test("'Save as a new post' leaves it to the title", async () => {
  const { user, api, body } = await open();
  api.set({ "PUT /api/posts/*": () => refusal("not_found"), "POST /api/posts": { post: fullPost({ id: ids.person }) } });
  await user.type(body, " My words");
  await press(user, screen.getByRole("button", { name: "Save" }));
  await press(user, await screen.findByRole("button", { name: "Save as a new post" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Save as a new post" })).toBeNull());
  await focusIsOn(title);
});

test("'Discard & Refresh' of what 'Compare' brought up leaves it in the post", async () => {
  const live = fullPost({ status: "published", published_at: "2026-01-05T09:00:00+00:00" });
  const { user, api, body } = await open(live);
  await user.type(body, " My words");
  const theirs = { ...live, version: 2, content_raw: paragraph("Their words"), updated_by_name: "Ana" };
  api.set({ "GET /api/posts/*": { post: theirs }, "PUT /api/posts/*": () => refusal("version_conflict") });
  act(() => emitAnnounced(ids.post, 2));
  await press(user, await screen.findByRole("button", { name: "Compare" }));
  const dialog = await screen.findByRole("dialog", { name: "Post updated elsewhere" });
  await press(user, within(dialog).getByRole("button", { name: "Discard & Refresh" }));
  await waitFor(() => expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Body" }).value).toBe("Their words"));
  await waitFor(() => expect(document.activeElement?.closest("article")).toBeTruthy());
});

test("kept texts of a workspace that is closed leave it to the next one, the last to the page", async () => {
  await keep("older", "Older", 1);
  await keep("newer", "Newer", 2);
  stubApi(signedIn([globex]));
  const { user } = renderApp(paths.edit());
  const row = (text: string) => screen.getByText(text).closest("li")!;
  await screen.findByText("Newer");
  await press(user, within(row("Newer")).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryByText("Newer")).toBeNull());
  await focusIsOn(() => within(row("Older")).getByRole("button", { name: "Delete" }));
  await press(user, within(row("Older")).getByRole("button", { name: "Delete" }));
  await focusIsOn(() => screen.getByRole("main"));
});
