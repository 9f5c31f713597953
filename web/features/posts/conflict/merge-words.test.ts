import { expect, test } from "vitest";
import { isDecided } from "./merge-words.ts";

test("a block is decided when somebody has decided, whatever its id", () => {
  const question = { block: "paragraph", id: "constructor" } as const;
  expect(isDecided(question, { blocks: {} })).toBe(false);
  expect(isDecided(question, { blocks: Object.fromEntries([["constructor", "both" as const]]) })).toBe(true);
});
