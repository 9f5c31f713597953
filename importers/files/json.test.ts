import { describe, expect } from "vitest";
import { fc, test } from "../../tests/support/properties.ts";
import { unknownFiles } from "../detect.ts";
import { jsonErrorAt } from "./json-error.ts";
import { jsonValues } from "./json.ts";

const file = (text: string) => ({ name: "posts.json", bytes: new TextEncoder().encode(text) });

describe("a syntax error in JSON", () => {
  test.each([
    ["a missing comma", '{\n  "a": 1\n  "b": 2\n}', 3],
    ["a comma too many", '{\n  "a": [1, 2],\n}', 3],
    ["a word that is none", "[\n  tru\n]", 2],
    ["a string over the end of a line", '{"a": "one\ntwo"}', 1],
    ["a number with a zero in front", "[1,\n\n012]", 3],
    ["a key without quotes", "{\n\n\na: 1}", 4],
    ["a bracket of the other kind", '{"a": [1}\n]', 1],
    ["in the second value of a file", '{"a": 1}\n{"b": 2}\n{"c" 3}', 3],
  ])("is named by its line: %s", (_, text, line) => {
    expect(() => jsonValues(file(text))).toThrow(`posts.json isn't valid JSON: there is a syntax error in line ${line}`);
  });

  test("is reported for a file of an unknown product", () => {
    expect(unknownFiles([file('{\n"a" 1}')])).toBe("posts.json isn't valid JSON: there is a syntax error in line 2");
    expect(unknownFiles([file('{"a": 1}')])).toContain("JSON from a product we don't support");
  });

  test.prop([fc.json({ maxDepth: 4 }), fc.nat(), fc.constantFrom("", "}", ",", '"', "x", "\n", "1")])(
    "isn't found in valid JSON, and is inside any other text",
    (json, place, sign) => {
      expect(jsonErrorAt(json)).toBe(json.length);
      const at = place % json.length;
      const broken = json.slice(0, at) + sign + json.slice(at + 1);
      try {
        JSON.parse(broken);
        expect(jsonErrorAt(broken)).toBe(broken.length);
      } catch {
        expect(jsonErrorAt(broken)).toBeLessThanOrEqual(broken.length);
      }
    },
  );
});
