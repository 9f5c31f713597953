import { describe, expect, test } from "vitest";
import { changelog } from "./adapters/changelog.ts";
import { dateIn, isoDate, momentOfMonth, orderOf } from "./dates.ts";
import { finished } from "./finish.ts";
import { markdown } from "./adapters/markdown.ts";

describe("a date", () => {
  test.each([
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2026/1/31", "2026-01-31T00:00:00.000Z"],
    ["20260131", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31T09:30", "2026-01-31T09:30:00.000Z"],
    ["2026-01-31 09:30:15.123456+00", "2026-01-31T09:30:15.123Z"],
    ["2026-01-31T00:30:00+02:00", "2026-01-30T22:30:00.000Z"],
    ["2026-01-31T23:30:00-0130", "2026-02-01T01:00:00.000Z"],
    ["Sat, 31 Jan 2026 09:30:00 GMT", "2026-01-31T09:30:00.000Z"],
    ["31 Jan 2026 09:30:00 EST", "2026-01-31T14:30:00.000Z"],
    ["January 31, 2026 2:30 PM", "2026-01-31T14:30:00.000Z"],
    ["Jan. 31st, 2026 at 12:05 am", "2026-01-31T00:05:00.000Z"],
    ["31.1.2026", "2026-01-31T00:00:00.000Z"],
    ["31/01/2026", "2026-01-31T00:00:00.000Z"],
    ["01/31/2026", "2026-01-31T00:00:00.000Z"],
    ["05/05/2026", "2026-05-05T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["0001-01-01", "0001-01-01T00:00:00.000Z"],
  ])("%s", (text, iso) => expect(isoDate(text)).toBe(iso));
  test.each([
    "",
    "soon",
    "2026",
    "2026-02-29",
    "2026-13-01",
    "0",
    "03/04/2026",
    "31 Foo 2026",
    "2026-01-31T25:00",
    "2026-01-31T10:61Z",
    "2026-01-31 x",
    "1706691600",
    "-0001-01-01",
    null,
    undefined,
  ])("%j isn't a date", (text) => expect(isoDate(text)).toBeNull());
});

test.each([
  ["1.0 (2026-01-31)", "2026-01-31T00:00:00.000Z", "1.0 (\0)"],
  ["on Friday, 5 May 2023, it came", "2023-05-05T00:00:00.000Z", "on \0, it came"],
  ["1.0 - 03/04/2020", "03/04/2020", "1.0 - \0"],
])("in a line: %s", (line, date, around) => expect(dateIn(line)).toEqual({ date, around }));
test.each(["1.2.3", "v2024.13.1", "chapter 12 of 2020", "10.11.2020.1"])("finds no date in %s", (line) => expect(dateIn(line)).toBeNull());
test.each([
  ["March 2026", "2026-03-01"],
  ["sept 2025", "2025-09-01"],
  ["2025/12", "2025-12-01"],
  ["2025-13", null],
  ["Spring 2026", null],
])("a month: %s", (text, day) => {
  const moment = momentOfMonth(text);
  expect(moment === null ? null : new Date(moment).toISOString().slice(0, 10)).toBe(day);
});

describe("a date with two digits for its year", () => {
  test.each([
    ["31/12/18", "2018-12-31"],
    ["12/31/98", "1998-12-31"],
    ["31.12.18", "2018-12-31"],
    ["31-Dec-18", "2018-12-31"],
    ["Sat, 31 Jan 26 09:30:00 GMT", "2026-01-31"],
    ["Jan 31, '26", "2026-01-31"],
    ["Jan 31 10:30", undefined],
  ])("%s", (text, day) => expect(isoDate(text)?.slice(0, 10)).toBe(day));
  test.each([
    ["1.2.0 - 12/31/18", "1.2.0 - \0"],
    ["1.2.0 (5 Jan ’18)", "1.2.0 (\0)"],
  ])("in a line: %s", (line, around) => expect(dateIn(line)?.around).toBe(around));
  test.each(["1.2.18", "v1.2.18 and more", "5 new 20", "12 may 10:30"])("finds no date in %s", (line) => expect(dateIn(line)).toBeNull());
});

describe("the order of days and months", () => {
  test.each<[string, string[], ReturnType<typeof orderOf>]>([
    ["one number above 12 after the month", ["10/04/2018", "9/27/2018"], "month first"],
    ["one number above 12 before the month", ["10/04/18", "27/9/18"], "day first"],
    ["neighbours between which one order fits", ["2018-06-01", "05/04/2018", "2018-05-01"], "month first"],
    ["neighbours that fall", ["05/06/2018", "06/05/2018", "07/04/2018", "01/03/2018"], "day first"],
    ["neighbours that rise", ["01/03/2018", "02/04/2018", "03/01/2019"], null],
    ["a date alone", ["03/04/2018"], null],
    ["both orders in one list", ["27/9/2018", "9/27/2018", "03/04/2018"], null],
    ["no date that has one", ["2018-05-01", "1 May 2018"], null],
  ])("%s", (_, dates, order) => expect(orderOf(dates)).toBe(order));
  test("of headings of a changelog and the lines below them", () => {
    const text = "## 1.2.0 - 12/08/2018\n\n- C\n\n## 1.1.0\n\n_10/04/2018_\n\n- B\n\n## 1.0.0 - 9/27/18\n\n- A";
    const { entries } = changelog.read([{ name: "CHANGELOG.md", bytes: new TextEncoder().encode(text) }], { now: new Date() });
    expect(entries.map(({ published_at }) => published_at?.slice(0, 10))).toEqual(["2018-12-08", "2018-10-04", "2018-09-27"]);
  });
  test("of posts of a source, whatever it is", () => {
    const entry = { tags: [], old_urls: [], status: "published", content: { kind: "markdown", text: "a" }, notes: [] } as const;
    const dated = (published_at: string) => ({ ...entry, external_id: published_at, title: "A", published_at });
    const { entries } = finished({ source: "headway", name: null, entries: ["03/04/2024", "25/03/2024"].map(dated), notes: [] });
    expect(entries.map(({ published_at }) => published_at?.slice(0, 10))).toEqual(["2024-04-03", "2024-03-25"]);
  });
});

test("an unreadable date in front matter falls back to the file name's", () => {
  const files = ["soon", "03/04/2024", "2024-05-06"].map((date, at) => ({
    name: `_posts/2024-03-0${at + 4}-post.md`,
    bytes: new TextEncoder().encode(`---\ntitle: Post\ndate: ${date}\n---\nWords.`),
  }));
  const { entries } = markdown.read(files, { now: new Date() });
  expect(entries.map(({ published_at, notes }) => [published_at?.slice(0, 10), notes])).toEqual([
    ["2024-03-04", ["Its date can't be read (soon), so the date in its file name is used"]],
    ["2024-03-05", ["Its date can't be read (03/04/2024), so the date in its file name is used"]],
    ["2024-05-06", []],
  ]);
});
