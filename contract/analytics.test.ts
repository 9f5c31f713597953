import { describe, expect, test } from "vitest";
import { z } from "zod";
import { analyticsEndpoints, analyticsMaxDays, analyticsRange, daysIn, rangeMeant } from "./analytics.ts";
import { v1StatsEndpoints } from "./v1/stats.ts";

const refusals = (schema: z.ZodType | undefined, query: unknown): Record<string, string> => {
  const { error } = schema!.safeParse(query);
  return Object.fromEntries(error?.issues.map(({ path, message }) => [path.join("."), message]) ?? []);
};
const day = "Please use a day such as 2026-01-31";

describe("a range", () => {
  test.each<[string, object]>([
    ["none at all", {}],
    ["one day", { from: "2026-11-23", to: "2026-11-23" }],
    ["three years, one of them with a 29th of February", { from: "2023-11-24", to: "2026-11-23" }],
    ["the 29th of February", { from: "2028-02-29", to: "2028-02-29" }],
    ["days that have not come yet", { from: "2026-11-23", to: "2027-11-23" }],
    ["the first day there is", { from: "2000-01-01", to: "2000-01-02" }],
    ["the last day there is", { from: "2999-12-31", to: "2999-12-31" }],
  ])("accepts %s", (_, query) => {
    expect(refusals(analyticsRange, query)).toEqual({});
  });

  test.each<[object, Record<string, string>]>([
    [{ from: "2026-11-23", to: "2026-11-22" }, { to: "The last day must not be before the first" }],
    [{ from: "2026-11-23", to: "2025-11-24" }, { to: "The last day must not be before the first" }],
    [{ from: "2016-11-24", to: "2026-11-23" }, { from: "Please choose at most three years" }],
    [{ from: "2023-11-23", to: "2026-11-23" }, { from: "Please choose at most three years" }],
    [{ from: "2026-11-01" }, { to: "Please give both days" }],
    [{ to: "2026-11-23" }, { from: "Please give both days" }],
    [{ from: "1999-12-31", to: "2000-01-31" }, { from: "Please choose a day after 1999" }],
    [{ from: "0001-01-01", to: "0001-01-02" }, { from: "Please choose a day after 1999" }],
    [{ from: "2999-12-31", to: "3000-01-01" }, { to: "Please choose a day before 3000" }],
    [{ from: "2026-02-30", to: "2026-03-01" }, { from: day }],
    [{ from: "2026-02-29", to: "2026-03-01" }, { from: day }],
    [
      { from: "2026-13-01", to: "2026-00-01" },
      { from: day, to: day },
    ],
    [{ from: "abc", to: "2026-11-23" }, { from: day }],
    [{ from: "abc" }, { from: day, to: "Please give both days" }],
    [
      { from: "", to: "" },
      { from: day, to: day },
    ],
    [
      { from: "2026-11-01T00:00:00Z", to: "2026-11-23T23:59:59+14:00" },
      { from: day, to: day },
    ],
    [
      { from: "20261101", to: "23.11.2026" },
      { from: day, to: day },
    ],
    [
      { from: "+10000-01-01", to: "-0001-01-01" },
      { from: day, to: day },
    ],
    [
      { from: "2026-11-23 ", to: "२०२६-११-२३" },
      { from: day, to: day },
    ],
  ])("%j is refused at the field", (query, fields) => {
    expect(refusals(analyticsRange, query)).toEqual(fields);
    expect(refusals(analyticsEndpoints.post.query, query)).toEqual(fields);
    expect(refusals(analyticsEndpoints.csv.query, { table: "days", ...query })).toEqual(fields);
    expect(refusals(v1StatsEndpoints.read.query, query)).toEqual(fields);
  });

  test("defaults to the posts table", () => {
    expect(analyticsEndpoints.csv.query!.parse({})).toEqual({ table: "posts" });
    expect(refusals(analyticsEndpoints.csv.query, { table: "members" })).toEqual({ table: "Please choose from the list" });
  });

  test("includes both ends", () => {
    expect(daysIn("2026-11-23", "2026-11-23")).toBe(1);
    expect(daysIn("2023-11-24", "2026-11-23")).toBe(analyticsMaxDays);
    expect(daysIn("2026-03-28", "2026-03-30")).toBe(3);
  });
});

describe("defaults to the last 30 days in UTC", () => {
  test.each([
    ["2026-11-23T12:00:00Z", { from: "2026-10-25", to: "2026-11-23" }],
    ["2026-11-23T23:59:59.999Z", { from: "2026-10-25", to: "2026-11-23" }],
    ["2026-11-24T00:00:00Z", { from: "2026-10-26", to: "2026-11-24" }],
    ["2026-11-24T01:30:00+02:00", { from: "2026-10-25", to: "2026-11-23" }],
    ["2028-03-01T00:00:00Z", { from: "2028-02-01", to: "2028-03-01" }],
  ])("at %s", (now, range) => {
    expect(rangeMeant({}, new Date(now))).toEqual(range);
    expect(daysIn(range.from, range.to)).toBe(30);
  });

  test("keeps an explicit range", () => {
    const range = { from: "2025-01-01", to: "2025-01-31" };
    expect(rangeMeant(range, new Date("2026-11-23"))).toEqual(range);
  });
});
