import { describe, expect, test } from "vitest";
import { changeOf, formatShare } from "./change.ts";
import { dayTicks, toSlots, sumBySlot, valueTicks } from "./chart/scale.ts";
import { addDays, previousRange, lastDays, readView, writeView } from "./range.ts";
import { codeNames } from "./metric-labels.ts";

const days = (from: string, count: number) => Array.from({ length: count }, (_, index) => addDays(from, index));
const never = "2999-12-31";

test.each([
  [0, 0, null],
  [5, 0, { direction: "new", words: "new" }],
  [5, 5, { direction: "same", words: "no change" }],
  [112, 100, { direction: "more", words: "12% more" }],
  [0, 100, { direction: "fewer", words: "100% fewer" }],
  [1001, 1000, { direction: "more", words: "under 1% more" }],
  [999, 100, { direction: "more", words: "899% more" }],
  [12_000, 1000, { direction: "more", words: "12 times as many" }],
])("changeOf %i after %i", (now, before, change) => expect(changeOf(now, before)).toEqual(change));

test.each([
  [0, 0, null],
  [0, 10, "0%"],
  [1, 1000, "under 1%"],
  [1, 3, "33%"],
  [3, 2, "150%"],
])("formatShare of %i of %i", (part, whole, share) => expect(formatShare(part, whole)).toBe(share));

describe("analytics days", () => {
  test("end today, and the previous period ends right before", () => {
    expect(lastDays(7, "2026-03-03")).toEqual({ from: "2026-02-25", to: "2026-03-03" });
    expect(previousRange({ from: "2026-03-01", to: "2026-03-31" })).toEqual({ from: "2026-01-29", to: "2026-02-28" });
    expect(previousRange({ from: "2024-03-01", to: "2024-03-01" })).toEqual({ from: "2024-02-29", to: "2024-02-29" });
  });

  test("round-trip through the URL and keep other parameters", () => {
    const own = { from: "2026-01-01", to: "2026-01-31" };
    const there = writeView(new URLSearchParams("show=clicks&range=7"), own);
    expect(String(there)).toBe("show=clicks&from=2026-01-01&to=2026-01-31");
    expect(readView(there, "2026-05-01")).toEqual({ choice: "own", typed: own, range: own });
    expect(String(writeView(there, 90))).toBe("show=clicks&range=90");
    expect(String(writeView(there, 30))).toBe("show=clicks");
    expect(readView(new URLSearchParams("range=90"), "2026-05-01")).toMatchObject({ choice: 90, range: lastDays(90, "2026-05-01") });
  });
});

describe("line chart scale", () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [99, [0, 20, 40, 60, 80, 100]],
    [101, [0, 50, 100, 150]],
    [1_234_567, [0, 500_000, 1_000_000, 1_500_000]],
  ])("up to %i has round ticks", (largest, ticks) => expect(valueTicks(largest)).toEqual(ticks));

  test("uses whole ticks that reach the largest value", () => {
    for (let largest = 1; largest < 3_000; largest += 7) {
      const ticks = valueTicks(largest);
      expect(ticks.every(Number.isInteger)).toBe(true);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(largest);
      expect(ticks.length).toBeLessThanOrEqual(6);
    }
  });

  test("has a point a day up to 400 days, then a point a week, without losing days", () => {
    expect(toSlots(days("2026-01-01", 400), never)).toHaveLength(400);
    const all = days("2023-11-24", 1_096);
    const weeks = toSlots(all, "2026-11-23");
    expect(weeks.length).toBeLessThanOrEqual(400);
    expect(weeks[0]).toEqual({ from: "2023-11-24", to: "2023-11-26", start: 0, end: 3, partial: true });
    expect(weeks[1]).toEqual({ from: "2023-11-27", to: "2023-12-03", start: 3, end: 10, partial: false });
    expect(weeks.at(-1)).toMatchObject({ from: "2026-11-23", to: "2026-11-23", partial: true });
    expect(
      sumBySlot(
        weeks,
        all.map(() => 1),
      ).reduce((sum, value) => sum + value, 0),
    ).toBe(1_096);
  });

  test("labels few days, or the first of months", () => {
    const labels = (from: string, count: number) => dayTicks(toSlots(days(from, count), never)).map(({ label }) => label);
    expect(labels("2026-01-01", 7)).toEqual(["Jan 1", "Jan 2", "Jan 3", "Jan 4", "Jan 5", "Jan 6", "Jan 7"]);
    expect(labels("2026-01-01", 30)).toEqual(["Jan 2", "Jan 9", "Jan 16", "Jan 23", "Jan 30"]);
    expect(labels("2025-11-02", 365)).toEqual(["Dec", "Jan 2026", ..."Feb Mar Apr May Jun Jul Aug Sep Oct Nov".split(" ")]);
    expect(labels("2023-11-24", 1_096).slice(0, 3)).toEqual(["Jan 2024", "Apr", "Jul"]);
    expect(labels("2026-01-01", 1)).toEqual(["Jan 1"]);
  });
});

test("codeNames translates codes and keeps other values", () => {
  expect(["DE", "other", "not a code"].map(codeNames("region"))).toEqual(["Germany", "All others", "not a code"]);
  expect(["de", "other", "!"].map(codeNames("language"))).toEqual(["German", "All others", "!"]);
});
