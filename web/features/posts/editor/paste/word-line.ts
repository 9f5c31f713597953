import { declared } from "./html-marks.ts";
import type { ListLine } from "./list-block.ts";

/** Whether HTML has lists of Word. */
export const isWordList = (html: string): boolean => /mso-list:\s*l\d/i.test(html);

/** Word writes list items as paragraphs with a painted marker. */
export const isWordLine = (element: Element): boolean => /^l\d+\s+level\d/.test(declared(element, "mso-list"));

/** The list that such a paragraph belongs to: `l0 lfo1`. */
export const wordList = (element: Element): string => declared(element, "mso-list").replace(/\s+level\d+/, "");

/** Such a paragraph as a line of a list, without its marker; `read` gives what it says. */
export function wordLine(element: Element, read: (element: Element) => string): ListLine {
  const [, level] = /level(\d+)/.exec(declared(element, "mso-list")) ?? [];
  const marker = [...element.querySelectorAll("[style]")].find((part) => declared(part, "mso-list") === "ignore");
  const ordered = /^\s*(?:\d+|[a-z]{1,4})[.)]/i.test(marker?.textContent ?? "");
  marker?.remove();
  return { depth: Number(level) - 1, ordered, checked: null, html: read(element) };
}
