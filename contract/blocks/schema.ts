import { z } from "zod";
import { editorFormatVersion } from "../limits.ts";
import type { SchemaParts } from "./block-type.ts";
import { type Block, blockTypes } from "./block-types.ts";
import { blockId, blockLimits } from "./limits.ts";

export type { Block, BlockData } from "./block-types.ts";

const parts: SchemaParts = { z, inline: z.string(), text: z.string() };
const blocks = Object.entries(blockTypes).map(([type, { schema }]) =>
  z.object({ id: z.string().regex(blockId).optional(), type: z.literal(type), data: schema(parts) as z.ZodType<Block["data"]> }),
);
const block = z.union(blocks) as unknown as z.ZodType<Block>;

/** Editor.js data after `cleanBlocks`. `time`: milliseconds since 1970, 0 when absent. */
export const editorOutput = z.object({
  time: z.number().min(0),
  blocks: z.array(block).max(blockLimits.blocks),
  version: z.literal(editorFormatVersion),
});
export type EditorOutput = z.infer<typeof editorOutput>;

declare const cleaned: unique symbol;
/** Branded: only `cleanBlocks` creates it, and renderers accept nothing else. */
export type CleanedContent = EditorOutput & { readonly [cleaned]: true };
