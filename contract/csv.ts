/** `line`: where the record starts, from 1. `open`: it has an unclosed quote. */
export interface CsvRecord {
  line: number;
  cells: string[];
  open?: true;
}

/** CSV injection: cells that spreadsheets run as a formula or split. Full-width signs count too. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** Escapes formulas with an apostrophe; `fromCell` reverses it. */
export const toCell = (text: string): string => (formula.test(text) ? `'${text}` : text);

export const fromCell = (text: string): string => (text.startsWith("'") && formula.test(text) ? text.slice(1) : text);

export const csvLine = (cells: readonly string[]): string =>
  `${cells
    .map(toCell)
    .map((cell) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(",")}\r\n`;

const byteOrderMark = "\uFEFF";

/** Parses CSV without empty lines. The separator is the most frequent of comma, semicolon and tab in the first line. */
export function* parseCsv(file: string): Generator<CsvRecord, void> {
  const text = file.startsWith(byteOrderMark) ? file.slice(1) : file;
  const declared = /^sep=(.)(?:\r\n|\n|\r)/i.exec(text);
  const separator = declared?.[1] ?? separatorOf(text);
  let at = declared?.[0].length ?? 0;
  let line = declared ? 2 : 1;
  while (at < text.length) {
    const record: CsvRecord = { line, cells: [] };
    for (let ends = false; !ends;) {
      let cell = "";
      if (text[at] === '"') {
        at += 1;
        for (;;) {
          const quote = text.indexOf('"', at);
          const part = text.slice(at, quote === -1 ? undefined : quote);
          line += part.match(/\r\n|\n|\r/g)?.length ?? 0;
          cell += part;
          at = quote === -1 ? text.length : quote + 1;
          if (quote === -1) record.open = true;
          if (quote === -1 || text[at] !== '"') break;
          cell += '"';
          at += 1;
        }
      }
      const start = at;
      while (at < text.length && text[at] !== separator && text[at] !== "\n" && text[at] !== "\r") at += 1;
      record.cells.push(cell + text.slice(start, at));
      ends = text[at] !== separator;
      if (!ends) at += 1;
    }
    if (at < text.length) {
      at += text.startsWith("\r\n", at) ? 2 : 1;
      line += 1;
    }
    if (record.cells.some((cell) => cell.trim() !== "")) yield record;
  }
}

function separatorOf(text: string): string {
  const first = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.slice(0, 10_000))![0].replace(/"(?:[^"]|"")*"/g, "");
  const amount = (separator: string) => first.split(separator).length;
  return [",", ";", "\t"].reduce((most, separator) => (amount(separator) > amount(most) ? separator : most));
}

/** Decodes what spreadsheets write: UTF-8, UTF-16 with a BOM, else Windows-1252. */
export function decodeCsv(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
