import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { acme, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../tests/support/web/stub-api.ts";

vi.mock("./import-dialog.tsx", () => {
  throw new TypeError("Failed to fetch dynamically imported module");
});

test("a dialog that does not arrive says so, and the page around it stays", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined); // React tells of what a boundary catches
  stubApi({
    ...signedIn([{ ...acme, public_changelog_enabled: true }]),
    "GET /api/workspaces/*/subscribers": { subscribers: [], pagination: { page: 1, pages: 1, total: 0 } },
  });
  const { user } = renderApp(`/workspace/${ids.acme}/subscribers`);
  await user.click(await screen.findByRole("button", { name: "Import" }));
  await screen.findByText("This could not be loaded.");
  expect(screen.getByRole("heading", { name: "Who gets mails" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByText("This could not be loaded.")).toBeNull();
});
