import { expect, test } from "vitest";
import { figure } from "./figure.ts";

test.each([0, 7, 999, 1_000, 12_345, 100_000, 1_234_567, 10_000_000_000])("%i matches Intl's format", (count) => {
  expect(figure(count)).toBe(count.toLocaleString("en-US"));
});
