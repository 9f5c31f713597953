import type { ToolSettings } from "@editorjs/editorjs";
import InlineCode from "@editorjs/inline-code";
import type { UploadImage } from "./editor-block.ts";
import { allBlocks } from "./editor-blocks.ts";
import { PostMarker } from "./marker.ts";

/** Every block and mark a post can hold. */
export function editorTools(uploadImage: UploadImage): Record<string, ToolSettings> {
  return {
    ...Object.fromEntries(allBlocks.flatMap(([type, { tool }]) => (tool === null ? [] : [[type, tool(uploadImage)]]))),
    inlineCode: { class: InlineCode, shortcut: "CMD+SHIFT+C" },
    marker: { class: PostMarker, shortcut: "CMD+SHIFT+M" },
  };
}
