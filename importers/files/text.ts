import { ImportProblem, type SourceFile } from "../entry.ts";

/** What a file says, and how it was read where that was no matter of course. */
export interface ReadText {
  text: string;
  note: string | null;
}

const wellKnown: readonly (readonly [string, string])[] = [
  ["\x89PNG", "a picture"],
  ["\xff\xd8\xff", "a picture"],
  ["GIF8", "a picture"],
  ["RIFF", "a picture or a sound"],
  ["%PDF", "a PDF"],
  ["PK\x03\x04", "a zip or an Office file"],
  ["\x1f\x8b", "a compressed archive"],
  ["Rar!", "a RAR archive"],
  ["7z\xbc\xaf", "a 7-Zip archive"],
  ["SQLite", "a database"],
];

const latin = (bytes: Uint8Array, length: number): string => String.fromCharCode(...bytes.subarray(0, length));

const noText = "no text";

/** What a file is that has no text, in words; null of one that may have. */
export function binaryKind(bytes: Uint8Array): string | null {
  const start = latin(bytes, 8);
  const known = wellKnown.find(([sign]) => start.startsWith(sign));
  if (known !== undefined) return known[1];
  if (/^(?:\xff\xfe|\xfe\xff)/.test(start)) return null; // UTF-16, where half of the bytes are 0
  return bytes.subarray(0, 8_192).includes(0) ? noText : null;
}

/** The name of a file without its folders. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** A file's name as a sentence has it. */
export const called = ({ name }: Pick<SourceFile, "name">): string => {
  const base = baseName(name) || name;
  return base.length > 80 ? `${base.slice(0, 79).replace(/[\ud800-\udbff]$/, "")}…` : base || "The file";
};

function decoded(bytes: Uint8Array): { text: string; note: ((name: string) => string) | null } {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder("utf-16le").decode(bytes), note: null };
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder("utf-16be").decode(bytes), note: null };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), note: null };
  } catch {
    // Either a few bytes of it are broken, or all of it is in what Windows wrote before.
    const text = new TextDecoder().decode(bytes);
    const broken = text.split("\ufffd").length - 1;
    const whole = text.match(/[\x80-\ufffc\ufffe\uffff]/g)?.length ?? 0;
    if (whole > broken) return { text, note: (name) => `Some signs in ${name} cannot be read: “\ufffd” stands in their places` };
    return {
      text: new TextDecoder("windows-1252").decode(bytes),
      note: (name) => `${name} is not in UTF-8: it was read as Windows-1252`,
    };
  }
}

/** The text of a file, whatever wrote it: UTF-8, UTF-16 with a mark, else Windows-1252. Line ends are `\n`. */
export function readText(file: SourceFile): ReadText {
  const kind = binaryKind(file.bytes);
  if (kind !== null) throw new ImportProblem(`${called(file)} is ${kind}${kind === noText ? "" : ", not text"}`);
  const { text, note } = decoded(file.bytes);
  return { text: text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n"), note: note?.(called(file)) ?? null };
}

/** How a text file begins, for who only asks what it may be; "" of any other. */
export function beginning({ bytes }: SourceFile, length = 4_096): string {
  const part = bytes.subarray(0, length);
  return binaryKind(part) === null
    ? decoded(part)
        .text.replace(/^\ufeff/, "")
        .replace(/\r\n?/g, "\n")
    : "";
}
