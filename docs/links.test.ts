import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const guides = [
  "README.md",
  ...readdirSync(import.meta.dirname, { recursive: true }).map((name) => path.join("docs", String(name))),
].filter((name) => name.endsWith(".md"));

const textOf = (name: string): string =>
  readFileSync(path.join(root, name), "utf8")
    .replace(/^( *)(`{3,}).*?^\1\2$/gms, "")
    .replace(/`[^`\n]*`/g, "");

const anchorsOf = (name: string): Set<string> =>
  new Set(
    textOf(name)
      .match(/^#+ .*$/gm)
      ?.map((line) =>
        line
          .replace(/^#+ /, "")
          .toLowerCase()
          .replace(/[^\p{L}\p{N} _-]/gu, "")
          .replaceAll(" ", "-"),
      ),
  );

const leads = guides.flatMap((from) =>
  [...textOf(from).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, to]) => to!)
    .filter((to) => !/^[a-z]+:/i.test(to))
    .map((to) => {
      const [file = "", anchor] = to.split("#");
      return { from, file: file === "" ? from : path.join(path.dirname(from), decodeURI(file)), anchor };
    }),
);

test("every link and image of the guides has a target", () => {
  expect(leads.length).toBeGreaterThan(100);
  expect(leads.filter(({ file }) => !existsSync(path.join(root, file)))).toEqual([]);
});

test("every link to a heading finds it", () => {
  const toHeadings = leads.filter(({ file, anchor }) => anchor !== undefined && file.endsWith(".md"));
  expect(toHeadings.length).toBeGreaterThan(5);
  expect(toHeadings.filter(({ file, anchor }) => !anchorsOf(file).has(anchor!))).toEqual([]);
});

test("every picture that scripts/screenshots.ts makes is shown somewhere", () => {
  const shown = new Set(leads.map(({ file }) => file));
  const kept = readdirSync(path.join(root, "docs/images")).map((name) => path.join("docs/images", name));
  expect(kept.filter((name) => !shown.has(name))).toEqual([]);
});
