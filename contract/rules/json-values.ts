import { jsonMaxValues } from "../body-limits.ts";

const quote = '"'.charCodeAt(0);
const backslash = "\\".charCodeAt(0);
const [comma, bracket, brace] = [...",[{"].map((character) => character.charCodeAt(0)) as [number, number, number];

const short = 4_096;

/**
 * True if JSON has more values than any call needs. A million empty lists fit into one long post's bytes and take a hundred times as long
 * to parse and validate. Counts commas and opening brackets before parsing.
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

const longRun = 32;

/** Index of the closing quote of the string starting at `start`, or the end of the text. */
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
