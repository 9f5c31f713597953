import Image from "@editorjs/image";
import { imageTypes } from "#contract/rules/image-type.ts";

/** Pictures come as files, or pasted as what ./pasted-html.ts lets through. */
export class PostImage extends Image {
  static get pasteConfig() {
    return { tags: [{ img: { src: true } }], files: { mimeTypes: Object.values(imageTypes) } };
  }
}
