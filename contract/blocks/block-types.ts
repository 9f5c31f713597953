import type { BlockType } from "./block-type.ts";
import type { Unknown } from "./read.ts";
import { callout } from "./types/callout.ts";
import { code } from "./types/code.ts";
import { delimiter } from "./types/delimiter.ts";
import { embed } from "./types/embed.ts";
import { header } from "./types/header.ts";
import { image } from "./types/image.ts";
import { list, listOfChecklist } from "./types/list.ts";
import { paragraph } from "./types/paragraph.ts";
import { quote } from "./types/quote.ts";
import { table } from "./types/table.ts";

export const blockTypes = { paragraph, header, list, image, embed, callout, quote, code, table, delimiter };

export const earlierTypes: Readonly<Record<string, { type: keyof typeof blockTypes; read(data: Unknown): Unknown }>> = {
  checklist: { type: "list", read: listOfChecklist },
};

type Name = keyof typeof blockTypes;
export type BlockData<Type extends Name> = NonNullable<ReturnType<(typeof blockTypes)[Type]["clean"]>>;
export type Block = { [Type in Name]: { id?: string; type: Type; data: BlockData<Type> } }[Name];

export const typeOf = (block: Block): BlockType<Block["data"]> => blockTypes[block.type];

export function namedType(name: unknown): Name | undefined {
  if (typeof name !== "string") return undefined;
  if (Object.hasOwn(blockTypes, name)) return name as Name;
  return Object.hasOwn(earlierTypes, name) ? earlierTypes[name]!.type : undefined;
}
