import { isObject } from "#contract/blocks/read.ts";
import { endOfString } from "#contract/rules/json-values.ts";
import { DamagedCopy } from "./zip.ts";

/**
 * Values in the JSON of a copy, far above what any of ours has. Of a list: it is a megabyte of rows and one row more (private.export_page), and Postgres
 * writes a value in three bytes at least, so it has 350,000 and those of the row. Of a row: its post has fewer than `jsonMaxValues` (80,000). Of any
 * other document: a manifest has two for each of 65,000 entries at the most.
 */
export const mostValues = { list: 500_000, row: 100_000, document: 200_000 };
/** A post is nested some thirty deep. What writes JSON follows some thousands, and would break off. */
export const deepest = 1_000;

const [quote, comma, open, openBrace, close, closeBrace] = [...'",[{]}'].map((sign) => sign.charCodeAt(0));

/** The rows of a list. Throws `DamagedCopy` if it isn't one or has more values than any copy. */
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

/** What stands there once: an object, parsed as a list of it alone. */
export function objectIn(json: string): Record<string, unknown> {
  const [value, ...others] = rowsIn(`[${json}]`, mostValues.document);
  if (others.length > 0 || !isObject(value)) throw notACopy();
  return value;
}

const notACopy = () => new DamagedCopy("This is no copy of a workspace");

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new DamagedCopy("The copy is damaged");
  }
}
