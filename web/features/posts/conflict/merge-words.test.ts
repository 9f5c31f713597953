import { expect, test } from "vitest";
import type { Choices } from "#contract/merge/types.ts";
import { isDecided } from "./merge-words.ts";

test("a block is decided when somebody has decided, whatever its id", () => {
  const question = { block: "paragraph", id: "constructor" } as const;
  expect(isDecided(question, { blocks: {} })).toBe(false);
  const blocks: Choices["blocks"] = Object.fromEntries([["constructor", "both"]]); // TypeScript knows the name as a function's
  expect(isDecided(question, { blocks })).toBe(true);
});
