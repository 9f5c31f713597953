import { expect, test } from "vitest";
import { clockTime } from "./clock-time.ts";

test.each([
  ["9", "09:00"],
  ["9:30", "09:30"],
  ["09:30", "09:30"],
  ["0930", "09:30"],
  ["930", "09:30"],
  ["17.05", "17:05"],
  [" 17h30 ", "17:30"],
  ["0", "00:00"],
  ["2359", "23:59"],
  ["24:00", null],
  ["12:60", null],
  ["noon", null],
  ["", null],
])("%j is %j", (typed, time) => expect(clockTime(typed)).toBe(time));
