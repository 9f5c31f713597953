import { ImportProblem, type SourceFile } from "../entry.ts";
import { called, readText } from "./text.ts";

/** Encoding in the XML declaration; in UTF-16 without a BOM every second byte is 0. */
function declared(bytes: Uint8Array): string | null {
  const start = bytes.subarray(0, 400);
  const text = String.fromCharCode(...start.filter((byte) => byte !== 0));
  if (start[0] === 0x3c && start[1] === 0) return "utf-16le";
  if (start[0] === 0 && start[1] === 0x3c) return "utf-16be";
  return /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(text)?.[1]?.toLowerCase() ?? null;
}

export function xmlText(file: SourceFile): { text: string; note: string | null } {
  const encoding = declared(file.bytes);
  const hasMark = /^(?:\xff\xfe|\xfe\xff|\xef\xbb\xbf)/.test(String.fromCharCode(...file.bytes.subarray(0, 3)));
  // A BOM wins; single-byte text that declares UTF-16 isn't UTF-16.
  const isNamed =
    encoding !== null && !hasMark && !/^utf-?8$/.test(encoding) && (!/^utf-?16/.test(encoding) || file.bytes.subarray(0, 2).includes(0));
  if (!isNamed) return readText(file);
  try {
    return { text: new TextDecoder(encoding).decode(file.bytes), note: null };
  } catch {
    const read = readText(file);
    return {
      ...read,
      note: read.note ?? `${called(file)} declares the encoding ${encoding}, which isn't supported, so it was read as UTF-8`,
    };
  }
}

/** Prevents entity expansion attacks (billion laughs). */
export function refuseEntities(text: string): void {
  if (/<!ENTITY/i.test(text))
    throw new ImportProblem("This feed defines its own entities, which can be an attack, so it can't be imported");
}
