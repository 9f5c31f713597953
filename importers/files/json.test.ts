import { expect, test } from "vitest";
import { unknownFiles } from "../detect.ts";
import { jsonValues } from "./json.ts";

const file = (text: string) => ({ name: "posts.json", bytes: new TextEncoder().encode(text) });

test.each(['{\n  "a": 1\n  "b": 2\n}', "[1,\n\n012]", '{"a": 1}\n{"b": 2}\n{"c" 3}'])("a syntax error in JSON is reported: %s", (text) => {
  expect(() => jsonValues(file(text))).toThrow(/^posts\.json isn't valid JSON: .+ in JSON at position \d+/);
});

test("a syntax error is reported for a file of an unknown product", () => {
  expect(unknownFiles([file('{\n"a" 1}')])).toMatch(/^posts\.json isn't valid JSON: ./);
  expect(unknownFiles([file('{"a": 1}')])).toContain("JSON from a product we don't support");
});
