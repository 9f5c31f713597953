import { describe, expect, test } from "vitest";
import { changelog } from "./changelog.ts";
import { prepare } from "../to-post.ts";

const now = new Date("2026-06-01T12:00:00Z");
const read = (text: string) => changelog.read([{ name: "CHANGELOG.md", bytes: new TextEncoder().encode(text) }], { now });
const texts = (text: string) => read(text).entries.map(({ title, content }) => [title, content.kind === "markdown" ? content.text : null]);

describe("a heading without a version or date", () => {
  test("belongs to the release above it, at its level or higher", () => {
    const text =
      "# Log\n\n## 1.2.0 - 2024-03-05\n\n## Addons\n\n- Ropes\n\n# Drivers\n\n- Winds\n\n## 1.1.0 - 2024-02-01\n\n- Knots\n\n## Ropes\n\n- Long";
    expect(texts(text)).toEqual([
      ["1.2.0", "### Addons\n\n- Ropes\n\n## Drivers\n\n- Winds"],
      ["1.1.0", "- Knots\n\n## Ropes\n\n- Long"],
    ]);
    expect(read(text)).toMatchObject({ notes: [], leftOut: [] });
  });
  test("belongs to no release if it only groups the releases below", () => {
    const text = "## 2.0.0 - 2024-03-05\n\n- New\n\n# The first year\n\n## 1.0.0 - 2023-02-01\n\n- Old";
    expect(texts(text)).toEqual([
      ["2.0.0", "- New"],
      ["1.0.0", "- Old"],
    ]);
    expect(read(text).leftOut).toEqual([]);
  });
  test("is skipped and counted behind the last release", () => {
    const text =
      "# Log\n\nAll that *changed*.\n\n## Unreleased\n\n- Wet\n\n## 1.0.0 - 2023-02-01\n\n- Old\n\n## License\n\nMIT\n\n## Thanks\n\nAll";
    expect(texts(text)).toEqual([["1.0.0", "- Old"]]);
    expect(read(text)).toMatchObject({
      leftOut: ["its introduction", "3 sections"],
      notes: [
        "“Unreleased” was skipped: it isn't released yet",
        "Skipped, because they have no version or date: “License”, “Thanks”",
        "The text above the first release was skipped: “All that changed.”",
      ],
    });
  });
  test("starts a release if a version follows other words", () => {
    expect(texts("## 2.0.0 - 2024-03-05\n\n- New\n\n# Previous Version: 1.3.2 [2018-08-03]\n\n## Features\n\n- Old")).toEqual([
      ["2.0.0", "- New"],
      ["Previous Version: 1.3.2", "## Features\n\n- Old"],
    ]);
  });
});

test("a version of another product in a section isn't a release", () => {
  const text = "## 2024-03-05, Version 2.0.0\n\n- New\n\n#### Motor 13.6\n\n- Fast\n\n## 2024-02-01, Version 1.9.0\n\n- Old";
  expect(texts(text)).toEqual([
    ["Version 2.0.0", "- New\n\n## Motor 13.6\n\n- Fast"],
    ["Version 1.9.0", "- Old"],
  ]);
});

test("without headings, lines with a version and a date are titles", () => {
  const text = "**2.0.0 / 2024-03-05**\n- New in\n1.5.0 - 2024-03-01\n\nv1.9.0 - 1 February 2024\n\n- Old";
  expect(texts(text)).toEqual([
    ["2.0.0", "- New in\n1.5.0 - 2024-03-01"],
    ["v1.9.0", "- Old"],
  ]);
});

test("a release without text is never published automatically", async () => {
  const [, entry] = read("## 1.1.0 - 2024-03-05\n\n- New\n\n## 1.0.0 - 2024-02-01").entries;
  const empty = await prepare(entry!, { now });
  expect(empty).toMatchObject({ post: { status: "draft", blocks: [] }, losses: ["It has no text, so it's imported as a draft"] });
});

test("a version may end with a full stop", () => {
  expect(texts("## Version 1.1.\n\n- New\n\n## Version 1.0.\n\n- Old")).toEqual([
    ["Version 1.1", "- New"],
    ["Version 1.0", "- Old"],
  ]);
});

test("a link's address may follow a non-breaking space", () => {
  expect(texts("## 1.0.0\n\n- Old [#1]\n\n[#1]:\u00a0 https://a.example/1")).toEqual([
    ["1.0.0", "- Old [#1]\n\n[#1]: https://a.example/1"],
  ]);
});
