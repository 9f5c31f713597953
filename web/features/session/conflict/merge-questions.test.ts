import { expect, test } from "vitest";
import { everywhere, isDecided, type Question } from "./merge-questions.ts";

test("isDecided handles ids that are names of object properties", () => {
  const question = { block: "paragraph", id: "constructor" } as const;
  expect(isDecided(question, { blocks: {} })).toBe(false);
  expect(isDecided(question, { blocks: Object.fromEntries([["constructor", "both" as const]]) })).toBe(true);
});

test("everywhere decides fields and blocks", () => {
  const questions: Question[] = [
    { field: "title" },
    { field: "cover_image" },
    { block: "paragraph", id: "one" },
    { block: "table", id: "two" },
  ];
  const choices = everywhere(questions, "theirs");
  expect(choices).toEqual({ title: "theirs", cover_image: "theirs", blocks: { one: "theirs", two: "theirs" } });
  expect(questions.every((question) => isDecided(question, choices))).toBe(true);
  expect(everywhere([], "mine")).toEqual({ blocks: {} });
});
