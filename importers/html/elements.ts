import type { fromHtml } from "hast-util-from-html";

export type Root = ReturnType<typeof fromHtml>;
type Content = Root["children"][number];
export type Element = Extract<Content, { type: "element" }>;
type Text = Extract<Content, { type: "text" }>;
export type HtmlNode = Element | Text;

const blockNames = new Set(
  "address article aside blockquote center details dialog dd div dl dt embed fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr iframe img li main menu nav noscript object ol p picture pre section summary table tbody td tfoot th thead tr ul video audio caption".split(
    " ",
  ),
);
const lineBreaks = new Set(["br", "line-break"]);

export const isElement = (node: { type: string }): node is Element => node.type === "element";
export const isNamed = (node: HtmlNode, ...names: string[]): node is Element => isElement(node) && names.includes(node.tagName);
export const isBlock = (node: Element): boolean => blockNames.has(node.tagName);
export const isBlank = (node: HtmlNode): boolean => node.type === "text" && node.value.trim() === "";
export const isBreak = (node: HtmlNode): boolean => isElement(node) && lineBreaks.has(node.tagName);
export const isList = (node: HtmlNode): boolean => isNamed(node, "ul", "ol");

export const element = (tagName: string, children: HtmlNode[] = [], properties: Element["properties"] = {}): Element => ({
  type: "element",
  tagName,
  properties,
  children,
});
export const text = (value: string): Text => ({ type: "text", value });

const ignored = new Set("script style template svg select textarea datalist title noembed noframes annotation annotation-xml".split(" "));

export const childrenOf = (node: Root | Element): HtmlNode[] =>
  (node.children as Content[]).filter(
    (child): child is HtmlNode => child.type === "text" || (child.type === "element" && !ignored.has(child.tagName)),
  );

export function onlyChild(node: Element, ignores: (child: HtmlNode) => boolean = () => false): HtmlNode | null {
  const [only, more] = childrenOf(node).filter((child) => !isBlank(child) && !ignores(child));
  return only === undefined || more !== undefined ? null : only;
}

export function attributeText(node: Element, ...names: string[]): string {
  for (const name of names) {
    const value = node.properties[name];
    if (value === true) return "true";
    const words = Array.isArray(value) ? value.join(" ") : value === null || value === undefined || value === false ? "" : String(value);
    if (words.trim() !== "") return words.trim();
  }
  return "";
}

export const classOf = (node: Element): string => attributeText(node, "className");

export function wordsOf(node: { type: string }): string {
  if (node.type === "text") return (node as Text).value;
  if (!isElement(node)) return "";
  if (node.tagName === "br") return "\n";
  return node.children.map(wordsOf).join("");
}
export const plainWords = (node: { type: string }): string => wordsOf(node).replace(/\s+/g, " ").trim();

const isEmoji = (node: Element): boolean => node.tagName === "img" && /emoji|wp-smiley/.test(classOf(node));
const holdingBlocks = new WeakMap<Element, boolean>();

export function holdsBlocks(node: Element): boolean {
  const cached = holdingBlocks.get(node);
  if (cached !== undefined) return cached;
  const holds = childrenOf(node).some((child) => isElement(child) && ((isBlock(child) && !isEmoji(child)) || holdsBlocks(child)));
  holdingBlocks.set(node, holds);
  return holds;
}

export function trimEdges(nodes: readonly HtmlNode[]): [before: HtmlNode[], inner: HtmlNode[], after: HtmlNode[]] {
  let start = 0;
  let end = nodes.length;
  const isEdge = (node: HtmlNode): boolean => isBlank(node) || isBreak(node);
  while (start < end && isEdge(nodes[start]!)) start++;
  while (end > start && isEdge(nodes[end - 1]!)) end--;
  const inner = nodes.slice(start, end);
  const before = [...nodes.slice(0, start)];
  const after = [...nodes.slice(end)];
  const first = inner[0];
  if (first?.type === "text" && /^\s/.test(first.value)) {
    before.push(text(" "));
    inner[0] = text(first.value.trimStart());
  }
  const last = inner.at(-1);
  if (last?.type === "text" && /\s$/.test(last.value)) {
    after.unshift(text(" "));
    inner[inner.length - 1] = text(last.value.trimEnd());
  }
  return [before, inner, after];
}
