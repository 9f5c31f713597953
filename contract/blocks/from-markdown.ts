import { type CompileContext, type Extension, fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { boundsProblem } from "./bounds.ts";
import { cleanBlocks, unlimited } from "./clean.ts";
import { bounded, gfmOfOurs, shallow } from "./from-markdown/bounded.ts";
import { blocksOf } from "./from-markdown/flow.ts";
import type { FlowNode, Loss, Of } from "./from-markdown/inline.ts";
import { markdownMaxLength } from "./limits.ts";
import type { CleanedContent } from "./schema.ts";
import { figure } from "../rules/figure.ts";

export { markdownMaxLength };
export type { Loss };

export interface ReadingOptions {
  base?: string;
  resolve?: (address: string, isPicture: boolean) => string | null;
  lose?: (what: Loss, detail: string) => void;
  rescues?: boolean;
  /** GitHub's comments and releases: hard line breaks, `#1` and `@user` links. The repository, or "". */
  github?: string | undefined;
  frontMatter?: boolean;
}

const most = { lines: 20_000, lineLength: 100_000, pipes: 20_000, items: 6_000, quotes: 30_000 };

/** Markdown over a limit. The message is shown to the sender. */
export class MarkdownProblem extends Error {}

const tooMany = (count: number, what: string): string => `Markdown can have at most ${figure(count)} ${what}`;

export function markdownProblem(markdown: string): string | null {
  if (markdown.length > markdownMaxLength) return tooMany(markdownMaxLength, "characters");
  let lines = 1;
  let pipes = 0;
  let start = 0;
  for (let at = 0; at < markdown.length; at++) {
    const code = markdown.charCodeAt(at);
    if (code === 0x7c) pipes++;
    if (code !== 0x0a) continue;
    if (at - start > most.lineLength) break;
    lines++;
    start = at + 1;
  }
  if (lines > most.lines) return tooMany(most.lines, "lines");
  if (pipes > most.pipes) return tooMany(most.pipes, "table cells");
  return markdown.length - start > most.lineLength ? tooMany(most.lineLength, "characters in a line") : null;
}

/** Front matter as Jekyll and Hugo write it; must start with a key, so a horizontal rule isn't mistaken for it. */
const frontMatter = /^---[ \t]*\n[\w-]+:(?:[ \t][^\n]*)?\n(?:(?!---[ \t]*\n)[^\n]*\n)*?---[ \t]*(?:\n|$)/;

/** Only list items have checkboxes. */
function tick(this: CompileContext, checked: boolean): void {
  const item = this.stack.at(-2);
  if (item?.type === "listItem") item.checked = checked;
}

/** Restores checkboxes outside items: after an empty item micromark also consumes one at the start of the next paragraph. */
const boxesOfItems: Extension = {
  exit: {
    taskListCheckValueChecked() {
      tick.call(this, true);
    },
    taskListCheckValueUnchecked() {
      tick.call(this, false);
    },
    taskListCheck(token) {
      if (this.stack.at(-2)?.type === "listItem") return;
      this.enter({ type: "text", value: this.sliceSerialize(token) }, token);
      this.exit(token);
    },
  },
};

// gfmFromMarkdown's transform also linkifies escaped text; ./from-markdown/inline.ts does it instead.
const mdastExtensions = [...gfmFromMarkdown().map(({ transforms: _, ...extension }) => extension), boxesOfItems];

const gfm = gfmOfOurs();

function definitionsIn(nodes: readonly FlowNode[]): Map<string, Of<"definition">> {
  const definitions = new Map<string, Of<"definition">>();
  const waiting = [...nodes].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === "definition") {
      if (!definitions.has(node.identifier)) definitions.set(node.identifier, node);
    } else if (node.type === "blockquote" || node.type === "list" || node.type === "listItem") {
      for (let at = node.children.length - 1; at >= 0; at--) waiting.push(node.children[at]!);
    }
  }
  return definitions;
}

/**
 * Converts Markdown (CommonMark plus GitHub's tables, task lists, strikethrough, alerts and bare URLs) to cleaned content. Unsupported
 * parts keep their text: raw HTML keeps marks (`<u>`, `<mark>`, `<sup>`, `<b>` …), `<a>`, `<br>`, `<img>` and `<hr>`; frames and videos
 * become links; scripts, styles, comments and front matter are dropped; code and tables in list items, quotes and callouts move behind
 * them. Linear time. Throws MarkdownProblem over a limit.
 */
export function blocksFromMarkdown(
  markdown: string,
  { base = "", resolve, lose, rescues = false, github, frontMatter: hasFrontMatter = true }: ReadingOptions = {},
): CleanedContent {
  const problem = markdownProblem(markdown);
  if (problem !== null) throw new MarkdownProblem(problem);
  let items = 0;
  let quotes = 0;
  const source = markdown
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .replace(hasFrontMatter ? frontMatter : "", "")
    .split("\n")
    .map((line) => shallow(line, (isQuote) => (isQuote ? quotes++ : items++)))
    .join("\n");
  if (items > most.items) throw new MarkdownProblem(tooMany(most.items, "list items"));
  if (quotes > most.quotes) throw new MarkdownProblem(tooMany(most.quotes, "lines of quotes"));
  const { children } = fromMarkdown(source, { extensions: [gfm, bounded(source)], mdastExtensions });
  const blocks = blocksOf(children, { source, definitions: definitionsIn(children), base, resolve, lose, rescues, github });
  const tooMuch = boundsProblem(blocks);
  if (tooMuch !== null) throw new MarkdownProblem(tooMuch);
  return cleanBlocks(blocks, unlimited);
}
