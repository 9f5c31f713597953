import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { changeOf, defaults, draftOf, readGroups, says, withChange } from "./change.js";

const groups = readGroups();
const pull = (fields: object = {}) => ({
  pull_request: {
    ...{ number: 12, title: "Search finds accents", html_url: "https://github.com/acme/shop/pull/12", body: null },
    ...{ merged: true, merged_at: "2026-11-23T10:00:00Z", labels: [{ name: "enhancement" }], ...fields },
  },
});
const changed = (fields: object = {}, skip?: string) => changeOf(pull(fields), { groups, skip });
const label = (name: string) => ({ labels: [{ name }] });

describe("what a pull request comes to", () => {
  test.each([
    ["by its label", {}, "New", "Search finds accents"],
    ["by a label in capitals", label("BUG"), "Fixed", "Search finds accents"],
    ["by the type of a conventional commit, which goes", { labels: [], title: "fix(search)!: accents count" }, "Fixed", "Accents count"],
    ["by neither", label("docs"), "Also", "Search finds accents"],
    ["with a colon that is no type", { labels: [], title: "Note: it is faster" }, "Also", "Note: it is faster"],
    ["with a note of its own", { body: "Why\n\n```release-note\nTwice as\n  fast.\n```\n" }, "New", "Twice as fast."],
  ])("%s", (_, fields, heading, text) => {
    expect(changed(fields)).toEqual({ heading, text, url: "https://github.com/acme/shop/pull/12", number: 12 });
  });

  test.each([
    ["that was closed without a merge", { merged: false }],
    ["that is to be left out", label("Skip-Changelog")],
    ["of a robot", label("dependencies")],
    ["that changes nothing for readers", { labels: [], title: "chore: tidy up" }],
    ["whose note says none", { body: "```release-note\nNONE\n```" }],
  ])("nothing, of one %s", (_, fields) => expect(changed(fields)).toBeNull());

  test("skips pull requests as told by labels or description", () => {
    expect(changed({}, "enhancement")).toBeNull();
    expect(changed(label("dependencies"), "wontfix")).not.toBeNull();
  });

  test("another event is a mistake in the workflow, and so is a group without a heading", () => {
    expect(() => changeOf({}, { groups })).toThrow("pull_request_target");
    expect(() => readGroups("New: feat\n: fix")).toThrow('": fix"');
    expect(readGroups("Features:feat,  a b \n\nRest")).toEqual([
      { heading: "Features", labels: ["feat", "a b"] },
      { heading: "Rest", labels: [] },
    ]);
  });
});

test.each([
  ["2026-11-23T10:00:00Z", "week", "pull-requests-2026-w48", "What's new in week 48 of 2026"],
  ["2026-11-22T23:59:59Z", "week", "pull-requests-2026-w47", "What's new in week 47 of 2026"],
  ["2027-01-03T12:00:00Z", "week", "pull-requests-2026-w53", "What's new in week 53 of 2026"],
  ["2024-12-30T00:00:00Z", "week", "pull-requests-2025-w01", "What's new in week 1 of 2025"],
  ["2026-03-31T23:00:00Z", "month", "pull-requests-2026-03", "What's new in March 2026"],
  ["2026-03-31T23:00:00Z", "all", "pull-requests", "What's new"],
])("what was merged at %s belongs to the %s %s", (at, period, name, title) => expect(draftOf(at, period)).toEqual({ name, title }));
test("draftOf rejects an unknown period", () => expect(() => draftOf("2026-11-23T10:00:00Z", "day")).toThrow("week, month or all"));

describe("a draft with one line more", () => {
  const change = changed()!;
  const heading = (text: string) => ({ id: `h-${text}`, type: "header", data: { text, level: 2 } });
  const list = (...contents: string[]) => ({
    id: `l-${contents[0]}`,
    type: "list",
    data: { style: "unordered", meta: {}, items: contents.map((content) => ({ content, meta: {}, items: [] })) },
  });
  const line = 'Search finds accents (<a href="https://github.com/acme/shop/pull/12">#12</a>)';
  const added = { type: "list", data: list(line).data };

  test("begins with its heading and a list", () => {
    expect(withChange([], change, groups)).toEqual([{ type: "header", data: { text: "New", level: 2 } }, added]);
  });

  test("has it at the end of its list; all other blocks stay as they are", () => {
    const before = [
      { id: "p", type: "paragraph", data: { text: "Hello" } },
      heading("<b>new</b>"),
      list("One"),
      { id: "q", type: "paragraph", data: { text: "Between" } },
      heading("Fixed"),
      list("Two"),
    ];
    const after = withChange(before, change, groups);
    expect(after.map((block) => block.id)).toEqual(before.map(({ id }) => id));
    expect(after[2]).toEqual({ ...list("One", line), id: "l-One" });
    expect(after.filter((_, place) => place !== 2)).toEqual(before.filter((_, place) => place !== 2));
    expect(before[2]).toEqual(list("One"));
  });

  test("gets missing headings in the groups' order, and missing lists", () => {
    const before = [heading("Better"), list("One"), heading("Fixed"), list("Two")];
    expect(withChange(before, change, groups).map((block) => block.data.text ?? "list")).toEqual([
      ...["New", "list", "Better", "list", "Fixed", "list"],
    ]);
    const fixed = { ...change, heading: "Fixed" };
    const written = [heading("Fixed"), { id: "p", type: "paragraph", data: { text: "In short" } }, heading("Also"), list("Two")];
    expect(withChange(written, fixed, groups).map((block) => block.data.text ?? "list")).toEqual([
      ...["Fixed", "In short", "list", "Also", "list"],
    ]);
  });

  test("recognizes an entry by its pull request's link, wherever it was moved", () => {
    const of = (number: number) => ({ ...change, url: `https://github.com/acme/shop/pull/${number}` });
    const moved = [{ id: "p", type: "paragraph", data: { text: `We made <a href="${change.url}">search</a> better` } }];
    expect([says(moved, change), says(moved, of(1)), says(moved, of(123)), says([], change)]).toEqual([true, false, false, false]);
    expect(says(withChange([], of(123), groups), change)).toBe(false);
    const naming = { ...of(11), text: `Instead of ${change.url} and <a href="${change.url}">it</a>` };
    expect([says(withChange([], naming, groups), change), says(withChange([], naming, groups), naming)]).toEqual([false, true]);
  });

  test("contains titles as plain text", () => {
    const title = "<img src=x onerror=alert(1)> `a<b` & [x](javascript:alert(1)) `";
    const [, made] = withChange([], { ...change, text: title }, groups);
    expect(made.data.items[0].content).toBe(
      `&lt;img src=x onerror=alert(1)&gt; <code>a&lt;b</code> &amp; [x](javascript:alert(1)) \` (<a href="${change.url}">#12</a>)`,
    );
  });
});

test("action.yml documents the default groups and skip labels", () => {
  const lines = readFileSync(new URL("action.yml", import.meta.url), "utf8").replaceAll("\n      ", "\n");
  expect(lines).toContain(`default: |\n${defaults.groups}\n`);
  expect(lines).toContain(`default: ${defaults.skip}\n`);
});
