import type { Font } from "#contract/appearance.ts";
import { fromBase64 } from "../_shared/base64.ts";
import geist from "./parts/geist.ts";
import inter from "./parts/inter.ts";
import rightToLeft from "./parts/right-to-left.ts";
import serif from "./parts/source-serif.ts";

export interface Typeface {
  name: string;
  data: ArrayBuffer;
  weight: 400 | 600;
  style: "normal";
}

interface Part {
  weight: 400 | 600;
  ranges: string;
  woff: string;
}

/** "system" would differ per reader, so images use Inter. */
const partsOf: Record<Font, readonly Part[]> = { inter, geist, "source-serif": serif, system: inter };

const stackOf = (font: Font): Part[] => [...new Set([...partsOf[font], ...inter, ...rightToLeft])];

const read = new Map<string, [number, number][]>();

function rangesOf({ ranges }: Part): [number, number][] {
  let list = read.get(ranges);
  if (list === undefined) {
    list = ranges.split(" ").map((range) => {
      const [first = "", last = first] = range.split("-");
      return [parseInt(first, 16), parseInt(last, 16)];
    });
    read.set(ranges, list);
  }
  return list;
}

const has = (part: Part, character: string): boolean => {
  const code = character.codePointAt(0)!;
  return rangesOf(part).some(([first, last]) => code >= first && code <= last);
};

const ofAllTogether = stackOf("inter");

/** True if every character has a glyph: texts are drawn whole or omitted. */
export const canWrite = (text: string): boolean => [...text].every((character) => ofAllTogether.some((part) => has(part, character)));

const decoded = new Map<Part, ArrayBuffer>();

export function typefacesFor(font: Font, texts: readonly string[]): Typeface[] {
  const stack = stackOf(font);
  const needed = new Set(stack.slice(0, 1));
  for (const character of new Set(texts.flatMap((text) => [...text]))) {
    for (const weight of [400, 600]) {
      const part = stack.find((candidate) => candidate.weight === weight && has(candidate, character));
      if (part) needed.add(part);
    }
  }
  return stack
    .filter((part) => needed.has(part))
    .map((part, index) => {
      const data = decoded.get(part) ?? fromBase64(part.woff)!.buffer;
      decoded.set(part, data);
      return { name: `face-${index}`, data, weight: part.weight, style: "normal" };
    });
}
