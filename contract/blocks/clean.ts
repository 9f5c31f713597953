import { editorFormatVersion } from "../limits.ts";
import { blockTypes, earlierTypes, namedType } from "./block-types.ts";
import { cleanInline } from "./inline-html.ts";
import { blockId, blockLimits } from "./limits.ts";
import { asList, asObject, type Limits } from "./read.ts";
import type { Block, CleanedContent, EditorOutput } from "./schema.ts";

/** For the editor, where nothing that was typed may be lost: what is too much is refused when it is saved, see ./bounds.ts. */
export const unlimited: Limits = { ...blockLimits, blocks: Infinity, listItems: Infinity, tableRows: Infinity, tableColumns: Infinity };

function cleanBlock(value: unknown, limits: Limits): Block | null {
  const { type: name, data } = asObject(value);
  if (typeof name !== "string") return null;
  const type = namedType(name);
  if (type === undefined) {
    // A tool this product does not have: its text stays, as a paragraph.
    const text = cleanInline(asObject(data)["text"]);
    return text.trim() === "" ? null : { type: "paragraph", data: { text } };
  }
  const given = asObject(data);
  const cleaned = blockTypes[type].clean(type === name ? given : earlierTypes[name]!.read(given), limits);
  return cleaned === null ? null : ({ type, data: cleaned } as Block);
}

const made = new WeakSet<EditorOutput>();

/** Throws for content that was not cleaned here, whatever its type says: renderers ask before they write a word of it. */
export function requireCleaned(content: CleanedContent): void {
  if (!made.has(content)) throw new TypeError("content is rendered as cleanBlocks has made it, and in no other form");
}

/**
 * Editor.js' output as this product keeps and renders it. Takes the output itself or its bare list of blocks and never throws:
 * what is not on the allow-list of ./block-types.ts is left out, so anything else than blocks gives an empty post. Idempotent.
 * Ids stay when they are well-formed and unique. What is beyond `limits` is left out: who writes asks ./bounds.ts first.
 * Source: product decision 20; specification, section 9 (format version).
 */
export function cleanBlocks(input: unknown, limits: Limits = blockLimits): CleanedContent {
  const output = Array.isArray(input) ? { blocks: input } : asObject(input);
  const time = output["time"];
  const seen = new Set<string>();
  const blocks: Block[] = [];
  for (const entry of asList(output["blocks"], limits.blocks)) {
    const block = cleanBlock(entry, limits);
    if (block === null) continue;
    const id = asObject(entry)["id"];
    const keep = typeof id === "string" && blockId.test(id) && !seen.has(id);
    if (keep) seen.add(id);
    blocks.push(keep ? { id, ...block } : block);
  }
  const content: EditorOutput = {
    time: typeof time === "number" && Number.isFinite(time) && time > 0 ? time : 0,
    blocks,
    version: editorFormatVersion,
  };
  made.add(content);
  return content as CleanedContent;
}
