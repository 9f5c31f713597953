import Image from "@editorjs/image";
import type { BlockApi } from "@editorjs/editorjs";
import { inlineText } from "#contract/blocks/inline-html.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import { imageTypes } from "#contract/rules/image-type.ts";
import { toasts } from "../../../lib/toasts.ts";
import { otherHost, storedPath } from "../image-host.ts";
import { embeddedImage } from "../paste/pasted-html.ts";
import { replaceBlock } from "../replace-block.ts";
import { button, textbox } from "./control-names.ts";
import type { EditorBlock, PostImages } from "./editor-block.ts";
import { hotLinkNote, withoutStop } from "./hot-link.ts";
import { type WidthHandle, widthHandle } from "./image-width.ts";
import { icon } from "./menu-entry.ts";

interface Options {
  data: { file?: { url?: string }; alt?: string; caption?: string; width?: number; isPasted?: boolean };
  config: { images: PostImages };
  readOnly: boolean;
  block: BlockApi;
}

/** An uploaded or pasted image. A pasted data URL or image on another site is brought into Storage before it is shown. */
class PostImage extends Image {
  #pending: string | null;
  readonly #url: string;
  readonly #images: PostImages;
  readonly #readOnly: boolean;
  readonly #width: WidthHandle;
  readonly #alt = altField();
  #element: HTMLElement | null = null;
  #previewIsLate = false;

  constructor(options: Options) {
    const url = options.data.file?.url ?? "";
    const isElsewhere = options.data.isPasted === true && otherHost(url) !== null;
    const pending = isElsewhere || url.startsWith("data:") ? url : null;
    super(pending === null ? options : { ...options, data: { ...options.data, file: undefined } });
    this.#pending = pending;
    this.#url = url;
    this.#images = options.config.images;
    this.#readOnly = options.readOnly;
    this.#width = widthHandle(options.data.width, () => options.block.dispatchChange());
    this.#alt.value = inlineText(options.data.alt ?? "");
    this.#ignoreLatePreviews();
  }

  static get pasteConfig() {
    return { files: { mimeTypes: Object.values(imageTypes) } };
  }

  static get sanitize() {
    return { file: false, alt: false, width: false, caption: { br: true } };
  }

  override render(): HTMLElement {
    const element = super.render();
    const picture = element.querySelector<HTMLElement>(".image-tool__image");
    if (picture) this.#width.mount(element, picture, this.#readOnly);
    this.#element = element;
    if (this.#alt.value !== "") this.#showAlt();
    this.#showHotLink();
    return element;
  }

  #showHotLink(): void {
    const host = this.#pending === null && !this.#readOnly ? otherHost(this.#url) : null;
    if (host === null) return;
    const replaceImage = (file: object) => this.#replaceBy({ type: "image", data: { ...this.save(), file } });
    this.#element?.append(hotLinkNote(host, () => this.#images.copy(this.#url), replaceImage));
  }

  #replaceBy(block: { type: string; data: object }): void {
    const place = this.api.blocks.getBlockIndex(this.block.id);
    if (place !== undefined && place >= 0) replaceBlock(this.api, place, block, false);
  }

  /** Shows nothing from the other site meanwhile: the browser would load it. */
  async #copy(url: string): Promise<void> {
    this.ui.showPreloader("");
    const { file, problem } = await this.#images.copy(url);
    if (file !== null) return this.onUpload({ success: 1, file });
    const { caption = "" } = this.save() as { caption?: string };
    const link = `<a href="${escapeHtml(url)}">${escapeHtml(this.#alt.value.trim() || "Image")}</a>`;
    this.#replaceBy({ type: "paragraph", data: { text: caption === "" ? link : `${link}<br>${caption}` } });
    toasts.info("Couldn't copy an image", `${withoutStop(problem)}. We inserted a link instead.`);
  }

  /** Race: the tool shows a preloader once the file is read, which may be after the upload has ended. */
  #ignoreLatePreviews(): void {
    const show = this.ui.showPreloader.bind(this.ui);
    this.ui.showPreloader = (src) => {
      if (!this.#previewIsLate) show(src);
      this.#previewIsLate = false;
    };
  }

  override onUpload(answer: object): void {
    this.#previewIsLate = this.#element?.classList.contains("image-tool--uploading") === false;
    super.onUpload(answer);
  }

  /** Only when needed: Editor.js moves the caret into every field of a block. */
  #showAlt(): void {
    this.#alt.readOnly = this.#readOnly;
    this.#element?.append(this.#alt);
  }

  override save(): object {
    const [alt, width] = [this.#alt.value.trim(), this.#width.value];
    return { ...super.save(), ...(alt !== "" && { alt: escapeHtml(alt) }), ...(width !== undefined && { width }) };
  }

  override renderSettings(): object[] {
    const describe = {
      name: "alt",
      label: "Alternative text",
      icon: icon('<path d="M4 5h16v11H9l-4 3v-3H4zM8 9h8M8 12h5"/>'),
      closeOnActivate: true,
      onActivate: () => {
        this.#showAlt();
        setTimeout(() => this.#alt.focus()); // after the menu has restored the focus
      },
    };
    return [describe, ...super.renderSettings()];
  }

  /** Called by Editor.js when the block is rendered. */
  rendered(): void {
    const url = this.#pending;
    this.#pending = null;
    if (url?.startsWith("data:")) this.uploadUrl(url);
    else if (url) void this.#copy(url);
  }
}

/** The alt attribute: the alternative text, else the caption. */
function describe(element: HTMLElement): void {
  const tool = element.closest(".image-tool");
  const alt = tool?.querySelector<HTMLInputElement>(".post-image-alt")?.value.trim();
  element.setAttribute("alt", alt || (tool?.querySelector(".image-tool__caption")?.textContent.trim() ?? ""));
}

function altField(): HTMLInputElement {
  const field = Object.assign(document.createElement("input"), {
    type: "text",
    className: "p-inputtext p-component post-image-alt",
    placeholder: "Alternative text: describe the image",
    ariaLabel: "Alternative text",
  });
  // Keys of the field aren't for the text; Ctrl/Cmd shortcuts are the page's.
  field.addEventListener("keydown", (event) => event.ctrlKey || event.metaKey || event.stopPropagation());
  return field;
}

const markdownImage = /^\s*!\[([^\]]*)\]\((?:<((?:https?:\/)?\/[^<>\s]+)>|((?:https?:\/)?\/[^\s<>()]+))(?:\s+"([^"]*)")?\)\s*$/;

export const image: EditorBlock<"image"> = {
  tool: (images) => ({
    class: PostImage,
    inlineToolbar: true,
    config: {
      images,
      uploader: {
        uploadByFile: images.upload,
        uploadByUrl: (url: string) => images.upload(embeddedImage(url)),
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
      const alt = picture.getAttribute("alt")?.trim();
      return [
        {
          type: "image",
          data: {
            file: { url },
            ...(alt && { alt: escapeHtml(alt) }),
            caption: "",
            withBorder: false,
            stretched: false,
            withBackground: false,
          },
        },
      ];
    },
  },
  markdown: {
    pattern: markdownImage,
    isDistinctive: true,
    read: (lines, at) => {
      const [, alt = "", bracketed, bare, title = ""] = markdownImage.exec(lines[at]!) ?? [];
      const source = bracketed ?? bare ?? "";
      return [
        { type: "image", data: { file: { url: storedPath(source) ?? source }, alt: escapeHtml(alt), caption: escapeHtml(title) } },
        at + 1,
      ];
    },
  },
  lines: ({ caption }) => [caption],
  names: [
    [".image-tool__caption", textbox("Caption")],
    [".image-tool__image-picture", describe],
    [".image-tool > .cdx-button", button("Select an Image")],
  ],
  updates: {
    event: "input",
    listener({ target }) {
      const tool =
        target instanceof HTMLElement && target.matches(".image-tool__caption, .post-image-alt") && target.closest(".image-tool");
      const picture = tool && tool.querySelector<HTMLElement>(".image-tool__image-picture");
      if (picture) describe(picture);
    },
  },
  writing: "nowhere",
};
