import type { HtmlNode } from "#contract/blocks/html-tree.ts";
import { isWeb } from "../data.ts";
import { element } from "../element.ts";

/** Allow-list: elements with up to three letters are harmless, plus the longer ones we write; others become span. */
const tags = /^(\w{1,3}|blockquote|code|figure|figcaption|mark|strong|table|tbody|thead)$/;
const attributes = /^(alt|aria-label|dir|height|href|role|scope|src|start|tabindex|type|width)$/;

/** Builds DOM from an allow-list, so the response can't inject code. */
export function contentNode(node: HtmlNode): Node | string {
  if (typeof node === "string") return node;
  const [tag, given, ...children] = node;
  const allowed = Object.entries(given).filter(([name, value]) => attributes.test(name) && (!/href|src/.test(name) || isWeb(value)));
  return element(
    // Headings start below the panel's and the post's.
    (tags.test(tag) ? tag.replace(/^h(\d)/, (_, level) => `h${+level + 2}`) : "span") as keyof HTMLElementTagNameMap,
    Object.fromEntries(allowed),
    ...children.map(contentNode),
  );
}
