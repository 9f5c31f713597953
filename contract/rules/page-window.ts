import { pageButtons } from "../limits.ts";

/** Clamps to 1..pages. Source: specification, section 5. */
export function clampPage(page: number, pages: number): number {
  const whole = Number.isFinite(page) ? Math.trunc(page) : 1;
  return Math.max(1, Math.min(whole, Math.max(1, pages)));
}

/** At most 7 entries: first, last, the current page's neighbours, ellipses between. Source: specification, section 9. */
export function pageWindow(page: number, pages: number): (number | "ellipsis")[] {
  const range = (from: number, to: number): number[] => Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  if (pages <= pageButtons) return range(1, Math.max(1, pages));
  const current = clampPage(page, pages);
  const near = pageButtons - 2;
  if (current <= near - 1) return [...range(1, near), "ellipsis", pages];
  if (current >= pages - near + 2) return [1, "ellipsis", ...range(pages - near + 1, pages)];
  return [1, "ellipsis", ...range(current - 1, current + 1), "ellipsis", pages];
}
