import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import resvg from "../edge-functions/og/parts/resvg.ts";
import { partsOf, program } from "./picture-parts.ts";

test("the renderer of link pictures matches the npm package", () => {
  expect(gunzipSync(Buffer.from(resvg, "base64")).equals(readFileSync(program))).toBe(true);
});

test.each([...partsOf()])("fonts and character ranges of %s match the npm packages", async (module, parts) => {
  const { default: kept } = (await import(`../edge-functions/og/parts/${module}.ts`)) as {
    default: { weight: number; ranges: string; woff: string }[];
  };
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.map(({ weight, ranges }) => ({ weight, ranges }))).toEqual(parts.map(({ weight, ranges }) => ({ weight, ranges })));
  for (const [index, { file }] of parts.entries()) expect(Buffer.from(kept[index]!.woff, "base64").equals(readFileSync(file))).toBe(true);
});
