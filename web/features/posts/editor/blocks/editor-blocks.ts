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

/** Every type of block in the editor, in the order in which its menu offers them; pasted lines are read by the first that knows them. */
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

/** Whether one goes on writing in a block once it is there. */
export function holdsCaret(type: Block["type"]): boolean {
  const { writing } = editorBlocks[type];
  return writing === "text" || writing === "parts";
}

/** The same as a list of names and what is known of each. */
export const allBlocks = Object.entries(editorBlocks) as [Block["type"], EditorBlock<Block["type"]>][];
