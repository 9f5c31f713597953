import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "vite";
import { expect, test } from "vitest";

const places = [
  "web",
  "contract",
  "importers",
  "edge-functions",
  "widget",
  "action",
  "cli",
  "n8n",
  "scripts",
  "supabase/local",
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
  .filter((name) => /\.(?:tsx?|js|css|html|sql|md)$/.test(name) && !/node_modules|docs\/(?:decisions|changelog)|wording\.test/.test(name));

const withWord = (word: RegExp): string[] => texts.filter((name) => word.test(readFileSync(path.join(root, name), "utf8")));

test("wording test finds the sources", () => expect(texts.length).toBeGreaterThan(500));

test("texts have no non-breaking hyphens, which search doesn't find", () => expect(withWord(/\u2011/)).toEqual([]));

test('"email" has one English spelling, the specification\'s', () => {
  const isEnglish = (name: string): boolean => !/contract\/i18n\/(?:de|fr|pt)\.ts$/.test(name);
  expect(withWord(/\be-mail/i).filter(isEnglish)).toEqual([]);
});

const checkedFolders = ["web", "contract", "widget", "cli", "n8n", "edge-functions", "importers", "action", "scripts", "supabase/local"];
const pendingFolders = ["contract/i18n", "contract/blocks/from-markdown", "edge-functions/og/parts", "importers/fixtures"];

const rules: Readonly<Record<string, RegExp>> = {
  contractions: /\b(?:cannot|can not|(?:is|are|was|were|do|does|did|has|have|had|could|should|would|will) not|(?:you|we) (?:are|will))\b/i,
  "may for ability": /\bmay (?!be\b|have\b|need\b|take\b|not be\b)[a-z]+/,
  "indefinite persons": /\b(?:nobody|somebody|anybody|everybody|whoever|whomever)\b/i,
  "one word per thing": /(?<!\/)\b(?:mails?|pictures?(?!-)|for good|log in|(?<!tidings )login(?! save)|unsubscription)\b/i,
  "is no X": /\b(?:is|are) (?:none|no (?!longer|more\b|one\b))/i,
  "passive errors": /\bcould ?n[o']t be\b/i,
  "buttons without article":
    /^(?:Add|Change|Choose|Copy|Create|Delete|Edit|Export|Import|Make|Open|Remove|Restore|Save|Send|Undo) (?:the|an?) \w+(?: (?!of|for|to)\w+)?$/,
  "retired verbs":
    /\b(?:leads? to|(?:is|are|be) led|hears? of|heard of|told of|tells? of|(?:takes?|taken|bring|brought) along|(?:goes|go|went|come|comes) (?:out|by)|mends?|(?:takes?|taken|took) back|in vain)\b/i,
};

const exceptions = new Set([
  "Cannot schedule a published post",
  "Published posts cannot be scheduled or moved back to draft status",
  "Choose a tag",
  "Choose a new password",
  "Create a new account",
  "Yahoo Mail",
  "iCloud Mail",
  "Proton Mail",
  "Invalid login credentials",
  "Password cannot be longer than",
  "picture in words",
  "Session from session_id claim in JWT does not exist",
  "Unauthorized: You do not have permissions to read from this Channel topic:",
  "pictures for links",
]);

const isSql = (text: string): boolean => /\b(?:not null|create role|noinherit|select)\b/.test(text);

interface SyntaxNode {
  type: string;
  value?: unknown;
  [key: string]: unknown;
}

function stringsOf(file: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const { type, value } = node as SyntaxNode;
    if (type === "ImportDeclaration") return;
    if ((type === "Literal" || type === "JSXText") && typeof value === "string") found.push(value);
    if (type === "TemplateElement") found.push((value as { cooked: string }).cooked);
    Object.values(node).forEach(visit);
  };
  visit(parseSync(file.replace(/\.js$/, ".ts"), readFileSync(path.join(root, file), "utf8")).program);
  return found.map((text) => text.replace(/\s+/g, " ").trim()).filter((text) => /[a-z] [a-z]/i.test(text) || /^[A-Z][a-z]+$/.test(text));
}

const checkedFiles = texts.filter(
  (name) =>
    /\.(?:tsx?|js)$/.test(name) &&
    !/(?:emoji-list|blocks\/image|types\/embed|pages\/style|html\/elements)\.ts$/.test(name) && // search words, HTML and CSS
    !/\.(?:test|d)\.tsx?$/.test(name) &&
    checkedFolders.some((folder) => name.startsWith(`${folder}/`)) &&
    !pendingFolders.some((folder) => name.startsWith(`${folder}/`)),
);

test.each(Object.entries(rules))("string literals follow the style guide: %s", (name, rule) => {
  const isOfButtons = name === "buttons without article"; // summaries of endpoints have articles
  const matches = checkedFiles.flatMap((file) =>
    isOfButtons && !file.startsWith("web/")
      ? []
      : stringsOf(file)
          .filter((text) => rule.test(text) && !exceptions.has(text) && !isSql(text))
          .map((text) => `${file}: ${text}`),
  );
  expect(matches).toEqual([]);
});

test("the style guide's patterns find the wordings that they retire", () => {
  const retired = [
    "It is not here",
    "You may publish",
    "Nobody reads it",
    "Get mails",
    "It is no address",
    "It couldn't be read",
    "Add the webhook",
    "It leads to a page",
  ];
  expect(Object.values(rules).map((rule, place) => rule.test(retired[place]!))).toEqual(retired.map(() => true));
});
