import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { changelogStubs, forgetDrafts, paths, stubSockets } from "../../tests/support/web/posts-support.ts";
import { renderApp } from "../../tests/support/web/render-app.tsx";
import { stubApi } from "../../tests/support/web/stub-api.ts";

vi.mock("../features/editor/mount-editor.ts", async () => ({
  mountEditor: (await import("../../tests/support/web/posts-support.ts")).fakeMountEditor,
}));
vi.mock("../features/posts/use-live-posts.ts", () => ({ useLivePosts: () => undefined }));

beforeEach(stubSockets);
beforeEach(forgetDrafts);

async function open() {
  stubApi(changelogStubs());
  const app = renderApp(paths.edit());
  return { ...app, body: await screen.findByRole("textbox", { name: "Body" }) };
}

async function escape(name: string) {
  const dialog = await screen.findByRole("dialog", { name });
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  fireEvent.keyDown(document, { key: "Escape", code: "Escape" });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
}

test("a closed dialog returns focus to its opener", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Schedule" }));
  await escape("Schedule publication");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Schedule" })));
});

test("the search palette returns focus to the text", async () => {
  const { user, body } = await open();
  await user.click(body);
  await user.keyboard("{Control>}k{/Control}");
  await escape("Search posts");
  await waitFor(() => expect(document.activeElement).toBe(body));
});
