import { describe, expect, test } from "vitest";
import { decode } from "./upload-image.ts";

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, n) => (n * 31 + (n >> 8)) & 255);

describe("base64 of an image", () => {
  test.each([0, 1, 2, 3, 4, 200_000])("of %d bytes decodes to these bytes", (length) => {
    const bytes = bytesOf(length);
    expect(Buffer.from(decode(Buffer.from(bytes).toString("base64"))!)).toEqual(Buffer.from(bytes));
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
    ["another sign far behind", `${long.slice(0, -4)}A!AA`],
    ["a name in front", `data:image/png;base64,${long}`],
  ])("is rejected with %s", (_, text) => expect(decode(text)).toBeNull());
});
