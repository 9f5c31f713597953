import { fc, test as property } from "../../tests/support/properties.ts";
import { describe, expect, test } from "vitest";
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
