import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import type { Role } from "#contract/kinds.ts";
import { forgetSessionCookie } from "../../tests/support/web/setup.ts";
import { acme, draft, emptyDashboard, globex, ids, signedIn } from "../../tests/support/web/fixtures.ts";
import { settingsPages } from "../../tests/support/web/settings-pages.ts";
import { renderApp } from "../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../tests/support/web/stub-api.ts";

let api: ReturnType<typeof stubApi>;
const dashboard = `/workspace/${ids.acme}/dashboard`;

beforeEach(() => {
  api = stubApi({ ...signedIn([acme, globex]), "GET /api/dashboard/*/all": emptyDashboard, "GET /api/posts/upcoming": { posts: [] } });
});

async function open(at = dashboard) {
  const app = renderApp(at);
  await screen.findByRole("heading", { name: "Dashboard" });
  return app;
}
const entries = () =>
  within(screen.getByRole("navigation", { name: "Workspace" }))
    .getAllByRole("link")
    .map((link) => link.getAttribute("aria-label") ?? link.textContent);

describe("sidebar entries", () => {
  test.each<[Role, string[]]>([
    ["owner", ["Dashboard", "Changelog", "New post", "Widget", "Subscribers", "Analytics add-on", "Workspace", "Team"]],
    ["admin", ["Dashboard", "Changelog", "New post", "Widget", "Subscribers", "Analytics add-on", "Team"]],
    ["editor", ["Dashboard", "Changelog", "New post", "Subscribers", "Analytics add-on", "Workspace", "Team"]],
    ["viewer", ["Dashboard", "Changelog", "Subscribers", "Analytics add-on"]],
  ])("are, for the %s, %j", async (role, expected) => {
    api.set({ "GET /api/workspaces": { workspaces: [{ ...acme, role }] }, "GET /api/team/role/*": { role } });
    await open();
    await waitFor(() => expect(entries()).toEqual(expected));
    const nav = within(screen.getByRole("navigation", { name: "Workspace" }));
    expect(nav.getByRole("link", { name: "Dashboard" }).getAttribute("aria-current")).toBe("page");
  });

  test("all show when the role is unknown", async () => {
    api.set({ "GET /api/workspaces": { workspaces: [{ ...acme, role: "viewer" }, globex] }, "GET /api/team/role/*": refusal("forbidden") });
    await open();
    await waitFor(() => expect(entries()).toContain("New post"));
    expect(api.to(`GET /api/team/role/${ids.acme}`)).toHaveLength(1);
  });
});

describe("the posts under Changelog", () => {
  const post = (number: number, fields: object = {}) => ({
    ...draft,
    id: `44444444-4444-4444-8444-00000000000${number}`,
    title: `Post ${number}`,
    ...fields,
  });
  const list = (posts: object[], page = 1, pages = 1) => ({ posts, pagination: { page, pages, total: posts.length } });
  const titles = () =>
    within(screen.getByRole("list", { name: "Posts" }))
      .getAllByRole("link")
      .map((link) => link.textContent);

  test("expands with status and title, loads more, and collapses", async () => {
    api.set({
      "GET /api/workspaces/*/posts": ({ path }: { path: string }) =>
        path.includes("page=1")
          ? list([post(1, { status: "published" }), post(2, { title: "", status: "scheduled" })], 1, 2)
          : list([post(3)], 2, 2),
    });
    const { user } = await open();
    expect(api.to("GET /api/workspaces/*/posts")).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Show posts" }));
    await waitFor(() => expect(titles()).toEqual(["PublishedPost 1", "ScheduledUntitled"]));
    expect(api.to("GET /api/workspaces/*/posts")[0]?.path).toContain("limit=15");
    await user.click(screen.getByRole("button", { name: "Load more" }));
    await waitFor(() => expect(titles()).toHaveLength(3));
    expect(screen.queryByRole("button", { name: "Load more" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Hide posts" }));
    expect(screen.queryByRole("list", { name: "Posts" })).toBeNull();
  });
});

describe("command palette", () => {
  test.each<[Role, string[]]>([
    ["owner", ["Backup"]],
    ["admin", []],
    ["editor", []],
    ["viewer", []],
  ])("lists for the %s every page they can see, and for 'backup' %j", async (role, byWord) => {
    api.set({
      "GET /api/workspaces": { workspaces: [{ ...acme, role }] },
      "GET /api/team/role/*": { role },
      "GET /api/posts/workspace/*": { posts: [], total: 0 },
      "GET /api/posts/search/*": { posts: [] },
      "GET /api/workspaces/*/tags": { tags: [], carried: [], former: {} },
    });
    const { user } = await open();
    await user.keyboard("{Control>}k{/Control}");
    const field = await screen.findByRole("combobox", { name: "Search posts" });
    const labels = () =>
      screen.queryAllByRole("option").flatMap((option) => /Go to ([A-Z]+[a-z]*( [a-z]+)?)/.exec(option.textContent)?.[1] ?? []);
    const names: Record<string, string> = { General: "Workspace settings", Members: "Team" }; // they have other names in the sidebar
    const pages = settingsPages[role].map((name) => names[name] ?? name);
    const all = ["Dashboard", "Changelog", "Analytics", "Subscribers", ...pages, "Profile settings", "Your workspaces"].toSorted();
    await waitFor(() => expect(labels().toSorted()).toEqual(all));
    await user.type(field, "backup");
    expect(labels()).toEqual(byWord);
  });
});

describe("workspaces", () => {
  test("/workspace/{id} redirects to its dashboard and remembers it", async () => {
    const { address } = await open(`/workspace/${ids.globex}`);
    expect(address()).toBe(`/workspace/${ids.globex}/dashboard`);
    await waitFor(() => expect(document.title).toBe("Dashboard · Globex · Tidings"));
    expect(sessionStorage.getItem("tc:lastWorkspaceId")).toBe(ids.globex);
  });

  test("switcher menu supports letters, wraps at its ends, and returns focus on Escape", async () => {
    const { user } = await open();
    const button = screen.getByRole("button", { name: "Workspace: Acme" });
    button.focus();
    await user.keyboard("{ArrowDown}");
    await user.keyboard("g");
    expect(document.activeElement?.textContent).toBe("Globex");
    await user.keyboard("{End}{ArrowDown}");
    expect(document.activeElement?.textContent).toBe("Acme");
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("menu")).toBeNull();
    expect(document.activeElement).toBe(button);
  });

  test("an inaccessible workspace shows an error", async () => {
    renderApp("/workspace/99999999-9999-4999-8999-999999999999/dashboard");
    await screen.findByRole("heading", { name: "No workspace found" });
    expect(screen.getByRole("link", { name: "Go to Workspaces" })).toBeTruthy();
  });
});

describe("sign-out", () => {
  test("shows an error and stays on the page when it fails", async () => {
    document.cookie = "tc-auth.0=base64-e30; path=/";
    try {
      api.set({ "POST /api/auth/logout": refusal("unavailable") });
      const { user, address } = await open();
      await user.click(screen.getByRole("button", { name: "Sign out" }));
      await screen.findByText("Sign out failed");
      await screen.findByText("The service is starting or busy. Please try again in a moment.");
      expect(address()).toBe(dashboard);
    } finally {
      document.cookie = "tc-auth.0=; path=/; max-age=0";
    }
  });

  test("leaves the page with a warning when only this browser was signed out", async () => {
    api.set({
      "POST /api/auth/logout": () => {
        forgetSessionCookie();
        return refusal("unavailable");
      },
    });
    const { user, address } = await open();
    await user.click(screen.getByRole("button", { name: "Sign out" }));
    await screen.findByText("Sign out failed");
    await screen.findByText(/This browser is signed out, but we couldn't end the session/);
    await waitFor(() => expect(address()).toBe("/auth"));
    expect(sessionStorage.getItem("tc:lastWorkspaceId")).toBeNull();
  });
});

test("a suspended workspace says so above each page, with the operator's message, and offers nothing to write", async () => {
  const suspension = { since: "2026-11-20T09:00:00.000Z", message: "Please call us.", contact: "op@tidings.example" };
  api.set({ "GET /api/workspaces": { workspaces: [{ ...acme, public_changelog_enabled: true, suspension }] } });
  await open();
  const notice = within(screen.getByText("This workspace is suspended").closest<HTMLElement>("[role=note]")!);
  expect(notice.getByText("Please call us.")).toBeTruthy();
  expect(notice.getByRole("link", { name: "op@tidings.example" }).getAttribute("href")).toBe("mailto:op@tidings.example");
  expect(entries()).not.toContain("New post");
  expect(screen.queryByRole("link", { name: "View public page" })).toBeNull();
});
