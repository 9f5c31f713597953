import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { acme, emptyDashboard, ids, signedIn } from "../../tests/support/web/fixtures.ts";
import { renderApp } from "../../tests/support/web/render-app.tsx";
import { stubApi } from "../../tests/support/web/stub-api.ts";

const page = vi.hoisted(() => ({ fails: true, error: new Error("a fault of ours") as Error }));
vi.mock("../pages/team-page.tsx", () => ({
  Component() {
    if (page.fails) throw page.error;
    return <h1>The team after all</h1>;
  },
}));
vi.mock("../pages/subscribers-page.tsx", () => {
  throw new Error("not found");
});
vi.mock("../pages/workspaces-page.tsx", () => ({
  Component() {
    if (page.fails) throw page.error;
    return <h1>Your Workspaces</h1>;
  },
}));

beforeEach(() => {
  page.fails = true;
  page.error = new Error("a fault of ours");
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  stubApi({ ...signedIn([acme]), "GET /api/dashboard/*/all": emptyDashboard });
});

test("PageError keeps the frame of a page that fails, and retries it", async () => {
  const { user } = renderApp(`/workspace/${ids.acme}/team`);
  const alert = await screen.findByRole("alert");
  expect(within(alert).getByRole("heading", { level: 1 }).textContent).toBe("Something went wrong on this page");
  expect(alert.textContent).toContain("Your saved work is safe.");
  expect(screen.getAllByRole("main")).toHaveLength(1);
  expect(screen.getByRole("button", { name: "Workspace: Acme" })).toBeTruthy();
  await waitFor(() => expect(document.title).toBe("Something went wrong on this page · Tidings"));

  page.fails = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("heading", { name: "The team after all" });
});

test("PageError outside a workspace links to the workspaces", async () => {
  const { user, address } = renderApp("/workspaces");
  await screen.findByRole("heading", { name: "Something went wrong on this page" });
  expect(screen.getAllByRole("main")).toHaveLength(1);
  page.fails = false;
  await user.click(screen.getByRole("link", { name: "Go to Workspaces" }));
  await screen.findByRole("heading", { name: "Your Workspaces" });
  expect(address()).toBe("/workspaces");
});

test("PageError explains code that failed to load", async () => {
  page.error = new TypeError("Failed to fetch dynamically imported module: /assets/team-page.js");
  renderApp(`/workspace/${ids.acme}/team`);
  await screen.findByRole("heading", { name: "Couldn't load this page" });
});

test("PageError shows inside the frame when a page's code is missing", async () => {
  renderApp(`/workspace/${ids.acme}/subscribers`);
  await screen.findByRole("heading", { name: /went wrong|load this page/ });
  expect(screen.getByRole("button", { name: "Workspace: Acme" })).toBeTruthy();
});
