import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { keepWidgetReleases } from "./widget-releases.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-widget-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const hashed = (digit: string): string => `widget-${digit.repeat(16)}.js`;
const kept = path.join(folder, "kept");

function image(name: string, files: Record<string, string>): string {
  const built = path.join(folder, name);
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(built, file)), { recursive: true });
    fs.writeFileSync(path.join(built, file), text);
  }
  return built;
}
const contents = (): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(kept, { recursive: true, encoding: "utf8" })
      .filter((name) => fs.statSync(path.join(kept, name)).isFile())
      .map((name) => [name, fs.readFileSync(path.join(kept, name), "utf8")]),
  );

test("pinned releases stay for a year; unhashed files are the newest", () => {
  keepWidgetReleases(image("one", { "widget.js": "1", [hashed("1")]: "1", "fonts/a.woff2": "font" }), kept);
  const two = image("two", { "widget.js": "2", [hashed("2")]: "2", "fonts/a.woff2": "font" });
  keepWidgetReleases(two, kept);
  expect(contents()).toEqual({ "widget.js": "2", [hashed("1")]: "1", [hashed("2")]: "2", "fonts/a.woff2": "font" });

  const longAgo = new Date(Date.now() - 367 * 86_400_000);
  for (const name of [hashed("1"), hashed("2")]) fs.utimesSync(path.join(kept, name), longAgo, longAgo);
  keepWidgetReleases(two, kept);
  expect(contents()).toEqual({ "widget.js": "2", [hashed("2")]: "2", "fonts/a.woff2": "font" });
});
