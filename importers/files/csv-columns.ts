import { parseCsv } from "#contract/csv.ts";
import type { SourceFile } from "../entry.ts";
import { beginning } from "./text.ts";

/** Column names, mapped to the fields of Beamer's API; exports spell them in several ways. */
const columns: readonly (readonly [string, RegExp])[] = [
  ["id", /^(?:post ?)?id$/],
  ["date", /^(?:date|(?:publish(?:ed)?|posted|release) ?(?:date|at|on)|publication date|created(?: at)?)$/],
  ["title", /^(?:(?:post ?)?title|headline)$/],
  ["contentHtml", /^(?:content ?html|html)$/],
  ["content", /^(?:post ?)?(?:content|body|text)$/],
  ["description", /^(?:post ?)?(?:description|summary|excerpt)$/],
  ["category", /^(?:categor(?:y|ies)|tags?|labels?)$/],
  ["language", /^lang(?:uage)?$/],
  ["linkUrl", /^link ?url$/],
  ["linkText", /^link ?text$/],
  ["postUrl", /^(?:(?:post )?url|permalink)$/],
  ["published", /^published$/],
  ["status", /^(?:status|state)$/],
  ["filter", /^(?:filter|segmentation)s?$/],
];
export const columnOf = (title: string): string | undefined =>
  columns.find(([, form]) => form.test(title.trim().toLowerCase().replace(/_/g, " ")))?.[0];

export const isCsv = ({ name }: SourceFile): boolean => /\.csv$/i.test(name);

export const csvHead = (file: SourceFile): string[] => parseCsv(beginning(file)).next().value?.cells ?? [];

export function missingColumn(head: readonly string[]): string | null {
  const names = head.map(columnOf);
  const missing = !names.includes("title")
    ? "a title (“title” or “headline”)"
    : !["content", "contentHtml", "description"].some((name) => names.includes(name))
      ? "a text (“content”, “description”, “body”, “text” or “html”)"
      : null;
  if (missing === null) return null;
  const columnNames = head.slice(0, 12).map((cell) => `“${cell.trim().slice(0, 40)}”`);
  return `has no column for ${missing}; it has ${columnNames.join(", ")}`;
}
