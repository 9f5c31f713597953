/** One theme's accent: of links and buttons, of those under the pointer, and of what is written on a button. */
export interface Accent {
  accent: string;
  hover: string;
  onAccent: string;
}

/** What text needs before its ground (WCAG 2.2, 1.4.3). */
export const enoughContrast = 4.5;

/** What the accent is read on: the page, a panel, a well, what is under the pointer. Those of the page, of the widget and of mails. */
const grounds = {
  light: ["#fbfaf8", "#ffffff", "#f3f1ed"],
  dark: ["#161412", "#1e1b18", "#28241f", "#2a2622"],
} as const;
type Side = keyof typeof grounds;

const own: Record<Side, Accent> = {
  light: { accent: "#0b6b62", hover: "#08564f", onAccent: "#ffffff" },
  dark: { accent: "#4fc4b7", hover: "#74d6cb", onAccent: "#06201d" },
};

/**
 * A chosen colour (#rrggbb) as it can be read: darker on light pages, lighter on dark ones, by as little as will do. The product's own for
 * null, and for anything that is no such colour: whatever is stored, nothing else than colours comes out.
 */
export function accentColours(chosen: string | null): Record<Side, Accent> {
  if (chosen === null || !/^#[0-9a-f]{6}$/i.test(chosen)) return own;
  const colour = chosen.toLowerCase();
  return { light: readable(colour, "light"), dark: readable(colour, "dark") };
}

/** How much two colours differ in brightness, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark, bright] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (bright + 0.05) / (dark + 0.05);
}

/** The least contrast that a colour has to any ground of a theme. */
export const leastContrast = (colour: string, side: Side): number => Math.min(...grounds[side].map((ground) => contrast(colour, ground)));

const steps = 255;

function readable(chosen: string, side: Side): Accent {
  const [end, opposite] = side === "light" ? (["#000000", "#ffffff"] as const) : (["#ffffff", "#000000"] as const);
  const isEnough = (colour: string) => leastContrast(colour, side) >= enoughContrast;
  // Brightness only grows, or only shrinks, from the colour to black or white: half of what is left falls away at each step.
  let [unread, read] = [-1, steps];
  while (read - unread > 1) {
    const middle = (unread + read) >> 1;
    if (isEnough(mix(chosen, end, middle / steps))) read = middle;
    else unread = middle;
  }
  const accent = mix(chosen, end, read / steps);
  // What is dark enough for every light ground is so for white, and the other way round: a shade of the colour itself, then black.
  const onAccent =
    side === "light" ? opposite : [mix(accent, opposite, 0.86), opposite].find((ink) => contrast(ink, accent) >= enoughContrast)!;
  return { accent, hover: hoverOf(accent, { end, opposite, isEnough, onAccent }), onAccent };
}

/** Further from the ground; where there is nothing further, as for black on white, back towards it, if that can be read. */
function hoverOf(
  accent: string,
  { end, opposite, isEnough, onAccent }: { end: string; opposite: string; isEnough: (colour: string) => boolean; onAccent: string },
): string {
  const further = mix(accent, end, 0.2);
  if (contrast(further, accent) >= 1.12) return further;
  const back = mix(accent, opposite, 0.25);
  return isEnough(back) && contrast(back, onAccent) >= enoughContrast ? back : further;
}

const channels = (colour: string): [number, number, number] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as [number, number, number];

function mix(from: string, to: string, share: number): string {
  const ends = channels(to);
  return `#${channels(from)
    .map((value, index) =>
      Math.round(value + (ends[index]! - value) * share)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

function luminance(colour: string): number {
  const [red, green, blue] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
