import { describe, expect, test } from "vitest";
import { adapters } from "./adapters/all.ts";
import { adapterFor } from "./detect.ts";
import { importSources } from "#contract/imports.ts";

test.each([
  ["title,content,date\nA,b,2024-01-01", "csv"],
  ["Id;Title;Content;Link URL\n1;A;b;", "beamer"],
])("a table is of Beamer only where it has Beamer's columns: %j", (text, source) => {
  expect(adapterFor([{ name: "posts.csv", bytes: new TextEncoder().encode(text) }])?.source).toBe(source);
});

describe("the kinds of sources", () => {
  test("each source has one", () => {
    expect(adapters.map(({ source }) => source).sort()).toEqual([...importSources].sort());
  });
  test.each(adapters.filter(({ source }) => !["changelog", "markdown"].includes(source)))(
    "$source rejects other sources' files",
    (adapter) => {
      for (const text of ["", "# Changelog\n\n## 1.0.0", "{}", "[]", "\0\x01\x02", "<p>a</p>", '{"a":1', "title,content\na,b"]) {
        expect(adapter.recognizes([{ name: "file.txt", bytes: new TextEncoder().encode(text) }])).toBe(0);
      }
      expect(adapter.recognizes([])).toBe(0);
    },
  );
});
