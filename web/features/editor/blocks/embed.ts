import type { BlockApi, default as EditorJS } from "@editorjs/editorjs";
import { videoAt } from "#contract/blocks/types/embed.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import { field, textbox } from "./control-names.ts";
import type { EditorBlock } from "./editor-block.ts";
import { icon } from "./menu-entry.ts";
import { writeBelowBlock } from "../write-below.ts";

interface EmbedData {
  url: string;
  caption: string;
}

interface Options {
  data: Partial<EmbedData>;
  readOnly: boolean;
  api: Pick<EditorJS, "blocks" | "caret">;
  block: BlockApi;
}

/** A video's URL and caption. Nothing loads from the video service here. */
class PostEmbed {
  readonly #readOnly: boolean;
  readonly #writeBelow: () => void;
  readonly #element = Object.assign(document.createElement("div"), { className: "post-embed" });
  readonly #caption = Object.assign(document.createElement("div"), { className: "post-embed-caption" });
  #url: string;

  constructor({ data, readOnly, api, block }: Options) {
    this.#url = data.url ?? "";
    this.#writeBelow = () => writeBelowBlock(api, api.blocks.getBlockIndex(block.id));
    this.#readOnly = readOnly;
    this.#caption.contentEditable = String(!readOnly);
    this.#caption.dataset.placeholder = "Caption";
    this.#caption.innerHTML = data.caption ?? ""; // sanitised in ../editor-content.ts
  }

  static get isReadOnlySupported() {
    return true;
  }

  static get sanitize() {
    return { url: false, caption: { br: true } };
  }

  render(): HTMLElement {
    this.#draw();
    return this.#element;
  }

  save(): EmbedData {
    return { url: this.#url, caption: this.#caption.innerHTML };
  }

  validate({ url }: EmbedData): boolean {
    return url !== "";
  }

  #draw(): void {
    const video = videoAt(this.#url);
    this.#element.replaceChildren(...(video === null ? this.#question() : [this.#card(video.service, video.url), this.#caption]));
  }

  #card(service: string, url: string): HTMLElement {
    const card = Object.assign(document.createElement("div"), { className: "post-embed-card", contentEditable: "false" });
    const link = Object.assign(document.createElement("a"), { href: url, target: "_blank", rel: "noopener", textContent: url });
    card.append(Object.assign(document.createElement("strong"), { textContent: `${service} video` }), link);
    return card;
  }

  #question(): HTMLElement[] {
    const input = Object.assign(document.createElement("input"), {
      type: "url",
      className: "p-inputtext p-component post-embed-address",
      placeholder: "Paste a link to YouTube, Vimeo or Loom",
      disabled: this.#readOnly,
    });
    const problem = Object.assign(document.createElement("p"), { className: "field-problem", role: "status" });
    const submit = () => {
      const link = input.value.trim();
      const video = videoAt(link);
      problem.textContent = video === null && link !== "" ? "Paste a YouTube, Vimeo or Loom link" : "";
      if (video === null) return;
      this.#url = video.url;
      this.#draw();
      this.#writeBelow();
    };
    input.addEventListener("input", ({ inputType }: Event & { inputType?: string }) => {
      if (inputType === "insertFromPaste") submit();
      else problem.textContent = "";
    });
    input.addEventListener("change", submit);
    input.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey) return;
      event.stopPropagation(); // keys of the field aren't for the text
      if (event.key !== "Enter") return;
      event.preventDefault(); // Enter would add a line to the text focused next
      submit();
    });
    return [input, problem];
  }
}

export const embed: EditorBlock<"embed"> = {
  tool: () => ({ class: PostEmbed, inlineToolbar: true }),
  menu: [
    {
      title: "Video",
      icon: icon('<rect x="4" y="6" width="16" height="12" rx="2"/><path d="m10.5 9.5 4 2.5-4 2.5z"/>'),
      words: "youtube vimeo loom embed film movie",
      data: {},
    },
  ],
  shortcuts: {},
  html: {},
  markdown: null,
  fromLine: (line) => {
    const video = /^\S+$/.test(line) ? videoAt(line) : null;
    return video && { url: video.url, caption: "" };
  },
  lines: ({ url, caption }) => [`<a href="${escapeHtml(url)}">${caption.replace(/<[^>]*>/g, "") || escapeHtml(url)}</a>`],
  names: [
    [".post-embed-address", field("Video link")],
    [".post-embed-caption", textbox("Caption")],
  ],
  writing: "field",
};
