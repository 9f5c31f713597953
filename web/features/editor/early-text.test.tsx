import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { MountOptions } from "./mount-editor.ts";
import { changelogStubs, fakeMountEditor, forgetDrafts, paths, stubSockets } from "../../../tests/support/web/posts-support.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../tests/support/web/stub-api.ts";

const editor = vi.hoisted(() => ({ resolveReady: () => {} }));
vi.mock("./mount-editor.ts", () => ({
  mountEditor: (options: MountOptions) => ({
    ...fakeMountEditor(options),
    ready: new Promise<void>((resolve) => (editor.resolveReady = resolve)),
  }),
}));
vi.mock("../posts/use-live-posts.ts", () => ({ useLivePosts: () => undefined }));

beforeEach(stubSockets);
beforeEach(forgetDrafts);

test("text typed before the editor is ready goes into the body", async () => {
  stubApi(changelogStubs());
  const { user } = renderApp(paths.create);
  const title = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Title" });
  await user.click(title);
  await user.keyboard("A title{Enter}And the text");
  expect(title.value).toBe("A title");
  const early = screen.getByRole("textbox", { name: "Post content" });
  expect(document.activeElement).toBe(early);
  await waitFor(() => expect(screen.getByLabelText("Body")).toBeTruthy());
  editor.resolveReady();
  const body = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Body" });
  await waitFor(() => expect(body.value).toBe("And the text"));
  expect(document.activeElement).toBe(body);
  expect(early.isConnected).toBe(false);
});
