import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Placed, placeThreads } from "./place-threads.ts";

const at = (level: number, height = 50): Placed => ({ level, height });

test("placeThreads aligns threads with their blocks and moves overlapping ones down", () => {
  expect(placeThreads([at(100), at(300)], -1, 40, 10)).toEqual([100, 300]);
  expect(placeThreads([at(100), at(110), at(300)], -1, 40, 10)).toEqual([100, 160, 300]);
  expect(placeThreads([at(0)], -1, 40, 10)).toEqual([40]);
});

test("placeThreads aligns the active thread and moves those before it up", () => {
  expect(placeThreads([at(100), at(110), at(120)], 1, 40, 10)).toEqual([50, 110, 170]);
});

test("placeThreads puts no thread above the column's head", () => {
  expect(placeThreads([at(60), at(62), at(64)], 2, 40, 10)).toEqual([40, 100, 160]);
});

test("placeThreads never overlaps threads, whichever is active", () => {
  const threads = fc
    .array(fc.record({ level: fc.nat(5_000), height: fc.integer({ min: 1, max: 800 }) }), { maxLength: 40 })
    .map((list) => list.toSorted((a, b) => a.level - b.level));
  fc.assert(
    fc.property(threads, fc.integer({ min: -1, max: 40 }), (list, active) => {
      const tops = placeThreads(list, active, 60, 12);
      tops.forEach((top, place) => {
        expect(top).toBeGreaterThanOrEqual(60);
        if (place > 0) expect(top).toBeGreaterThanOrEqual(tops[place - 1]! + list[place - 1]!.height + 12);
      });
      const activeThread = list[active];
      const above = list.slice(0, Math.max(active, 0)).reduce((sum, { height }) => sum + height + 12, 60);
      if (activeThread) expect(tops[active]).toBe(Math.max(activeThread.level, above));
    }),
    { seed: 7 },
  );
});
