import { expect, test } from "vitest";
import { changelog } from "../adapters/changelog.ts";
import { readText } from "./text.ts";
import { prepare } from "../to-post.ts";

const file = (bytes: Uint8Array) => ({ name: "docs/a.md", bytes });
const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, little: boolean) => {
  const view = new DataView(new ArrayBuffer(text.length * 2 + 2));
  [...`\ufeff${text}`].forEach((sign, at) => view.setUint16(at * 2, sign.charCodeAt(0), little));
  return new Uint8Array(view.buffer);
};

test.each([
  ["UTF-8", utf8("Grüße\r\n€"), null],
  ["UTF-8 with a mark", utf8("\ufeffGrüße\r€"), null],
  ["UTF-16", utf16("Grüße\n€", true), null],
  ["UTF-16, the other way round", utf16("Grüße\n€", false), null],
  ["Windows-1252", new Uint8Array([...utf8("Gr"), 0xfc, 0xdf, ...utf8("e\n"), 0x80]), "a.md isn't UTF-8, so it was read as Windows-1252"],
])("%s is decoded correctly", (_name, bytes, note) => {
  expect(readText(file(bytes))).toEqual({ text: "Grüße\n€", note });
});
test("replaces only the broken character", () => {
  expect(readText(file(new Uint8Array([...utf8("Grüße € "), 0xff, 0x61])))).toEqual({
    text: "Grüße € \ufffda",
    note: "Some characters in a.md can't be read and were replaced by “�”",
  });
});
test("rejects binary files by type", () => {
  expect(() => readText(file(new Uint8Array([0x89, 0x50, 0x4e, 0x47])))).toThrow("a.md is an image, not text");
  expect(() => readText(file(new Uint8Array([1, 0, 2])))).toThrow(/^a\.md is not text$/);
});

test("rejects oversized files with a message", async () => {
  const now = new Date("2026-06-01T00:00:00Z");
  const read = (text: string) => changelog.read([file(utf8(text))], { now });
  const many = Array.from({ length: 50_000 }, (_, n) => `## 1.${n}.0\n\n`).join("");
  expect(() => read(many)).toThrow("There are 50,000 posts; an import can have at most 10,000");
  expect(() => read("a\n=\n".repeat(150_000))).toThrow("a.md is too long for a changelog");
  expect(() => read("\n".repeat(2_000_001))).toThrow("a.md is too long for a changelog");
  expect(() => read(`## ${"a".repeat(10_000_000)}`)).toThrow("a.md has no heading with a version or date");
  const [entry] = read(`## 1.0.0 - 2026-01-31\n\n${"[".repeat(10_000_000)}`).entries;
  expect((await prepare(entry!, { now })).problem).toBe("Markdown can have at most 400,000 characters");
});
