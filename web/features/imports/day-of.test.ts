import { afterEach, beforeEach, expect, test } from "vitest";
import { dayOf } from "./day-of.ts";

const zone = process.env.TZ;
beforeEach(() => (process.env.TZ = "America/Los_Angeles"));
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test("a day is the same west of Greenwich", () => {
  const midnight = "2020-01-05T00:00:00.000Z";
  expect(new Date(midnight).getDate()).toBe(4); // where it is read it is still the day before
  expect(dayOf(midnight)).toBe("Jan 5, 2020");
});
