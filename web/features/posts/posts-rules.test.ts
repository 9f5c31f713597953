import { describe, expect, test } from "vitest";
import { defaultTags } from "#contract/tags.ts";
import { emptyPostList, postListReducer, type PostListState } from "./list/listed-posts.ts";
import { scheduleProblem } from "./publishing/schedule-problem.ts";
import { choosableTags, isNewTagName, tagLine } from "./tags/tags.ts";
import { toolbarContext } from "../editor/toolbar/toolbar-context.ts";
import { ids } from "../../../tests/support/web/fixtures.ts";
import { listOf, postId, summary } from "../../../tests/support/web/posts-support.ts";

describe("toolbarContext", () => {
  test.each([
    ["/workspace/1/changelog", "default"],
    ["/workspace/1/changelog/new", "creating"],
    ["/workspace/1/changelog/edit/new", "creating"],
    ["/workspace/1/changelog/edit/2", "editor"],
    ["/changelog/new", "creating"],
    ["/changelog/edit/2", "editor"],
    ["/workspace/1/dashboard", "default"],
  ])("of %s is '%s'", (path, context) => expect(toolbarContext(path)).toBe(context));
});

describe("tags", () => {
  const mobile = { key: "mobile-app", label: "Mobile app", colour: "red" } as const;
  test.each(["", "   ", "feature", "Docs"])("isNewTagName rejects '%s'", (name) => expect(isNewTagName(name)).toBe(false));
  test("isNewTagName accepts a new name", () => expect(isNewTagName("Mobile app")).toBe(true));
  test("tagLine shows labels and counts the rest", () => {
    expect(tagLine(["docs", "mobile-app", "loose"], [mobile])).toBe("Documentation / Mobile app +1 more");
    expect(tagLine([], [])).toBe("");
  });
  test("choosableTags adds tags that only posts have, once, in gray", () => {
    expect(choosableTags([mobile], ["loose", "mobile-app", "loose"])).toEqual([mobile, { key: "loose", label: "loose", colour: "gray" }]);
  });
  test("choosableTags sorts default tags first, then by name and number", () => {
    const own = ["v10", "v2", "Alpha"].map((key) => ({ key, label: key, colour: "blue" }) as const);
    const all = choosableTags([...own, ...defaultTags], ["z10", "z9"]);
    expect(all.map(({ key }) => key)).toEqual([...defaultTags.map(({ key }) => key), "Alpha", "v2", "v10", "z9", "z10"]);
  });
});

describe("scheduleProblem", () => {
  const now = new Date(2026, 10, 20, 12, 0);
  test.each([
    ["", "09:00", "Please select a date and time"],
    ["2026-11-21", "", "Please select a date and time"],
    ["2026-11-20", "11:59", "This time has already passed"],
    ["2026-11-20", "12:00", "This time has already passed"],
  ])("of %s %s is %s", (day, time, title) => expect(scheduleProblem(day, time, now)?.title).toBe(title));
  test("accepts a time a minute ahead", () => expect(scheduleProblem("2026-11-20", "12:01", now)).toBeNull());
});

describe("postListReducer", () => {
  const loaded = (...numbers: number[]): PostListState =>
    postListReducer(emptyPostList, {
      type: "page",
      answer: listOf(
        numbers.map((number) => summary(number)),
        1,
        2,
      ),
    });

  test("drops duplicates when a new post pushed others onto the next page", () => {
    const state = postListReducer(loaded(1, 2), { type: "page", answer: listOf([summary(2), summary(3)], 2, 2) });
    expect(state.posts.map((post) => post.id)).toEqual([1, 2, 3].map(postId));
    expect(state).toMatchObject({ page: 2, pages: 2, loading: false });
  });

  test("highlights a new post until highlight-over", () => {
    const event = { type: "post-upserted", workspaceId: ids.acme, post: summary(9) } as const;
    const state = postListReducer(loaded(1), { type: "event", event, workspaceId: ids.acme, status: "all", tag: null });
    expect(state.highlighted).toBe(postId(9));
    expect(postListReducer(state, { type: "highlight-over" }).highlighted).toBeNull();
  });

  test("keeps the loaded page after a failure", () => {
    expect(postListReducer(loaded(1), { type: "failed", message: "No" })).toMatchObject({ error: "No", loading: false, page: 1 });
  });
});
