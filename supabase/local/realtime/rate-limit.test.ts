import { expect, test } from "vitest";
import { messagePace } from "./rate-limit.ts";

test("messagePace allows two hundred messages at once and fifty a second", () => {
  const wait = messagePace();
  const waits = Array.from({ length: 202 }, () => wait(100, 0));
  expect(waits.slice(0, 200).every((ms) => ms === 0)).toBe(true);
  expect(waits.slice(200)).toEqual([20, 40]);
  expect(wait(100, 1_040)).toBe(0);
});

test("messagePace counts a long message several times", () => {
  const wait = messagePace();
  expect([wait(409_600, 0), wait(409_600, 0), wait(4_096, 0)]).toEqual([0, 0, 20]);
});
