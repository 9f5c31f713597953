import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { emptyDashboard } from "../../../../tests/support/web/fixtures.ts";
import { address, idOf, post, twelve, listOf, stubs, open, titles, filter } from "../../../../tests/support/web/posts-table-support.ts";
import { type Asked, refusal, stubApi } from "../../../../tests/support/web/stub-api.ts";

describe("several posts at once", () => {
  const select = async (user: Awaited<ReturnType<typeof open>>["user"], ...names: string[]) => {
    for (const name of names) await user.click(screen.getByRole("checkbox", { name: `Select ${name}` }));
  };

  test("are archived after a question, and their rows go in 500 ms", async () => {
    const { api, user, address: here } = await open("?q=sort%3Arecent_activity");
    api.set({ "DELETE /api/posts/*": { success: true, post: null } });
    await select(user, "Post 11", "Post 10");
    screen.getByText("2 selected");
    await user.click(screen.getByRole("button", { name: "Archive" }));
    await screen.findByRole("dialog", { name: "Archive 2 posts?" });
    const left = twelve.slice(0, 10);
    api.set({
      "GET /api/dashboard/*/all": { ...emptyDashboard, count: 10, recentPosts: left },
      "GET /api/workspaces/*/posts": listOf(left),
    });
    const table = screen.getByRole("table", { name: "Recent posts", hidden: true });
    let onItsWay = false;
    const rowOf = (title: string) => [...table.querySelectorAll("tbody tr")].find(({ textContent }) => textContent.includes(title));
    const watch = () => (onItsWay ||= /leaving/.test(rowOf("Post 11")?.className ?? ""));
    new MutationObserver(watch).observe(document.body, { subtree: true, childList: true, attributes: true });
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Archive" }));
    await screen.findByText("2 posts archived");
    await waitFor(() => expect(titles()).toEqual(left.map(({ title }) => title).toReversed()));
    expect(onItsWay).toBe(true);
    expect(api.to("DELETE /api/posts/*").map(({ path }) => path)).toEqual([`/api/posts/${idOf(11)}`, `/api/posts/${idOf(10)}`]);
    expect(here()).toContain(address);
  });

  test("get a tag they do not have yet, each with its version", async () => {
    const { api, user } = await open("?q=sort%3Arecent_activity", stubApi(stubs([...twelve, post(12, { tags: ["fix"] })])));
    api.set({ "PUT /api/posts/*": ({ path }: Asked) => ({ post: { ...full(path) } }) });
    await select(user, "Post 12", "Post 11");
    await user.click(screen.getByRole("button", { name: "Tag" }));
    await user.click(screen.getByRole("menuitem", { name: "Fix" }));
    await screen.findByText("2 posts tagged");
    expect(api.to("PUT /api/posts/*").map(({ body }) => body)).toEqual([{ tags: ["feature", "fix"], version: 1 }]);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("checkbox", { name: "Select all on this page" })));
  });

  test("what was refused stays and is said", async () => {
    const { api, user } = await open("?q=sort%3Arecent_activity");
    api.set({ "DELETE /api/posts/*": () => refusal("forbidden") });
    await user.click(screen.getByRole("checkbox", { name: "Select all on this page" }));
    screen.getByText("10 selected");
    await user.click(screen.getByRole("button", { name: "Archive" }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Archive" }));
    await screen.findByText("Failed to archive post");
    expect(titles()).toHaveLength(10);
  });

  test("archived ones stand on a list of their own and come back as drafts", async () => {
    const { api, user } = await open();
    api.set({ "POST /api/posts/*/restore": ({ path }: Asked) => ({ post: full(path) }) });
    await user.selectOptions(filter("Status"), "Archived");
    await waitFor(() => expect(titles()).toEqual(["Put away"]));
    await select(user, "Put away");
    api.set({ "GET /api/workspaces/*/posts": listOf(twelve, []) });
    await user.click(screen.getByRole("button", { name: "Restore" }));
    await screen.findByText("1 post restored as drafts");
    await screen.findByText("No posts found");
  });

  const full = (path: string) => ({
    ...post(1),
    id: path.split("/")[3],
    author: null,
    author_id: null,
    updated_by_name: null,
    cover_image: null,
    content_raw: "{}",
    content_md: "",
    public_changelog_enabled: false,
  });
});
