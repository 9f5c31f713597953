import { expect, test } from "vitest";
import { monthChange } from "./month-change.ts";

test.each([
  [0, 0, null],
  [5, 0, null],
  [5, 5, "as many as in May"],
  [0, 1_200, "1,200 in May"],
  [120, 100, "20% more than in May"],
  [80, 100, "20% fewer than in May"],
  [1_001, 1_000, "slightly more than in May"],
  [999, 1_000, "slightly fewer than in May"],
  [299, 100, "199% more than in May"],
  [350, 100, "3 times as many as in May"],
  [1, 3, "67% fewer than in May"],
])("%i after %i: %s", (now, before, words) => expect(monthChange(now, before, "May")).toBe(words));
