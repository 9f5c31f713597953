import { describe, expect, test } from "vitest";
import { defaultTags } from "#contract/tags.ts";
import { defaultMapping, mappedTags, newTags, sourceTags } from "./tag-mapping.ts";

const tagged = (...tags: string[]) => ({ post: { tags } });
const here = [...defaultTags, { key: "beta", label: "Beta programme", colour: "blue" as const }];

describe("tags of a source", () => {
  test.each([
    ["Feature", "feature"],
    ["fix", "fix"],
    ["Documentation", "docs"],
    ["Added", "feature"],
    ["Changed", "improvement"],
    [" bug fixes ", "fix"],
    ["Minor Changes", "feature"],
    ["Patch Changes", "fix"],
    ["BETA PROGRAMME", "beta"],
  ])("%s maps to %s", (name, key) => {
    expect(defaultMapping([name], here).get(name)).toEqual({ kind: "key", key });
  });

  test("unknown tags become new ones, also for a default tag the workspace removed", () => {
    expect(defaultMapping(["Security"], here).get("Security")).toEqual({ kind: "new" });
    expect(defaultMapping(["Added"], []).get("Added")).toEqual({ kind: "new" });
  });

  test("tags are counted once per post, most frequent first", () => {
    expect(sourceTags([tagged("x", "y", "x"), tagged("y")])).toEqual([
      ["y", 2],
      ["x", 1],
    ]);
  });

  test("only tags of selected posts are created, each key once", () => {
    const mapping = new Map([
      ["x", { kind: "new" } as const],
      ["y", { kind: "new" } as const],
      ["z", { kind: "none" } as const],
      ["w", { kind: "key", key: "made-x" } as const],
    ]);
    expect(newTags([tagged("x", "z")], mapping)).toEqual(["x"]);
    expect(mappedTags(["z", "x", "w", "unknown"], mapping, new Map([["x", "made-x"]]))).toEqual(["made-x"]);
  });
});
