import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { inlineText } from "#contract/blocks/inline-html.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import { linkedHtml } from "../addresses.ts";
import { allBlocks } from "../blocks/editor-blocks.ts";
import { blockLines } from "./block-lines.ts";
import { declared, marksOf } from "./html-marks.ts";
import { edge, type HtmlReader, type Inside, isListPiece, lineEnd, type ListPiece, type Piece } from "./html-pieces.ts";
import { listBlock } from "./list-block.ts";
import { editableBody, isEmbedded } from "./pasted-html.ts";
import { isWordLine, wordLine, wordList } from "./word-line.ts";

const containers = new Set(
  "ADDRESS ARTICLE ASIDE CAPTION CENTER DD DETAILS DIV DL DT FIELDSET FIGCAPTION FOOTER FORM HEADER HGROUP LEGEND LI MAIN NAV P SECTION SUMMARY TBODY TD TFOOT TH THEAD TR".split(
    " ",
  ),
);
const readers = new Map<string, HtmlReader[]>();
for (const html of [...allBlocks.map(([, block]) => block.html), { BR: () => [lineEnd], FIGURE: figure }])
  for (const [tag, reader] of Object.entries(html)) readers.set(tag, [...(readers.get(tag) ?? []), reader]);
const readAs = (tag: string, element: Element): Piece[] | null => {
  for (const reader of readers.get(tag) ?? []) {
    const pieces = reader(element, inside);
    if (pieces !== null) return pieces;
  }
  return null;
};

/** Pasted HTML as blocks; `leftOut`: number of images that can't be kept. A part of a line becomes one paragraph with its surrounding spaces. */
export function htmlBlocks(html: string): { blocks: Block[]; leftOut: number } {
  const { body, leftOut } = editableBody(html);
  const pieces = within(body);
  const blocks = blocksOf(pieces);
  const [only] = blocks;
  if (blocks.length === 1 && only?.type === "paragraph" && pieces.every((piece) => typeof piece === "string" || piece === lineEnd)) {
    only.data.text = linesOf(pieces).filter(hasText).join("<br>");
  }
  return { blocks: blocks.flatMap((block) => (isEmbedded(block) ? [block] : cleanBlocks([block], unlimited).blocks)), leftOut };
}

function piecesOf(node: Node): Piece[] {
  if (node.nodeType === Node.TEXT_NODE) return textPieces(node);
  if (!(node instanceof Element)) return [];
  const read = readAs(node.tagName, node);
  if (read) return read;
  if (isWordLine(node)) return [{ lines: [wordLine(node, innerLines)], word: wordList(node) }];
  if (!containers.has(node.tagName)) return marked(within(node), marksOf(node));
  if (declared(node, "white-space") === "pre") return readAs("PRE", node) ?? [];
  return apart(within(node));
}

const apart = (pieces: readonly Piece[]): Piece[] => [edge, ...pieces, edge];
const within = (element: Element): Piece[] => [...element.childNodes].flatMap(piecesOf);

function textPieces(node: Node): Piece[] {
  const text = node.textContent ?? "";
  const keepsLines = /[\r\n]/.test(text) && /^(?:pre|break-spaces)/.test(whiteSpaceOf(node.parentElement));
  const isPlain = node.parentElement?.closest("a, code, kbd, samp, tt") === null;
  const oneLine = (line: string) => (isPlain ? linkedHtml : escapeHtml)(line.replace(/[ \t\r\n\f]+/g, " "));
  if (!keepsLines) return [oneLine(text)];
  return text.split(/\r?\n/).flatMap((line, index) => (index === 0 ? [oneLine(line)] : [lineEnd, oneLine(line)]));
}

function whiteSpaceOf(element: Element | null): string {
  return element === null ? "" : declared(element, "white-space") || whiteSpaceOf(element.parentElement);
}

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

const continuesList = (before: ListPiece, { word, lines }: ListPiece): boolean =>
  word !== null && before.word !== null && (word === before.word || lines[0]!.depth > 0);

const hasText = (line: string): boolean => inlineText(line).trim() !== "";

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
    if (isListPiece(piece) && isListPiece(before) && continuesList(before, piece)) before.lines.push(...piece.lines);
    else if (typeof piece === "object") units.push(isListPiece(piece) ? { ...piece, lines: [...piece.lines] } : piece);
  }
  endText();
  return units
    .filter((unit) => !isListPiece(unit) || unit.lines.length > 0)
    .map((unit) => (isListPiece(unit) ? listBlock(unit.lines) : unit));
}

function linesOf(pieces: readonly Piece[]): string[] {
  const lines = [""];
  for (const piece of pieces) {
    if (typeof piece === "string") lines.push(lines.pop()! + piece);
    else lines.push("");
  }
  return lines.map((line) => line.replace(/ {2,}/g, " "));
}

function paragraphs(lines: readonly string[]): Block[] {
  const texts: string[][] = [[]];
  for (const line of lines) {
    if (hasText(line)) texts.at(-1)!.push(line.trim());
    else texts.push([]);
  }
  return texts.filter((text) => text.length > 0).map((text) => paragraph(text.join("<br>")));
}

const paragraph = (text: string): Block => ({ type: "paragraph", data: { text } });

function flat(pieces: readonly Piece[]): { lines: string[]; images: Block[] } {
  const blocks = blocksOf(pieces);
  return { lines: blocks.flatMap(blockLines), images: blocks.filter(({ type }) => type === "image") };
}

const innerLines = (element: Element): string => flat(within(element)).lines.join("<br>");

function sourceOf(element: Element): string {
  return [...element.childNodes].reduce((text, node) => {
    if (!(node instanceof Element)) return text + (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? "") : "");
    if (node.tagName === "BR") return `${text}\n`;
    if (!containers.has(node.tagName)) return text + sourceOf(node);
    return `${text === "" || text.endsWith("\n") ? text : `${text}\n`}${sourceOf(node).replace(/\n$/, "")}\n`;
  }, "");
}

function figure(element: Element): Piece[] {
  const words = [...element.querySelectorAll("figcaption")].find((part) => part.closest("figure") === element);
  words?.remove();
  return captioned(blocksOf(within(element)), words ? innerLines(words) : "");
}

function captioned(blocks: Block[], caption: string): Block[] {
  if (caption === "") return blocks;
  const able = blocks.filter((block) => block.type === "image" || block.type === "quote");
  if (able.length !== 1 || able[0]!.data.caption !== "") return [...blocks, paragraph(caption)];
  able[0]!.data.caption = caption;
  return blocks;
}

const inside: Inside = { within, blocks: blocksOf, flat, lines: innerLines, source: sourceOf, apart, captioned, hasText };
