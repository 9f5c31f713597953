import type EditorJS from "@editorjs/editorjs";
import { replaceBlock } from "../replace-block.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import { blockForTypedLine } from "../markdown-shortcuts.ts";

/** Inserts text typed before the editor was ready at the start, with its Markdown, and puts the caret after it. */
export function writeInFront(editor: EditorJS, typed: string): void {
  const lines = typed.split("\n");
  const replaces = editor.blocks.getBlockByIndex(0)?.isEmpty ?? false;
  for (const [index, line] of lines.entries()) {
    const isEnded = index < lines.length - 1;
    const fromMarkdown = isEnded || line.includes(" ") ? blockForTypedLine(line) : null;
    const block = fromMarkdown ?? { type: "paragraph" as const, data: { text: escapeHtml(line) } };
    if (replaces && index === 0) replaceBlock(editor, index, block, false);
    else editor.blocks.insert(block.type, block.data, undefined, index, false);
  }
  editor.caret.setToBlock(lines.length - 1, "end");
}

export function writeBelow(editor: EditorJS, blockId: string, words: string): void {
  const above = editor.blocks.getBlockIndex(blockId) ?? -1;
  const start = above < 0 ? editor.blocks.getBlocksCount() : above + 1;
  const lines = words.split("\n").filter((line) => line.trim() !== "");
  lines.forEach((line, index) => editor.blocks.insert("paragraph", { text: escapeHtml(line) }, undefined, start + index, false));
  editor.caret.setToBlock(start + lines.length - 1, "end");
}
