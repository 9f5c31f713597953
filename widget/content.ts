import type { HtmlNode } from "#contract/blocks/html-tree.ts";
import { isWeb } from "./data.ts";
import { element } from "./element.ts";

/** No element with a name of up to three letters does more than show; of the longer ones those that we write. A span is what is left. */
const tags = /^(\w{1,3}|blockquote|code|figure|figcaption|mark|strong|table|tbody|thead)$/;
const attributes = /^(alt|aria-label|dir|height|href|role|scope|src|start|tabindex|type|width)$/;

/** Content as elements, from an allow-list: whatever the answer says, nothing of it can run. */
export function contentNode(node: HtmlNode): Node | string {
  if (typeof node === "string") return node;
  const [tag, given, ...children] = node;
  const allowed = Object.entries(given).filter(([name, value]) => attributes.test(name) && (!/href|src/.test(name) || isWeb(value)));
  return element(
    // Below the panel's heading and the post's title.
    (tags.test(tag) ? tag.replace(/^h(\d)/, (_, level) => `h${+level + 2}`) : "span") as keyof HTMLElementTagNameMap,
    Object.fromEntries(allowed),
    ...children.map(contentNode),
  );
}
