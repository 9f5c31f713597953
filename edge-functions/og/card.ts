import type { Font } from "#contract/appearance.ts";
import { directionOf, widthOf } from "./words.ts";

/** What every network shows whole: 1.91 : 1. */
export const cardSize = { width: 1_200, height: 630 } as const;

export interface Colours {
  ground: string;
  text: string;
  muted: string;
  accent: string;
  onAccent: string;
}

/** What a card says and how it looks; whoever fills it in has asked whether each text can be drawn. */
export interface Card {
  font: Font;
  colours: Colours;
  /** Where lines begin. */
  direction: "ltr" | "rtl";
  /** Of the workspace; null where it cannot be drawn. */
  name: string | null;
  logo: Logo | null;
  /** Null: a plain card. */
  title: string | null;
  /** Below it: a date, or what a workspace's card is of. */
  line: string | null;
}

export interface Logo {
  /** As a data: address. */
  url: string;
  width: number;
  height: number;
}

/** A node as satori takes it, without React. */
export interface Node {
  type: "div" | "img";
  props: { style: Record<string, string | number>; children?: (Node | string)[]; src?: string; width?: number; height?: number };
}

type Style = Node["props"]["style"];

const box = (style: Style, ...children: (Node | string | null)[]): Node => ({
  type: "div",
  props: { style: { display: "flex", boxSizing: "border-box", ...style }, children: children.filter((child) => child !== null) },
});

const edge = 80;
const inner = cardSize.width - 2 * edge;

/** Sizes of a title and the lines that each has room for; the last holds any. */
const sizes = [
  { size: 84, lines: 3 },
  { size: 70, lines: 4 },
  { size: 58, lines: 5 },
  { size: 48, lines: 6 },
];

/** The largest size at which a title fits; words are not divided, so lines end a little early. */
export function sizeOf(title: string): number {
  const width = widthOf(title);
  return (sizes.find(({ size, lines }) => Math.ceil((width * size * 1.08) / inner) <= lines - 1) ?? sizes.at(-1)!).size;
}

/** The card as a tree for satori: a band in the accent, whose it is, what it says, when. */
export function drawing({ colours, direction, name, logo, title, line }: Card): Node {
  const row = direction === "rtl" ? "row-reverse" : "row";
  const start = direction === "rtl" ? "flex-end" : "flex-start";
  const alone = title === null;
  return box(
    {
      width: cardSize.width,
      height: cardSize.height,
      flexDirection: "column",
      justifyContent: "space-between",
      padding: `${edge - 8}px ${edge}px ${edge - 16}px`,
      borderBottom: `16px solid ${colours.accent}`,
      background: colours.ground,
      color: colours.text,
    },
    box(
      alone
        ? { flexGrow: 1, flexDirection: row, alignItems: "center", gap: 36 }
        : { flexDirection: row, alignItems: "center", gap: 24, height: 72 },
      mark(logo, name, colours, alone ? 144 : 72),
      name === null
        ? null
        : written(name, { fontSize: alone ? 72 : 36, fontWeight: 600, maxWidth: alone ? 840 : 900, maxHeight: alone ? 270 : 48 }),
    ),
    alone
      ? null
      : written(title, {
          fontSize: sizeOf(title),
          fontWeight: 600,
          letterSpacing: "-0.02em",
          lineHeight: 1.16,
          width: "100%",
          maxHeight: 350,
        }),
    box(
      { flexDirection: "column", alignItems: start, height: 40 },
      line === null ? null : written(line, { fontSize: 30, color: colours.muted }),
    ),
  );
}

/** A text in its own direction. Letters of Arabic join: no space is taken from between them. */
function written(text: string, { letterSpacing, ...style }: Style): Node {
  const direction = directionOf(text);
  return box(
    {
      display: "block",
      direction,
      textAlign: direction === "rtl" ? "right" : "left",
      wordBreak: "break-word",
      overflow: "hidden",
      ...style,
      ...(letterSpacing !== undefined && direction === "ltr" && { letterSpacing }),
    },
    text,
  );
}

/** The logo; where there is none the first letter on the accent, and where that cannot be drawn the accent alone. */
function mark(logo: Logo | null, name: string | null, colours: Colours, size: number): Node {
  if (logo !== null) {
    const scale = Math.min((size * 3) / logo.width, size / logo.height); // wide ones as well
    const [width, height] = [Math.max(1, Math.round(logo.width * scale)), Math.max(1, Math.round(logo.height * scale))];
    return { type: "img", props: { src: logo.url, width, height, style: { width, height, borderRadius: size / 8, objectFit: "contain" } } };
  }
  const letter = name === null ? null : ([...name].find((character) => /[\p{L}\p{N}]/u.test(character)) ?? null);
  return box(
    {
      width: size,
      height: size,
      flexShrink: 0,
      alignItems: "center",
      justifyContent: "center",
      borderRadius: size / 5,
      background: colours.accent,
      color: colours.onAccent,
      fontSize: size * 0.55,
      fontWeight: 600,
    },
    letter?.toLocaleUpperCase() ?? null,
  );
}
