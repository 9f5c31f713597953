import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** What people read, and what explains it; not what was decided or done earlier. */
const places = [
  "web",
  "contract",
  "importers",
  "edge-functions",
  "widget",
  "supabase/schemas",
  "supabase/templates",
  "docs",
  "tests",
  "README.md",
];
const root = path.resolve(import.meta.dirname, "..");
const texts = places
  .flatMap((place) =>
    place.endsWith(".md")
      ? [place]
      : readdirSync(path.join(root, place), { recursive: true }).map((name) => path.join(place, String(name))),
  )
  .filter((name) => /\.(?:tsx?|css|html|sql|md)$/.test(name) && !/node_modules|docs\/(?:decisions|changelog)|wording\.test/.test(name));

const withWord = (word: RegExp): string[] => texts.filter((name) => word.test(readFileSync(path.join(root, name), "utf8")));

test("the sources are found", () => expect(texts.length).toBeGreaterThan(500));

test("a hyphen is a hyphen: the one that does not break is found by no search", () => expect(withWord(/\u2011/)).toEqual([]));

test('"email" is written one way, the specification\'s, in English', () => {
  const isEnglish = (name: string): boolean => !/contract\/i18n\/(?:de|fr|pt)\.ts$/.test(name);
  expect(withWord(/\be-mail/i).filter(isEnglish)).toEqual([]);
});

/** Outside code and quoted interface strings, with the line. */
const retired =
  /\b(?:(?:no|some|any|every)body|who(?:m|so)?ever|any more|in vain|by itself|by themselves|taken? along|taken? back|hear[sd]? of|leads nowhere)\b/i;
const guides = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"].concat(
  readdirSync(path.join(root, "docs"), { recursive: true })
    .map((name) => path.join("docs", String(name)))
    .filter((name) => name.endsWith(".md")),
);

test("guides use no retired phrases (docs/style.md)", () => {
  const lines = guides.flatMap((name) =>
    readFileSync(path.join(root, name), "utf8")
      .replace(/^( *)(`{3,}).*?^\1\2$/gms, "")
      .replace(/`[^`\n]*`|"[^"\n]*"|'[^'\n]{2,}'/g, "")
      .split("\n")
      .filter((line) => retired.test(line))
      .map((line) => `${name}: ${line}`),
  );
  expect(lines).toEqual([]);
});
