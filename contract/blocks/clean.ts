import { editorFormatVersion } from "../limits.ts";
import { blockTypes, earlierTypes, namedType } from "./block-types.ts";
import { cleanInline } from "./inline-html.ts";
import { blockId, blockLimits } from "./limits.ts";
import { asList, asObject, type Limits } from "./read.ts";
import type { Block, CleanedContent, EditorOutput } from "./schema.ts";

/** For the editor, which must not lose typed text; limits are enforced on save (./bounds.ts). */
export const unlimited: Limits = { ...blockLimits, blocks: Infinity, listItems: Infinity, tableRows: Infinity, tableColumns: Infinity };

function cleanBlock(value: unknown, limits: Limits): Block | null {
  const { type: name, data } = asObject(value);
  if (typeof name !== "string") return null;
  const type = namedType(name);
  if (type === undefined) {
    // Unknown tool: keep its text as a paragraph.
    const text = cleanInline(asObject(data)["text"]);
    return text.trim() === "" ? null : { type: "paragraph", data: { text } };
  }
  const fields = asObject(data);
  const cleaned = blockTypes[type].clean(type === name ? fields : earlierTypes[name]!.read(fields), limits);
  return cleaned === null ? null : ({ type, data: cleaned } as Block);
}

const cleanedOutputs = new WeakSet<EditorOutput>();

/** Runtime guard for renderers against uncleaned content. Throws a TypeError. */
export function requireCleaned(content: CleanedContent): void {
  if (!cleanedOutputs.has(content)) throw new TypeError("content must come from cleanBlocks");
}

/**
 * Cleans Editor.js output or its bare list of blocks against the allow-list in ./block-types.ts. Never throws: unknown parts are dropped,
 * other input gives an empty post. Idempotent. Keeps well-formed, unique ids. Truncates beyond `limits`, so check ./bounds.ts before
 * saving. Source: product decision 20; specification, section 9 (format version).
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
  cleanedOutputs.add(content);
  return content as CleanedContent;
}
