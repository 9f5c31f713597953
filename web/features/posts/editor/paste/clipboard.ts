import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { linkedHtml } from "../addresses.ts";
import { htmlBlocks } from "./html-blocks.ts";
import { looksLikeMarkdown, markdownBlocks } from "./markdown-blocks.ts";

/** What somebody pastes or drops. */
export interface Pasted {
  /** `blocks` were copied as wholes from an editor like this one. */
  kind: "blocks" | "html" | "markdown" | "text";
  blocks: Block[];
  /** The words alone. */
  text: string;
  /** So many images have no address that a server can reach. */
  leftOut: number;
}

type Clipboard = Pick<DataTransfer, "getData" | "types">;

/** What the clipboard holds, cleaned; of several forms the one that says most. */
export function readClipboard(clipboard: Clipboard): Pasted {
  const text = clipboard.getData("text/plain");
  const own = ownBlocks(clipboard.getData("application/x-editor-js"));
  if (own.length > 0) return { kind: "blocks", blocks: own, text, leftOut: 0 };
  const html = clipboard.types.includes("vscode-editor-data") ? "" : clipboard.getData("text/html"); // a code editor's HTML is only its colours
  const { blocks, leftOut } = /<[a-z]/i.test(html) ? htmlBlocks(html) : { blocks: [], leftOut: 0 };
  if (blocks.length > 0 || leftOut > 0) return { kind: "html", blocks, text, leftOut };
  if (looksLikeMarkdown(text)) return { kind: "markdown", blocks: markdownBlocks(text), text, leftOut: 0 };
  return { kind: "text", blocks: textBlocks(text), text, leftOut: 0 };
}

/** Blocks as Editor.js copies them. Cleaned: any page can put something there, and Editor.js would run it. */
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

/** Each line as a paragraph, its addresses as links; one alone keeps the blanks around it. */
export function textBlocks(text: string): Block[] {
  const lines = text.split(/\r\n?|\n/).filter((line, _, all) => all.length === 1 || line.trim() !== "");
  return lines.filter((line) => line !== "").map((line) => ({ type: "paragraph", data: { text: linkedHtml(line) } }));
}
