import { fc, test as property } from "../../tests/support/properties.ts";
import { describe, expect, test } from "vitest";
import { bannerRelativeTime } from "#contract/rules/banner-relative-time.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { searchDateLabel } from "#contract/rules/search-date-label.ts";
import { datesIn } from "#contract/i18n/dates.ts";

const now = new Date("2026-03-20T12:00:00Z");
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const before = (ms: number): Date => new Date(now.getTime() - ms);

describe("relative time", () => {
  test.each([
    [0, "Just now"],
    [59 * second, "Just now"],
    [-5 * minute, "Just now"],
    [minute, "1 min ago"],
    [59 * minute, "59 min ago"],
    [hour, "1 hour ago"],
    [23 * hour, "23 hours ago"],
    [day, "1 day ago"],
    [6 * day, "6 days ago"],
    [7 * day, "1 week ago"],
    [29 * day, "4 weeks ago"],
    [30 * day, "1 month ago"],
    [364 * day, "12 months ago"],
    [365 * day, "1 year ago"],
    [800 * day, "2 years ago"],
  ])("%i ms ago is '%s'", (ms, expected) => {
    expect(relativeTime(before(ms), now)).toBe(expected);
    expect(relativeTime(before(ms).toISOString(), now)).toBe(expected);
  });
  property.prop([fc.integer({ min: 0, max: 4_000 * day })])("never counts zero of anything", (ms) => {
    expect(relativeTime(before(ms), now)).toMatch(/^(?:Just now|[1-9]\d* (?:min|(?:hour|day|week|month|year)s?) ago)$/);
  });
});

describe("a date label", () => {
  test.each([
    ["2026-03-20T00:00:00Z", "Today"],
    ["2026-03-19T23:59:59Z", "Yesterday"],
    ["2026-03-18T12:00:00Z", "2 days ago"],
    ["2026-03-17T12:00:00Z", "March 17th, 2026"],
    ["2026-03-21T12:00:00Z", "March 21st, 2026"],
    ["2026-03-02T12:00:00Z", "March 2nd, 2026"],
    ["2026-01-03T12:00:00Z", "January 3rd, 2026"],
    ["2025-12-11T12:00:00Z", "December 11th, 2025"],
    ["2025-12-12T12:00:00Z", "December 12th, 2025"],
    ["2025-12-13T12:00:00Z", "December 13th, 2025"],
    ["2025-12-23T12:00:00Z", "December 23rd, 2025"],
    ["2025-12-31T12:00:00Z", "December 31st, 2025"],
  ])("%s is '%s'", (at, expected) => {
    expect(datesIn("en", "long").label(new Date(at), now)).toBe(expected);
  });
});

describe("a search result's date", () => {
  test.each([
    ["2026-03-20T01:00:00Z", "Today"],
    ["2026-03-19T01:00:00Z", "Yesterday"],
    ["2026-03-18T01:00:00Z", "2 days ago"],
    ["2026-03-14T01:00:00Z", "6 days ago"],
    ["2026-03-13T01:00:00Z", "3/13/2026"],
    ["2026-03-25T01:00:00Z", "3/25/2026"],
  ])("%s is '%s'", (at, expected) => {
    expect(searchDateLabel(at, now, "en-US", "UTC")).toBe(expected);
  });
});

describe("the status banner's distance", () => {
  test.each([
    [-5 * minute, "in 5 minutes"],
    [-30 * second, "in 1 minute"],
    [-hour, "in 1 hour"],
    [-(hour - second), "in 1 hour"],
    [-26 * hour, "in 1 day"],
    [-3 * day, "in 3 days"],
    [0, "Just now"],
    [2 * minute, "2 minutes ago"],
    [23 * hour, "23 hours ago"],
    [40 * day, "40 days ago"],
  ])("%i ms is '%s'", (ms, expected) => {
    expect(bannerRelativeTime(before(ms), now)).toBe(expected);
  });
});
