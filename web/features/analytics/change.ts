export interface Change {
  direction: "more" | "fewer" | "same" | "new";
  words: string;
}

/** How a number stands to that of the days before; null when there was nothing and is nothing. */
export function changeOf(now: number, before: number): Change | null {
  if (before === 0) return now === 0 ? null : { direction: "new", words: "new" };
  if (now === before) return { direction: "same", words: "as many" };
  const direction = now > before ? "more" : "fewer";
  if (now >= before * 10) return { direction, words: `${Math.round(now / before).toLocaleString()} times as many` };
  const share = Math.round((Math.abs(now - before) / before) * 100);
  return { direction, words: `${share === 0 ? "under 1" : share} % ${direction}` };
}

/** A share of a whole as people say it; null where there is no whole. */
export function shareOf(part: number, whole: number): string | null {
  if (whole === 0) return null;
  const share = (part / whole) * 100;
  if (part > 0 && share < 1) return "under 1 %";
  return `${Math.round(share)} %`;
}
