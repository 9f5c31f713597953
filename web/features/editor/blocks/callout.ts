import { calloutIcon, calloutKindOfAlert } from "#contract/blocks/callout-kinds.ts";
import { type CalloutKind, calloutKinds, calloutLabels } from "#contract/blocks/types/callout.ts";
import type { TagColour } from "#contract/tags.ts";
import type { HtmlReader } from "../paste/html-pieces.ts";
import { markdownInline } from "../paste/markdown-inline.ts";
import { choiceOf } from "./choice.ts";
import { field, textbox } from "./control-names.ts";
import type { EditorBlock } from "./editor-block.ts";
import { icon } from "./menu-entry.ts";

interface CalloutData {
  kind: CalloutKind;
  text: string;
}

const isKind = (value: unknown): value is CalloutKind => (calloutKinds as readonly unknown[]).includes(value);

const colours: Readonly<Record<CalloutKind, TagColour>> = { info: "blue", tip: "green", warning: "orange", danger: "red" };

class PostCallout {
  readonly #kind: HTMLSelectElement;
  readonly #text = document.createElement("div");
  readonly #element = document.createElement("div");

  constructor({ data, readOnly }: { data: Partial<CalloutData>; readOnly: boolean }) {
    const choices = calloutKinds.map((kind) => [kind, calloutLabels[kind]] as const);
    this.#kind = choiceOf({ choices, value: data.kind ?? "info", disabled: readOnly });
    this.#kind.addEventListener("change", () => this.#paint());
    this.#element.className = "post-callout";
    this.#text.className = "post-callout-text";
    this.#text.contentEditable = String(!readOnly);
    this.#text.dataset.placeholder = "Callout text";
    this.#text.innerHTML = data.text ?? ""; // sanitised in ../editor-content.ts
    this.#element.append(this.#kind, this.#text);
    this.#paint();
  }

  static get conversionConfig() {
    return { export: "text", import: (text: string): CalloutData => ({ kind: "info", text }) };
  }

  static get isReadOnlySupported() {
    return true;
  }

  static get sanitize() {
    return { kind: false, text: { br: true } };
  }

  render(): HTMLElement {
    return this.#element;
  }

  save(): CalloutData {
    return { kind: this.#value(), text: this.#text.innerHTML };
  }

  merge({ text }: CalloutData): void {
    this.#text.insertAdjacentHTML("beforeend", text);
  }

  #value(): CalloutKind {
    const { value } = this.#kind;
    return isKind(value) ? value : "info";
  }

  #paint(): void {
    const colour = colours[this.#value()];
    this.#element.style.setProperty("--ink", `var(--tag-${colour})`);
    this.#element.style.setProperty("--ground", `var(--tag-${colour}-ground)`);
  }
}

/** Reads a callout of our own pages, GitHub or Notion (which starts with an emoji); null for any other element. */
const read: HtmlReader = (element, { lines }) => {
  const own = element.matches("aside") && calloutKinds.find((one) => element.classList.contains(`callout-${one}`));
  const [, alert] = /(?:^|\s)markdown-alert-(\w+)/.exec(element.className) ?? [];
  if (own || alert !== undefined) {
    for (const label of element.querySelectorAll(":scope > [aria-hidden], :scope > .markdown-alert-title")) label.remove();
    return [{ type: "callout", data: { kind: own || calloutKindOfAlert(alert ?? ""), text: lines(element) } }];
  }
  if (!element.matches("aside, figure.callout")) return null;
  const text = lines(element).replace(/^(?:<br>)+/, "");
  const icon = calloutIcon(text);
  if (icon === null) return null;
  const words = icon.isSaid ? text.slice(icon.length).replace(/^(?:<br>|\s)+/, "") : text;
  return [{ type: "callout", data: { kind: icon.kind, text: words } }];
};

const alert = /^\s*>\s*\[!(note|important|tip|warning|caution)\]\s*$/i;
const line = /^\s*>\s?/;

export const callout: EditorBlock<"callout"> = {
  tool: () => ({ class: PostCallout, inlineToolbar: true }),
  menu: [
    {
      title: "Callout",
      icon: icon('<path d="M6 5v14M11 8h7M11 12h7M11 16h4"/>'),
      words: "note info tip warning danger alert box hint admonition",
      data: {},
    },
  ],
  shortcuts: {},
  html: { ASIDE: read, DIV: read, FIGURE: read },
  markdown: {
    pattern: alert,
    isDistinctive: true,
    read: (lines, at) => {
      const [, name = ""] = alert.exec(lines[at]!) ?? [];
      let end = at + 1;
      while (end < lines.length && line.test(lines[end]!) && !alert.test(lines[end]!)) end++;
      const words = lines.slice(at + 1, end).map((one) => markdownInline(one.replace(line, "").replace(/\\$/, "")));
      return [{ type: "callout", data: { kind: calloutKindOfAlert(name), text: words.join("<br>") } }, end];
    },
  },
  lines: ({ text }) => [text],
  names: [
    [".post-callout > .post-choice", field("Callout type")],
    [".post-callout-text", textbox("Callout")],
  ],
  writing: "text",
};
