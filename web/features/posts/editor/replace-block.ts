import type EditorJS from "@editorjs/editorjs";

/** Puts another block in the place of one; it goes on under the same id, by which colleagues' versions and comments know it. */
export function replaceBlock(
  editor: Pick<EditorJS, "blocks">,
  place: number,
  { type, data }: { type: string; data: object },
  focus = true,
): void {
  editor.blocks.insert(type, data, undefined, place, focus, true, editor.blocks.getBlockByIndex(place)?.id);
}
