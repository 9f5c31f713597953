/**
 * Reading Markdown takes some milliseconds for each page of text, all in one step. A long text is read in pieces, so that others have their turn
 * in between; cut only where nothing goes on from the one to the other: at an empty line before a line that begins a block of its own.
 */

/** Pieces are this long at least, and none is longer than what one block may be and as much again. */
export const pieceLength = 8_000;
export const longestPiece = 100_000;
/** List items of a piece; a list may have a thousand. */
const mostItems = 1_500;

/** Opens or closes code. */
const fence = /^ {0,3}(`{3,}|~{3,})/;
/** Begins what does not end at an empty line; a comment that ends on its line does. */
const html = /^ {0,3}<(?:script|pre|style|textarea|!(?!--.*-->)|\?)/i;
/** A block of its own: no indentation, no list, no line across, no code, no HTML. */
const ownBlock = /^[^\s\-+*`~<\d]/;
const item = /^[ \t>]*(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/;
const definition = /^ {0,3}\[([^\]]+)\]:/;

/** A text that has no place to cut it at is too much. Its message is a sentence for who sent it. */
export class UncutMarkdown extends Error {}

/** The pieces of a text, each with the addresses that its links name. Together they are read as the whole would be. */
export function* piecesOf(markdown: string): Generator<string, void> {
  if (markdown.length <= pieceLength) {
    yield markdown;
    return;
  }
  const lines = markdown.replace(/\r\n?/g, "\n").split("\n");
  const named = lines.filter((line) => definition.test(line));
  let piece: string[] = [];
  let length = 0;
  let items = 0;
  let open: string | undefined; // the fence that code stands in
  let whole = false; // HTML has begun that may hold empty lines
  for (const line of lines) {
    const cut = length >= pieceLength && open === undefined && !whole && piece.at(-1)?.trim() === "" && ownBlock.test(line);
    if (cut) {
      yield withDefinitions(piece, named);
      [piece, length, items] = [[], 0, 0];
    }
    piece.push(line);
    length += line.length + 1;
    if (item.test(line)) items += 1;
    const [, marks] = fence.exec(line) ?? [];
    if (open === undefined) open = marks;
    else if (marks?.startsWith(open) && line.trim() === marks) open = undefined;
    whole ||= html.test(line);
    if (length > longestPiece) throw new UncutMarkdown("A part without an empty line can have at most 100,000 characters");
    if (items > mostItems) throw new UncutMarkdown("A list can have at most 1,000 items");
  }
  yield withDefinitions(piece, named);
}

/** What links name may be defined anywhere; the first definition counts, so those of the whole text stand first. */
function withDefinitions(piece: readonly string[], named: readonly string[]): string {
  const text = piece.join("\n");
  if (named.length === 0) return text;
  const known = text.toLowerCase();
  const needed = named.filter((line) => known.includes(`[${definition.exec(line)![1]!.toLowerCase()}]`));
  return needed.length === 0 ? text : `${text}\n\n${needed.join("\n")}\n`;
}
