import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, onTestFinished, test } from "vitest";
import { matchingMedia } from "../../../../tests/support/web/setup.ts";
import { onPostEvent, type PostEvent } from "../post-events.ts";
import { emptyDashboard, ids } from "../../../../tests/support/web/fixtures.ts";
import { address, idOf, post, twelve, listOf, stubs, open, titles, filter } from "../../../../tests/support/web/posts-table-support.ts";
import { type Asked, pending, refusal, stubApi } from "../../../../tests/support/web/stub-api.ts";

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

  test("are told to the other lists on the page: archived ones go there too, tagged ones have their tag", async () => {
    const heard: PostEvent[] = [];
    onTestFinished(onPostEvent((event) => heard.push(event)));
    const { api, user } = await open("?q=sort%3Arecent_activity");
    api.set({
      "DELETE /api/posts/*": ({ path }: Asked) => (path.includes(idOf(11)) ? { success: true, post: null } : refusal("forbidden")),
      "PUT /api/posts/*": ({ path }: Asked) => ({ post: { ...full(path), tags: ["fix"] } }),
    });
    await select(user, "Post 10");
    await user.click(screen.getByRole("button", { name: "Tag" }));
    await user.click(screen.getByRole("menuitem", { name: "Fix" }));
    await screen.findByText("1 post tagged");
    const [tagged] = heard.splice(0);
    expect(tagged).toMatchObject({ type: "post-upserted", workspaceId: ids.acme, post: { id: idOf(10), tags: ["fix"] } });

    await user.click(screen.getByRole("checkbox", { name: "Select all on this page" }));
    await user.click(screen.getByRole("button", { name: "Archive" }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Archive" }));
    await screen.findByText("1 post archived");
    expect(heard).toEqual([{ type: "post-removed", workspaceId: ids.acme, postId: idOf(11) }]);
  });

  test("are offered the tags in the order of their numbers", async () => {
    const tags = ["v10", "v9"].map((key) => ({ key, label: key, colour: "orange" }));
    const { user } = await open("", stubApi({ ...stubs(), "GET /api/workspaces/*/tags": { tags, carried: [], former: {} } }));
    await user.click(screen.getByRole("checkbox", { name: "Select all on this page" }));
    await user.click(screen.getByRole("button", { name: "Tag" }));
    expect(screen.getAllByRole("menuitem").map(({ textContent }) => textContent)).toEqual(["v9", "v10", "Manage tags"]);
  });

  test("are all selected on a phone too, where the table has no head to be seen", async () => {
    matchingMedia.add("(max-width: 767.98px)");
    const { user } = await open();
    const all = screen.getByRole("checkbox", { name: "Select all on this page" });
    expect(all.closest("table")).toBeNull();
    await user.click(screen.getByText("Select all"));
    screen.getByText("10 selected");
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

  test("are let go as soon as they are tagged: what is ticked while the list is read again stays ticked", async () => {
    const { api, user } = await open("?q=sort%3Arecent_activity");
    const list = pending<object>();
    api.set({
      "PUT /api/posts/*": ({ path }: Asked) => ({ post: { ...full(path), tags: ["fix"] } }),
      "GET /api/workspaces/*/posts": () => list.promise,
    });
    await select(user, "Post 10");
    await user.click(screen.getByRole("button", { name: "Tag" }));
    await user.click(screen.getByRole("menuitem", { name: "Fix" }));
    await screen.findByText("1 post tagged");
    await waitFor(() => expect(screen.queryByText("1 selected")).toBeNull());
    await select(user, "Post 9");
    list.resolve(listOf(twelve));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "Select Post 9" }).checked).toBe(true);
  });

  test("are no longer ticked on another page and back; the keyboard goes on at the table when the bar has gone", async () => {
    const many = Array.from({ length: 25 }, (_, index) => post(index));
    const { user } = await open("?q=sort%3Arecent_activity", stubApi(stubs(many)));
    await select(user, "Post 24");
    await user.click(screen.getByRole("button", { name: "Next page" }));
    await screen.findByText("Post 14");
    await user.click(screen.getByRole("button", { name: "Previous page" }));
    await screen.findByText("Post 24");
    expect(screen.queryByText("1 selected")).toBeNull();
    await select(user, "Post 23");
    await user.click(screen.getByRole("button", { name: "Clear selection" }));
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

  test("are nothing for a viewer", async () => {
    await open("", stubApi(stubs(twelve, "viewer")));
    expect(screen.queryByRole("checkbox")).toBeNull();
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
