import type { Font } from "#contract/appearance.ts";
import { directionOf, widthOf } from "./card-text.ts";

/** 1.91:1, which all networks show uncropped. */
export const cardSize = { width: 1_200, height: 630 } as const;

export interface Colours {
  ground: string;
  text: string;
  muted: string;
  accent: string;
  onAccent: string;
}

export interface Card {
  font: Font;
  colours: Colours;
  direction: "ltr" | "rtl";
  name: string | null;
  logo: Logo | null;
  title: string | null;
  line: string | null;
}

export interface Logo {
  url: string;
  width: number;
  height: number;
}

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
const band = 16;
const inner = cardSize.width - 2 * edge;
/** Arabic needs taller lines. */
const headHeight = 80;
const footHeight = 52;
const titleHeight = cardSize.height - band - edge - headHeight - footHeight - 56 - 2 * 16;

const lineHeightOf = (text: string): number => (directionOf(text) === "rtl" ? 1.5 : 1.16);

const sizes = [84, 76, 68, 60, 54, 48, 42, 36];

/** Largest size at which the title fits without breaking words. */
export function sizeOf(title: string, height = titleHeight, width = inner, largest = 84): number {
  const needed = widthOf(title);
  const has = (size: number): number => Math.floor(height / (size * lineHeightOf(title)));
  const takes = (size: number): number => Math.ceil((needed * size * 1.12) / width + 0.25);
  return sizes.find((size) => size <= largest && takes(size) <= has(size)) ?? sizes.at(-1)!;
}

export function drawing(card: Card): Node {
  const { colours, direction, line } = card;
  return box(
    {
      width: cardSize.width,
      height: cardSize.height,
      flexDirection: "column",
      justifyContent: "space-between",
      padding: `${edge}px ${edge}px 56px`,
      borderBottom: `${band}px solid ${colours.accent}`,
      background: colours.ground,
      color: colours.text,
    },
    ...(card.title === null ? [whose(card, true)] : [whose(card, false), titleLine(card.title)]),
    box(
      { height: footHeight, alignItems: "flex-end", justifyContent: direction === "rtl" ? "flex-end" : "flex-start" },
      line === null ? null : written(line, { fontSize: 30, color: colours.muted }),
    ),
  );
}

function whose({ logo, name, colours, direction }: Card, alone: boolean): Node {
  const size = alone ? 144 : 72;
  const fontSize = name === null ? 0 : alone ? sizeOf(name, 300, inner - size * 2, 76) : 36;
  return box(
    {
      ...(alone ? { flexGrow: 1 } : { height: headHeight }),
      flexDirection: direction === "rtl" ? "row-reverse" : "row",
      alignItems: "center",
      gap: alone ? 36 : 24,
    },
    mark(logo, name, colours, size),
    name === null
      ? null
      : written(name, {
          fontSize,
          fontWeight: 600,
          flexShrink: 1,
          ...(alone ? { letterSpacing: "-0.02em" } : { whiteSpace: "nowrap", overflow: "hidden", textOverflow: "ellipsis", maxWidth: 780 }),
        }),
  );
}

const titleLine = (title: string): Node =>
  box(
    { height: titleHeight, width: "100%", flexDirection: "column", justifyContent: "center" },
    written(title, { fontSize: sizeOf(title), fontWeight: 600, letterSpacing: "-0.02em", width: "100%", textWrap: "balance" }),
  );

/** Arabic letters join: no negative letter-spacing. */
function written(text: string, { letterSpacing, ...style }: Style): Node {
  const direction = directionOf(text);
  const isTight = letterSpacing !== undefined && direction === "ltr" && text.includes(" ");
  return box(
    {
      display: "block",
      direction,
      textAlign: direction === "rtl" ? "right" : "left",
      lineHeight: lineHeightOf(text),
      wordBreak: "break-word",
      ...style,
      ...(isTight && { letterSpacing }),
    },
    text,
  );
}

function mark(logo: Logo | null, name: string | null, colours: Colours, size: number): Node {
  if (logo !== null) {
    const scale = Math.min((size * 2.5) / logo.width, size / logo.height);
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
