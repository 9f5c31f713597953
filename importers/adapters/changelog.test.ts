import { describe, expect, test } from "vitest";
import { changelog } from "./changelog.ts";
import { prepare } from "../to-post.ts";

const now = new Date("2026-06-01T12:00:00Z");
const read = (text: string) => changelog.read([{ name: "CHANGELOG.md", bytes: new TextEncoder().encode(text) }], { now });
const texts = (text: string) => read(text).entries.map(({ title, content }) => [title, content.kind === "markdown" ? content.text : null]);

describe("a heading that names no release", () => {
  test("is a section of the release above it, at the release's own level and above it", () => {
    const text =
      "# Log\n\n## 1.2.0 - 2024-03-05\n\n## Addons\n\n- Ropes\n\n# Drivers\n\n- Winds\n\n## 1.1.0 - 2024-02-01\n\n- Knots\n\n## Ropes\n\n- Long";
    expect(texts(text)).toEqual([
      ["1.2.0", "### Addons\n\n- Ropes\n\n## Drivers\n\n- Winds"],
      ["1.1.0", "- Knots\n\n## Ropes\n\n- Long"],
    ]);
    expect(read(text)).toMatchObject({ notes: [], leftOut: [] });
  });
  test("and only groups the releases below it belongs to none", () => {
    const text = "## 2.0.0 - 2024-03-05\n\n- New\n\n# The first year\n\n## 1.0.0 - 2023-02-01\n\n- Old";
    expect(texts(text)).toEqual([
      ["2.0.0", "- New"],
      ["1.0.0", "- Old"],
    ]);
    expect(read(text).leftOut).toEqual([]);
  });
  test("behind the last release is left out, and counted with all else that is", () => {
    const text =
      "# Log\n\nAll that *changed*.\n\n## Unreleased\n\n- Wet\n\n## 1.0.0 - 2023-02-01\n\n- Old\n\n## License\n\nMIT\n\n## Thanks\n\nAll";
    expect(texts(text)).toEqual([["1.0.0", "- Old"]]);
    expect(read(text)).toMatchObject({
      leftOut: ["its introduction", "3 sections"],
      notes: [
        "“Unreleased” is left out: it is not released yet",
        "Left out, for they name no version and no day: “License”, “Thanks”",
        "What stands above the first release is left out: “All that changed.”",
      ],
    });
  });
  test("with a version behind other words begins one", () => {
    expect(texts("## 2.0.0 - 2024-03-05\n\n- New\n\n# Previous Version: 1.3.2 [2018-08-03]\n\n## Features\n\n- Old")).toEqual([
      ["2.0.0", "- New"],
      ["Previous Version: 1.3.2", "## Features\n\n- Old"],
    ]);
  });
});

test("a release without a text is never published by itself", async () => {
  const [, entry] = read("## 1.1.0 - 2024-03-05\n\n- New\n\n## 1.0.0 - 2024-02-01").entries;
  const empty = await prepare(entry!, { now });
  expect(empty).toMatchObject({ post: { status: "draft", blocks: [] }, losses: ["It has no text, so it comes as a draft"] });
});
