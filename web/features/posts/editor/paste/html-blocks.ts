import { cleanBlocks, uncut } from "#contract/blocks/clean.ts";
import { inlineText } from "#contract/blocks/inline-html.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import { blockLines } from "./block-lines.ts";
import { declared, marksOf } from "./html-marks.ts";
import { listBlock, type ListLine } from "./list-block.ts";
import { editableBody, isEmbedded } from "./pasted-html.ts";
import { isWordLine, wordLine } from "./word-line.ts";

const lineEnd = Symbol("line end");
/** Where a paragraph begins or ends. */
const edge = Symbol("edge");

/** A list before its lines are put below each other; a `loose` one goes on in the next, as Word's do. */
interface ListPiece {
  lines: ListLine[];
  loose: boolean;
}

/** Inline HTML, what parts it, and what stands for itself. */
type Piece = string | typeof lineEnd | typeof edge | ListPiece | Block;

const containers = new Set(
  "ADDRESS ARTICLE ASIDE CAPTION CENTER DD DETAILS DIV DL DT FIELDSET FIGCAPTION FOOTER FORM HEADER HGROUP LEGEND LI MAIN NAV P SECTION SUMMARY TBODY TD TFOOT TH THEAD TR".split(
    " ",
  ),
);
const readers: Readonly<Record<string, (element: Element) => Piece[]>> = {
  BR: () => [lineEnd],
  HR: () => [{ type: "delimiter", data: {} }],
  IMG: (picture) => [imageBlock(picture.getAttribute("src") ?? "")],
  H1: header,
  H2: header,
  H3: header,
  H4: header,
  H5: header,
  H6: header,
  UL: list,
  OL: list,
  PRE: code,
  BLOCKQUOTE: quote,
  FIGURE: figure,
  TABLE: table,
};

/**
 * HTML from elsewhere (pages, mails, word processors) as blocks of a post; `leftOut` counts the pictures that could not be kept. A piece of a
 * line comes as one paragraph with the blanks around it.
 */
export function htmlBlocks(html: string): { blocks: Block[]; leftOut: number } {
  const { body, leftOut } = editableBody(html);
  const pieces = within(body);
  const blocks = blocksOf(pieces);
  const [only] = blocks;
  if (blocks.length === 1 && only?.type === "paragraph" && pieces.every((piece) => typeof piece === "string" || piece === lineEnd)) {
    only.data.text = linesOf(pieces).filter(hasText).join("<br>");
  }
  return { blocks: blocks.flatMap((block) => (isEmbedded(block) ? [block] : cleanBlocks([block], uncut).blocks)), leftOut };
}

function piecesOf(node: Node): Piece[] {
  if (node.nodeType === Node.TEXT_NODE) return textPieces(node);
  if (!(node instanceof Element)) return [];
  const read = readers[node.tagName];
  if (read) return read(node);
  if (isWordLine(node)) return [{ lines: [wordLine(node, innerLines)], loose: true }];
  if (!containers.has(node.tagName)) return marked(within(node), marksOf(node));
  if (declared(node, "white-space") === "pre") return code(node);
  return apart(within(node));
}

const apart = (pieces: Piece[]): Piece[] => [edge, ...pieces, edge];
const within = (element: Element): Piece[] => [...element.childNodes].flatMap(piecesOf);

/** HTML runs blanks and line ends together, except where its style says otherwise. */
function textPieces(node: Node): Piece[] {
  const text = node.textContent ?? "";
  const keepsLines = /[\r\n]/.test(text) && /^(?:pre|break-spaces)/.test(whiteSpaceOf(node.parentElement));
  const oneLine = (line: string) => escapeHtml(line.replace(/[ \t\r\n\f]+/g, " "));
  if (!keepsLines) return [oneLine(text)];
  return text.split(/\r?\n/).flatMap((line, index) => (index === 0 ? [oneLine(line)] : [lineEnd, oneLine(line)]));
}

function whiteSpaceOf(element: Element | null): string {
  return element === null ? "" : declared(element, "white-space") || whiteSpaceOf(element.parentElement);
}

/** Marks the text among the pieces; blocks and line ends stay as they are. */
function marked(pieces: readonly Piece[], { open, close }: { open: string; close: string }): Piece[] {
  const result: Piece[] = [];
  let run = "";
  const endRun = () => {
    if (run !== "") result.push(run.trim() === "" ? run : open + run + close);
    run = "";
  };
  for (const piece of pieces) {
    if (typeof piece === "string") run += piece;
    else {
      endRun();
      result.push(piece);
    }
  }
  endRun();
  return result;
}

const hasText = (line: string): boolean => inlineText(line).trim() !== "";
const isList = (piece: Piece | undefined): piece is ListPiece => typeof piece === "object" && "lines" in piece;

function blocksOf(pieces: readonly Piece[]): Block[] {
  const units: (Block | ListPiece)[] = [];
  let text: Piece[] = [];
  const endText = () => {
    units.push(...paragraphs(linesOf(text)));
    text = [];
  };
  for (const piece of pieces) {
    if (typeof piece === "string" || piece === lineEnd) {
      text.push(piece);
      continue;
    }
    endText();
    const before = units.at(-1);
    if (isList(piece) && piece.loose && isList(before) && before.loose) before.lines.push(...piece.lines);
    else if (typeof piece === "object") units.push(isList(piece) ? { ...piece, lines: [...piece.lines] } : piece);
  }
  endText();
  return units.filter((unit) => !isList(unit) || unit.lines.length > 0).map((unit) => (isList(unit) ? listBlock(unit.lines) : unit));
}

/** Text and line ends as lines; blanks that marks have brought together are one. */
function linesOf(pieces: readonly Piece[]): string[] {
  const lines = [""];
  for (const piece of pieces) {
    if (typeof piece === "string") lines.push(lines.pop()! + piece);
    else lines.push("");
  }
  return lines.map((line) => line.replace(/ {2,}/g, " "));
}

/** Empty lines part paragraphs. */
function paragraphs(lines: readonly string[]): Block[] {
  const texts: string[][] = [[]];
  for (const line of lines) {
    if (hasText(line)) texts.at(-1)!.push(line.trim());
    else texts.push([]);
  }
  return texts.filter((text) => text.length > 0).map((text) => paragraph(text.join("<br>")));
}

const paragraph = (text: string): Block => ({ type: "paragraph", data: { text } });

/** What is inside as lines of text, and the pictures, which no line can hold. */
function flat(pieces: readonly Piece[]): { lines: string[]; pictures: Block[] } {
  const blocks = blocksOf(pieces);
  return { lines: blocks.flatMap(blockLines), pictures: blocks.filter(({ type }) => type === "image") };
}

const innerLines = (element: Element): string => flat(within(element)).lines.join("<br>");

function header(element: Element): Piece[] {
  element.querySelectorAll("*").forEach((part) => isMarker(part) && part.remove());
  const { lines, pictures } = flat(within(element));
  const level = Math.min(Math.max(Number(element.tagName[1]), 2), 4);
  return [...(lines.length > 0 ? [{ type: "header", data: { text: lines.join("<br>"), level } } as const] : []), ...pictures];
}

/** The number that Word paints before a heading. */
const isMarker = (element: Element): boolean => declared(element, "mso-list") === "ignore";

function list(element: Element): Piece[] {
  const parts = [...element.children].map((child) => {
    const isDirect = child.matches("ul, ol"); // Google Docs writes inner lists beside the items
    return isDirect ? { ...onlyList(list(child)), isDirect } : { ...item(child, element.matches("ol")), isDirect };
  });
  const lines = parts.flatMap((part) => (part.isDirect ? part.lines.map(deeper) : part.lines));
  return [{ lines, loose: false }, ...parts.flatMap(({ pictures }) => pictures)];
}

function onlyList(pieces: readonly Piece[]): { lines: ListLine[]; pictures: Block[] } {
  return { lines: pieces.filter(isList).flatMap(({ lines }) => lines), pictures: flat(pieces.filter((piece) => !isList(piece))).pictures };
}

const deeper = (line: ListLine): ListLine => ({ ...line, depth: line.depth + 1 });

/** An item and the lists inside it; those of an item without words of its own take its place. */
function item(element: Element, ordered: boolean): { lines: ListLine[]; pictures: Block[] } {
  const pieces = within(element);
  const { lines: words, pictures } = flat(pieces.filter((piece) => !isList(piece)));
  const below = onlyList(pieces.filter(isList)).lines;
  if (words.length === 0) return { lines: below, pictures };
  const [, glyph, text = ""] = /^(?:([☐☑☒])\s*)?(.*)$/su.exec(words.join("<br>")) ?? []; // as published posts show a tick
  const checked = checkOf(element) ?? (glyph === undefined ? null : glyph !== "☐");
  return { lines: [{ depth: 0, ordered, checked, html: text }, ...below.map(deeper)], pictures };
}

/** Whether an item is ticked, null when it is none to tick. */
function checkOf(element: Element): boolean | null {
  const box = [...element.querySelectorAll("input[type=checkbox], [role=checkbox]")].find((one) => one.closest("li") === element);
  if (box?.matches("input")) return box.hasAttribute("checked");
  const said = (box ?? element).getAttribute("aria-checked") ?? element.getAttribute("data-checked");
  return said === null ? null : said === "true";
}

function code(element: Element): Piece[] {
  const text = sourceOf(element).replace(/^\n|\n+$/g, "");
  return text.trim() === "" ? [] : [{ type: "code", data: { code: text } }];
}

/** Text as it is, with the line ends that its elements make. */
function sourceOf(element: Element): string {
  return [...element.childNodes].reduce((text, node) => {
    if (!(node instanceof Element)) return text + (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? "") : "");
    if (node.tagName === "BR") return `${text}\n`;
    if (!containers.has(node.tagName)) return text + sourceOf(node);
    return `${text === "" || text.endsWith("\n") ? text : `${text}\n`}${sourceOf(node).replace(/\n$/, "")}\n`;
  }, "");
}

/** Its paragraphs are lines of a quote, anything else in it stands for itself. */
function quote(element: Element): Piece[] {
  const source = [...element.querySelectorAll("footer, cite")].find((part) => part.closest("blockquote") === element);
  source?.remove();
  const blocks: Block[] = [];
  for (const block of blocksOf(within(element))) {
    const before = blocks.at(-1);
    if (block.type !== "paragraph") blocks.push(block);
    else if (before?.type === "quote" && before.data.caption === "") before.data.text += `<br>${block.data.text}`;
    else blocks.push({ type: "quote", data: { text: block.data.text, caption: "", alignment: "left" } });
  }
  return captioned(blocks, source ? innerLines(source) : "");
}

function figure(element: Element): Piece[] {
  const words = [...element.querySelectorAll("figcaption")].find((part) => part.closest("figure") === element);
  words?.remove();
  return captioned(blocksOf(within(element)), words ? innerLines(words) : "");
}

/** Blocks with a caption: as that of the one block that can have one, else as a paragraph below. */
function captioned(blocks: Block[], caption: string): Block[] {
  if (caption === "") return blocks;
  const able = blocks.filter((block) => block.type === "image" || block.type === "quote");
  if (able.length !== 1 || able[0]!.data.caption !== "") return [...blocks, paragraph(caption)];
  able[0]!.data.caption = caption;
  return blocks;
}

function imageBlock(url: string): Block {
  return { type: "image", data: { file: { url }, caption: "", withBorder: false, stretched: false, withBackground: false } };
}

function table(element: Element): Piece[] {
  const { caption, rows } = element as HTMLTableElement;
  const only = rows.length === 1 && rows[0]!.cells.length === 1 ? rows[0]!.cells[0] : undefined;
  if (only) return apart(within(only)); // a frame around something
  const cells = [...rows].map((row) => [...row.cells].map((cell) => ({ ...flat(within(cell)), span: cell.colSpan })));
  const content = cells.map((row) =>
    row.flatMap(({ lines, span }) => [lines.join("<br>"), ...Array<string>(Math.max(0, span - 1)).fill("")]),
  );
  const withHeadings = rows[0] !== undefined && [...rows[0].cells].every((cell) => cell.matches("th, thead *"));
  return [
    ...(caption ? apart(within(caption)) : []),
    ...(content.flat().some(hasText) ? [{ type: "table", data: { withHeadings, stretched: false, content } } as const] : []),
    ...cells.flat().flatMap(({ pictures }) => pictures),
  ];
}
