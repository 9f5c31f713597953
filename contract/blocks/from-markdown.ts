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
  /** The origin that ./to-markdown.ts was given. */
  base?: string;
  /** An address as it is meant, for text of another place; null for one that leads nowhere from here. */
  resolve?: (address: string, isPicture: boolean) => string | null;
  /** Hears of each thing that has no place in our blocks, as often as it stands there. */
  lose?: (what: Loss, detail: string) => void;
  /** Makes several tables, or code, of one that is beyond what a post may hold, where else the whole would be refused. */
  rescues?: boolean;
  /** As GitHub reads comments and releases: lines break where they end, `#1` and `@who` are links. The repository, "" when it is not known. */
  github?: string | undefined;
  /** Whether what tools write before a text is left out; a text that never had it may begin alike. */
  frontMatter?: boolean;
}

/** What costs the parser most, each beyond what a post may hold or anybody writes. */
const most = { lines: 20_000, lineLength: 100_000, pipes: 20_000, items: 6_000, quotes: 30_000 };

/** Markdown that is too much for one post. Its message is a sentence for who sent it. */
export class MarkdownProblem extends Error {}

const tooMany = (count: number, what: string): string => `Markdown can have at most ${figure(count)} ${what}`;

/** Why a text is too much to be read as Markdown, as a sentence; null when it is not. */
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

/** What tools write before a text, as Jekyll and Hugo do: it begins with a key on the first line, so that no line across is taken for it. */
const frontMatter = /^---[ \t]*\n[\w-]+:(?:[ \t][^\n]*)?\n(?:(?!---[ \t]*\n)[^\n]*\n)*?---[ \t]*(?:\n|$)/;

/** The box of an item; there is none elsewhere. */
function tick(this: CompileContext, checked: boolean): void {
  const item = this.stack.at(-2);
  if (item?.type === "listItem") item.checked = checked;
}

/**
 * A box that is no item's stays what it was written as: behind an item that is empty, micromark takes one at the beginning of the next
 * paragraph too, which then had lost it.
 */
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

// Its transform looks for addresses anew, also in what was escaped: ./from-markdown/inline.ts does that.
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
 * Markdown (CommonMark and GitHub's tables, task lists, strike-through, alerts, bare addresses) as a post's content, cleaned as everything is.
 * What our blocks cannot hold keeps its words: raw HTML loses its tags but for marks (`<u>`, `<mark>`, `<sup>`, `<b>` …), `<a>`, `<br>`, `<img>` and
 * `<hr>`; of frames and videos a link stays; scripts, styles and comments go; code or a table in a list item, a quote or a callout stands behind it. Front matter is left out.
 * Throws a `MarkdownProblem` for what is too much; takes time in proportion to the length of the text, whatever it is.
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
