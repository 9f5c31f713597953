import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "..");
const filesBelow = (folder: string, isWanted: RegExp): string[] =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((name) => isWanted.test(name));
const read = (name: string): string => readFileSync(path.join(root, name), "utf8").replaceAll(/\s+/g, " ");

test("docs/using quotes interface texts that exist", () => {
  const sources = ["web", "contract", "edge-functions/releases", "edge-functions/api", "widget"].flatMap((folder) =>
    filesBelow(folder, /(?<!\.test)\.tsx?$/),
  );
  const texts = sources.map(read).join("\n");
  const quoted = filesBelow("docs/using", /\.md$/).flatMap((name) =>
    [
      ...read(name)
        .replaceAll(/`[^`]*`/g, "")
        .matchAll(/"([A-Z][^"]+)"/g),
    ].map(([, text]) => `${name}: ${text}`),
  );
  expect(quoted.length).toBeGreaterThan(25);
  expect(quoted.filter((line) => !texts.includes(line.slice(line.indexOf(": ") + 2)))).toEqual([]);
});

test("bold text in docs/using is a label of the interface", () => {
  const texts = ["web", "contract", "edge-functions/releases", "widget"]
    .flatMap((folder) => filesBelow(folder, /(?<!\.test)\.tsx?$/))
    .map(read)
    .join("\n");
  const labels = filesBelow("docs/using", /\.md$/).flatMap((name) =>
    [...read(name).matchAll(/\*\*([A-Z][^*]+)\*\*/g)].map(([, label]) => `${name}: ${label}`),
  );
  expect(labels.length).toBeGreaterThan(40);
  expect(labels.filter((line) => !texts.includes(line.slice(line.indexOf(": ") + 2)))).toEqual([]);
});
