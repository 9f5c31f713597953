import { escapeHtml } from "#contract/blocks/text.ts";
import {
  attributeText,
  childrenOf,
  type Element,
  element,
  type HtmlNode,
  isBlank,
  isBlock,
  isBreak,
  isElement,
  text,
  trimEdges,
  wordsOf,
} from "./elements.ts";
import { checkboxState } from "./lists.ts";
import { hrefOf, imageOf, playerOf, type Scope } from "./media.ts";

const marks: Readonly<Record<string, string>> = {
  b: "strong",
  strong: "strong",
  i: "em",
  em: "em",
  cite: "em",
  dfn: "em",
  u: "u",
  ins: "u",
  s: "del",
  del: "del",
  strike: "del",
  mark: "mark",
  sup: "sup",
  sub: "sub",
  code: "code",
  kbd: "code",
  samp: "code",
  tt: "code",
};
const mergeable = new Set(["strong", "em", "u", "del", "mark", "sup", "sub"]);

export const isAroundBlocks = ({ tagName }: Element): boolean => tagName === "a" || (marks[tagName] ?? "code") !== "code";

/** `openMarks`: enclosing marks, as none is nested in itself. */
interface Line {
  scope: Scope;
  inCell: boolean;
  openMarks: ReadonlySet<string>;
}

export const lineOf = (nodes: readonly HtmlNode[], scope: Scope, inCell = false): HtmlNode[] =>
  inline(nodes, { scope, inCell, openMarks: new Set() });

function inline(nodes: readonly HtmlNode[], line: Line): HtmlNode[] {
  const out: HtmlNode[] = [];
  for (const node of nodes.flatMap((one) => inlineNode(one, line))) {
    const last = out.at(-1);
    const isSameMark =
      isElement(node) && last !== undefined && isElement(last) && node.tagName === last.tagName && mergeable.has(node.tagName);
    if (isSameMark) last.children.push(...node.children);
    else out.push(node);
  }
  return out;
}

function inlineNode(node: HtmlNode, line: Line): HtmlNode[] {
  if (!isElement(node)) return [node];
  switch (node.tagName) {
    case "br":
      return [line.inCell ? element("line-break") : node];
    case "img":
      return inlineImage(node, line);
    case "input": {
      const isChecked = checkboxState(node);
      return isChecked === null ? [] : [text(isChecked ? "☑ " : "☐ ")];
    }
    case "embed":
    case "iframe":
    case "video":
    case "audio":
      return [text(" "), ...playerOf(node, line.scope).flatMap(childrenOf), text(" ")];
    case "pre":
      return [element("code", [text(wordsOf(node).trim())])];
    default:
      return isBlock(node) ? [text(" "), ...inline(childrenOf(node), line), text(" ")] : marked(node, line);
  }
}

function inlineImage(node: Element, { scope, inCell }: Line): HtmlNode[] {
  const image = imageOf(node, scope);
  if (image === null) return [];
  if (isElement(image) && inCell)
    scope.losses.add("An image in a table is now a link", (count) => `${count} images in tables are now links`);
  return [image];
}

/** Whitespace at its edges moves outside. */
function marked(node: Element, line: Line): HtmlNode[] {
  // Google Docs wraps copied text in <b style="font-weight:normal">.
  const mark = /font-weight:\s*(?:normal|400)/i.test(attributeText(node, "style")) ? undefined : marks[node.tagName];
  const isNew = mark !== undefined && !line.openMarks.has(mark);
  const inner = inline(childrenOf(node), isNew ? { ...line, openMarks: new Set([...line.openMarks, mark]) } : line);
  if (node.tagName === "q") return [text("“"), ...inner, text("”")];
  const [before, words, after] = trimEdges(inner);
  if (words.length === 0) return [...before, ...after];
  if (node.tagName === "a") {
    const href = hrefOf(node, line.scope);
    return href === null ? inner : [...before, element("a", words, { href }), ...after];
  }
  if (!isNew) return inner;
  if (mark === "code") return [...before, element("code", [text(words.map(wordsOf).join(""))]), ...after];
  return [...before, element(mark, words), ...after];
}

export function paragraphsOf(run: readonly HtmlNode[]): HtmlNode[][] {
  const all: HtmlNode[][] = [[]];
  for (let at = 0; at < run.length; at++) {
    let next = at + 1;
    while (next < run.length && isBlank(run[next]!)) next++;
    const isGap = isBreak(run[at]!) && next < run.length && isBreak(run[next]!);
    if (!isGap) {
      all.at(-1)!.push(run[at]!);
      continue;
    }
    while (at + 1 < run.length && (isBlank(run[at + 1]!) || isBreak(run[at + 1]!))) at++;
    all.push([]);
  }
  return all;
}

export function inlineHtml(node: HtmlNode): string {
  if (!isElement(node)) return escapeHtml(node.value.replace(/\s+/g, " "));
  if (isBreak(node)) return "<br>";
  const inner = childrenOf(node).map(inlineHtml).join("");
  if (node.tagName === "a") return `<a href="${escapeHtml(attributeText(node, "href"))}">${inner}</a>`;
  const tag = { strong: "b", em: "i", del: "s" }[node.tagName] ?? node.tagName;
  return node.tagName === "img" ? escapeHtml(attributeText(node, "alt")) : `<${tag}>${inner}</${tag}>`;
}
