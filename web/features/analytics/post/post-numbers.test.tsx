import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { postNumbers, withAnalytics } from "../../../../tests/support/web/analytics-numbers.ts";
import { acme, ids } from "../../../../tests/support/web/fixtures.ts";
import { changelogStubs, forgetDrafts, fullPost, paths, stubSockets } from "../../../../tests/support/web/posts-support.ts";
import { renderApp } from "../../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../../tests/support/web/stub-api.ts";

vi.mock("../../editor/mount-editor.ts", async () => ({
  mountEditor: (await import("../../../../tests/support/web/posts-support.ts")).fakeMountEditor,
}));
vi.mock("../../posts/use-live-posts.ts", () => ({ useLivePosts: () => undefined }));

beforeEach(stubSockets);
beforeEach(forgetDrafts);

const call = "GET /api/workspaces/*/analytics/posts/*";
const published = fullPost({ status: "published", published_at: "2026-01-05T09:00:00.000Z" });
const stubs = (post = published) => ({
  ...changelogStubs(post),
  "GET /api/workspaces": { workspaces: [{ ...acme, public_changelog_enabled: true }] },
  "GET /api/workspaces/*/add-ons": withAnalytics,
  [call]: postNumbers("2026-01-01", "2026-01-30"),
});

test("a published post shows its views and opens a dialog with details", async () => {
  stubApi(stubs());
  const { user } = renderApp(paths.edit());
  await user.click(await screen.findByRole("button", { name: "385 views in 30 days" }));
  const dialog = within(await screen.findByRole("dialog", { name: "This post in the last 30 days" }));
  expect(dialog.getByText("Email clicks").nextSibling?.textContent).toBe("70");
  const days = within(dialog.getByRole("table", { name: "Views by day" }))
    .getAllByRole("row")
    .slice(1);
  expect(days.reduce((sum, day) => sum + Number(day.querySelector("td")!.textContent), 0)).toBe(385);
  expect(within(dialog.getByRole("table", { name: "Where it was read" })).getByRole("row", { name: "Your page 385" })).toBeTruthy();
  expect(dialog.getByRole("slider").getAttribute("aria-valuetext")).toBe("Fri, Jan 30, 2026: 11 views");
  expect(dialog.getByRole("link", { name: "Workspace analytics" }).getAttribute("href")).toBe(`/workspace/${ids.acme}/analytics`);
});
