import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { linkedHtml } from "../addresses.ts";
import { htmlBlocks } from "./html-blocks.ts";
import { looksLikeMarkdown, markdownBlocks } from "./markdown-blocks.ts";

export interface Pasted {
  kind: "blocks" | "html" | "markdown" | "text";
  blocks: Block[];
  text: string;
  leftOut: number;
}

type Clipboard = Pick<DataTransfer, "getData" | "types">;

/** The clipboard's content, sanitised, in its richest format. */
export function readClipboard(clipboard: Clipboard): Pasted {
  const text = clipboard.getData("text/plain");
  const own = ownBlocks(clipboard.getData("application/x-editor-js"));
  if (own.length > 0) return { kind: "blocks", blocks: own, text, leftOut: 0 };
  const html = clipboard.types.includes("vscode-editor-data") ? "" : clipboard.getData("text/html"); // VS Code's HTML only has colours
  const { blocks, leftOut } = /<[a-z]/i.test(html) ? htmlBlocks(html) : { blocks: [], leftOut: 0 };
  if (blocks.length > 0 || leftOut > 0) return { kind: "html", blocks, text, leftOut };
  if (looksLikeMarkdown(text)) return { kind: "markdown", blocks: markdownBlocks(text), text, leftOut: 0 };
  return { kind: "text", blocks: textBlocks(text), text, leftOut: 0 };
}

/** Blocks copied from Editor.js. Sanitised: any page can write this format. */
function ownBlocks(json: string): Block[] {
  try {
    const saved = json === "" ? [] : (JSON.parse(json) as unknown);
    if (!Array.isArray(saved)) return [];
    const blocks = saved.map((block: { tool?: unknown; data?: unknown } | null) => ({ type: block?.tool, data: block?.data }));
    return cleanBlocks(blocks, unlimited).blocks;
  } catch {
    return [];
  }
}

export function textBlocks(text: string): Block[] {
  const lines = text.split(/\r\n?|\n/).filter((line, _, all) => all.length === 1 || line.trim() !== "");
  return lines.filter((line) => line !== "").map((line) => ({ type: "paragraph", data: { text: linkedHtml(line) } }));
}
