const longestSeconds = 86_400;

export function secondsOfRetryAfter(header: string | null | undefined): number | undefined {
  const text = header?.trim();
  if (text === undefined) return undefined;
  const seconds = /^\d{1,9}(?:\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return seconds > 0 ? Math.min(Math.ceil(seconds), longestSeconds) : undefined;
}
