import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { emitPostEvent } from "../post-events.ts";
import { goToNeighbour } from "./neighbours.ts";
import { ids, signedIn } from "../../../../tests/support/web/fixtures.ts";
import { forgetDrafts, fullPost, listOf, paths, postId, stubSockets, summary } from "../../../../tests/support/web/posts-support.ts";
import { renderApp } from "../../../../tests/support/web/render-app.tsx";
import { pending, refusal, stubApi, type Asked } from "../../../../tests/support/web/stub-api.ts";

vi.mock("../../editor/mount-editor.ts", async () => ({
  mountEditor: (await import("../../../../tests/support/web/posts-support.ts")).fakeMountEditor,
}));
vi.mock("../use-live-posts.ts", () => ({ useLivePosts: () => undefined }));
const teamPage = vi.hoisted(() => Promise.withResolvers<void>());
vi.mock("../../../pages/team-page.tsx", async (original) => {
  await teamPage.promise;
  return await original();
});

beforeEach(stubSockets);
beforeEach(forgetDrafts);

const list = () => screen.getByRole("list", { name: "Posts" });
const titles = () =>
  within(list())
    .queryAllByRole("link")
    .map((link) => link.lastElementChild?.firstElementChild?.textContent);
const anyPost = { "GET /api/posts/*": ({ path }: Asked) => ({ post: fullPost({ id: path.split("?")[0]!.split("/").at(-1)! }) }) };
const posts = [
  summary(1, { title: "Faster exports", tags: ["feature", "fix", "docs", "Mobile"] }),
  summary(2, { title: "Planned", status: "scheduled", tags: ["Beta"] }),
  summary(3, { title: "", status: "published", tags: [] }),
];

async function open(stubs: Parameters<typeof stubApi>[0] = {}, at = paths.edit(postId(1))) {
  const api = stubApi({ ...signedIn(), ...anyPost, "GET /api/workspaces/*/posts": listOf(posts), ...stubs });
  const app = renderApp(at);
  await waitFor(() => expect(titles().length).toBeGreaterThan(0));
  return { ...app, api };
}

describe("PostSidebar", () => {
  test("shows each post's status, title, tags and time", async () => {
    await open();
    const [first, second, third] = within(list()).getAllByRole("link");
    expect(first?.textContent).toContain("Draft");
    expect(first?.textContent).toContain("Feature / Fix +2 more");
    expect(first?.getAttribute("aria-current")).toBe("page");
    expect(second?.textContent).toContain("Scheduled");
    expect(third?.textContent).toContain("Published");
    expect(third?.textContent).toContain("Untitled");
    expect(within(first!).getByRole("time", { hidden: true }).textContent).toMatch(/ago|Just now/);
  });

  test("shows loading, then the error, and retries", async () => {
    const answer = pending<Response>();
    const api = stubApi({ ...signedIn(), ...anyPost, "GET /api/workspaces/*/posts": () => answer.promise });
    const { user } = renderApp(paths.edit(postId(1)));
    await screen.findByText("Loading posts...");
    answer.resolve(refusal("internal"));
    await screen.findByText("Error loading posts");
    api.set({ "GET /api/workspaces/*/posts": listOf(posts) });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(titles()).toContain("Faster exports"));
  });
});

describe("PostFilters", () => {
  test("changing the status reloads and clears the search", async () => {
    const { user, api } = await open();
    await user.type(screen.getByRole("searchbox", { name: "Search posts" }), "f");
    await user.selectOptions(screen.getByRole("combobox", { name: "Status" }), "Scheduled");
    await waitFor(() => expect(api.to("GET /api/workspaces/*/posts").at(-1)?.path).toContain("status=scheduled"));
    await waitFor(() => expect(titles()).toEqual(["Planned"]));
    expect(screen.getByRole<HTMLInputElement>("searchbox", { name: "Search posts" }).value).toBe("");
  });

  test("the tag filter lists the posts' tags in order", async () => {
    const { user, api } = await open();
    const tags = screen.getByRole("combobox", { name: "Tag" });
    expect([...tags.querySelectorAll("option")].map((option) => option.textContent)).toEqual([
      "All tags",
      "Beta",
      "Documentation",
      "Feature",
      "Fix",
      "Mobile",
    ]);
    await user.selectOptions(tags, "Beta");
    await waitFor(() => expect(titles()).toEqual(["Planned"]));
    expect(api.to("GET /api/workspaces/*/posts").at(-1)?.path).toContain("tag=Beta");
  });

  test("the archived filter lists and searches archived posts", async () => {
    const { user, api } = await open();
    await user.selectOptions(screen.getByRole("combobox", { name: "Status" }), "Archived");
    await waitFor(() => expect(api.to("GET /api/workspaces/*/posts").at(-1)?.path).toContain("status=archived"));
    api.set({ "GET /api/workspaces/*/posts": listOf([summary(5, { title: "Put away", status: "archived" })]) });
    await user.type(screen.getByRole("searchbox", { name: "Search posts" }), "put");
    await waitFor(() => expect(titles()).toEqual(["Put away"]));
    expect(api.to("GET /api/workspaces/*/posts").at(-1)?.path).toMatch(/status=archived.*q=put/);
  });

  test("one character filters locally by title or tag, two search on the server", async () => {
    const { user, api } = await open({ "GET /api/workspaces/*/posts/search": { posts: [summary(9, { title: "Found by the server" })] } });
    const box = screen.getByRole("searchbox", { name: "Search posts" });
    await user.type(box, "B");
    expect(titles()).toEqual(["Faster exports", "Planned"]);
    expect(api.to("GET /api/workspaces/*/posts/search")).toHaveLength(0);
    await user.type(box, "y");
    await waitFor(() => expect(titles()).toEqual(["Found by the server"]));
    expect(api.to("GET /api/workspaces/*/posts/search")).toHaveLength(1);
  });
});

describe("post events", () => {
  const upsert = (post = summary(7, { title: "By a colleague" }), workspaceId: string = ids.acme) =>
    act(() => emitPostEvent({ type: "post-upserted", workspaceId, post }));

  test("a new post is added at the top", async () => {
    await open();
    await upsert();
    expect(titles()[0]).toBe("By a colleague");
  });
});

describe("the changelog route without a post", () => {
  test("opens the first post", async () => {
    const { address } = await open({}, paths.changelog);
    await waitFor(() => expect(address()).toBe(paths.edit(postId(1))));
  });

  test("doesn't override a navigation made meanwhile", async () => {
    const answer = pending<object>();
    const api = stubApi({ ...signedIn(), ...anyPost, "GET /api/workspaces/*/posts": () => answer.promise });
    const { user, address } = renderApp(paths.changelog);
    await screen.findByText("Loading posts...");
    await user.click(screen.getAllByRole("link", { name: /^Team/ })[0]!);
    answer.resolve(listOf(posts));
    await waitFor(() => expect(titles()).toHaveLength(3));
    await new Promise((resolve) => setTimeout(resolve, 300));
    teamPage.resolve();
    await waitFor(() => expect(address()).toBe(`/workspace/${ids.acme}/team`));
    expect(api.to("GET /api/posts/*")).toEqual([]);
  });
});

describe("goToNeighbour at the end of the loaded posts", () => {
  async function waitForPage() {
    const more = pending<object>();
    const app = await open({ "GET /api/workspaces/*/posts": listOf(posts, 1, 2) }, paths.edit(postId(3)));
    app.api.set({ "GET /api/workspaces/*/posts": () => more.promise });
    act(() => goToNeighbour(1));
    await waitFor(() => expect(app.api.to("GET /api/workspaces/*/posts").at(-1)?.path).toContain("page=2"));
    const arrives = async () => {
      more.resolve(listOf([summary(4), summary(5)], 2, 2));
      await waitFor(() => expect(titles()).toHaveLength(5));
      await new Promise((resolve) => setTimeout(resolve, 100));
    };
    return { ...app, arrives };
  }

  test("opens the next post once its page has loaded", async () => {
    const { arrives, address } = await waitForPage();
    await arrives();
    expect(address()).toBe(paths.edit(postId(4)));
  });
});

describe("the search palette", () => {
  async function palette() {
    const app = await open({ "GET /api/workspaces/*/posts/search": { posts: [summary(5, { tags: ["fix"] }), summary(6)] } });
    await app.user.click(screen.getByRole("button", { name: "Search posts" }));
    const box = await screen.findByRole("dialog", { name: "Search posts" });
    return { ...app, box, input: within(box).getByRole("combobox") };
  }

  test("searches from two characters, lists up to 8 and opens one by keyboard", async () => {
    const { user, box, input, api, address } = await palette();
    expect(within(box).getByText("Start typing to search posts")).toBeTruthy();
    await user.type(input, "po");
    expect(within(box).getByText("Searching posts...")).toBeTruthy();
    await within(box).findByRole("option", { name: /Post 5/ });
    expect(api.to("GET /api/workspaces/*/posts/search")[0]?.path).toContain("q=po&limit=8");
    await user.keyboard("{ArrowDown}{Enter}");
    await waitFor(() => expect(address()).toBe(paths.edit(postId(6))));
  });

  test("opens the result of the last query on Enter, even if it's still loading", async () => {
    const { user, box, input, api, address } = await palette();
    await user.type(input, "post");
    await within(box).findByRole("option", { name: /Post 5/ });
    const answer = pending<object>();
    api.set({ "GET /api/workspaces/*/posts/search": () => answer.promise });
    await user.type(input, " 7{Enter}");
    expect(within(box).getByText("Searching posts...")).toBeTruthy();
    await waitFor(() => expect(api.to("GET /api/workspaces/*/posts/search?q=post+7&limit=8")).toHaveLength(1));
    answer.resolve({ posts: [summary(7)] });
    await waitFor(() => expect(address()).toBe(paths.edit(postId(7))));
  });

  test("opens no result of the former words when Enter follows at once", async () => {
    const { user, box, input, api, address } = await palette();
    await user.type(input, "post");
    await within(box).findByRole("option", { name: /Post 5/ });
    api.set({ "GET /api/workspaces/*/posts/search": { posts: [summary(7)] } });
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!;
    vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false); // as in a browser: effects run later than the render
    setValue.call(input, "post 7");
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await Promise.resolve();
    input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
    await waitFor(() => expect(address()).toBe(paths.edit(postId(7))));
  });
});
