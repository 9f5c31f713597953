import type { HtmlNode } from "#contract/blocks/html-tree.ts";
import { isWeb } from "./data.ts";
import { element } from "./element.ts";

const tags =
  /^(?:[abipsu]|[bh]r|blockquote|code|div|em|fig(?:ure|caption)|h[2-4]|img|li|mark|[ou]l|pre|span|strong|t(?:able|body|[dhr]|head))$/;
const attributes = /^(?:alt|aria-label|height|href|role|scope|src|start|tabindex|type|width)$/;

/** Content as elements, from an allow-list: whatever the answer says, nothing of it can run. */
export function contentNode(node: HtmlNode): Node | string {
  if (typeof node === "string") return node;
  const [tag, given, ...children] = node;
  const allowed = Object.entries(given).filter(([name, value]) => attributes.test(name) && (!/href|src/.test(name) || isWeb(value)));
  return element(
    // Below the panel's heading and the post's title.
    (tags.test(tag) ? tag.replace(/^h(\d)/, (_, level) => `h${+level + 2}`) : "span") as keyof HTMLElementTagNameMap,
    { ...Object.fromEntries(allowed), ...(tag === "a" && outside) },
    ...children.map(contentNode),
  );
}

/** Links leave the page of the host alone. */
export const outside = { target: "_blank", rel: "noopener" };
