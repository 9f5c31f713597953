import { ImportProblem, type SourceFile } from "../entry.ts";

/** `note` is set when the encoding was guessed. */
export interface ReadText {
  text: string;
  note: string | null;
}

const wellKnown: readonly (readonly [string, string])[] = [
  ["\x89PNG", "an image"],
  ["\xff\xd8\xff", "an image"],
  ["GIF8", "an image"],
  ["RIFF", "an image or audio file"],
  ["%PDF", "a PDF"],
  ["PK\x03\x04", "a zip or an Office file"],
  ["\x1f\x8b", "a compressed archive"],
  ["Rar!", "a RAR archive"],
  ["7z\xbc\xaf", "a 7-Zip archive"],
  ["SQLite", "a database"],
];

const latin = (bytes: Uint8Array, length: number): string => String.fromCharCode(...bytes.subarray(0, length));

const noText = "not text";

/** File type of binary content; null for text. */
export function binaryKind(bytes: Uint8Array): string | null {
  const start = latin(bytes, 8);
  const signature = wellKnown.find(([sign]) => start.startsWith(sign));
  if (signature !== undefined) return signature[1];
  if (/^(?:\xff\xfe|\xfe\xff)/.test(start)) return null; // UTF-16 also contains zero bytes
  return bytes.subarray(0, 8_192).includes(0) ? noText : null;
}

export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

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
    // Few replacement characters mean damaged UTF-8; many mean Windows-1252.
    const text = new TextDecoder().decode(bytes);
    const broken = text.split("\ufffd").length - 1;
    const whole = text.match(/[\x80-\ufffc\ufffe\uffff]/g)?.length ?? 0;
    if (whole > broken) return { text, note: (name) => `Some characters in ${name} can't be read and were replaced by “\ufffd”` };
    return {
      text: new TextDecoder("windows-1252").decode(bytes),
      note: (name) => `${name} isn't UTF-8, so it was read as Windows-1252`,
    };
  }
}

/** Decodes UTF-8, UTF-16 with a BOM, else Windows-1252. Line endings become `\n`. */
export function readText(file: SourceFile): ReadText {
  const kind = binaryKind(file.bytes);
  if (kind !== null) throw new ImportProblem(`${called(file)} is ${kind}${kind === noText ? "" : ", not text"}`);
  const { text, note } = decoded(file.bytes);
  return { text: text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n"), note: note?.(called(file)) ?? null };
}

export function beginning({ bytes }: SourceFile, length = 4_096): string {
  const part = bytes.subarray(0, length);
  return binaryKind(part) === null
    ? decoded(part)
        .text.replace(/^\ufeff/, "")
        .replace(/\r\n?/g, "\n")
    : "";
}
