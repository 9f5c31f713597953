import type { ToolSettings } from "@editorjs/editorjs";
import type { Block, BlockData } from "#contract/blocks/schema.ts";
import type { HtmlReader } from "../paste/html-pieces.ts";
import type { ControlName } from "./control-names.ts";
import type { MenuEntry } from "./menu-entry.ts";

/** Uploads a file. `success: 0`: it failed. Shape required by the image tool. */
export type UploadImage = (file: Blob) => Promise<{ success: 0 | 1; file: { url: string; width?: number; height?: number } }>;

export type CopiedImage = { file: { url: string; width: number; height: number }; problem: null } | { file: null; problem: string };

export interface PostImages {
  upload: UploadImage;
  /** Never rejects. */
  copy(url: string): Promise<CopiedImage>;
}

export interface MarkdownReader {
  pattern: RegExp;
  /** True if such a line identifies a text as Markdown. */
  isDistinctive: boolean;
  /** True if a typed line becomes the block on Enter. */
  onEnter?: boolean;
  /** Reads the block that starts at a line. Returns it and the index after its last line. */
  read(lines: readonly string[], at: number): [block: { type: Block["type"]; data: object }, next: number];
}

/** Editor settings of one type of block. Pasted data is sanitised afterwards. */
export interface EditorBlock<Type extends Block["type"]> {
  /** The Editor.js tool; null for the built-in paragraph. */
  tool: ((images: PostImages) => ToolSettings) | null;
  menu: readonly MenuEntry[];
  /** Data by Markdown marker at the start of a paragraph, followed by a space; `rest` is the HTML after it. */
  shortcuts: Readonly<Record<string, (rest: string) => BlockData<Type>>>;
  html: Readonly<Record<string, HtmlReader>>;
  markdown: MarkdownReader | null;
  /** Reads a pasted single line as this block, such as a video URL. */
  fromLine?(line: string): BlockData<Type> | null;
  lines(data: BlockData<Type>): string[];
  names: readonly ControlName[];
  updates?: { event: "input" | "click"; listener(event: Event): void };
  /**
   * Where the caret goes in a new block: its text, its parts (items, cells), a field that disappears when filled in, or nowhere (divider,
   * image). After the last two, into a paragraph below.
   */
  writing: "text" | "parts" | "field" | "nowhere";
}
