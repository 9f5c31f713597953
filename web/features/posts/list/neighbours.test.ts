import { expect, test } from "vitest";
import { placeBeside } from "./neighbours.ts";

const ids = ["a", "b", "c"];
test.each<[string, readonly string[], string | null, 1 | -1, number | null]>([
  ["down", ids, "a", 1, 1],
  ["up", ids, "c", -1, 1],
  ["below the last", ids, "c", 1, null],
  ["above the first", ids, "a", -1, null],
  ["from no post down", ids, null, 1, 0],
  ["from no post up", ids, null, -1, 0],
  ["from one that the filters hide", ids, "x", 1, 0],
  ["in an empty list", [], null, 1, null],
  ["in an empty list, with a post open", [], "a", -1, null],
])("placeBeside goes %s", (_, all, active, step, place) => expect(placeBeside(all, active, step)).toBe(place));
