import { describe, expect, test } from "vitest";
import { deepest, mostValues, objectIn, rowsIn } from "./rows-in.ts";
import { DamagedCopy } from "./zip.ts";

/** The rows, and how often other work had its turn. */
function read(json: string): { rows: unknown[]; turns: number } {
  const reading = rowsIn(json);
  for (let turns = 0; ; turns += 1) {
    const step = reading.next();
    if (step.done) return { rows: step.value, turns };
  }
}
function ended<Made>(reading: Generator<void, Made>): Made {
  for (;;) {
    const step = reading.next();
    if (step.done) return step.value;
  }
}
const list = (values: number) => `[${"0,".repeat(values - 1)}0]`;

test.each([
  "[]",
  " [ \n] ",
  "[1]",
  '[null, "", {}, []]',
  '[{"a": [1, {"b": "},{\\"],["}], "c": "\\\\"}, {"a": "ä, …"}]\n',
  JSON.stringify(Array.from({ length: 50 }, (_, at) => ({ at, text: `"${"x,[{".repeat(at * 40)}\\` }))),
])("the rows of %.60s are those that all of it parsed has", (json) => {
  expect(read(json).rows).toEqual(JSON.parse(json));
});

test.each(["", "[", "]", "{}", "1", "[1", "[1,]", "[,1]", "[1],[2]", "[1 2]", '["a]', '["a\\"]', '[{"a":1]]', "[[1}]", "[tru]"])(
  "%j is no list of rows",
  (json) => expect(() => read(json)).toThrow(DamagedCopy),
);

describe("as many values", () => {
  test("as the fullest page of the database, with the fullest post behind it, come back", () => {
    const [megabyte, post] = ["0, ".repeat(1_048_576 / 3), list(80_000)];
    expect(read(`[${megabyte}${post}]`).rows).toHaveLength(349_526);
  });

  test.each<[string, number, (values: number) => string]>([
    ["list", mostValues.list, (values) => list(values + 1)],
    ["row", mostValues.row, (values) => `[0, ${list(values)}, 0]`],
  ])("as no copy has in a %s are refused", (_, most, made) => {
    expect(read(made(most)).rows.length).toBeGreaterThan(0);
    expect(() => read(made(most + 1))).toThrow(DamagedCopy);
  });

  test("as no copy has in a document are refused", () => {
    expect(ended(objectIn(`{"a": ${list(mostValues.document - 2)}}`))).toHaveProperty("a");
    expect(() => ended(objectIn(`{"a": ${list(mostValues.document)}}`))).toThrow(DamagedCopy);
  });
});

test("nested deeper than any post, it is refused", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect(read(`[${nested(deepest)}]`).rows).toHaveLength(1);
  expect(() => read(`[${nested(deepest + 1)}]`)).toThrow(DamagedCopy);
  expect(() => ended(objectIn(`{"a": ${nested(deepest)}}`))).toThrow(DamagedCopy);
});

test.each(["", "[]", "1", "null", "{},{}", "{}]", "{}],[{}", "{"])("%j is no object", (json) => {
  expect(ended(objectIn(' {"a": [{}]} '))).toEqual({ a: [{}] });
  expect(() => ended(objectIn(json))).toThrow(DamagedCopy);
});

test("other work has its turn between rows, and within a long one", () => {
  expect(read(list(1_000)).turns).toBeGreaterThanOrEqual(999);
  expect(read(`[[${list(50_000)}]]`).turns).toBeGreaterThanOrEqual(6);
});
