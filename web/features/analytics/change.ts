export interface Change {
  direction: "more" | "fewer" | "same" | "new";
  words: string;
}

/** Change against the previous period; null if both are 0. */
export function changeOf(now: number, before: number): Change | null {
  if (before === 0) return now === 0 ? null : { direction: "new", words: "new" };
  if (now === before) return { direction: "same", words: "no change" };
  const direction = now > before ? "more" : "fewer";
  if (now >= before * 10) return { direction, words: `${Math.round(now / before).toLocaleString()} times as many` };
  const share = Math.round((Math.abs(now - before) / before) * 100);
  return { direction, words: `${share === 0 ? "under 1" : share}% ${direction}` };
}

/** Percentage in words; null without a whole. */
export function formatShare(part: number, whole: number): string | null {
  if (whole === 0) return null;
  const share = (part / whole) * 100;
  if (part > 0 && share < 1) return "under 1%";
  return `${Math.round(share)}%`;
}
