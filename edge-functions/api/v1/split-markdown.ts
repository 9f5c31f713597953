/** Splits long Markdown, so that parsing doesn't block other requests. Cuts only at an empty line before an independent block. */

/** Minimum, and maximum of twice a block's limit. */
export const pieceLength = 8_000;
export const longestPiece = 100_000;
const mostItems = 1_500;

const fence = /^ {0,3}(`{3,}|~{3,})/;
/** HTML blocks that continue over empty lines; one-line comments don't. */
const html = /^ {0,3}<(?:script|pre|style|textarea|!(?!--.*-->)|\?)/i;
/** An unindented paragraph or heading: no list, rule, code or HTML. */
const ownBlock = /^[^\s\-+*`~<\d]/;
const item = /^[ \t>]*(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/;
const definition = /^ {0,3}\[([^\]]+)\]:/;

export class UncutMarkdown extends Error {}

/** Each piece includes the link definitions it needs. */
export function* piecesOf(markdown: string): Generator<string, void> {
  if (markdown.length <= pieceLength) {
    yield markdown;
    return;
  }
  const lines = markdown.replace(/\r\n?/g, "\n").split("\n");
  const definitions = lines.filter((line) => definition.test(line));
  let piece: string[] = [];
  let length = 0;
  let items = 0;
  let open: string | undefined;
  let whole = false;
  for (const line of lines) {
    const cut = length >= pieceLength && open === undefined && !whole && piece.at(-1)?.trim() === "" && ownBlock.test(line);
    if (cut) {
      yield withDefinitions(piece, definitions);
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
  yield withDefinitions(piece, definitions);
}

/** The first definition wins, so the whole text's come first. */
function withDefinitions(piece: readonly string[], definitions: readonly string[]): string {
  const text = piece.join("\n");
  if (definitions.length === 0) return text;
  const lowerCase = text.toLowerCase();
  const needed = definitions.filter((line) => lowerCase.includes(`[${definition.exec(line)![1]!.toLowerCase()}]`));
  return needed.length === 0 ? text : `${text}\n\n${needed.join("\n")}\n`;
}
