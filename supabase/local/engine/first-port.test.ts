import { expect, test } from "vitest";
import { firstPort } from "./first-port.ts";

test("stacks with adjacent public ports use separate ranges of internal ports", () => {
  const places = Array.from({ length: 1_500 }, (_, number) => firstPort(12_000 + number));
  expect(new Set(places).size).toBe(1_500);
  expect([Math.min(...places), Math.max(...places)]).toEqual([20_000, 31_992]);
  const [lower, upper] = [firstPort(3_000), firstPort(3_001)];
  expect(upper - lower).toBe(8);
});
