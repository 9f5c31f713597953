import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import type { Role } from "#contract/limits.ts";
import { matchingMedia } from "../support/web-setup.ts";
import { acme, emptyDashboard, globex, ids, signedIn } from "./fixtures.ts";
import { renderApp } from "./render-app.tsx";
import { refusal, stubApi } from "./stub-api.ts";

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

describe("the entries", () => {
  test.each<[Role, string[]]>([
    ["owner", ["Dashboard", "Changelog", "New post"]],
    ["admin", ["Dashboard", "Changelog", "New post"]],
    ["editor", ["Dashboard", "Changelog", "New post"]],
    ["viewer", ["Dashboard", "Changelog"]],
  ])("a workspace's %s sees %j", async (role, expected) => {
    api.set({ "GET /api/workspaces": { workspaces: [{ ...acme, role }] }, "GET /api/team/role/*": { role } });
    await open();
    expect(entries()).toEqual(expected);
    expect(screen.getByRole("link", { name: "Dashboard" }).getAttribute("aria-current")).toBe("page");
  });

  test("when no role is known everything shows, and the role is asked for again in another workspace", async () => {
    api.set({ "GET /api/workspaces": { workspaces: [{ ...acme, role: "viewer" }, globex] }, "GET /api/team/role/*": refusal("forbidden") });
    await open();
    await waitFor(() => expect(entries()).toContain("New post"));
    expect(api.to(`GET /api/team/role/${ids.acme}`)).toHaveLength(1);
  });
});

describe("workspaces", () => {
  test("/workspace/{id} leads to its dashboard and remembers it", async () => {
    const { address } = await open(`/workspace/${ids.globex}`);
    expect(address()).toBe(`/workspace/${ids.globex}/dashboard`);
    expect(sessionStorage.getItem("tc:lastWorkspaceId")).toBe(ids.globex);
    expect(document.title).toBe("Dashboard · Globex · Tidings");
  });

  test("the switcher goes to another one's dashboard, by keyboard alone", async () => {
    const { user, address } = await open();
    screen.getByRole("button", { name: "Workspace: Acme" }).focus();
    await user.keyboard("{Enter}");
    const menu = screen.getByRole("menu", { name: "Workspaces" });
    expect(document.activeElement).toBe(within(menu).getByRole("menuitemradio", { name: "Acme", checked: true }));
    await user.keyboard("{ArrowDown}{Enter}");
    await waitFor(() => expect(address()).toBe(`/workspace/${ids.globex}/dashboard`));
    expect(screen.queryByRole("menu")).toBeNull();
    await screen.findByRole("button", { name: "Workspace: Globex" });
  });

  test("the menu: letters move, ends wrap, Escape closes and gives the focus back", async () => {
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

  test("one that is not the person's is not replaced by another", async () => {
    renderApp("/workspace/99999999-9999-4999-8999-999999999999/dashboard");
    await screen.findByRole("heading", { name: "No workspace found" });
    expect(screen.getByRole("link", { name: "Go to Workspaces" })).toBeTruthy();
  });

  test("when the list fails it says so and can be tried again", async () => {
    api.set({ "GET /api/workspaces": () => refusal("forbidden") });
    const { user } = renderApp(dashboard);
    await screen.findByRole("heading", { name: "Unable to load workspaces" });
    api.set({ "GET /api/workspaces": { workspaces: [acme] } });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByRole("heading", { name: "Dashboard" });
  });
});

describe("the account", () => {
  test("'My Account' leads to the workspaces", async () => {
    const { user, address } = await open();
    await user.click(screen.getByRole("button", { name: "My Account: Ada Lovelace" }));
    await user.click(screen.getByRole("menuitem", { name: "Workspaces" }));
    await waitFor(() => expect(address()).toBe("/workspaces"));
  });

  test("Logout ends the session, forgets the workspace and goes to /auth", async () => {
    api.set({ "POST /api/auth/logout": { success: true } });
    const { user, address } = await open();
    await user.click(screen.getByRole("button", { name: "My Account: Ada Lovelace" }));
    await user.click(screen.getByRole("menuitem", { name: "Logout" }));
    await waitFor(() => expect(address()).toBe("/auth"));
    expect(sessionStorage.getItem("tc:lastWorkspaceId")).toBeNull();
  });

  test("a sign-out that fails says so and stays", async () => {
    api.set({ "POST /api/auth/logout": refusal("unavailable") });
    const { user, address } = await open();
    await user.click(screen.getByRole("button", { name: "Sign out" }));
    await screen.findByText("Sign out failed");
    expect(address()).toBe(dashboard);
  });
});

describe("under 768 px", () => {
  const covered = (role: string) => screen.getByRole(role, { hidden: true }).hasAttribute("inert");
  beforeEach(() => matchingMedia.add("(max-width: 767.98px)"));

  test("the menu opens over the page, and choosing something closes it", async () => {
    const { user } = await open();
    expect(covered("complementary")).toBe(true);
    await user.click(screen.getByRole("button", { name: "Open menu" }));
    expect(covered("complementary")).toBe(false);
    expect(covered("main")).toBe(true);
    await user.click(screen.getByRole("link", { name: "Dashboard" }));
    expect(screen.getByRole("button", { name: "Open menu" }).getAttribute("aria-expanded")).toBe("false");
  });

  test("Escape closes it", async () => {
    const { user } = await open();
    await user.click(screen.getByRole("button", { name: "Open menu" }));
    await user.keyboard("{Escape}");
    expect(screen.getByRole("button", { name: "Open menu" })).toBeTruthy();
  });
});
