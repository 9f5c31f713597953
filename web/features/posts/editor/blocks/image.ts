import Image from "@editorjs/image";
import { imageTypes } from "#contract/rules/image-type.ts";
import { embeddedPicture } from "../paste/pasted-html.ts";
import { button, textbox } from "./control-names.ts";
import type { EditorBlock } from "./editor-block.ts";
import { icon } from "./menu-entry.ts";

/** Pictures come as files, or in pasted HTML, of which ../paste/pasted-html.ts lets some through: one that the HTML carried in itself is sent first. */
class PostImage extends Image {
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

/** A picture's caption is also what it is called; without one it is passed over. */
function describe(element: HTMLElement): void {
  const caption = element.closest(".image-tool")?.querySelector(".image-tool__caption")?.textContent;
  element.setAttribute("alt", caption?.trim() ?? "");
}

export const image: EditorBlock<"image"> = {
  tool: (uploadImage) => ({
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
  }),
  menu: [
    {
      title: "Image",
      icon: icon('<rect x="4" y="5" width="16" height="14" rx="2"/><path d="m4 16 4.5-4.5 4 4 2.5-2.5 5 5M15.5 9h.01"/>'),
      words: "photo picture img screenshot upload gif figure",
      data: {},
    },
  ],
  shortcuts: {},
  html: {
    IMG: (picture) => {
      const url = picture.getAttribute("src") ?? "";
      return [{ type: "image", data: { file: { url }, caption: "", withBorder: false, stretched: false, withBackground: false } }];
    },
  },
  markdown: null,
  lines: ({ caption }) => [caption],
  names: [
    [".image-tool__caption", textbox("Caption")],
    [".image-tool__image-picture", describe],
    [".image-tool > .cdx-button", button("Select an Image")],
  ],
  follows: {
    event: "input",
    listener({ target }) {
      const tool = target instanceof HTMLElement && target.matches(".image-tool__caption") && target.closest(".image-tool");
      const picture = tool && tool.querySelector<HTMLElement>(".image-tool__image-picture");
      if (picture) describe(picture);
    },
  },
  holdsCaret: true,
};
