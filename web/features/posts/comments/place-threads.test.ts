import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Placed, placeThreads } from "./place-threads.ts";

const at = (wanted: number, height = 50): Placed => ({ wanted, height });

test("each stands level with its block, and below the one before where that would cover it", () => {
  expect(placeThreads([at(100), at(300)], -1, 40, 10)).toEqual([100, 300]);
  expect(placeThreads([at(100), at(110), at(300)], -1, 40, 10)).toEqual([100, 160, 300]);
  expect(placeThreads([at(0)], -1, 40, 10)).toEqual([40]);
});

test("the one that is looked at stands level, and makes those before it move up", () => {
  expect(placeThreads([at(100), at(110), at(120)], 1, 40, 10)).toEqual([50, 110, 170]);
});

test("but none above the head of the column", () => {
  expect(placeThreads([at(60), at(62), at(64)], 2, 40, 10)).toEqual([40, 100, 160]);
});

test("none covers another, in their order, whichever is looked at", () => {
  const threads = fc
    .array(fc.record({ wanted: fc.nat(5_000), height: fc.integer({ min: 1, max: 800 }) }), { maxLength: 40 })
    .map((list) => list.toSorted((a, b) => a.wanted - b.wanted));
  fc.assert(
    fc.property(threads, fc.integer({ min: -1, max: 40 }), (list, looked) => {
      const tops = placeThreads(list, looked, 60, 12);
      tops.forEach((top, place) => {
        expect(top).toBeGreaterThanOrEqual(60);
        if (place > 0) expect(top).toBeGreaterThanOrEqual(tops[place - 1]! + list[place - 1]!.height + 12);
      });
      const one = list[looked];
      const above = list.slice(0, Math.max(looked, 0)).reduce((sum, { height }) => sum + height + 12, 60);
      if (one) expect(tops[looked]).toBe(Math.max(one.wanted, above));
    }),
    { seed: 7 },
  );
});
