import type { ToolSettings } from "@editorjs/editorjs";
import type { Block, BlockData } from "#contract/blocks/schema.ts";
import type { HtmlReader } from "../paste/html-pieces.ts";
import type { ControlName } from "./control-names.ts";
import type { MenuEntry } from "./menu-entry.ts";

/** What the image block needs of the outside: one file in, the stored file's address out, `success: 0` when it failed. */
export type UploadImage = (file: Blob) => Promise<{ success: 0 | 1; file: { url: string; width?: number; height?: number } }>;

/** An image of another site as it is stored here, or a sentence that says why it couldn't be copied. */
export type CopiedImage = { file: { url: string; width: number; height: number }; problem: null } | { file: null; problem: string };

/** Brings images into Storage. */
export interface PostImages {
  upload: UploadImage;
  /** Never rejects. */
  copy(url: string): Promise<CopiedImage>;
}

/** How a block is read from the lines of a Markdown text. */
export interface MarkdownReader {
  /** What its first line looks like. */
  begins: RegExp;
  /** Whether a text with such a line is meant as Markdown. */
  tells: boolean;
  /** Whether such a line, typed and ended by Enter, is the block already. */
  isLine?: boolean;
  /** The block that begins at a line, and where the next one begins. */
  read(lines: readonly string[], at: number): [block: { type: Block["type"]; data: object }, next: number];
}

/** All that the editor knows of one type of block. What is pasted is cleaned afterwards. */
export interface EditorBlock<Type extends Block["type"]> {
  /** How Editor.js shows and changes it; null for the paragraph, which it has itself. */
  tool: ((images: PostImages) => ToolSettings) | null;
  menu: readonly MenuEntry[];
  /** What a marker at the start of a paragraph turns it into, once a blank follows; `rest` is the HTML behind the marker. */
  shortcuts: Readonly<Record<string, (rest: string) => BlockData<Type>>>;
  /** Elements of pasted HTML that are such a block, by tag name. */
  html: Readonly<Record<string, HtmlReader>>;
  markdown: MarkdownReader | null;
  /** The block that a line is, pasted alone where nothing else is written. */
  ofLine?(line: string): BlockData<Type> | null;
  /** Its words as lines of inline HTML, for places that hold nothing else: table cells, captions. */
  lines(data: BlockData<Type>): string[];
  /** What its controls are called. */
  names: readonly ControlName[];
  /** What its controls say after an event somewhere in the text. */
  follows?: { event: "input" | "click"; listener(event: Event): void };
  /**
   * Where the caret goes once the block is there: into its text, into parts of it (items, cells), into a field that is gone once it is filled in, or
   * nowhere (divider, image). After the last two it goes into a paragraph below.
   */
  writing: "text" | "parts" | "field" | "nowhere";
}
