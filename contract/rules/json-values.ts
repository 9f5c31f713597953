import { jsonMaxValues } from "../body-limits.ts";

const quote = '"'.charCodeAt(0);
const backslash = "\\".charCodeAt(0);
const separators = new Set([..."[{,"].map((character) => character.charCodeAt(0)));

/** Short texts hold too few values to matter. */
const short = 4_096;

/**
 * Whether JSON has more values than any call of ours needs. A million empty lists fit into the bytes of one long post; to parse and check them
 * takes a hundred times as long. Counted before parsing: each value but the first follows a comma or an opening bracket.
 */
export function hasTooManyValues(json: Uint8Array | string, most: number = jsonMaxValues): boolean {
  if (json.length <= short) return false;
  let values = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const code = typeof json === "string" ? json.charCodeAt(at) : json[at];
    if (code === quote) inString = !inString;
    else if (inString) at += code === backslash ? 1 : 0;
    else if (code !== undefined && separators.has(code) && ++values > most) return true;
  }
  return false;
}
