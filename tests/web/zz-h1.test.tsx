import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { PostStatus, Role } from "#contract/limits.ts";
import type { ListedPost } from "#contract/posts.ts";
import { creatorName } from "#contract/rules/creator-name.ts";
import { readQuery, withFilter, writeQuery } from "../../web/features/posts-table/model/table-query.ts";
import { acme, draft, emptyDashboard, ids, signedIn } from "./fixtures.ts";
import { renderApp } from "./render-app.tsx";
import { type Asked, pending, refusal, stubApi } from "./stub-api.ts";

const address = `/workspace/${ids.acme}/dashboard`;
const idOf = (number: number) => `aaaaaaaa-aaaa-4aaa-8aaa-${String(number).padStart(12, "0")}`;

const post = (number: number, changes: Partial<ListedPost> = {}): ListedPost => ({
  ...draft,
  id: idOf(number),
  title: `Post ${number}`,
  slug: `post-${number}`,
  updated_at: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
  ...changes,
});
const statuses: PostStatus[] = ["draft", "published", "scheduled"];
const creators = ["Ada Lovelace", "Grace Hopper", "O'Neil"];
const later = new Date(Date.now() + 86_400_000).toISOString();
const twelve = Array.from({ length: 12 }, (_, index) =>
  post(index, {
    status: statuses[index % 3],
    author_name: creators[Math.floor(index / 3) % 3] ?? null,
    publish_at: index % 3 === 2 ? later : null,
  }),
);
const put = post(99, { title: "Put away", status: "archived", archived_at: later });

/** Answers like the server's list: what is asked for, page by page; the most viewed post is the one with the highest number. */
const listOf =
  (posts: readonly ListedPost[], archived: readonly ListedPost[] = [put]) =>
  ({ path }: Asked) => {
    const query = new URL(path, location.origin).searchParams;
    const [page, limit] = [Number(query.get("page")), Number(query.get("limit"))];
    const [status, owner, term] = [query.get("status")!, query.get("owner")?.toLowerCase(), query.get("q")?.toLowerCase() ?? ""];
    const recent = query.get("sort") === "recent_activity";
    const found = (status === "archived" ? archived : posts)
      .filter((one) => status === "all" || one.status === status)
      .filter((one) => owner === undefined || creatorName(one).toLowerCase() === owner)
      .filter((one) => `${one.title}|${creatorName(one)}`.toLowerCase().includes(term))
      .toSorted((one, other) => (recent ? Date.parse(other.updated_at) - Date.parse(one.updated_at) : byHash(other) - byHash(one)));
    return {
      posts: found.slice((page - 1) * limit, page * limit),
      pagination: { page, pages: Math.max(1, Math.ceil(found.length / limit)), total: found.length },
    };
  };
const byHash = ({ title }: ListedPost) => (Number(title.slice(5)) * 7) % 13;

const stubs = (posts: readonly ListedPost[] = twelve, role: Role = "owner") => ({
  ...signedIn([{ ...acme, role }]),
  "GET /api/dashboard/*/all": { ...emptyDashboard, count: posts.length, recentPosts: posts.slice(0, 20), creators },
  "GET /api/posts/upcoming": { posts: [] },
  "GET /api/workspaces/*/posts": listOf(posts),
  "GET /api/workspaces/*/tags": { tags: [{ key: "fix", label: "Fix", colour: "orange" }] },
});

async function open(query = "", api = stubApi(stubs())) {
  const app = renderApp(`${address}${query}`);
  await screen.findByRole("search", { name: "Posts" });
  await waitFor(() => expect(screen.queryByText("Loading posts...")).toBeNull());
  return { ...app, api };
}
const titles = () =>
  screen
    .queryAllByRole("row")
    .slice(1)
    .map((row) => within(row).getByRole("link").textContent);
const search = () => screen.getByRole<HTMLInputElement>("searchbox", { name: "Search posts" });
const filter = (name: string) => screen.getByRole<HTMLSelectElement>("combobox", { name });
const choiceOf = (name: string) => filter(name).selectedOptions[0]?.textContent;
const range = () => screen.getByText(/^[\d,]+–[\d,]+ of /).textContent;
const byViews = (posts: readonly ListedPost[]) => posts.toSorted((one, other) => byHash(other) - byHash(one)).map(({ title }) => title);
/** What the table asked the server for, the last time first. */
const asked = (api: ReturnType<typeof stubApi>) =>
  api
    .to("GET /api/workspaces/*/posts")
    .map(({ path }) => Object.fromEntries(new URL(path, location.origin).searchParams))
    .toReversed();

describe("the posts table's filters", () => {
  test("at first it shows everything, the most viewed first, ten at a time", async () => {
    const { api } = await open();
    expect(titles()).toEqual(byViews(twelve).slice(0, 10));
    expect([choiceOf("Status"), choiceOf("Creator"), choiceOf("Sort")]).toEqual([
      "Any status",
      "Created by anyone",
      "Most viewed, last month",
    ]);
    expect([...filter("Status").options].map(({ text }) => text)).toEqual(["Any status", "Published", "Draft", "Scheduled", "Archived"]);
    expect([...filter("Creator").options].map(({ text }) => text)).toEqual(["Created by anyone", ...creators]);
    expect([...filter("Sort").options].map(({ text }) => text)).toEqual(["Most viewed, last month", "Recent activity"]);
    expect(screen.queryByRole("button", { name: "Clear filters" })).toBeNull();
    expect(asked(api)).toEqual([{ page: "1", limit: "10", status: "all", sort: "most_viewed_last_month" }]); // one call for the screen
  });

  test.each([
    ["Status", "Published", "status:published", twelve.filter(({ status }) => status === "published")],
    ["Creator", "Grace Hopper", `owner:"Grace Hopper"`, twelve.filter(({ author_name }) => author_name === "Grace Hopper")],
    ["Creator", "O'Neil", `owner:"O'Neil"`, twelve.filter(({ author_name }) => author_name === "O'Neil")],
  ])("%s '%s' is written as %s and into the address", async (name, choice, token, found) => {
    const { user, address: here } = await open();
    await user.selectOptions(filter(name), choice);
    expect(search().value).toBe(token);
    await waitFor(() => expect(titles()).toEqual(byViews(found)));
    expect(new URL(here(), location.origin).searchParams.get("q")).toBe(token);
  });

  test("'Recent activity' sorts by the last edit", async () => {
    const { user } = await open();
    await user.selectOptions(filter("Sort"), "Recent activity");
    expect(search().value).toBe("sort:recent_activity");
    await waitFor(() => expect(titles()[0]).toBe("Post 11"));
  });

  test("typed tokens move the choices, free text looks in title and creator, and the address follows when one pauses", async () => {
    const { user, address: here, api } = await open();
    await user.type(search(), `STATUS:Draft owner:"ada lovelace" sort:recent_activity POST`);
    await waitFor(() => expect(titles()).toEqual(["Post 9", "Post 0"]));
    expect([choiceOf("Status"), choiceOf("Creator"), choiceOf("Sort")]).toEqual(["Draft", "Ada Lovelace", "Recent activity"]);
    expect(new URL(here(), location.origin).searchParams.get("q")).toBe(search().value);
    const last = { page: "1", limit: "10", status: "draft", q: "POST", owner: "ada lovelace", sort: "recent_activity" };
    expect(asked(api)[0]).toEqual(last);
    await user.clear(search());
    await user.type(search(), "hopper");
    await waitFor(() => expect(titles()).toHaveLength(3));
  });

  test("a link restores search, page and size; the back button undoes a choice", async () => {
    const { user, router } = await open("?q=sort%3Arecent_activity&page=2");
    expect(titles()).toEqual(["Post 1", "Post 0"]);
    expect(range()).toBe("11–12 of 12");
    expect(choiceOf("Sort")).toBe("Recent activity");
    await user.selectOptions(filter("Status"), "Draft");
    await waitFor(() => expect(range()).toBe("1–4 of 4"));
    await router.navigate(-1);
    await waitFor(() => expect(search().value).toBe("sort:recent_activity"));
    await waitFor(() => expect(titles()).toEqual(["Post 1", "Post 0"]));
  });

  test("nothing found says so, and 'Clear filters' takes them all away", async () => {
    const { user, address: here } = await open("?q=status%3Adraft%20nowhere");
    await screen.findByText("No posts found");
    screen.getByText("Try adjusting your search or filters");
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    await waitFor(() => expect(titles()).toHaveLength(10));
    expect(here()).toBe(address);
  });

  test("the rows of the last search stay until the next are there, marked as past", async () => {
    const { api, user } = await open();
    const answer = pending<void>();
    api.set({ "GET /api/workspaces/*/posts": async (one: Asked) => (await answer.promise, listOf(twelve)(one)) });
    await user.click(screen.getByRole("checkbox", { name: "Select all on this page" }));
    await user.selectOptions(filter("Status"), "Archived");
    expect(screen.getByRole("table", { name: "Recent posts" }).getAttribute("aria-busy")).toBe("true");
    expect(titles()).toHaveLength(10);
    expect(screen.queryByRole("region", { name: "Selected posts" })).toBeNull(); // nothing is done to rows that are past
    answer.resolve();
    await waitFor(() => expect(titles()).toEqual(["Put away"]));
    expect(screen.getByRole("table", { name: "Recent posts" }).getAttribute("aria-busy")).toBe("false");
  });

  test("a search that could not be read says so, and not with the rows of the last one", async () => {
    const { api, user } = await open();
    api.set({ "GET /api/workspaces/*/posts": () => refusal("rate_limited") });
    await user.selectOptions(filter("Status"), "Draft");
    await screen.findByText("The posts could not be read");
    expect(titles()).toEqual([]);
    api.set({ "GET /api/workspaces/*/posts": listOf(twelve) });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(titles()).toHaveLength(4));
  });

  test("each row has its views where the workspace has the analytics add-on", async () => {
    await open("", stubApi(stubs([post(1, { views: 1 }), post(2, { views: 1_204 }), post(3, { views: null })])));
    const views = screen
      .getAllByRole("row")
      .slice(1)
      .map((row) => /[\d,]+ views?/.exec(row.textContent)?.[0]);
    expect(views.toSorted()).toEqual(["1 view", "1,204 views", undefined]);
  });
});

describe("the pager", () => {
  const hundred = Array.from({ length: 130 }, (_, index) => post(index));

  test("shows at most 7 buttons with ellipsis, and ends at both ends", async () => {
    const { user, api } = await open("", stubApi(stubs(hundred)));
    const pages = within(await screen.findByRole("navigation", { name: "Pages of the table" }));
    const shown = () => pages.getAllByRole("button", { name: /^Page/ }).map(({ textContent }) => textContent);
    expect(shown()).toEqual(["1", "2", "3", "4", "5", "13"]);
    expect(pages.getByRole<HTMLButtonElement>("button", { name: "Previous page" }).disabled).toBe(true);
    await user.click(pages.getByRole("button", { name: "Page 13" }));
    await waitFor(() => expect(range()).toBe("121–130 of 130"));
    expect(shown()).toEqual(["1", "9", "10", "11", "12", "13"]);
    expect(pages.getByRole("button", { name: "Page 13" }).getAttribute("aria-current")).toBe("page");
    expect(pages.getByRole<HTMLButtonElement>("button", { name: "Next page" }).disabled).toBe(true);
    expect(asked(api).map(({ page, limit }) => [page, limit])).toEqual([
      ["13", "10"],
      ["1", "10"],
    ]);
  });

  test.each([
    ["?page=99", "121–130 of 130"],
    ["?page=-3", "1–10 of 130"],
    ["?page=x&size=7", "1–10 of 130"],
    ["?page=2&size=100", "101–130 of 130"],
    ["?q=sort%3Arecent_activity&page=14", "121–130 of 130"],
  ])("an address of %s is clamped to %s", async (query, shown) => {
    await open(query, stubApi(stubs(hundred)));
    await waitFor(() => expect(range()).toBe(shown));
  });

  test("another size starts at the first page", async () => {
    const { user, address: here } = await open("?page=3", stubApi(stubs(hundred)));
    await screen.findByRole("table", { name: "Recent posts" });
    expect([...filter("Rows per page").options].map(({ text }) => text)).toEqual(["10", "20", "50", "100"]);
    await user.selectOptions(filter("Rows per page"), "50");
    await waitFor(() => expect(range()).toBe("1–50 of 130"));
    expect(here()).toBe(`${address}?size=50`);
  });

  test("posts that could not be read can be asked for again", async () => {
    const api = stubApi({ ...stubs(hundred), "GET /api/workspaces/*/posts": () => refusal("forbidden") });
    const { user } = await open("", api);
    await screen.findByText("The posts could not be read");
    api.set({ "GET /api/workspaces/*/posts": listOf(hundred) });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(range()).toBe("1–10 of 130"));
  });
});

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
    const watch = () => (process.stderr.write([Math.round(performance.now()), table.isConnected, table.textContent.includes("Post 11"), table.innerHTML.includes("leaving"), document.body.textContent.includes("2 posts archived")].join(" ") + "\n"), onItsWay ||= table.textContent.includes("Post 11") && document.body.textContent.includes("2 posts archived"));
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
    content_raw: "{}",
    content_md: "",
    public_changelog_enabled: false,
  });
});

describe("the table's rules", () => {
  test("what the address does not know stays in it", () => {
    const written = writeQuery({ search: "a b", page: 3, size: 20 }, new URLSearchParams("tab=1&page=9"));
    expect(written.toString()).toBe("tab=1&page=3&q=a+b&size=20");
    expect(readQuery(written)).toEqual({ search: "a b", page: 3, size: 20 });
    expect(writeQuery({ search: " ", page: 1, size: 10 }, written).toString()).toBe("tab=1");
  });

  test("a filter replaces its own token and keeps the rest", () => {
    expect(withFilter("status:draft words", { status: "published" })).toBe("status:published words");
    expect(withFilter("status:draft words", { status: undefined })).toBe("words");
  });

  test("more letters than the server takes are not sent", async () => {
    const { api } = await open(`?q=${"x".repeat(300)}`);
    expect(asked(api)[0]!.q).toHaveLength(200);
  });
});
