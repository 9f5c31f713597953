import type EditorJS from "@editorjs/editorjs";

/** Replaces a block and keeps its id, which versions and comments refer to. */
export function replaceBlock(
  editor: Pick<EditorJS, "blocks">,
  place: number,
  { type, data }: { type: string; data: object },
  focus = true,
): void {
  editor.blocks.insert(type, data, undefined, place, focus, true, editor.blocks.getBlockByIndex(place)?.id);
}
