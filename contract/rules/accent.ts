export interface Accent {
  accent: string;
  hover: string;
  onAccent: string;
}

export const enoughContrast = 4.5;

/** Backgrounds of page, panel, well and hover, in page, widget and emails. */
const grounds = {
  light: ["#fbfaf8", "#ffffff", "#f3f1ed"],
  dark: ["#161412", "#1e1b18", "#28241f", "#2a2622"],
} as const;
type Side = keyof typeof grounds;

const own: Record<Side, Accent> = {
  light: { accent: "#0b6b62", hover: "#08564f", onAccent: "#ffffff" },
  dark: { accent: "#4fc4b7", hover: "#74d6cb", onAccent: "#06201d" },
};

/** Accessible shades of a colour (#rrggbb). The default for any other string, so a stored value can never inject CSS. */
export function accentColours(chosen: string | null): Record<Side, Accent> {
  if (chosen === null || !/^#[0-9a-f]{6}$/i.test(chosen)) return own;
  const colour = chosen.toLowerCase();
  return { light: readable(colour, "light"), dark: readable(colour, "dark") };
}

export function contrast(one: string, other: string): number {
  const [dark, bright] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (bright + 0.05) / (dark + 0.05);
}

export const leastContrast = (colour: string, side: Side): number => Math.min(...grounds[side].map((ground) => contrast(colour, ground)));

const steps = 255;

function readable(chosen: string, side: Side): Accent {
  const [end, opposite] = side === "light" ? (["#000000", "#ffffff"] as const) : (["#ffffff", "#000000"] as const);
  const isEnough = (colour: string) => leastContrast(colour, side) >= enoughContrast;
  let [unread, read] = [-1, steps];
  while (read - unread > 1) {
    const middle = (unread + read) >> 1;
    if (isEnough(mix(chosen, end, middle / steps))) read = middle;
    else unread = middle;
  }
  const accent = mix(chosen, end, read / steps);
  const onAccent =
    side === "light" ? opposite : [mix(accent, opposite, 0.86), opposite].find((ink) => contrast(ink, accent) >= enoughContrast)!;
  return { accent, hover: hoverOf(accent, { end, opposite, isEnough, onAccent }), onAccent };
}

/** Further from the background, or back towards it where impossible (black on white) if still readable. */
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
