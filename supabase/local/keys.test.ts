import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sweepLeftovers } from "./engine/lifecycle.ts";
import { loadKeys, loadSamlKey, newKeys } from "./keys.ts";
import { StartError } from "./start-error.ts";

function newFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-keys-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}

test("loadKeys creates keys for a new folder once, readable by the owner only", () => {
  const folder = newFolder();
  const keys = loadKeys(folder);
  expect(loadKeys(folder)).toEqual(keys);
  expect(fs.statSync(path.join(folder, "keys.json")).mode & 0o777).toBe(0o600);
});

test("loadSamlKey adds a key once and keeps the others", () => {
  const folder = newFolder();
  const keys = loadKeys(folder);
  const samlKey = loadSamlKey(folder);
  expect(loadSamlKey(folder)).toBe(samlKey);
  expect(loadKeys(folder)).toEqual({ ...keys, samlKey });
});

test.each([
  ["empty", ""],
  ["cut off", JSON.stringify(newKeys()).slice(0, 40)],
  ["null", "null"],
  ["a list", "[]"],
  ["without a key", JSON.stringify({ ...newKeys(), secretKey: undefined })],
  ["with an empty key", JSON.stringify({ ...newKeys(), jwtSecret: "" })],
])("loadKeys rejects a keys.json that is %s and leaves it", (_, content) => {
  const file = path.join(newFolder(), "keys.json");
  fs.writeFileSync(file, content);
  const load = () => loadKeys(path.dirname(file));
  expect(load).toThrow(StartError);
  expect(load).toThrow(`The keys in ${file} are broken; put the file back from a backup.`);
  expect(fs.readFileSync(file, "utf8")).toBe(content);
});

test("loadKeys creates no keys beside a database", () => {
  const folder = newFolder();
  fs.mkdirSync(path.join(folder, "postgres"));
  const file = path.join(folder, "keys.json");
  const sentence = `${file} is missing, and the database beside it needs its keys; put the file back from a backup.`;
  expect(() => loadKeys(folder)).toThrow(new StartError(sentence));
  expect(fs.existsSync(file)).toBe(false);
});

test.each(["", "{}", "[null]", '[{"pid":"1","started":"x"}]', '[{"pid":1}]', '"x"', "[1]"])(
  "sweepLeftovers rejects the children.json %j and leaves it",
  async (content) => {
    const file = path.join(newFolder(), "children.json");
    fs.writeFileSync(file, content);
    const sentence = `${file} isn't a list of processes. Make sure that no Postgres is running on this folder, then delete the file.`;
    await expect(sweepLeftovers(path.dirname(file))).rejects.toThrow(new StartError(sentence));
    expect(fs.readFileSync(file, "utf8")).toBe(content);
  },
);
