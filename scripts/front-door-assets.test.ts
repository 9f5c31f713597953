import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";

const folder = mkdtempSync(path.join(tmpdir(), "tidings-assets-"));
const script = "export const words = 'said again and again';\n".repeat(100);
const compress = () => execFileSync(process.execPath, ["scripts/front-door-assets.ts", folder], { encoding: "utf8" });
const files = () => readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();

beforeAll(() => {
  mkdirSync(path.join(folder, "assets"));
  writeFileSync(path.join(folder, "assets/app.js"), script);
  writeFileSync(path.join(folder, "assets/font.woff2"), Buffer.alloc(5_000, 1));
  writeFileSync(path.join(folder, "small.json"), "{}");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("large text files get Brotli and gzip copies with the same content, on a second run, too", () => {
  expect(compress()).toMatch(/: 4 kB less over the wire with Brotli\n$/);
  expect(compress()).toMatch(/: 4 kB less over the wire with Brotli\n$/);
  expect(files()).toEqual(["assets", "assets/app.js", "assets/app.js.br", "assets/app.js.gz", "assets/font.woff2", "small.json"]);
  expect(brotliDecompressSync(readFileSync(path.join(folder, "assets/app.js.br"))).toString()).toBe(script);
  expect(gunzipSync(readFileSync(path.join(folder, "assets/app.js.gz"))).toString()).toBe(script);
});

test("a file that is now small loses its old copies", () => {
  writeFileSync(path.join(folder, "assets/app.js"), "export {};");
  compress();
  expect(files()).toEqual(["assets", "assets/app.js", "assets/font.woff2", "small.json"]);
});
