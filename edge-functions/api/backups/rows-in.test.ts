import { describe, expect, test } from "vitest";
import { deepest, mostValues, objectIn, rowsIn } from "./rows-in.ts";
import { DamagedCopy } from "./zip.ts";

const list = (values: number) => `[${"0,".repeat(values - 1)}0]`;

test.each([
  "[]",
  " [ \n] ",
  "[1]",
  '[null, "", {}, []]',
  '[{"a": [1, {"b": "},{\\"],["}], "c": "\\\\"}, {"a": "ä, …"}]\n',
  JSON.stringify(Array.from({ length: 50 }, (_, at) => ({ at, text: `"${"x,[{".repeat(at * 40)}\\` }))),
])("the rows of %.60s are those that all of it parsed has", (json) => {
  expect(rowsIn(json)).toEqual(JSON.parse(json));
});

test.each(["", "[", "]", "{}", "1", "[1", "[1,]", "[,1]", "[1],[2]", "[1 2]", '["a]', '["a\\"]', '[{"a":1]]', "[[1}]", "[tru]"])(
  "%j isn't a list of rows",
  (json) => expect(() => rowsIn(json)).toThrow(DamagedCopy),
);

describe("limits on JSON values", () => {
  test("accept the largest page of the database with the largest post", () => {
    const [megabyte, post] = ["0, ".repeat(1_048_576 / 3), list(80_000)];
    expect(rowsIn(`[${megabyte}${post}]`)).toHaveLength(349_526);
  });

  test.each<[string, number, (values: number) => string]>([
    ["list", mostValues.list, (values) => list(values + 1)],
    ["row", mostValues.row, (values) => `[0, ${list(values)}, 0]`],
  ])("as no copy has in a %s are refused", (_, most, made) => {
    expect(rowsIn(made(most)).length).toBeGreaterThan(0);
    expect(() => rowsIn(made(most + 1))).toThrow(DamagedCopy);
  });

  test("reject a document with more values than any backup", () => {
    expect(objectIn(`{"a": ${list(mostValues.document - 2)}}`)).toHaveProperty("a");
    expect(() => objectIn(`{"a": ${list(mostValues.document)}}`)).toThrow(DamagedCopy);
  });
});

test("reject nesting deeper than any post", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect(rowsIn(`[${nested(deepest)}]`)).toHaveLength(1);
  expect(() => rowsIn(`[${nested(deepest + 1)}]`)).toThrow(DamagedCopy);
  expect(() => objectIn(`{"a": ${nested(deepest)}}`)).toThrow(DamagedCopy);
});

test.each(["", "[]", "1", "null", "{},{}", "{}]", "{}],[{}", "{"])("%j isn't an object", (json) => {
  expect(objectIn(' {"a": [{}]} ')).toEqual({ a: [{}] });
  expect(() => objectIn(json)).toThrow(DamagedCopy);
});
