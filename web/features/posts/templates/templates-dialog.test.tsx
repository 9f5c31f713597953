import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { changelogStubs, forgetDrafts, paths, stubSockets } from "../../../../tests/support/web/posts-support.ts";
import { renderApp } from "../../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../../tests/support/web/stub-api.ts";
import { openOverlay } from "../../../lib/overlays.ts";

vi.mock("../editor/mount-editor.ts", async () => ({
  mountEditor: (await import("../../../../tests/support/web/posts-support.ts")).fakeMountEditor,
}));
vi.mock("../use-live-posts.ts", () => ({ useLivePosts: () => undefined }));

beforeEach(stubSockets);
beforeEach(forgetDrafts);

const template = (number: number) => ({
  id: `66666666-6666-4666-8666-00000000000${number}`,
  name: `Template ${number}`,
  updated_at: "2026-01-05T09:00:00+00:00",
  updated_by_name: "Grace Hopper",
});

test("what opens in a row gives the focus back to its button, and a deleted row to the next one's", async () => {
  let templates = [template(1), template(2)];
  stubApi({
    ...changelogStubs(),
    "GET /api/workspaces/*/templates": () => ({ templates }),
    "DELETE /api/workspaces/*/templates/*": ({ path }: { path: string }) => {
      templates = templates.filter(({ id }) => !path.endsWith(id));
      return { success: true };
    },
  });
  const { user } = renderApp(paths.edit());
  await screen.findByRole("textbox", { name: "Body" });
  openOverlay("templates");
  const dialog = await screen.findByRole("dialog", { name: "New post from a template" });
  const press = async (name: string) => user.click(await within(dialog).findByRole("button", { name }));
  const isFocused = (name: string) => waitFor(() => expect(document.activeElement).toBe(within(dialog).getByRole("button", { name })));

  await press("Rename Template 1");
  await press("Cancel");
  await isFocused("Rename Template 1");
  await press("Delete Template 1");
  await press("Cancel");
  await isFocused("Delete Template 1");
  await press("Delete Template 1");
  await press("Delete");
  await waitFor(() => expect(within(dialog).queryByText("Template 1")).toBeNull());
  await isFocused("Delete Template 2");
  await press("Delete Template 2");
  await press("Delete");
  await within(dialog).findByText(/There are no templates yet/);
  await isFocused("Close");
});
