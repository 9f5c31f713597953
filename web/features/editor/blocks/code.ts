import Code from "@editorjs/code";
import { codeLanguage, codeLanguages } from "#contract/blocks/code-languages.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import type { HtmlReader } from "../paste/html-pieces.ts";
import { choiceOf } from "./choice.ts";
import { field } from "./control-names.ts";
import type { EditorBlock } from "./editor-block.ts";
import { icon } from "./menu-entry.ts";

const languages: readonly (readonly [language: string, label: string])[] = [["", "Plain text"], ...Object.entries(codeLanguages)];

function lastUsed(element: HTMLElement): string {
  const choices = [...(element.closest(".codex-editor")?.querySelectorAll<HTMLSelectElement>(".ce-code .post-choice") ?? [])];
  const others = choices.filter((choice) => choice !== element && choice.value !== "");
  const above = others.findLast((choice) => choice.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING);
  return (above ?? others[0])?.value ?? "";
}

interface Options {
  data: { code?: string; language?: string };
  readOnly: boolean;
}

class PostCode extends Code {
  readonly #language: HTMLSelectElement;
  readonly #isNew: boolean;

  constructor(options: Options) {
    super(options);
    const { code, language = "" } = options.data;
    this.#isNew = code === undefined || options.data.language === "";
    const offered = languages.some(([one]) => one === language) ? languages : [...languages, [language, language] as const];
    this.#language = choiceOf({ choices: offered, value: language, disabled: options.readOnly });
  }

  static get sanitize() {
    return { code: true, language: false };
  }

  override render(): HTMLElement {
    const element = super.render();
    element.append(this.#language);
    // Tab indents, so Escape moves the focus out and back.
    const text = element.querySelector("textarea");
    text?.addEventListener("keydown", (event) => event.key === "Escape" && this.#language.focus());
    this.#language.addEventListener("keydown", (event) => event.key === "Escape" && text?.focus());
    return element;
  }

  /** A new block takes the language used last in the post. */
  rendered(): void {
    if (this.#isNew) this.#language.value = lastUsed(this.#language);
  }

  override save(wrapper: HTMLElement): { code: string; language?: string } {
    const language = this.#language.value;
    return { ...super.save(wrapper), ...(language !== "" && { language }) };
  }
}

const read: HtmlReader = (element, { source }) => {
  const text = source(element).replace(/^\n|\n+$/g, "");
  const classes = [element, ...element.querySelectorAll("code")].map((one) => one.getAttribute("class") ?? "").join(" ");
  const [, language] = /(?:^|\s)lang(?:uage)?-(\S+)/.exec(classes) ?? [];
  return text.trim() === "" ? [] : [{ type: "code", data: { code: text, language: languageOf(language) } }];
};

const languageOf = (name: string | undefined) => name && codeLanguage(name);

const fence = /^\s*(`{3,}|~{3,})\s*([^\s`]*)/;

export const code: EditorBlock<"code"> = {
  tool: () => ({ class: PostCode, config: { placeholder: "Code" } }),
  menu: [
    {
      title: "Code",
      icon: icon('<path d="m8.5 7-5 5 5 5M15.5 7l5 5-5 5"/>'),
      words: "snippet pre codeblock source program terminal shell",
      data: {},
      hint: "```",
    },
  ],
  shortcuts: { "```": (rest) => ({ code: rest, language: "" }) }, // empty: taken from another block
  html: { PRE: read },
  markdown: {
    pattern: fence,
    isDistinctive: true,
    onEnter: true,
    read: (lines, at) => {
      const [, open = "", language] = fence.exec(lines[at]!) ?? [];
      const close = lines.findIndex((line, index) => index > at && line.trim().startsWith(open));
      const end = close === -1 ? lines.length : close;
      return [{ type: "code", data: { code: lines.slice(at + 1, end).join("\n"), language: languageOf(language) } }, end + 1];
    },
  },
  lines: (data) => data.code.split("\n").map(escapeHtml),
  names: [
    [".ce-code__textarea", field("Code")],
    [".ce-code .post-choice", field("Language")],
  ],
  writing: "text",
};
