import Code from "@editorjs/code";
import Delimiter from "@editorjs/delimiter";
import type { ToolSettings } from "@editorjs/editorjs";
import InlineCode from "@editorjs/inline-code";
import List from "@editorjs/list";
import { blockLimits } from "#contract/blocks/limits.ts";
import { imageTypes } from "#contract/rules/image-type.ts";
import { embeddedPicture } from "../paste/pasted-html.ts";
import { PostChecklist } from "./post-checklist.ts";
import { PostHeader } from "./post-header.ts";
import { PostImage } from "./post-image.ts";
import { PostMarker } from "./post-marker.ts";
import { PostQuote } from "./post-quote.ts";
import { PostTable } from "./post-table.ts";

/** What the image block needs of the outside: one file in, the stored file's address out, `success: 0` when it failed. */
export type UploadImage = (file: Blob) => Promise<{ success: 0 | 1; file: { url: string; width?: number; height?: number } }>;

/** Every block and mark a post can hold. */
export function editorTools(uploadImage: UploadImage): Record<string, ToolSettings> {
  return {
    header: { class: PostHeader, inlineToolbar: true, config: { levels: [2, 3, 4], defaultLevel: 2, placeholder: "Heading" } },
    list: {
      class: List,
      inlineToolbar: true,
      toolbox: listToolbox,
      config: { defaultStyle: "unordered", maxLevel: blockLimits.listDepth, counterTypes: ["numeric"] },
    },
    checklist: { class: PostChecklist, inlineToolbar: true },
    image: {
      class: PostImage,
      inlineToolbar: true,
      config: {
        uploader: {
          uploadByFile: uploadImage,
          uploadByUrl: async (url: string) =>
            url.startsWith("data:") ? await uploadImage(embeddedPicture(url)) : { success: 1, file: { url } },
        },
        types: Object.values(imageTypes).join(","),
        captionPlaceholder: "Caption",
        buttonContent: "Select an Image",
        features: { background: false, border: true, stretch: true, caption: true },
      },
    },
    quote: { class: PostQuote, inlineToolbar: true, config: { quotePlaceholder: "Quote", captionPlaceholder: "Who said it" } },
    code: { class: Code, config: { placeholder: "Code" } },
    table: { class: PostTable, inlineToolbar: true, config: { rows: 2, cols: 3, withHeadings: true } },
    delimiter: { class: Delimiter },
    inlineCode: { class: InlineCode, shortcut: "CMD+SHIFT+C" },
    marker: { class: PostMarker, shortcut: "CMD+SHIFT+M" },
  };
}

// The list tool would offer a second "Checklist" beside the checklist block.
const listToolbox = [
  { title: "Unordered List", data: { style: "unordered" } },
  { title: "Ordered List", data: { style: "ordered" } },
];
