import { declared } from "./html-marks.ts";
import type { ListLine } from "./list-block.ts";

/** True if HTML has Word lists. */
export const isWordList = (html: string): boolean => /mso-list:\s*l\d/i.test(html);

/** True for a Word list item: a paragraph with a rendered marker. */
export const isWordLine = (element: Element): boolean => /^l\d+\s+level\d/.test(declared(element, "mso-list"));

/** Id of a Word list item's list, such as `l0 lfo1`. */
export const wordList = (element: Element): string => declared(element, "mso-list").replace(/\s+level\d+/, "");

/** A Word list item as a list line without its marker. */
export function wordLine(element: Element, read: (element: Element) => string): ListLine {
  const [, level] = /level(\d+)/.exec(declared(element, "mso-list")) ?? [];
  const marker = [...element.querySelectorAll("[style]")].find((part) => declared(part, "mso-list") === "ignore");
  const ordered = /^\s*(?:\d+|[a-z]{1,4})[.)]/i.test(marker?.textContent ?? "");
  marker?.remove();
  return { depth: Number(level) - 1, ordered, checked: null, html: read(element) };
}
