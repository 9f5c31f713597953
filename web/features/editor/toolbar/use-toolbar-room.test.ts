import { expect, test } from "vitest";
import { roomOf } from "./use-toolbar-room.ts";

test("roomOf depends on the measured width and is roomy before", () => {
  expect([1064, 960, 959, 820, 819, 736, 390].map(roomOf)).toEqual(["roomy", "roomy", "snug", "snug", "narrow", "narrow", "narrow"]);
  expect(roomOf(0)).toBe("roomy");
});
