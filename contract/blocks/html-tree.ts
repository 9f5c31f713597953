import { decodeEntities } from "./text.ts";

export type HtmlNode = string | [tag: string, attributes: Record<string, string>, ...children: HtmlNode[]];

const token = /<(\/?)([a-z][a-z\d]*)((?: [a-z-]+="[^"]*")*)>|[^<]+/g;
const attribute = / ([a-z-]+)="([^"]*)"/g;
const empty = new Set(["br", "hr", "img"]);

/** Parses the output of `blocksToHtml` (quoted attributes, closed tags) for the widget, which can't under Trusted Types. */
export function htmlTree(html: string): HtmlNode[] {
  const roots: HtmlNode[] = [];
  const open: HtmlNode[][] = [roots];
  for (const [text, slash, tag, attributes = ""] of html.matchAll(token)) {
    const parent = open.at(-1) ?? roots;
    if (tag === undefined) parent.push(decodeEntities(text));
    else if (slash === "/") open.pop();
    else {
      const pairs = [...attributes.matchAll(attribute)].map(([, name = "", value = ""]) => [name, decodeEntities(value)]);
      const node: HtmlNode = [tag, Object.fromEntries(pairs)];
      parent.push(node);
      if (!empty.has(tag)) open.push(node as HtmlNode[]);
    }
  }
  return roots.filter((node) => typeof node !== "string" || node.trim() !== "");
}
