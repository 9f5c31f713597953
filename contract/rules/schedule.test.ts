import { afterAll, describe, expect, test } from "vitest";
import { defaultSchedule, earliestDay, publishTime, quickTimes, scheduleOf } from "#contract/rules/schedule.ts";

const zone = process.env["TZ"];
afterAll(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});
const inZone = (name: string): void => {
  process.env["TZ"] = name;
};

describe("scheduling", () => {
  test("offers tomorrow at nine, in the browser's zone", () => {
    inZone("America/New_York");
    const now = new Date("2026-03-20T01:30:00Z");
    expect(earliestDay(now)).toBe("2026-03-19");
    expect(defaultSchedule(now)).toEqual({ day: "2026-03-20", time: "09:00" });
  });
  test("goes over the end of a month and a year", () => {
    inZone("UTC");
    expect(defaultSchedule(new Date("2026-12-31T10:00:00Z")).day).toBe("2027-01-01");
    expect(defaultSchedule(new Date("2028-02-28T10:00:00Z")).day).toBe("2028-02-29");
  });
  test("has three quick times", () => expect(quickTimes).toEqual(["09:00", "13:00", "17:00"]));
  test("converts day and time of the browser's zone to an instant, and back", () => {
    inZone("Asia/Kolkata");
    expect(publishTime("2026-03-20", "09:00")).toBe("2026-03-20T03:30:00.000Z");
    expect(scheduleOf("2026-03-20T03:30:00Z")).toEqual({ day: "2026-03-20", time: "09:00" });
  });
  test("takes the next hour where the clock skips one", () => {
    inZone("Europe/Berlin");
    expect(publishTime("2026-03-29", "02:30")).toBe("2026-03-29T01:30:00.000Z");
  });
  test.each([
    ["", "09:00"],
    ["2026-03-20", ""],
    ["2026-02-30", "09:00"],
    ["2026-13-01", "09:00"],
    ["20.3.2026", "09:00"],
    ["2026-03-20", "24:00"],
    ["2026-03-20", "9:00"],
  ])("has no time for '%s' at '%s'", (day, time) => {
    expect(publishTime(day, time)).toBeNull();
  });
});
