import { z } from "zod";
import { editorFormatVersion } from "../limits.ts";
import { blockLimits, counterTypes } from "./limits.ts";

/** Inline HTML of the allow-list in ./inline-html.ts: b i u s em strong br mark code a[href]. */
const inline = z.string();
/** Text as it is: `<` means `<`. */
const text = z.string();

const paragraphData = z.object({ text: inline });
const headerData = z.object({ text: inline, level: z.int().min(1).max(6) });

export interface ListItem {
  content: string;
  meta: { checked?: boolean };
  items: ListItem[];
}
const listItem: z.ZodType<ListItem> = z.object({
  content: inline,
  meta: z.object({ checked: z.boolean().optional() }),
  get items() {
    return z.array(listItem);
  },
});
const listData = z.object({
  style: z.enum(["ordered", "unordered", "checklist"]),
  meta: z.object({ start: z.int().optional(), counterType: z.enum(counterTypes).optional() }),
  items: z.array(listItem),
});
const imageData = z.object({
  file: z.object({ url: text, width: z.int().positive().optional(), height: z.int().positive().optional() }),
  caption: inline,
  withBorder: z.boolean(),
  stretched: z.boolean(),
  withBackground: z.boolean(),
});
const codeData = z.object({ code: text });
const quoteData = z.object({ text: inline, caption: inline, alignment: z.enum(["left", "center"]) });
const delimiterData = z.object({});
const tableData = z.object({ withHeadings: z.boolean(), stretched: z.boolean(), content: z.array(z.array(inline)) });
const checklistData = z.object({ items: z.array(z.object({ text: inline, checked: z.boolean() })) });

const id = z
  .string()
  .regex(/^[\w-]{1,64}$/)
  .optional();

const block = z.discriminatedUnion("type", [
  z.object({ id, type: z.literal("paragraph"), data: paragraphData }),
  z.object({ id, type: z.literal("header"), data: headerData }),
  z.object({ id, type: z.literal("list"), data: listData }),
  z.object({ id, type: z.literal("image"), data: imageData }),
  z.object({ id, type: z.literal("code"), data: codeData }),
  z.object({ id, type: z.literal("quote"), data: quoteData }),
  z.object({ id, type: z.literal("delimiter"), data: delimiterData }),
  z.object({ id, type: z.literal("table"), data: tableData }),
  z.object({ id, type: z.literal("checklist"), data: checklistData }),
]);
export type Block = z.infer<typeof block>;

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
