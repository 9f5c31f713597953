import { blockType, type Pieces, type Place, type SchemaParts } from "../block-type.ts";
import { type BlockWords, englishBlockWords } from "../block-labels.ts";
import { cleanInline, inlineText, publishedInline } from "../inline-html.ts";
import { inlineToMarkdown } from "../inline-to-markdown.ts";
import { inlineToWholeMarkdown } from "../inline-to-whole-markdown.ts";
import { blockLimits, counterTypes } from "../limits.ts";
import { asInt, asList, asObject, asOneOf, present, type Unknown } from "../read.ts";
import { figure } from "../../rules/figure.ts";

export interface ListItem {
  content: string;
  meta: { checked?: boolean };
  items: ListItem[];
}
const styles = ["ordered", "unordered", "checklist"] as const;
export interface ListData {
  style: (typeof styles)[number];
  meta: { start?: number; counterType?: (typeof counterTypes)[number] };
  items: ListItem[];
}

function schema({ z, inline }: SchemaParts) {
  const item = z.object({
    content: inline,
    meta: z.object({ checked: z.boolean().optional() }),
    get items() {
      return z.array(item);
    },
  });
  return z.object({
    style: z.enum(styles),
    meta: z.object({ start: z.int().optional(), counterType: z.enum(counterTypes).optional() }),
    items: z.array(item),
  });
}

/** The list tool shows line breaks (Shift+Enter); blank lines around the text are removed. */
function cleanItem(value: unknown): string {
  const lines = cleanInline(value).split(/\r?\n/);
  const hasText = (line: string) => line.trim() !== "";
  return lines.slice(Math.max(0, lines.findIndex(hasText)), lines.findLastIndex(hasText) + 1).join("<br>");
}

function cleanItems(value: unknown, depth: number, budget: { left: number }): ListItem[] {
  const items: ListItem[] = [];
  for (const entry of asList(value, budget.left)) {
    if (budget.left-- <= 0) break;
    // Version 1 of the list tool and the checklist used strings and `{text, checked}`.
    const item = typeof entry === "string" ? { content: entry } : asObject(entry);
    const checked = asObject(item["meta"])["checked"] ?? item["checked"];
    items.push({
      content: cleanItem(item["content"] ?? item["text"]),
      meta: typeof checked === "boolean" ? { checked } : {},
      items: depth < blockLimits.listDepth ? cleanItems(item["items"], depth + 1, budget) : [],
    });
  }
  return items;
}

const counters = { numeric: "1", "lower-roman": "i", "upper-roman": "I", "lower-alpha": "a", "upper-alpha": "A" } as const;
const tick = (checked: boolean, { done, open }: BlockWords): string =>
  `<span role="img" aria-label="${checked ? done : open}">${checked ? "☑" : "☐"}</span> `;

function html({ style, meta, items }: ListData, { words = englishBlockWords }: Pick<Place, "words">): string {
  const item = ({ content, meta: own, items: nested }: ListItem): string => {
    const below = nested.length === 0 ? "" : html({ style, meta: {}, items: nested }, { words });
    return `<li>${style === "checklist" ? tick(own.checked === true, words) : ""}${publishedInline(content)}${below}</li>`;
  };
  const inner = items.map(item).join("");
  if (style === "checklist") return `<ul class="checklist">${inner}</ul>`;
  if (style === "unordered") return `<ul>${inner}</ul>`;
  const start = meta.start === undefined || meta.start === 1 ? "" : ` start="${meta.start}"`;
  const type = meta.counterType === undefined || meta.counterType === "numeric" ? "" : ` type="${counters[meta.counterType]}"`;
  return `<ol${start}${type}>${inner}</ol>`;
}

function markdownLines(style: string, items: ListItem[], first: number, inline: (html: string) => string): string {
  return items
    .map((item, index) => {
      const bullet = style === "ordered" ? `${first + index}. ` : "- ";
      const nested = item.items.length === 0 ? "" : `\n${markdownLines(style, item.items, 1, inline)}`;
      const box = style !== "checklist" ? "" : item.meta.checked === true ? "[x] " : "[ ] ";
      return bullet + (box + inline(item.content) + nested).replaceAll("\n", `\n${" ".repeat(bullet.length)}`);
    })
    .join("\n");
}

/** An empty item would underline the one above it as a heading. */
const itemToMarkdown = (content: string): string => inlineToWholeMarkdown(content) || "<!-- -->";

const words = (items: ListItem[]): string[] => items.flatMap((item) => [inlineText(item.content), ...words(item.items)]);

function pieces(data: unknown): Pieces {
  const itemsOf = (value: unknown): unknown => asObject(value)["items"];
  const items = itemsOf(data);
  let count = 0;
  let level: unknown[] = Array.isArray(items) ? items : [];
  for (let depth = 1; level.length > 0; depth++) {
    count += level.length;
    if (count > blockLimits.listItems) {
      return { pieces: count, problem: `A list can have at most ${figure(blockLimits.listItems)} items` };
    }
    if (depth > blockLimits.listDepth) return { pieces: count, problem: `A list can have at most ${blockLimits.listDepth} levels` };
    level = level.flatMap((item) => itemsOf(item) ?? []);
  }
  return { pieces: count, problem: null };
}

export const list = blockType<ListData>({
  name: "List",
  phrase: "a list",
  schema,
  clean: (data, limits) => {
    const meta = asObject(data["meta"]);
    return {
      style: asOneOf(data["style"], styles) ?? "unordered",
      meta: present({ start: asInt(meta["start"], 0, 1_000_000), counterType: asOneOf(meta["counterType"], counterTypes) }),
      items: cleanItems(data["items"], 1, { left: limits.listItems }),
    };
  },
  html,
  markdown: ({ style, meta, items }, { whole }) =>
    markdownLines(
      style,
      items,
      meta.start ?? 1,
      whole ? (style === "checklist" ? inlineToWholeMarkdown : itemToMarkdown) : inlineToMarkdown,
    ),
  unsaid: ({ meta: { counterType } }) => (counterType === undefined ? {} : { meta: { counterType } }),
  words: ({ items }) => words(items),
  prose: true,
  shows: null,
  wordless: "Empty",
  style: `
.body ul, .body ol { padding-inline-start: 1.5rem; }
.body li + li, .body li > ul, .body li > ol { margin-top: .5rem; }
.body li::marker { color: var(--muted); }
.body ul.checklist { list-style: none; padding-inline-start: 0; }
.body ul.checklist > li { padding-inline-start: 1.75rem; position: relative; }
.body ul.checklist > li > span[role="img"] { position: absolute; inset-inline-start: 0; color: var(--accent); }`,
  pieces,
});

export function listOfChecklist(data: Unknown): Unknown {
  const items = asList(data["items"], Infinity)
    .map(asObject)
    .map((item) => ({ content: item["text"], meta: { checked: item["checked"] === true } }));
  return { style: "checklist", items };
}
