import { ImportProblem, type SourceFile } from "../entry.ts";
import { called, readText } from "./text.ts";

/** How a file says in its first line what it is written in; of UTF-16 without a mark every second byte is 0. */
function declared(bytes: Uint8Array): string | null {
  const start = bytes.subarray(0, 400);
  const text = String.fromCharCode(...start.filter((byte) => byte !== 0));
  if (start[0] === 0x3c && start[1] === 0) return "utf-16le";
  if (start[0] === 0 && start[1] === 0x3c) return "utf-16be";
  return /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(text)?.[1]?.toLowerCase() ?? null;
}

/** The text of an XML file in the encoding that it names. */
export function xmlText(file: SourceFile): { text: string; note: string | null } {
  const encoding = declared(file.bytes);
  const hasMark = /^(?:\xff\xfe|\xfe\xff|\xef\xbb\xbf)/.test(String.fromCharCode(...file.bytes.subarray(0, 3)));
  // A mark says it better; a file that says UTF-16 in one byte a sign is none.
  const isNamed =
    encoding !== null && !hasMark && !/^utf-?8$/.test(encoding) && (!/^utf-?16/.test(encoding) || file.bytes.subarray(0, 2).includes(0));
  if (!isNamed) return readText(file);
  try {
    return { text: new TextDecoder(encoding).decode(file.bytes), note: null };
  } catch {
    const read = readText(file);
    return { ...read, note: read.note ?? `${called(file)} is written in ${encoding}, which nothing here reads: it was read as UTF-8` };
  }
}

/** Says no to what makes a text of its own out of a few letters. */
export function refuseEntities(text: string): void {
  if (/<!ENTITY/i.test(text))
    throw new ImportProblem("This feed defines entities of its own, which is how such files are made to explode: it is not read");
}
