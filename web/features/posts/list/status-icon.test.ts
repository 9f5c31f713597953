import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the icon of a scheduled post is yellow, in light mode as in dark", () => {
  const tokens = readFileSync("web/styles/tokens.css", "utf8");
  const [, ground] = /--scheduled-ground: light-dark\((#\w{6}),/.exec(tokens)!;
  const [, line] = /--scheduled: light-dark\(#\w{6}, (#\w{6})\)/.exec(tokens)!;
  expect(readFileSync("web/features/posts/list/status-icon.module.css", "utf8")).toContain("background: var(--scheduled-ground)");
  for (const colour of [ground!, line!]) expect(hue(colour)).toSatisfy((degrees: number) => degrees > 35 && degrees < 65);
  expect(hue(ground!)).toBeGreaterThan(45);
});

/** Degrees of a colour whose red is its largest part and whose blue is its smallest. */
function hue(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
  return (60 * (green! - blue!)) / (red! - blue!);
}
