import { fc, test as property } from "../../tests/support/properties.ts";
import { describe, expect, test } from "vitest";
import type { PostStatus } from "#contract/kinds.ts";
import { chooseWorkspace } from "#contract/rules/choose-workspace.ts";
import { clampPage, pageWindow } from "#contract/rules/page-window.ts";
import { matchesLocally, sidebarPosts } from "#contract/rules/sidebar-posts.ts";
import { tagSummary } from "#contract/rules/tag-summary.ts";

describe("the pager", () => {
  const e = "ellipsis";
  test.each<[number, number, (number | "ellipsis")[]]>([
    [1, 0, [1]],
    [1, 1, [1]],
    [2, 7, [1, 2, 3, 4, 5, 6, 7]],
    [1, 20, [1, 2, 3, 4, 5, e, 20]],
    [4, 20, [1, 2, 3, 4, 5, e, 20]],
    [5, 20, [1, e, 4, 5, 6, e, 20]],
    [16, 20, [1, e, 15, 16, 17, e, 20]],
    [17, 20, [1, e, 16, 17, 18, 19, 20]],
    [99, 20, [1, e, 16, 17, 18, 19, 20]],
    [4, 8, [1, 2, 3, 4, 5, e, 8]],
    [5, 8, [1, e, 4, 5, 6, 7, 8]],
  ])("on page %i of %i shows %j", (page, pages, expected) => {
    expect(pageWindow(page, pages)).toEqual(expected);
  });
  property.prop([fc.integer({ min: -5, max: 500 }), fc.integer({ min: 0, max: 400 })])(
    "has at most seven entries, in order, with the current page",
    (page, pages) => {
      const window = pageWindow(page, pages);
      const numbers = window.filter((entry) => entry !== e);
      expect(window.length).toBeLessThanOrEqual(7);
      expect(numbers).toContain(clampPage(page, pages));
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    },
  );
  test.each([
    [0, 5, 1],
    [-3, 5, 1],
    [9, 5, 5],
    [3, 0, 1],
    [2.9, 5, 2],
    [Number.NaN, 5, 1],
  ])("clamps page %d of %i to %i", (page, pages, expected) => {
    expect(clampPage(page, pages)).toBe(expected);
  });
});

describe("a post's tags in one line", () => {
  test.each([
    [[], ""],
    [["fix"], "fix"],
    [["fix", "docs"], "fix / docs"],
    [["fix", "docs", "api", "ui"], "fix / docs +2 more"],
  ])("%j is '%s'", (tags, expected) => {
    expect(tagSummary(tags)).toBe(expected);
  });
});

describe("the post sidebar", () => {
  const view = { workspaceId: "w", status: "all" } as const;
  type Post = { id: string; status: PostStatus; title: string; tags: string[] };
  const draft: Post = { id: "1", status: "draft", title: "One", tags: ["Fix"] };
  const live: Post = { id: "2", status: "published", title: "Two", tags: [] };
  const upserted = (post: Partial<Post>, workspaceId = "w") =>
    ({ type: "post-upserted", workspaceId, post: { ...draft, ...post } }) as const;

  test("ignores events of another workspace", () => {
    const posts = [draft];
    expect(sidebarPosts(posts, upserted({ id: "9" }, "other"), view)).toBe(posts);
  });
  test("puts a new post at the top", () => expect(sidebarPosts([live], upserted({}), view)).toEqual([draft, live]));
  test("merges a known post in place", () => {
    expect(sidebarPosts([live, draft], upserted({ title: "New" }), view)).toEqual([live, { ...draft, title: "New" }]);
  });
  test("drops an archived post", () => expect(sidebarPosts([draft], upserted({ status: "archived" }), view)).toEqual([]));
  test("drops a post that the status filter leaves out", () => {
    expect(sidebarPosts([draft], upserted({ status: "published" }), { ...view, status: "draft" })).toEqual([]);
    expect(sidebarPosts([], upserted({ status: "published" }), { ...view, status: "draft" })).toEqual([]);
  });
  test("drops a removed post", () => {
    expect(sidebarPosts([draft, live], { type: "post-removed", workspaceId: "w", postId: "1" }, view)).toEqual([live]);
  });
  test("finds by one character in title or tag", () => {
    expect(matchesLocally(draft, "o")).toBe(true);
    expect(matchesLocally(draft, " F ")).toBe(true);
    expect(matchesLocally(draft, "z")).toBe(false);
  });
});

describe("the workspace to show", () => {
  const list = [{ id: "a" }, { id: "b" }];
  test.each([
    ["b", "a", "b"],
    [null, "b", "b"],
    ["gone", "b", "b"],
    [null, "gone", "a"],
    [undefined, undefined, "a"],
  ])("requested %s, remembered %s: %s", (requested, remembered, expected) => {
    expect(chooseWorkspace(list, requested, remembered)?.id).toBe(expected);
  });
  test("returns undefined without workspaces", () => expect(chooseWorkspace([], "a", "b")).toBeUndefined());
});
