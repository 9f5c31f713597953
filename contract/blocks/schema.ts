import { z } from "zod";
import { editorFormatVersion } from "../limits.ts";
import { type Block, blockTypes } from "./block-types.ts";
import { blockLimits } from "./limits.ts";

export type { Block, BlockData } from "./block-types.ts";

/** What an id may be; Editor.js makes ten characters of these. */
export const blockId = /^[\w-]{1,64}$/;

const blocks = Object.entries(blockTypes).map(([type, { schema }]) =>
  z.object({ id: z.string().regex(blockId).optional(), type: z.literal(type), data: schema as z.ZodType<Block["data"]> }),
);
const block = z.union(blocks) as unknown as z.ZodType<Block>;

/** What Editor.js saves and loads, after `cleanBlocks`. `time` is milliseconds since 1970, 0 when the input had none. */
export const editorOutput = z.object({
  time: z.number().min(0),
  blocks: z.array(block).max(blockLimits.blocks),
  version: z.literal(editorFormatVersion),
});
export type EditorOutput = z.infer<typeof editorOutput>;

declare const cleaned: unique symbol;
/** What `cleanBlocks` alone makes: renderers take nothing else, so that nobody publishes what was not cleaned. */
export type CleanedContent = EditorOutput & { readonly [cleaned]: true };
