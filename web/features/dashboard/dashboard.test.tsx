import { screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { acme, draft, emptyDashboard, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { pending, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

const address = `/workspace/${ids.acme}/dashboard`;
const soon = new Date(Date.now() + 3 * 3_600_000).toISOString();
const scheduled = {
  ...draft,
  id: "55555555-5555-4555-8555-555555555555",
  title: "Dark mode",
  status: "scheduled" as const,
  publish_at: soon,
};
const full = { ...emptyDashboard, count: 2, memberCount: 1_234, recentPosts: [draft, scheduled] };

const stubs = (role: "owner" | "admin" | "editor" | "viewer" = "owner", data: object = full) => ({
  ...signedIn([{ ...acme, role }]),
  "GET /api/dashboard/*/all": data,
  "GET /api/posts/upcoming": { posts: [scheduled] },
  "GET /api/workspaces/*/posts": { posts: [draft, scheduled], pagination: { page: 1, pages: 1, total: 2 } },
});

describe("dashboard", () => {
  test("shows counts, upcoming and recent posts", async () => {
    const api = stubApi(stubs());
    renderApp(address);
    await screen.findByText("Keep track of your recent changelogs");
    expect((await screen.findByText("Changelog posts")).parentElement?.textContent).toContain("2");
    const members = screen.getByRole("link", { name: /^Team members: 1.234, go to the team$/ });
    expect(members.textContent).toBe((1_234).toLocaleString());
    expect(members.getAttribute("href")).toBe(`/workspace/${ids.acme}/team`);
    const upcoming = screen.getByRole("region", { name: "Upcoming posts (1)" });
    expect(within(upcoming).getByRole("link", { name: /Dark mode.*in 3 hours/ })).toBeTruthy();
    expect(api.to("GET /api/posts/upcoming")[0]?.path).toContain(`workspaceId=${ids.acme}`);
    const table = await screen.findByRole("table", { name: "Recent posts" });
    expect(
      within(table)
        .getAllByRole("columnheader")
        .map((cell) => cell.textContent),
    ).toEqual(["", "CHANGELOG POST", "STATUS", "CREATOR", "LAST ACTIVITY"]);
    expect(within(table).getByRole("row", { name: /Faster exports.*Draft.*Ada Lovelace/ })).toBeTruthy();
    expect(screen.getByRole("link", { name: "View all posts" }).getAttribute("href")).toBe(`/workspace/${ids.acme}/changelog`);
  });

  test("what happened lately is told line by line, with the way there", async () => {
    const line = (id: number, kind: string, title: string, post_id: string | null, actor_name: string | null = "Grace Hopper") => ({
      id: String(id),
      kind,
      title,
      post_id,
      actor_name,
      created_at: new Date(Date.now() - id * 3_600_000).toISOString(),
    });
    const recentActivities = [
      line(1, "post_published", "Faster exports", ids.post),
      line(2, "post_published", "Dark mode", ids.post, null),
      line(3, "post_purged", "An old idea", ids.post),
      line(4, "member_removed", "Alan Turing", null),
      line(5, "changelog_opened", "Acme", null),
    ];
    stubApi(stubs("owner", { ...full, recentActivities }));
    renderApp(address);
    const list = within(await screen.findByRole("list", { name: "Recent Activity" }));
    expect(list.getAllByRole("listitem").map((item) => item.textContent?.replace(/\s+/g, " "))).toEqual([
      "Grace Hopper published Faster exports 1 hour ago",
      "The schedule published Dark mode 2 hours ago",
      "Grace Hopper purged An old idea 3 hours ago",
      "Grace Hopper removed Alan Turing from the team4 hours ago",
      "Grace Hopper turned the public changelog on 5 hours ago",
    ]);
    expect(list.getAllByRole("link").map((link) => link.textContent)).toEqual(["Faster exports", "Dark mode"]);
  });
});

describe("getting started list", () => {
  const undone = emptyDashboard.firstSteps;
  const list = () => screen.findByRole("list", { name: "Get started" });
  const step = async (title: string) =>
    within(await list())
      .getAllByRole("listitem")
      .find((item) => within(item).queryByRole("heading", { name: new RegExp(`^${title}`) }))!;

  test("opens the owner's next step, with the page's only filled button", async () => {
    stubApi(stubs("owner", { ...emptyDashboard, firstSteps: undone }));
    renderApp(address);
    const items = within(await list()).getAllByRole("listitem");
    expect(items.map((item) => within(item).getByRole("heading").textContent)).toEqual([
      "Create your first post",
      "Go public",
      "Install the widget",
      "Invite",
    ]);
    screen.getByText("0 of 4 done");
    expect(within(await step("Create your first post")).getByRole("link", { name: "Write a post" }).className).toContain("primary");
    expect(document.querySelectorAll("main [class*=primary]")).toHaveLength(1);
    const links = within(await list()).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual(
      ["changelog/new", "widget", "team"].map((page) => `/workspace/${ids.acme}/${page}`),
    );
  });

  test("makes the page public in place, then asks for a published post", async () => {
    const data = { ...full, firstSteps: { ...undone, written: true } };
    const api = stubApi({ ...stubs("owner", data), "POST /api/public/changelog/toggle": { enabled: true } });
    const { user } = renderApp(address);
    const button = within(await step("Go public")).getByRole("button", { name: "Turn it on" });
    api.set({ "GET /api/dashboard/*/all": { ...data, public_changelog_enabled: true } });
    await user.click(button);
    const link = await screen.findByRole("link", { name: "Open your posts" });
    expect(link.getAttribute("href")).toBe(`/workspace/${ids.acme}/changelog`);
    expect(api.to("POST /api/public/changelog/toggle").map(({ body }) => body)).toEqual([{ isPublic: true, workspaceId: ids.acme }]);
  });

  test("hides owner steps from admins, and everything from others", async () => {
    stubApi(stubs("admin", emptyDashboard));
    renderApp(address);
    await list();
    screen.getByText("0 of 3 done");
    expect(screen.queryByRole("heading", { name: "Go public" })).toBeNull();
  });

  test("disappears when done or hidden in this workspace", async () => {
    stubApi(stubs("owner", { ...full, firstSteps: { written: true, readable: true, installed: true, invited: true } }));
    const first = renderApp(address);
    await screen.findByRole("table");
    expect(screen.queryByRole("list", { name: "Get started" })).toBeNull();
    first.unmount();

    stubApi(stubs("owner", full));
    const { user, unmount } = renderApp(address);
    await list();
    await user.click(screen.getByRole("button", { name: "Hide “Get started”" }));
    expect(screen.queryByRole("list", { name: "Get started" })).toBeNull();
    unmount();
    renderApp(address);
    await screen.findByRole("table");
    expect(screen.queryByRole("list", { name: "Get started" })).toBeNull();
  });
});

describe("public changelog switch", () => {
  const toggle = () => screen.findByRole<HTMLInputElement>("switch", { name: "Public Changelog" });

  test("goes back when the server refuses, and says why", async () => {
    const answer = pending<Response>();
    stubApi({ ...stubs(), "POST /api/public/changelog/toggle": () => answer.promise });
    const { user } = renderApp(address);
    await user.click(await toggle());
    expect((await toggle()).checked).toBe(true);
    answer.resolve(refusal("forbidden"));
    await screen.findByText("Your role in this workspace doesn't allow this.");
    expect((await toggle()).checked).toBe(false);
  });
});
