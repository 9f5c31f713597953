import { figure } from "./figure.ts";

/** Comparison with the previous month in words; null if that was 0. */
export function monthChange(now: number, before: number, name: string): string | null {
  if (before === 0) return null;
  if (now === before) return `as many as in ${name}`;
  if (now === 0) return `${figure(before)} in ${name}`;
  if (now >= 3 * before) return `${figure(Math.floor(now / before))} times as many as in ${name}`;
  const percent = Math.round((Math.abs(now - before) / before) * 100);
  return `${percent === 0 ? "slightly" : `${percent}%`} ${now > before ? "more" : "fewer"} than in ${name}`;
}
