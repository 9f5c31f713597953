import { codeLanguage } from "#contract/blocks/code-languages.ts";
import { calloutKinds, type CalloutKind, alertOf } from "#contract/blocks/types/callout.ts";
import {
  attributeText,
  childrenOf,
  classOf,
  type Element,
  element,
  holdsBlocks,
  type HtmlNode,
  isBlank,
  isBlock,
  isElement,
  isList,
  isNamed,
  onlyChild,
  plainWords,
  type Root,
  text,
  trimEdges,
  wordsOf,
} from "./elements.ts";
import { inlineHtml, isAroundBlocks, lineOf, paragraphsOf } from "./lines.ts";
import { isGallery, takeCheckbox } from "./lists.ts";
import { hrefOf, imageOf, playerOf, type Scope, videoOf } from "./media.ts";
import { cellsAsParts, codeWithLineNumbers, isLayoutTable, tableOf, tableParts } from "./tables.ts";

/** `around`: enclosing marks and links, applied to each block. */
interface BlockScope extends Scope {
  around: readonly Element[];
}

/** Normalises HTML to a flat list of post blocks. A mark around blocks is repeated in each. */
export const tidyHtml = (root: Root, scope: Scope): HtmlNode[] => blocksOf(childrenOf(root), { ...scope, around: [] });

function blocksOf(nodes: readonly HtmlNode[], scope: BlockScope): HtmlNode[] {
  const out: HtmlNode[] = [];
  let run: HtmlNode[] = [];
  const endRun = (): void => {
    for (const paragraph of paragraphs(run, scope)) out.push(paragraph);
    run = [];
  };
  for (const [at, node] of nodes.entries()) {
    if (!isElement(node)) run.push(node);
    else if (node.tagName === "img") {
      const image = imageOf(node, scope);
      if (image !== null && isElement(image)) {
        endRun();
        out.push(imageBlock(image, scope));
      } else if (image !== null) run.push(image);
    } else if (isRepeatedImage(node, nodes[at - 1])) continue;
    else if (isBlock(node)) {
      endRun();
      for (const one of block(node, scope)) out.push(one);
    } else if (holdsBlocks(node)) {
      endRun();
      const inner = isAroundBlocks(node) ? { ...scope, around: [...scope.around, node] } : scope;
      for (const one of blocksOf(childrenOf(node), inner)) out.push(one);
    } else run.push(node);
  }
  endRun();
  return out;
}

function paragraphs(run: readonly HtmlNode[], scope: BlockScope): Element[] {
  return paragraphsOf(run).flatMap((words) => {
    const wrapped = scope.around.reduceRight<HtmlNode[]>((inner, mark) => [element(mark.tagName, inner, mark.properties)], words);
    const content = trimEdges(lineOf(wrapped, scope))[1];
    if (content.length === 0) return [];
    return [element("p", content.length === 1 ? content.map(videoOf) : content)];
  });
}

function imageBlock(image: Element, scope: BlockScope): Element {
  const link = scope.around.findLast(({ tagName }) => tagName === "a");
  const href = link === undefined ? null : hrefOf(link, scope);
  return element("p", [href === null ? image : element("a", [image], { href })]);
}

const isRepeatedImage = (node: Element, before: HtmlNode | undefined): boolean =>
  node.tagName === "noscript" && before !== undefined && isNamed(before, "img");

function block(node: Element, scope: BlockScope): HtmlNode[] {
  const { losses } = scope;
  switch (node.tagName) {
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6":
      return heading(node, scope);
    case "hr":
      return [element("hr")];
    case "ul":
    case "ol":
    case "menu":
      return list(node, scope);
    case "dt":
    case "summary":
      return blocksOf([element("b", childrenOf(node))], scope);
    case "details":
      losses.add("A collapsible part is now expanded", (count) => `${count} collapsible parts are now expanded`);
      return blocksOf(childrenOf(node), scope);
    case "form":
      losses.add("A form was removed", (count) => `${count} forms were removed`);
      return blocksOf(withoutControls(childrenOf(node)), scope);
    case "blockquote":
      return quote(node, scope);
    case "aside":
    case "div":
      return callout(node, scope) ?? (isHighlightedCode(node) ? code(node) : blocksOf(childrenOf(node), scope));
    case "pre":
      return code(node);
    case "table":
      return table(node, scope);
    case "figure":
      return figure(node, scope);
    case "embed":
    case "iframe":
    case "video":
    case "audio":
      return playerOf(node, scope);
    default:
      return blocksOf(childrenOf(node), scope);
  }
}

function heading(node: Element, scope: BlockScope): HtmlNode[] {
  const images: HtmlNode[] = [];
  const takeImages = (nodes: readonly HtmlNode[]): HtmlNode[] =>
    nodes.flatMap((one): HtmlNode[] => {
      if (!isElement(one)) return [one];
      if (one.tagName !== "img") return [{ ...one, children: takeImages(childrenOf(one)) }];
      const image = imageOf(one, scope);
      if (image === null || !isElement(image)) return image === null ? [] : [image];
      images.push(element("p", [image]));
      return [];
    });
  const [, words] = trimEdges(lineOf(takeImages(childrenOf(node)), scope, true));
  return [...(words.length === 0 ? [] : [element(node.tagName, words)]), ...images];
}

function list(node: Element, scope: BlockScope): HtmlNode[] {
  if (isGallery(node)) {
    const images = childrenOf(node).flatMap((item) => (isElement(item) ? childrenOf(item) : []));
    return blocksOf(images, scope);
  }
  const items: Element[] = [];
  for (const child of childrenOf(node)) {
    if (isBlank(child)) continue;
    const last = items.at(-1);
    if (isNamed(child, "li")) items.push(item(child, scope));
    else if (last !== undefined) last.children.push(...blocksOf([child], scope)); // a nested list beside its item
    else items.push(element("li", blocksOf([child], scope)));
  }
  if (items.length === 0) return [];
  const start = Number.parseInt(attributeText(node, "start"), 10);
  const properties = node.tagName === "ol" && start > 0 && start < 1_000_000 ? { start } : {};
  return [element(node.tagName === "ol" ? "ol" : "ul", items, properties)];
}

function item(node: Element, scope: BlockScope): Element {
  const isChecked = takeCheckbox(node);
  const blocks = blocksOf(childrenOf(node), scope);
  const [first, ...rest] = blocks;
  const isPlain = first !== undefined && isNamed(first, "p") && rest.every(isList);
  const children = isPlain ? [...childrenOf(first), ...rest] : blocks;
  return element("li", isChecked === null ? children : [element("input", [], { type: "checkbox", checked: isChecked }), ...children]);
}

/** The author becomes a last line after a dash, as in our own quotes. */
function quote(node: Element, scope: BlockScope): HtmlNode[] {
  const parts = childrenOf(node);
  const last = parts.findLast((one) => !isBlank(one));
  if (last === undefined || !isNamed(last, "footer", "cite", "figcaption")) {
    const blocks = blocksOf(parts, scope);
    return blocks.length === 0 ? [] : [element("blockquote", blocks)];
  }
  const [, author] = trimEdges(lineOf(childrenOf(last), scope));
  const [first] = author;
  if (first?.type === "text") author[0] = text(first.value.replace(/^\s*[-–—―]+\s*/, ""));
  const signature = element("p", [text("— "), ...author]);
  return [element("blockquote", [...blocksOf(parts.slice(0, parts.indexOf(last)), scope), signature])];
}

/** By the classes of GitHub's alerts, Ghost's cards and our own pages; null otherwise. */
function callout(node: Element, scope: BlockScope): HtmlNode[] | null {
  const kind = calloutKind(classOf(node));
  if (kind === null) return null;
  const isDecoration = (one: HtmlNode): boolean =>
    isElement(one) && /(?:^|\s)(?:markdown-alert-title|kg-callout-emoji|admonition-title)(?:\s|$)/.test(classOf(one));
  const parts = childrenOf(node).filter((one) => !isDecoration(one));
  const emoji = childrenOf(node).find((one) => isElement(one) && /kg-callout-emoji/.test(classOf(one)));
  const unwrapped = (one: HtmlNode): HtmlNode[] => (isNamed(one, "div") ? childrenOf(one) : [one]);
  const blocks = blocksOf(emoji === undefined ? parts : [text(`${plainWords(emoji)} `), ...parts.flatMap(unwrapped)], scope);
  return blocks.length === 0 ? [] : [element("blockquote", [element("p", [element("alert", [], { kind: alertOf[kind] })]), ...blocks])];
}

function calloutKind(classes: string): CalloutKind | null {
  const [, alert] = /(?:^|\s)markdown-alert-([a-z]+)(?:\s|$)/.exec(classes) ?? [];
  if (alert !== undefined && alert !== "title") return calloutKinds.find((kind) => alertOf[kind] === alert.toUpperCase()) ?? "info";
  const [, own] = /(?:^|\s)callout-([a-z]+)(?:\s|$)/.exec(classes) ?? [];
  const ofOurs = calloutKinds.find((kind) => kind === own);
  if (ofOurs !== undefined && /(?:^|\s)callout(?:\s|$)/.test(classes)) return ofOurs;
  return /(?:^|\s)kg-callout-card(?:\s|$)/.test(classes) ? "info" : null;
}

function isHighlightedCode(node: Element): boolean {
  const only = onlyChild(node);
  return only !== null && isNamed(only, "pre") && /highlight-|language-/.test(classOf(node));
}

function code(node: Element): HtmlNode[] {
  const inner = childrenOf(node).find((child): child is Element => isNamed(child, "code", "pre"));
  const classes = [node, ...(inner ? [inner] : [])].map(classOf).join(" ");
  const language =
    attributeText(node, "dataLanguage", "dataLang") ||
    (inner ? attributeText(inner, "dataLanguage", "dataLang") : "") ||
    languageIn(classes);
  const value = wordsOf(node).replace(/\n+$/, "").replace(/^\n/, "");
  return value.trim() === "" ? [] : [element("pre", [element("code", [text(value)])], { language: codeLanguage(language) })];
}

function languageIn(classes: string): string {
  const [, languageClass] = /(?:^|\s)(?:language|lang|highlight-source|highlight-text|brush:)[-\s]?([\w+#-]+)/i.exec(classes) ?? [];
  if (languageClass !== undefined) return languageClass.replace(/^html-basic$/, "html");
  const [, hljs] = /(?:^|\s)hljs\s+([\w+#-]+)/.exec(classes) ?? [];
  return hljs ?? "";
}

function figure(node: Element, scope: BlockScope): HtmlNode[] {
  const parts = childrenOf(node);
  const caption = parts.find((child): child is Element => isNamed(child, "figcaption"));
  const blocks = blocksOf(
    parts.filter((child) => child !== caption),
    scope,
  );
  if (caption === undefined || plainWords(caption) === "") return blocks;
  const [only, more] = blocks;
  const image = only !== undefined && more === undefined && isNamed(only, "p") ? imageIn(only) : null;
  if (image === null) return [...blocks, ...blocksOf([caption], scope)];
  const words = trimEdges(lineOf(childrenOf(caption), scope))[1];
  if (words.some((one) => one.type !== "text")) return [only!, element("caption-note", [], { html: words.map(inlineHtml).join("") })];
  image.properties["title"] = plainWords(caption);
  return blocks;
}

function imageIn(node: Element): Element | null {
  const [only, more] = childrenOf(node);
  if (only === undefined || more !== undefined || !isElement(only)) return null;
  return only.tagName === "img" ? only : only.tagName === "a" ? null : imageIn(only);
}

function table(node: Element, scope: BlockScope): HtmlNode[] {
  const { rows, rest } = tableParts(node);
  const before = blocksOf(rest, scope);
  const numbered = codeWithLineNumbers(rows);
  if (numbered !== null) return [...before, ...code(numbered)];
  if (isLayoutTable(node, rows)) return [...before, ...rows.flatMap((row) => blocksOf(cellsAsParts(row), scope))];
  return [...before, tableOf(rows, scope)];
}

const controls = new Set(["input", "button", "label", "legend"]);

const withoutControls = (nodes: readonly HtmlNode[]): HtmlNode[] =>
  nodes.flatMap((node): HtmlNode[] => {
    if (!isElement(node)) return [node];
    return controls.has(node.tagName) ? [text(" ")] : [{ ...node, children: withoutControls(childrenOf(node)) }];
  });
