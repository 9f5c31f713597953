import { describe, expect, test } from "vitest";
import { defaultTags } from "#contract/tags.ts";
import { emptyPostList, postListReducer, type PostListState } from "./list/listed-posts.ts";
import { scheduleProblem } from "./publishing/schedule-problem.ts";
import { choosableTags, isNewTagName, tagLine } from "./tags/tags.ts";
import { toolbarContext } from "./toolbar/toolbar-context.ts";
import { ids } from "../../../tests/support/web/fixtures.ts";
import { listOf, postId, summary } from "../../../tests/support/web/posts-support.ts";

describe("the toolbar's context", () => {
  test.each([
    ["/workspace/1/changelog", "default"],
    ["/workspace/1/changelog/new", "creating"],
    ["/workspace/1/changelog/edit/new", "creating"],
    ["/workspace/1/changelog/edit/2", "editor"],
    ["/changelog/new", "creating"],
    ["/changelog/edit/2", "editor"],
    ["/workspace/1/dashboard", "default"],
  ])("%s is '%s'", (path, context) => expect(toolbarContext(path)).toBe(context));
});

describe("tags", () => {
  const mobile = { key: "mobile-app", label: "Mobile app", colour: "red" } as const;
  test.each(["", "   ", "feature", "Docs"])("'%s' is no name for a new one", (name) => expect(isNewTagName(name)).toBe(false));
  test("any other name is", () => expect(isNewTagName("Mobile app")).toBe(true));
  test("a line of them goes by their names", () => {
    expect(tagLine(["docs", "mobile-app", "loose"], [mobile])).toBe("Documentation / Mobile app +1 more");
    expect(tagLine([], [])).toBe("");
  });
  test("those that only posts carry can be chosen too, once, in gray", () => {
    expect(choosableTags([mobile], ["loose", "mobile-app", "loose"])).toEqual([mobile, { key: "loose", label: "loose", colour: "gray" }]);
  });
  test("the default ones come first, then others by their names and numbers", () => {
    const own = ["v10", "v2", "Alpha"].map((key) => ({ key, label: key, colour: "blue" }) as const);
    const all = choosableTags([...own, ...defaultTags], ["z10", "z9"]);
    expect(all.map(({ key }) => key)).toEqual([...defaultTags.map(({ key }) => key), "Alpha", "v2", "v10", "z9", "z10"]);
  });
});

describe("a schedule", () => {
  const now = new Date(2026, 10, 20, 12, 0);
  test.each([
    ["", "09:00", "Please select a date and time"],
    ["2026-11-21", "", "Please select a date and time"],
    ["2026-11-20", "11:59", "This time has already passed"],
    ["2026-11-20", "12:00", "This time has already passed"],
  ])("%s %s: %s", (day, time, title) => expect(scheduleProblem(day, time, now)?.title).toBe(title));
  test("a minute ahead is fine", () => expect(scheduleProblem("2026-11-20", "12:01", now)).toBeNull());
});

describe("the list of posts", () => {
  const loaded = (...numbers: number[]): PostListState =>
    postListReducer(emptyPostList, {
      type: "page",
      answer: listOf(
        numbers.map((number) => summary(number)),
        1,
        2,
      ),
    });

  test("nobody appears twice when a new post pushed others onto the next page", () => {
    const state = postListReducer(loaded(1, 2), { type: "page", answer: listOf([summary(2), summary(3)], 2, 2) });
    expect(state.posts.map((post) => post.id)).toEqual([1, 2, 3].map(postId));
    expect(state).toMatchObject({ page: 2, pages: 2, loading: false });
  });

  test("a new post is highlighted until that is over", () => {
    const event = { type: "post-upserted", workspaceId: ids.acme, post: summary(9) } as const;
    const state = postListReducer(loaded(1), { type: "event", event, workspaceId: ids.acme, status: "all", tag: null });
    expect(state.highlighted).toBe(postId(9));
    expect(postListReducer(state, { type: "highlight-over" }).highlighted).toBeNull();
  });

  test("a failure keeps what was read", () => {
    expect(postListReducer(loaded(1), { type: "failed", message: "No" })).toMatchObject({ error: "No", loading: false, page: 1 });
  });
});
