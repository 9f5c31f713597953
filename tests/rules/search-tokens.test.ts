import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { comparePosts } from "#contract/rules/post-order.ts";
import { matchesQuery } from "#contract/rules/matches-query.ts";
import { parseSearch, type PostQuery, writeSearch } from "#contract/rules/search-tokens.ts";

describe("the posts table's search text", () => {
  test.each<[string, PostQuery]>([
    ["", { text: "" }],
    ["dark mode", { text: "dark mode" }],
    ["status:draft", { text: "", status: "draft" }],
    ["STATUS:Draft", { text: "", status: "draft" }],
    ["status:any x", { text: "x", status: "any" }],
    ["status:unknown x", { text: "x" }],
    ['owner:"Ada Lovelace" x', { text: "x", owner: "Ada Lovelace" }],
    ["owner:'Ada Lovelace'", { text: "", owner: "Ada Lovelace" }],
    ["owner:ada", { text: "", owner: "ada" }],
    ["owner: x", { text: "x" }],
    ["sort:recent_activity", { text: "", sort: "recent_activity" }],
    ["sort:MOST_VIEWED_LAST_MONTH", { text: "", sort: "most_viewed_last_month" }],
    ["sort:title", { text: "" }],
    ["a status:draft b sort:recent_activity c", { text: "a b c", status: "draft", sort: "recent_activity" }],
    ["status:draft status:published", { text: "", status: "published" }],
    ["poststatus:draft", { text: "poststatus:draft" }],
    ['owner:"unclosed name', { text: "name", owner: '"unclosed' }],
  ])("%j", (search, expected) => {
    expect(parseSearch(search)).toEqual(expected);
  });
  property.prop([
    fc.record(
      {
        text: fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 3 }).map((words) => words.join(" ")),
        status: fc.constantFrom("any", "draft", "archived"),
        owner: fc.stringMatching(/^[A-Za-z]+( [A-Za-z"]+)?$/),
        sort: fc.constantFrom("recent_activity", "most_viewed_last_month"),
      } as const,
      { requiredKeys: ["text"] },
    ),
  ])("is read as it was written", (query) => {
    expect(parseSearch(writeSearch(query as PostQuery))).toEqual(query);
  });
});

describe("the posts table", () => {
  const post = {
    id: "1",
    title: "Dark mode",
    status: "draft",
    author_name: "Ada Lovelace",
    created_by_name: "Bob",
    updated_at: "2026-01-01T00:00:00Z",
  } as const;
  test.each<[string, boolean]>([
    ["", true],
    ["DARK", true],
    ["lovelace", true],
    ["bob", false],
    ["status:draft", true],
    ["status:any", true],
    ["status:published", false],
    ["owner:'ada lovelace'", true],
    ["owner:ada", false],
  ])("for %j shows the post: %s", (search, shown) => {
    expect(matchesQuery(post, parseSearch(search))).toBe(shown);
  });
  test("names a creator even when there is none", () => {
    expect(matchesQuery({ ...post, author_name: null, created_by_name: null }, parseSearch("owner:unknown"))).toBe(true);
    expect(matchesQuery({ ...post, author_name: " " }, parseSearch("owner:bob"))).toBe(true);
  });
  test("sorts by activity, newest first, and equal posts always alike", () => {
    const newer = { ...post, id: "2", updated_at: "2026-02-01T00:00:00Z" };
    const twin = { ...post, id: "0" };
    expect([post, newer, twin].sort(comparePosts("recent_activity")).map(({ id }) => id)).toEqual(["2", "0", "1"]);
    expect([twin, post, newer].sort(comparePosts("recent_activity")).map(({ id }) => id)).toEqual(["2", "0", "1"]);
  });
});
