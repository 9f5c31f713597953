import { jsonMaxValues } from "../body-limits.ts";

const quote = '"'.charCodeAt(0);
const backslash = "\\".charCodeAt(0);
const [comma, bracket, brace] = [...",[{"].map((character) => character.charCodeAt(0)) as [number, number, number];

/** Short texts hold too few values to matter. */
const short = 4_096;

/**
 * Whether JSON has more values than any call of ours needs. A million empty lists fit into the bytes of one long post; to parse and check them
 * takes a hundred times as long. Counted before parsing: each value but the first follows a comma or an opening bracket.
 */
export function hasTooManyValues(json: Uint8Array | string, most: number = jsonMaxValues): boolean {
  if (json.length <= short) return false;
  let values = 0;
  for (let at = 0; at < json.length; at++) {
    const code = codeAt(json, at);
    if (code === quote) at = endOfString(json, at);
    else if ((code === comma || code === bracket || code === brace) && ++values > most) return true;
  }
  return false;
}

const codeAt = (json: Uint8Array | string, at: number): number | undefined => (typeof json === "string" ? json.charCodeAt(at) : json[at]);

/** After so many characters of a string the platform's own search for its end is faster than looking at each. */
const longRun = 32;

/** Where the string ends that begins at `start`: its other quote, or the end of the text. */
export function endOfString(json: Uint8Array | string, start: number): number {
  let run = 0;
  for (let at = start + 1; at < json.length; at++) {
    const code = codeAt(json, at);
    if (code === quote) return at;
    if (code === backslash) {
      at += 1;
      run = 0;
    } else if (++run > longRun) {
      const next = typeof json === "string" ? json.indexOf('"', at) : json.indexOf(quote, at);
      if (next < 0) return json.length;
      let escapes = next;
      while (codeAt(json, escapes - 1) === backslash) escapes -= 1;
      at = escapes - 1;
      run = 0;
    }
  }
  return json.length;
}
