import { expect, test } from "vitest";
import { decodeFrame, encodeBroadcast } from "./frames.ts";

const longest = ["x".repeat(255), "é".repeat(127)];
const tooLong = ["x".repeat(256), "é".repeat(128)];

test("a broadcast frame has one-byte lengths, and longer parts are rejected", () => {
  for (const part of longest) {
    const bytes = new Uint8Array(encodeBroadcast(part, part, 1));
    expect([bytes[1], bytes[2], bytes.length]).toEqual([bytes[1], bytes[1], 5 + 2 * bytes[1]! + 1]);
  }
  for (const part of tooLong) {
    expect(() => encodeBroadcast(part, "note", 1)).toThrow(RangeError);
    expect(() => encodeBroadcast("topic", part, 1)).toThrow(RangeError);
  }
});

test("a message whose topic or references are too long is invalid", () => {
  const read = (topic: string, ref: string, joinRef: string) => decodeFrame(JSON.stringify([joinRef, ref, topic, "phx_join", {}]));
  for (const part of longest) expect(read(part, part, part)).toMatchObject({ topic: part, ref: part, joinRef: part });
  for (const part of tooLong) expect([read(part, "1", "1"), read("t", part, "1"), read("t", "1", part)]).toEqual([null, null, null]);
});
