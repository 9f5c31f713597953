import { describe, expect, test } from "vitest";
import { decoding } from "./upload-image.ts";

function decoded(text: string): Uint8Array | null {
  const steps = decoding(text);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
const bytesOf = (length: number) => Uint8Array.from({ length }, (_, n) => (n * 31 + (n >> 8)) & 255);

describe("base64, a piece at a time", () => {
  // Around the end of a piece, and of what pads a group of four signs.
  test.each([0, 1, 2, 3, 49_150, 49_151, 49_152, 49_153, 49_154, 49_155, 200_000])("of %d bytes is these bytes", (length) => {
    const bytes = bytesOf(length);
    expect(Buffer.from(decoded(Buffer.from(bytes).toString("base64"))!)).toEqual(Buffer.from(bytes));
  });

  const long = Buffer.from(bytesOf(100_000)).toString("base64");
  test.each([
    ["another sign", "AAA*"],
    ["a blank", "AA A"],
    ["a line's end", "AAAA\n"],
    ["signs of addresses", "AA-_"],
    ["what is cut", "AAA"],
    ["three signs that pad", "A==="],
    ["padding in the middle", "AA==AAAA"],
    ["padding at the end of a piece", `${"A".repeat(65_534)}==${"A".repeat(4)}`],
    ["another sign far behind", `${long.slice(0, -4)}A!AA`],
    ["a name in front", `data:image/png;base64,${long}`],
  ])("is none with %s", (_, text) => expect(decoded(text)).toBeNull());
});
