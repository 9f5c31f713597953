import { declared } from "./html-marks.ts";
import type { ListLine } from "./list-block.ts";

export const isWordList = (html: string): boolean => /mso-list:\s*l\d/i.test(html);

/** True for a Word list item: a paragraph with a rendered marker. */
export const isWordLine = (element: Element): boolean => /^l\d+\s+level\d/.test(declared(element, "mso-list"));

export const wordList = (element: Element): string => declared(element, "mso-list").replace(/\s+level\d+/, "");

export function wordLine(element: Element, read: (element: Element) => string): ListLine {
  const [, level] = /level(\d+)/.exec(declared(element, "mso-list")) ?? [];
  const marker = [...element.querySelectorAll("[style]")].find((part) => declared(part, "mso-list") === "ignore");
  const ordered = /^\s*(?:\d+|[a-z]{1,4})[.)]/i.test(marker?.textContent ?? "");
  marker?.remove();
  return { depth: Number(level) - 1, ordered, checked: null, html: read(element) };
}
