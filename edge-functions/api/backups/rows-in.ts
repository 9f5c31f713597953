import { isObject } from "#contract/blocks/read.ts";
import { endOfString } from "#contract/rules/json-values.ts";
import { DamagedCopy } from "./zip.ts";

/**
 * JSON value limits against hostile backups. A list: a 1 MB page plus a row (private.export_page) at 3 bytes a value has at most 350,000
 * plus the row's. A row: its post has fewer than `jsonMaxValues` (80,000). Other documents: a manifest has two for each of at most 65,000
 * entries.
 */
export const mostValues = { list: 500_000, row: 100_000, document: 200_000 };
/** A post has about 30 levels; JSON.stringify fails at some thousands. */
export const deepest = 1_000;

const [quote, comma, open, openBrace, close, closeBrace] = [...'",[{]}'].map((sign) => sign.charCodeAt(0));

/** Throws DamagedCopy for anything else, or over the limits. */
export function rowsIn(json: string, mostInRow = mostValues.row): unknown[] {
  const list = json.trim();
  const end = list.length - 1;
  if (list[0] !== "[" || list[end] !== "]") throw notACopy();
  const rows: unknown[] = [];
  const left = { list: mostValues.list, row: mostInRow };
  let [start, depth] = [1, 0];
  for (let at = 1; at < end; at++) {
    const code = list.charCodeAt(at);
    if (code === quote) at = endOfString(list, at);
    else if (code === close || code === closeBrace) depth--;
    else if (code === comma || code === open || code === openBrace) {
      if (--left.list < 0) throw notACopy();
      if (depth === 0 && code === comma) {
        rows.push(parsed(list.slice(start, at)));
        start = at + 1;
        left.row = mostInRow;
      } else {
        if (--left.row < 0) throw notACopy();
        if (code !== comma && ++depth > deepest) throw notACopy();
      }
    }
  }
  const last = list.slice(start, end);
  if (rows.length > 0 || last.trim() !== "") rows.push(parsed(last));
  return rows;
}

export function objectIn(json: string): Record<string, unknown> {
  const [value, ...others] = rowsIn(`[${json}]`, mostValues.document);
  if (others.length > 0 || !isObject(value)) throw notACopy();
  return value;
}

const notACopy = () => new DamagedCopy("This isn't a workspace backup");

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new DamagedCopy("The backup is damaged");
  }
}
