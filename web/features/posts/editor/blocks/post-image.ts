import Image from "@editorjs/image";
import { imageTypes } from "#contract/rules/image-type.ts";

/** Pictures come as files, or in pasted HTML, of which ./pasted-html.ts lets some through: one that the HTML carried in itself is sent first. */
export class PostImage extends Image {
  #embedded: string | null;

  constructor(options: { data: { file?: { url?: string } } }) {
    const url = options.data.file?.url ?? "";
    const embedded = url.startsWith("data:") ? url : null;
    super(embedded === null ? options : { ...options, data: {} });
    this.#embedded = embedded;
  }

  static get pasteConfig() {
    return { files: { mimeTypes: Object.values(imageTypes) } };
  }

  /** Editor.js says that the block is on the screen. */
  rendered(): void {
    if (this.#embedded !== null) this.uploadUrl(this.#embedded);
    this.#embedded = null;
  }
}
