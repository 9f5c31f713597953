import { describe, expect, test } from "vitest";
import type { Placement } from "#contract/rules/placement.ts";
import { duePlacement } from "./due-placement.ts";

const now = Date.parse("2026-06-15T12:00:00Z");
const hours = (number: number): number => now - number * 3_600_000;
const post = (id: string, changes: Partial<Placement> | null = {}) => ({
  id,
  placement: changes && {
    surface: "toast" as const,
    selector: null,
    push: false,
    from: null,
    until: null,
    again: "never" as const,
    ...changes,
  },
});

describe("a placement", () => {
  test.each<[string, Partial<Placement> | null, number | undefined, boolean]>([
    ["none", null, undefined, false],
    ["never closed", {}, undefined, true],
    ["closed once", {}, hours(9_999), false],
    ["closed in this session", { again: "session" }, hours(1), false],
    ["closed 6 days and 23 hours ago", { again: 7 }, hours(6 * 24 + 23), false],
    ["closed 7 days and 1 hour ago", { again: 7 }, hours(7 * 24 + 1), true],
    ["before its start", { from: "2026-06-15T12:00:01.000Z" }, undefined, false],
    ["from its start", { from: "2026-06-15T12:00:00.000Z" }, undefined, true],
    ["before its end", { until: "2026-06-15T12:00:01.000Z" }, undefined, true],
    ["at its end", { until: "2026-06-15T12:00:00.000Z" }, undefined, false],
  ])("%s", (_name, changes, closed, isDue) => {
    expect(duePlacement([post("1", changes)], () => closed, now) !== undefined).toBe(isDue);
  });
  test("is the first that is due, one at a time", () => {
    const posts = [post("4", null), post("3", { until: "2026-06-15T00:00:00.000Z" }), post("2"), post("1")];
    expect(duePlacement(posts, () => undefined, now)?.id).toBe("2");
    expect(duePlacement(posts, ({ id }) => (id === "2" ? now : undefined), now)?.id).toBe("1");
  });
  test("of each session is closed by the session alone", () => {
    const asked: boolean[] = [];
    const closedAt = (_post: object, inSession: boolean) => (asked.push(inSession), now);
    duePlacement([post("1", { again: "session" }), post("2", { again: 7 })], closedAt, now);
    expect(asked).toEqual([true, false]);
  });
});
