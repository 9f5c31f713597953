import type { Font } from "#contract/appearance.ts";
import { fromBase64 } from "../_shared/base64.ts";
import geist from "./parts/geist.ts";
import inter from "./parts/inter.ts";
import rightToLeft from "./parts/right-to-left.ts";
import serif from "./parts/source-serif.ts";

/** As satori takes it. */
export interface Typeface {
  name: string;
  data: ArrayBuffer;
  weight: 400 | 600;
  style: "normal";
}

interface Part {
  weight: 400 | 600;
  /** The characters that it has, as `20-7e a0-ff`. */
  ranges: string;
  woff: string;
}

/** "system" is each reader's own; a picture is the same for all. */
const partsOf: Record<Font, readonly Part[]> = { inter, geist, "source-serif": serif, system: inter };

/** What a card in this typeface is written with: where it lacks a letter Inter has it, and two others those of Arabic and Hebrew. */
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

/** Whether every character of a text can be drawn: a card says a text whole or leaves it out, never with gaps in it. */
export const canWrite = (text: string): boolean => [...text].every((character) => ofAllTogether.some((part) => has(part, character)));

const decoded = new Map<Part, ArrayBuffer>();

/** The typefaces that these texts need and no others, in the order in which a letter is looked for in them. */
export function typefacesFor(font: Font, texts: readonly string[]): Typeface[] {
  const stack = stackOf(font);
  const needed = new Set(stack.slice(0, 1));
  for (const character of new Set(texts.flatMap((text) => [...text]))) {
    for (const weight of [400, 600]) {
      const part = stack.find((one) => one.weight === weight && has(one, character));
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
