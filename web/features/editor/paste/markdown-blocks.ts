import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { allBlocks } from "../blocks/editor-blocks.ts";
import { markdownInline } from "./markdown-inline.ts";

const readers = allBlocks.flatMap(([, { markdown }]) => markdown ?? []);
const signs = readers.filter(({ isDistinctive }) => isDistinctive);

export function looksLikeMarkdown(text: string): boolean {
  return text.split("\n").some((line) => signs.some(({ pattern }) => pattern.test(line)));
}

/** Markdown as blocks. Raw HTML stays text. */
export function markdownBlocks(text: string): Block[] {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const blocks: unknown[] = [];
  for (let at = 0; at < lines.length;) {
    const [block, next] = blockAt(lines, at);
    if (block) blocks.push(block);
    at = next;
  }
  return cleanBlocks(blocks, unlimited).blocks;
}

const readerOf = (line: string) => readers.find(({ pattern }) => pattern.test(line));

function blockAt(lines: readonly string[], at: number): [block: object | null, next: number] {
  if (lines[at]!.trim() === "") return [null, at + 1];
  const reader = readerOf(lines[at]!);
  if (reader) return reader.read(lines, at);
  let end = at;
  while (end < lines.length && lines[end]!.trim() !== "" && !readerOf(lines[end]!)) end++;
  const words = lines.slice(at, end).map((line) => line.trim());
  return [{ type: "paragraph", data: { text: markdownInline(words.join(" ")) } }, end];
}
