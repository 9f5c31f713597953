import {
  attributeText,
  childrenOf,
  type Element,
  element,
  type HtmlNode,
  isBlock,
  isElement,
  isNamed,
  text,
  trimEdges,
  wordsOf,
} from "./elements.ts";
import { lineOf } from "./lines.ts";
import type { Scope } from "./media.ts";

/** Limits of rowspan and colspan; beyond them cells span one. */
const maxSpanned = 3_000;
const maxSpan = 30;

export function tableParts(table: Element): { rows: Element[]; rest: HtmlNode[] } {
  const rows: Element[] = [];
  const rest: HtmlNode[] = [];
  const collect = (node: Element): void => {
    for (const child of childrenOf(node)) {
      if (isNamed(child, "tr")) rows.push(child);
      else if (isNamed(child, "thead", "tbody", "tfoot")) collect(child);
      else rest.push(child);
    }
  };
  collect(table);
  return { rows, rest };
}

const cellsOf = (row: Element): Element[] => childrenOf(row).filter((child): child is Element => isNamed(child, "td", "th"));

const holdsTable = (node: Element): boolean =>
  childrenOf(node).some((child) => isElement(child) && (child.tagName === "table" || holdsTable(child)));

export const isLayoutTable = (table: Element, rows: readonly Element[]): boolean =>
  attributeText(table, "role") === "presentation" ||
  rows.every((row) => cellsOf(row).length < 2) ||
  rows.some((row) => cellsOf(row).some(holdsTable));

/** Code that Pygments, Rouge or Chroma put into a table beside its line numbers; null for other tables. */
export function codeWithLineNumbers(rows: readonly Element[]): Element | null {
  const [numbers, codeCell, ...more] = rows.length === 1 ? cellsOf(rows[0]!) : [];
  if (codeCell === undefined || more.length > 0 || !/^[\d\s]+$/.test(wordsOf(numbers!))) return null;
  let inner: Element = codeCell;
  while (!isNamed(inner, "pre")) {
    const parts = childrenOf(inner).filter((child) => isElement(child) || wordsOf(child).trim() !== "");
    if (parts.length !== 1 || !isElement(parts[0]!)) return null;
    inner = parts[0];
  }
  return inner;
}

export const cellsAsParts = (row: Element): HtmlNode[] =>
  childrenOf(row).map((cell) => (isElement(cell) ? element("div", childrenOf(cell)) : cell));

export function tableOf(rows: readonly Element[], scope: Scope): Element {
  let spanned = 0;
  const span = (cell: Element, name: "colSpan" | "rowSpan"): number => {
    const declaredSpan = Math.min(Math.max(Number.parseInt(attributeText(cell, name), 10) || 1, 1), maxSpan);
    spanned += declaredSpan - 1;
    return spanned > maxSpanned ? 1 : declaredSpan;
  };
  const cellOf = (cell: Element): Element => {
    const properties = { colSpan: span(cell, "colSpan"), rowSpan: span(cell, "rowSpan") };
    return element(cell.tagName, trimEdges(cellLines(cell, scope))[1], properties);
  };
  return element(
    "table",
    rows.map((row) => element("tr", cellsOf(row).map(cellOf))),
  );
}

const isCellBlock = (node: HtmlNode): node is Element =>
  isElement(node) && isBlock(node) && !isNamed(node, "img", "embed", "iframe", "video", "audio", "pre");

function cellLines(cell: Element, scope: Scope): HtmlNode[] {
  const lines: HtmlNode[][] = [[]];
  const collect = (nodes: readonly HtmlNode[], bullet = ""): void => {
    for (const node of nodes) {
      if (isCellBlock(node)) {
        lines.push(bullet !== "" && node.tagName === "li" ? [text(bullet)] : []);
        collect(childrenOf(node), isNamed(node, "ul", "ol", "menu") ? "• " : "");
        lines.push([]);
      } else lines.at(-1)!.push(node);
    }
  };
  collect(childrenOf(cell));
  const full = lines.map((nodes) => trimEdges(lineOf(nodes, scope, true))[1]).filter((nodes) => nodes.length > 0);
  return full.flatMap((nodes, at) => (at === 0 ? nodes : [element("line-break"), ...nodes]));
}
