import { editorFormatVersion } from "../limits.ts";
import { cleanInline } from "./inline-html.ts";
import { safeImageUrl } from "./safe-url.ts";
import { blockLimits, counterTypes } from "./limits.ts";
import type { Block, CleanedContent, EditorOutput, ListItem } from "./schema.ts";
import { cleanText } from "./text.ts";

type Unknown = Record<string, unknown>;
type Limits = Record<keyof typeof blockLimits, number>;

/** For the editor, where nothing that was typed may be lost: what is too much is refused when it is saved, see ./bounds.ts. */
export const uncut: Limits = { ...blockLimits, blocks: Infinity, listItems: Infinity, tableRows: Infinity, tableColumns: Infinity };

const asObject = (value: unknown): Unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Unknown) : {};
const asList = (value: unknown, max: number): unknown[] => (Array.isArray(value) ? value.slice(0, max) : []);
const asInt = (value: unknown, min: number, max: number): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value >= min && value <= max ? value : undefined;
const asOneOf = <const T>(value: unknown, known: readonly T[]): T | undefined => known.find((one) => one === value);
/** Leaves absent keys absent, so that a second cleaning and JSON see the same. */
const present = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/** The list tool shows the line ends of its text, and Shift+Enter writes one; blank lines around the text are nobody's wish. */
function cleanItem(value: unknown): string {
  const lines = cleanInline(value).split(/\r?\n/);
  const hasText = (line: string) => line.trim() !== "";
  return lines.slice(Math.max(0, lines.findIndex(hasText)), lines.findLastIndex(hasText) + 1).join("<br>");
}

function cleanListItems(value: unknown, depth: number, budget: { left: number }): ListItem[] {
  const items: ListItem[] = [];
  for (const entry of asList(value, budget.left)) {
    if (budget.left-- <= 0) break;
    // Version 1 of the list tool and the checklist wrote strings and `{text, checked}`.
    const item = typeof entry === "string" ? { content: entry } : asObject(entry);
    const checked = asObject(item["meta"])["checked"] ?? item["checked"];
    items.push({
      content: cleanItem(item["content"] ?? item["text"]),
      meta: typeof checked === "boolean" ? { checked } : {},
      items: depth < blockLimits.listDepth ? cleanListItems(item["items"], depth + 1, budget) : [],
    });
  }
  return items;
}

function cleanTable(data: Unknown, limits: Limits): string[][] {
  const rows = asList(data["content"], limits.tableRows).map((row) => asList(row, limits.tableColumns).map(cleanInline));
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return columns === 0 ? [] : rows.map((row) => [...row, ...Array<string>(columns - row.length).fill("")]);
}

/** One function a block type: its cleaned block, or null when nothing of it can stay. */
const cleaners: { [Type in Block["type"]]: (data: Unknown, limits: Limits) => Extract<Block, { type: Type }>["data"] | null } = {
  paragraph: (data) => ({ text: cleanInline(data["text"]) }),
  header: (data) => ({ text: cleanInline(data["text"]), level: asInt(data["level"], 1, 6) ?? 2 }),
  list: (data, limits) => {
    const meta = asObject(data["meta"]);
    return {
      style: asOneOf(data["style"], ["ordered", "unordered", "checklist"]) ?? "unordered",
      meta: present({ start: asInt(meta["start"], 0, 1_000_000), counterType: asOneOf(meta["counterType"], counterTypes) }),
      items: cleanListItems(data["items"], 1, { left: limits.listItems }),
    };
  },
  image: (data) => {
    const file = asObject(data["file"]);
    const url = safeImageUrl(cleanText(file["url"] ?? data["url"]));
    if (url === null) return null;
    const side = (value: unknown) => asInt(value, 1, blockLimits.imageSide);
    return {
      file: present({ url, width: side(file["width"]), height: side(file["height"]) }),
      caption: cleanInline(data["caption"]),
      withBorder: data["withBorder"] === true,
      stretched: data["stretched"] === true,
      withBackground: data["withBackground"] === true,
    };
  },
  code: (data) => ({ code: cleanText(data["code"]) }),
  quote: (data) => ({
    text: cleanInline(data["text"]),
    caption: cleanInline(data["caption"]),
    alignment: asOneOf(data["alignment"], ["left", "center"]) ?? "left",
  }),
  delimiter: () => ({}),
  table: (data, limits) => {
    const content = cleanTable(data, limits);
    return content.length === 0 ? null : { withHeadings: data["withHeadings"] === true, stretched: data["stretched"] === true, content };
  },
  checklist: (data, limits) => ({
    items: asList(data["items"], limits.listItems)
      .map(asObject)
      .map((item) => ({ text: cleanInline(item["text"]), checked: item["checked"] === true })),
  }),
};

function cleanBlock(value: unknown, limits: Limits): Block | null {
  const { type, data } = asObject(value);
  if (typeof type !== "string") return null;
  if (Object.hasOwn(cleaners, type)) {
    const cleaned = cleaners[type as Block["type"]](asObject(data), limits);
    return cleaned === null ? null : ({ type, data: cleaned } as Block);
  }
  // A tool this product does not have: its text stays, as a paragraph.
  const text = cleanInline(asObject(data)["text"]);
  return text.trim() === "" ? null : { type: "paragraph", data: { text } };
}

const made = new WeakSet<EditorOutput>();

/** Throws for content that was not cleaned here, whatever its type says: renderers ask before they write a word of it. */
export function requireCleaned(content: CleanedContent): void {
  if (!made.has(content)) throw new TypeError("content is rendered as cleanBlocks has made it, and in no other form");
}

/** What `cleanBlocks` does, a block a step, for who has others waiting. */
export function* cleaning(input: unknown, limits: Limits = blockLimits): Generator<void, CleanedContent> {
  const output = Array.isArray(input) ? { blocks: input } : asObject(input);
  const time = output["time"];
  const seen = new Set<string>();
  const blocks: Block[] = [];
  for (const entry of asList(output["blocks"], limits.blocks)) {
    const block = cleanBlock(entry, limits);
    if (block === null) continue;
    const id = asObject(entry)["id"];
    const keep = typeof id === "string" && /^[\w-]{1,64}$/.test(id) && !seen.has(id);
    if (keep) seen.add(id);
    blocks.push(keep ? { id, ...block } : block);
    yield;
  }
  const content: EditorOutput = {
    time: typeof time === "number" && Number.isFinite(time) && time > 0 ? time : 0,
    blocks,
    version: editorFormatVersion,
  };
  made.add(content);
  return content as CleanedContent;
}

/**
 * Editor.js' output as this product keeps and renders it. Takes the output itself or its bare list of blocks and never throws:
 * what is not on the allow-list of ./schema.ts is left out, so anything else than blocks gives an empty post. Idempotent.
 * Ids stay when they are well-formed and unique. What is beyond `limits` is left out: who writes asks ./bounds.ts first.
 * Source: product decision 20; specification, section 9 (format version).
 */
export function cleanBlocks(input: unknown, limits: Limits = blockLimits): CleanedContent {
  const steps = cleaning(input, limits);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
