const longestSeconds = 86_400;

/** How many seconds a Retry-After header (seconds, or a date) asks to be left alone, whole and a day at most; undefined where it asks for none. */
export function secondsOfRetryAfter(header: string | null | undefined): number | undefined {
  const text = header?.trim();
  if (text === undefined) return undefined;
  const seconds = /^\d{1,9}(?:\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return seconds > 0 ? Math.min(Math.ceil(seconds), longestSeconds) : undefined;
}
