import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { globex, ids, signedIn } from "../../../../tests/support/web/fixtures.ts";
import { changelogStubs, forgetDrafts, fullPost, paths, stubSockets } from "../../../../tests/support/web/posts-support.ts";
import { renderApp } from "../../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../../tests/support/web/stub-api.ts";
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
