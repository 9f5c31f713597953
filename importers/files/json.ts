import { ImportProblem, type SourceFile } from "../entry.ts";
import { called, readText } from "./text.ts";

const [openBracket, closeBracket, openBrace, closeBrace, quote, backslash] = [...'[]{}"\\'].map((sign) => sign.charCodeAt(0));
/** Nesting limit: JSON.parse is recursive. */
const deepest = 200;

/** Splits concatenated values (`gh api --paginate`, JSON Lines); null if nested too deeply. */
function piecesOf(text: string): string[] | null {
  const pieces: string[] = [];
  let depth = 0;
  let start = -1;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at++;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === openBracket || code === openBrace) {
      if (depth === 0) start = at;
      if (++depth > deepest) return null;
    } else if (code === closeBracket || code === closeBrace) {
      depth--;
      if (depth < 0) return [text];
      if (depth === 0) pieces.push(text.slice(start, at + 1));
    }
  }
  return depth === 0 && pieces.length > 0 ? pieces : [text];
}

export function jsonValues(file: SourceFile): { values: unknown[]; note: string | null } {
  const { text, note } = readText(file);
  const pieces = piecesOf(text);
  if (pieces === null) throw new ImportProblem(`${called(file)} is nested too deeply`);
  const values: unknown[] = [];
  for (const piece of pieces) {
    try {
      values.push(JSON.parse(piece));
    } catch (error) {
      const isCut = /^\s*[[{]/.test(text) && !/[\]}]\s*$/.test(text);
      if (isCut) throw new ImportProblem(`${called(file)} is incomplete: please download it again`);
      throw new ImportProblem(`${called(file)} isn't valid JSON: ${(error as SyntaxError).message.slice(0, 200)}`);
    }
  }
  return { values, note };
}

export const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
export const wordOf = (value: unknown): string | null =>
  typeof value === "string" ? value : typeof value === "number" && Number.isFinite(value) ? String(value) : null;
