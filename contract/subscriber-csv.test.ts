import { describe, expect, test } from "vitest";
import { readersOf, subscriberCsvHead, subscriberCsvLine } from "./subscriber-csv.ts";
import { importMaxLines, type Subscriber } from "./subscribers.ts";

const whole = (text: string, known: string[] = []) => {
  const list = readersOf(text, known);
  if (list.problem !== undefined) throw new Error(list.problem);
  return list;
};
const reader = (email: string, more: object = {}) => ({ email, frequency: "instant", tags: null, confirmed_at: null, ...more });

describe("a list of readers", () => {
  test("finds columns by name in any order and ignores others", () => {
    const text =
      "Name;Tags;E\u002dMail;Frequency;Confirmed at\r\nAda;Fix, feature;Ada@ACME.example;WEEKLY;2026-01-31 09:00:00\r\n;;b@acme.example;;\r\n";
    expect(whole(text)).toEqual({
      readers: [
        reader("Ada@acme.example", { frequency: "weekly", tags: ["fix", "feature"], confirmed_at: "2026-01-31T09:00:00.000Z" }),
        reader("b@acme.example"),
      ],
      lines: [2, 3],
      invalid: [],
      repeated: 0,
    });
  });

  test("can be addresses alone", () => {
    expect(whole("a@acme.example\n b@acme.example \n").readers).toEqual([reader("a@acme.example"), reader("b@acme.example")]);
  });

  test("counts an address once, in any spelling", () => {
    expect(whole("email\na@acme.example\nA@ACME.example\na@acme.example")).toMatchObject({
      readers: [reader("a@acme.example")],
      repeated: 2,
    });
  });

  test("reports each invalid line with a reason", () => {
    const text = `email,frequency,tags,confirmed_at,status
nobody,,,,
,daily,,,
a@acme.example,hourly,,,
b@acme.example,,,yesterday,
c@acme.example,,${"x".repeat(41)},,
d@acme.example,,,,unsubscribed
e@acme.example\r\nBcc: f@acme.example,,,,
g@acme.example,"`;
    expect(whole(text).invalid.map(({ line, reason }) => [line, reason.slice(0, 40)])).toEqual([
      [2, '"nobody" isn\'t a valid email address'],
      [3, "The address is missing"],
      [4, '"hourly" isn\'t instant, daily or weekly'],
      [5, '"yesterday" isn\'t a valid time, such as '],
      [6, "There are more than 20 tags, or one has "],
      [7, 'The status is "unsubscribed", so this re'],
      [9, '"Bcc: f@acme.example" isn\'t a valid emai'],
      [10, "A quote is opened here but never closed"],
    ]);
  });

  test.each([
    ["", "The file is empty."],
    ["\uFEFF\r\n\r\n", "The file is empty."],
    ["name,city\nAda,London", 'The first line has column names, but none is called "email".'],
    ["email,name\n", "The file has no email address."],
    ["<html><body>", 'The first line has column names, but none is called "email".'],
  ])("%j is rejected", (text, problem) => {
    expect(readersOf(text)).toEqual({ problem });
  });

  test("50,000 lines are read, one more is rejected", () => {
    const lines = (count: number) => `email\n${Array.from({ length: count }, (_, at) => `reader${at}@acme.example`).join("\n")}`;
    expect(whole(lines(importMaxLines)).readers).toHaveLength(importMaxLines);
    expect(readersOf(lines(importMaxLines + 1)).problem).toContain("more than 50,000 lines");
  });

  test("splits tags at spaces, commas, semicolons and bars, but keeps known keys whole", () => {
    expect(whole("email,tags\na@acme.example,fix|docs;api beta", []).readers[0]!.tags).toEqual(["fix", "docs", "api", "beta"]);
    expect(whole('email,tags\na@acme.example,"a,b fix"', ["a,b"]).readers[0]!.tags).toEqual(["a,b", "fix"]);
  });

  test.each([
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31T09:00Z", "2026-01-31T09:00:00.000Z"],
    ["2026-01-31 09:00:00+02", "2026-01-31T07:00:00.000Z"],
    ["2026-01-31T09:00:00.123456+0200", "2026-01-31T07:00:00.123Z"],
  ])("parses the time %s", (text, time) => {
    expect(whole(`email,confirmed_at\na@acme.example,${text}`).readers[0]!.confirmed_at).toBe(time);
  });
});

test("an export is safe in a spreadsheet and imports unchanged", () => {
  const exported = (changes: Partial<Subscriber>): Subscriber => ({
    id: "x",
    email: "ada@acme.example",
    status: "active",
    frequency: "daily",
    tags: null,
    created_at: "2026-01-01T00:00:00.000Z",
    confirmed_at: "2026-01-02T00:00:00.000Z",
    ...changes,
  });
  const subscribers = [
    exported({ email: "=cmd@acme.example", tags: ["=1+1", "a,b"] }),
    exported({ email: "+plus@acme.example", tags: [] }),
    exported({ email: "'+quoted@acme.example", frequency: "weekly" }),
    exported({ email: "left@acme.example", status: "left" }),
  ];
  const file = subscriberCsvHead() + subscribers.map(subscriberCsvLine).join("");
  expect(file.split("\r\n")[0]).toBe("email,status,frequency,tags,confirmed_at,created_at");
  for (const cell of file.split(/\r\n|,/)) expect(cell).not.toMatch(/^"?[=+\-@]/);
  const again = whole(file, ["a,b"]);
  expect(again.readers.map(({ email, tags, frequency }) => [email, tags, frequency])).toEqual([
    ["=cmd@acme.example", ["=1+1", "a,b"], "daily"],
    ["+plus@acme.example", [], "daily"],
    ["'+quoted@acme.example", null, "weekly"],
  ]);
  expect(again.invalid).toHaveLength(1);
});
