import { describe, expect, test } from "vitest";
import { hasTooManyValues } from "#contract/rules/json-values.ts";

const long = "x".repeat(5_000);
const both = (json: string) => [json, new TextEncoder().encode(json)];

describe("the values of JSON", () => {
  test.each<[string, unknown, number]>([
    ["a text", long, 0],
    ["a text that looks like many", `${long},[{,[{`, 0],
    ["lists in lists", [[[long]]], 3],
    ["a list of texts", [long, "a", "b"], 3],
    ["an object", { a: long, b: [1, 2], c: {} }, 6],
    ["quotes and strokes behind a long run", [`${long}"`, `${long}\\`, `${long}\\"`, `${long}\\\\`, `"${long}`, `\\${long}`, ",[{"], 7],
    ["quotes and strokes behind a short one", [long, '"', "\\", '\\"', "\\\\", '",[{', "\\,[{"], 7],
    ["letters that are more than a byte", [`${long}…“${long}`, "ä,[{"], 2],
  ])("of %s are counted outside of its texts", (_, value, count) => {
    for (const json of both(JSON.stringify(value))) {
      expect(hasTooManyValues(json, count)).toBe(false);
      if (count > 0) expect(hasTooManyValues(json, count - 1)).toBe(true);
    }
  });

  test("an unterminated text counts its values so far", () => {
    for (const end of ["", "\\", `${"x".repeat(50)}\\`, `${"x".repeat(50)}\\"`])
      for (const json of both(`["${long}",1,"${end}`)) {
        expect(hasTooManyValues(json, 3)).toBe(false);
        expect(hasTooManyValues(json, 2)).toBe(true);
      }
  });

  test("a short text isn't counted", () => expect(hasTooManyValues("[".repeat(4_096), 1)).toBe(false));
});
