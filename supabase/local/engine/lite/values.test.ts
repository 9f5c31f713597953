import { describe, expect, test } from "vitest";
import { valueTypes } from "./values.ts";

describe("JSON that lite hands to postgres.js", () => {
  test.each([
    ["a value", { title: "T" }, '{"title":"T"}'],
    ["a value that lite has already written as text", '{"title":"T"}', '{"title":"T"}'],
    ["a list", [1, 2], "[1,2]"],
    ["a number", 5, "5"],
    ["a string", "hello", '"hello"'],
  ])("%s is encoded once", (_, value, text) => {
    for (const type of [valueTypes.json, valueTypes.jsonb]) expect(type.serialize(value)).toBe(text);
  });
});

describe("a time that Postgres writes", () => {
  test.each([
    ["2026-11-20 08:36:19+00", "2026-11-20T08:36:19+00:00"],
    ["2026-11-20 08:36:19.123456+00", "2026-11-20T08:36:19.123456+00:00"],
    ["2026-11-20 08:36:19+05:30", "2026-11-20T08:36:19+05:30"],
  ])("%s is ISO 8601 on the wire", (text, iso) => expect(valueTypes.timestamptz.parse(text)).toBe(iso));
});
