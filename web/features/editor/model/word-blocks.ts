import { cleanBlocks } from "#contract/blocks/clean.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { listBlock, type ListLine } from "./list-block.ts";

/** Word writes list items as paragraphs with a painted marker; pasted as they are they become "· item". */
export const isWordList = (html: string): boolean => /mso-list:\s*l\d/i.test(html);

/** A text copied from Word as blocks: its lists are lists again, headings and tables stay, the rest is paragraphs. */
export function wordBlocks(html: string): Block[] {
  const page = new DOMParser().parseFromString(html, "text/html"); // inert: nothing in it runs or loads
  const blocks: unknown[] = [];
  let list: ListLine[] = [];
  const endList = () => {
    if (list.length > 0) blocks.push(listBlock(list));
    list = [];
  };
  for (const element of topLevel(page.body)) {
    const item = listLine(element);
    if (item) {
      list.push(item);
      continue;
    }
    endList();
    blocks.push(blockOf(element));
  }
  endList();
  return cleanBlocks(blocks).blocks.filter((block) => !(block.type === "paragraph" && block.data.text.trim() === ""));
}

/** Word wraps its paragraphs in sections. */
function topLevel(body: Element): Element[] {
  return [...body.children].flatMap((child) => (child.matches("div") ? topLevel(child) : [child]));
}

function listLine(element: Element): ListLine | null {
  const [, level] = /mso-list:\s*l\d+\s+level(\d+)/i.exec(element.getAttribute("style") ?? "") ?? [];
  if (!level) return null;
  const marker = [...element.querySelectorAll("[style]")].find((part) => /mso-list:\s*ignore/i.test(part.getAttribute("style") ?? ""));
  const ordered = /^\s*(?:\d+|[a-z]{1,4})[.)]/i.test(marker?.textContent ?? "");
  marker?.remove();
  return { depth: Number(level) - 1, ordered, checked: null, html: oneLine(element) };
}

function blockOf(element: Element): object {
  const [, level] = /^H([1-6])$/.exec(element.tagName) ?? [];
  if (level) return { type: "header", data: { text: element.innerHTML, level: Math.min(Math.max(Number(level), 2), 4) } };
  if (element.matches("table")) {
    const rows = [...element.querySelectorAll("tr")].map((row) => [...row.querySelectorAll("td, th")].map((cell) => cell.innerHTML.trim()));
    return { type: "table", data: { withHeadings: element.querySelector("th") !== null, content: rows } };
  }
  return { type: "paragraph", data: { text: oneLine(element) } };
}

/** Word breaks its source where a line is full, not where the text has a line end. */
const oneLine = (element: Element): string => element.innerHTML.replace(/\s+/g, " ").trim();
