import type { Block } from "#contract/blocks/schema.ts";
import { callout } from "./callout.ts";
import { code } from "./code.ts";
import { delimiter } from "./delimiter.ts";
import { embed } from "./embed.ts";
import type { EditorBlock } from "./editor-block.ts";
import { header } from "./header.ts";
import { image } from "./image.ts";
import { list } from "./list.ts";
import { paragraph } from "./paragraph.ts";
import { quote } from "./quote.ts";
import { table } from "./table.ts";

/** Every type of block, in the order of the menu; the first match reads a pasted line. */
export const editorBlocks: { readonly [Type in Block["type"]]: EditorBlock<Type> } = {
  paragraph,
  header,
  list,
  image,
  embed,
  callout,
  quote,
  code,
  table,
  delimiter,
};

export function holdsCaret(type: Block["type"]): boolean {
  const { writing } = editorBlocks[type];
  return writing === "text" || writing === "parts";
}

export const allBlocks = Object.entries(editorBlocks) as [Block["type"], EditorBlock<Block["type"]>][];
