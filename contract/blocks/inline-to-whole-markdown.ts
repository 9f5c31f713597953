import { escapeLineStart, escapeMarkdown, inlineToken, markdownAddress } from "./inline-to-markdown.ts";
import { decodeEntities } from "./text.ts";
import { trimBreaks } from "./trim-breaks.ts";

interface Element {
  tag: string;
  href: string;
  children: Node[];
}
type Node = string | Element;

const sameAs: Readonly<Record<string, string>> = { strong: "b", em: "i" };
const signs: Readonly<Record<string, string>> = { b: "**", i: "*", s: "~~" };

function treeOf(html: string): Node[] {
  const root: Element = { tag: "", href: "", children: [] };
  const open = [root];
  for (const [match, slash, name, href = ""] of html.matchAll(inlineToken)) {
    const { children } = open.at(-1)!;
    if (match === "<br>") children.push({ tag: "br", href: "", children: [] });
    else if (name === undefined) children.push(decodeEntities(match).replace(/[ \t\n\r]+/g, " "));
    else if (slash === "/") open.pop();
    else {
      const element = { tag: sameAs[name] ?? name, href: decodeEntities(href), children: [] };
      children.push(element);
      open.push(element);
    }
  }
  return root.children;
}

const wordsOf = (nodes: readonly Node[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : wordsOf(node.children))).join("");

const isBreak = (node: Node): boolean => typeof node !== "string" && node.tag === "br";

function merged(nodes: readonly Node[]): Node[] {
  const out: Node[] = [];
  let texts: string[] = [];
  const end = (): void => {
    if (texts.length > 0) out.push(texts.join(""));
    texts = [];
  };
  for (const node of nodes) {
    if (typeof node !== "string") {
      end();
      out.push(node);
      continue;
    }
    const text = texts.at(-1)?.endsWith(" ") && node.startsWith(" ") ? node.slice(1) : node;
    if (text !== "") texts.push(text);
  }
  end();
  return out;
}

function edged(nodes: readonly Node[]): [before: Node[], inner: Node[], after: Node[]] {
  let start = 0;
  let end = nodes.length;
  const isEdge = (node: Node): boolean => isBreak(node) || node === " ";
  while (start < end && isEdge(nodes[start]!)) start++;
  while (end > start && isEdge(nodes[end - 1]!)) end--;
  const [before, inner, after] = [nodes.slice(0, start), nodes.slice(start, end), nodes.slice(end)];
  const [first] = inner;
  if (typeof first === "string" && first.startsWith(" ")) {
    before.push(" ");
    inner[0] = first.slice(1);
  }
  const last = inner.at(-1);
  if (typeof last === "string" && last.endsWith(" ")) {
    after.unshift(" ");
    inner[inner.length - 1] = last.slice(0, -1);
  }
  return [before, inner, after];
}

/** Moves whitespace out of marks: in Markdown a mark can't start or end with it. */
function hoisted(nodes: readonly Node[]): Node[] {
  const out = nodes.flatMap((node): Node[] => {
    if (typeof node === "string" || isBreak(node)) return [node];
    const words = wordsOf([node]);
    if (words.trim() === "" && (node.tag !== "code" || words === "")) {
      const blanks = words === "" ? [] : [" "];
      return [...blanks, ...hoisted(node.children).filter(isBreak)];
    }
    if (node.tag === "code") return [{ ...node, children: [words.replace(/ {2,}/g, " ")] }];
    const [before, children, after] = edged(hoisted(node.children));
    return [...before, { ...node, children }, ...after];
  });
  return merged(out);
}

/** Also escapes what ./from-markdown/inline.ts would linkify. */
function escapeWhole(text: string, inLink: boolean): string {
  const escaped = escapeMarkdown(text);
  if (inLink || !(escaped.includes("@") || escaped.includes("://") || /www\./i.test(escaped))) return escaped;
  return escaped.replace(/https?(?=:\/\/)|www(?=\.)|[\w+-](?=@\w)/gi, "$&\\");
}

function codeSpan(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = "`".repeat(longest + 1);
  const pad = /^`|`$|^ .*[^ ].* $/.test(text) ? " " : "";
  return fence + pad + text + pad + fence;
}

export interface WholeOptions {
  cell?: boolean;
  heading?: boolean;
}

/** Lossless: reads back identically (./from-markdown.ts). Uses a tag where Markdown has no syntax or none that works here. */
export function inlineToWholeMarkdown(html: string, { cell = false, heading = false }: WholeOptions = {}): string {
  const parts: string[] = [];
  let tail = ""; // last characters so far; reading them from the growing text would be quadratic
  const put = (text: string): void => {
    if (text === "") return;
    parts.push(text);
    tail = text.slice(-4);
  };
  const lineBreak = cell || heading ? "<br>" : "\\\n";

  const writeCode = (text: string): void => {
    if (text === "") return;
    const needsTags = tail.endsWith("`") || (cell && text.includes("|")) || text.length > 1_500;
    put(needsTags ? `<code>${escapeWhole(text, false)}</code>` : codeSpan(text));
  };
  /** True if the opening and closing signs are unambiguous and nothing runs into them. */
  const signFits = ({ children }: Element, next: Node | undefined): boolean => {
    const [first, last] = [children[0], children.at(-1)];
    if (typeof first !== "string" || typeof last !== "string" || !/[\s([>]/.test(tail.at(-1) ?? " ")) return false;
    const end = typeof next === "string" ? next : (next?.tag ?? " ") === "br" ? " " : (next?.tag ?? " ");
    return /^[\p{L}\p{N}]/u.test(first) && (/[\p{L}\p{N}]$/u.test(last) ? /^[\s.,:;!?)]/ : /^\s/).test(end) && /[^\s\\*~_]$/.test(last);
  };
  const write = (nodes: readonly Node[], inLink: boolean): void => {
    for (const [at, node] of nodes.entries()) {
      const next = nodes[at + 1];
      if (typeof node === "string") {
        const isLineStart = tail === "" || tail.endsWith(lineBreak);
        const escaped = escapeWhole(isLineStart || tail.endsWith(" ") ? node.replace(/^ /, "") : node, inLink);
        const text = isLineStart && !cell && !heading ? escapeLineStart(escaped) : escaped;
        put(typeof next === "object" && next.tag === "a" && text.endsWith("!") ? `${text.slice(0, -1)}\\!` : text);
      } else if (node.tag === "br") put(lineBreak);
      else if (node.tag === "code") writeCode(wordsOf(node.children));
      else if (node.tag === "a") {
        put("[");
        write(node.children, true);
        put(`]${markdownAddress(node.href)}`);
      } else {
        const sign = signs[node.tag];
        const fits = sign !== undefined && signFits(node, next);
        put(fits ? sign : `<${node.tag}>`);
        write(node.children, inLink);
        put(fits ? sign : `</${node.tag}>`);
      }
    }
  };
  write(edged(hoisted(treeOf(trimBreaks(html))))[1], false);
  return parts.join("");
}
