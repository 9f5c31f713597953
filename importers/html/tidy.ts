import type { fromHtml } from "hast-util-from-html";
import { codeLanguage } from "#contract/blocks/code-languages.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import { calloutKinds, type CalloutKind, alertOf } from "#contract/blocks/types/callout.ts";
import { videoAt } from "#contract/blocks/types/embed.ts";
import type { Losses } from "./losses.ts";

type Root = ReturnType<typeof fromHtml>;
type Content = Root["children"][number];
export type Element = Extract<Content, { type: "element" }>;
type Text = Extract<Content, { type: "text" }>;
export type HtmlNode = Element | Text;

/** What stands between two blocks; all other elements are words of a line. */
const flowNames = new Set(
  "address article aside blockquote center details dialog dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr iframe img li main menu nav noscript object ol p picture pre section summary table tbody td tfoot th thead tr ul video audio caption".split(
    " ",
  ),
);
/** What each mark is called here. A mark of another name says nothing to us. */
const marks: Readonly<Record<string, string>> = {
  b: "strong",
  strong: "strong",
  i: "em",
  em: "em",
  cite: "em",
  dfn: "em",
  u: "u",
  ins: "u",
  s: "del",
  del: "del",
  strike: "del",
  mark: "mark",
  sup: "sup",
  sub: "sub",
  code: "code",
  kbd: "code",
  samp: "code",
  tt: "code",
};
const sayable = /^(?:https?|mailto):$/;
const smallest = 1;
const emojiSide = 32;

export const isElement = (node: { type: string }): node is Element => node.type === "element";
export const element = (tagName: string, children: HtmlNode[] = [], properties: Element["properties"] = {}): Element => ({
  type: "element",
  tagName,
  properties,
  children,
});
const text = (value: string): Text => ({ type: "text", value });

/** An attribute as text; hast keeps some as lists, numbers or booleans. */
export function attributeText(node: Element, ...names: string[]): string {
  for (const name of names) {
    const value = node.properties[name];
    if (value === true) return "true";
    const words = Array.isArray(value) ? value.join(" ") : value === null || value === undefined || value === false ? "" : String(value);
    if (words.trim() !== "") return words.trim();
  }
  return "";
}

export function wordsOf(node: { type: string }): string {
  if (node.type === "text") return (node as Text).value;
  if (!isElement(node)) return "";
  if (node.tagName === "br") return "\n";
  return node.children.map(wordsOf).join("");
}
const plainWords = (node: { type: string }): string => wordsOf(node).replace(/\s+/g, " ").trim();
const isBlank = (node: HtmlNode): boolean => node.type === "text" && node.value.trim() === "";

const childrenOf = (node: Root | Element): HtmlNode[] =>
  (node.children as Content[]).filter((child): child is HtmlNode => child.type === "text" || child.type === "element");

/** What a place in a post needs to be said of it. */
export interface Tidying {
  base: string | undefined;
  losses: Losses;
}

/** Whole addresses only; null for one that leads nowhere known. */
function absolute(address: string, base: string | undefined): URL | null {
  const full = address.startsWith("//") ? `https:${address}` : address;
  if (URL.canParse(full)) return new URL(full);
  return base !== undefined && URL.canParse(full, base) ? new URL(full, base) : null;
}

/**
 * A page's elements as the few that a post has: paragraphs, headings 1–6, lists, quotes, code, tables, lines across, pictures, and marks within
 * lines; each block beside the next, nothing around them. A mark around blocks stands in each of them.
 */
export function tidied(root: Root, tidying: Tidying): HtmlNode[] {
  const { base, losses } = tidying;
  /** Marks around what is looked at: none stands in itself. */
  const within = new Set<string>();
  const holdsFlow = new WeakMap<Element, boolean>();

  function hasFlow(node: Element): boolean {
    const known = holdsFlow.get(node);
    if (known !== undefined) return known;
    const found = childrenOf(node).some(
      (child) => isElement(child) && ((flowNames.has(child.tagName) && !isSmall(child)) || hasFlow(child)),
    );
    holdsFlow.set(node, found);
    return found;
  }

  /** Words with marks, one line or several. */
  function line(nodes: readonly HtmlNode[], inCell = false): HtmlNode[] {
    const out: HtmlNode[] = [];
    for (const node of nodes.flatMap((one) => lineOf(one, inCell))) {
      const last = out.at(-1);
      const isSameMark =
        isElement(node) && last !== undefined && isElement(last) && node.tagName === last.tagName && sameMarks.has(node.tagName);
      if (isSameMark) last.children.push(...node.children);
      else out.push(node);
    }
    return out;
  }

  function lineOf(node: HtmlNode, inCell: boolean): HtmlNode[] {
    if (!isElement(node)) return [node];
    const { tagName } = node;
    if (tagName === "br") return [inCell ? element("line-break") : node];
    if (tagName === "img") {
      const picture = pictureOf(node);
      if (picture === null || !isElement(picture)) return picture === null ? [] : [picture];
      if (inCell) losses.add("A picture in a table is a link now", (count) => `${count} pictures in tables are links now`);
      return [picture];
    }
    if (tagName === "input") return boxOf(node) === null ? [] : [text(boxOf(node) === true ? "☑ " : "☐ ")];
    if (tagName === "iframe" || tagName === "video" || tagName === "audio")
      return [text(" "), ...playerOf(node).flatMap(linesOf), text(" ")];
    if (tagName === "pre") return [element("code", [text(wordsOf(node).trim())])];
    if (flowNames.has(tagName)) return [text(" "), ...line(childrenOf(node), inCell), text(" ")];
    const mark = /font-weight:\s*(?:normal|400)/i.test(attributeText(node, "style")) ? undefined : marks[tagName]; // as Google Docs wraps all it copies
    const isNew = mark !== undefined && !within.has(mark);
    if (isNew) within.add(mark);
    const inner = line(childrenOf(node), inCell);
    if (isNew) within.delete(mark);
    if (tagName === "q") return [text("“"), ...inner, text("”")];
    const [before, words, after] = edged(inner);
    if (words.length === 0) return [...before, ...after];
    if (tagName === "a") {
      const href = linkOf(node);
      return href === null ? inner : [...before, element("a", words, { href }), ...after];
    }
    if (!isNew) return inner;
    if (mark === "code") return [...before, element("code", [text(words.map(wordsOf).join(""))]), ...after];
    return [...before, element(mark, words), ...after];
  }
  const linesOf = (node: HtmlNode): HtmlNode[] => (isElement(node) && node.tagName === "p" ? node.children : [node]) as HtmlNode[];

  function linkOf(node: Element): string | null {
    const href = attributeText(node, "href");
    if (href === "" || href.startsWith("#")) return null;
    const url = absolute(href, base);
    if (url === null)
      losses.add("A link without a full address is text now", (count) => `${count} links without a full address are text now`);
    else if (sayable.test(url.protocol)) return url.href;
    else losses.add("A link that is no web address is text now", (count) => `${count} links that are no web addresses are text now`);
    return null;
  }

  /** Pictures of letters are those letters; what nobody sees is nothing. */
  function pictureOf(node: Element): HtmlNode | null {
    const style = attributeText(node, "style");
    const side = (name: "width" | "height") =>
      Number.parseFloat(attributeText(node, name) || (new RegExp(`(?:^|[;\\s])${name}\\s*:\\s*([\\d.]+)px`, "i").exec(style)?.[1] ?? ""));
    const [width, height] = [side("width"), side("height")];
    if (width <= smallest && height <= smallest) return null;
    const alt = attributeText(node, "alt").replace(/\s+/g, " ");
    const isEmoji =
      /(?:^|\s)(?:emoji|wp-smiley|twemoji|intercom-emoji)(?:\s|$)/.test(attributeText(node, "className")) || height <= emojiSide;
    if (isEmoji && alt !== "" && /^\p{Extended_Pictographic}/u.test(alt)) return text(alt);
    const lazy = attributeText(node, "dataSrc", "dataLazySrc", "dataOriginal");
    const own = attributeText(node, "src");
    const src =
      own === "" || (own.startsWith("data:") && lazy !== "")
        ? lazy || (attributeText(node, "srcSet").split(/[\s,]/).find(Boolean) ?? "")
        : own;
    if (src === "") return null;
    if (/^data:/i.test(src)) {
      losses.add(
        "A picture that stands in the text itself (data:) was left out",
        (count) => `${count} pictures that stand in the text itself (data:) were left out`,
      );
      return alt === "" ? null : text(alt);
    }
    return element("img", [], { src: absolute(src, base)?.href ?? src, alt, title: attributeText(node, "title") });
  }
  const isSmall = (node: Element): boolean => node.tagName === "img" && /emoji|wp-smiley/.test(attributeText(node, "className"));

  /** A video that posts can show, by its address on a line of its own; any other thing that plays, a link. */
  function playerOf(node: Element): HtmlNode[] {
    const source = childrenOf(node).find((child): child is Element => isElement(child) && child.tagName === "source");
    const given = attributeText(node, "src", "dataSrc") || (source ? attributeText(source, "src") : "") || attributeText(node, "data");
    const url = given === "" ? null : absolute(given, base);
    if (url === null || !/^https?:$/.test(url.protocol)) return [];
    const video = videoAt(url.href.replace(/^http:/, "https:"))?.url;
    if (video !== undefined) return [element("p", [element("a", [text(video)], { href: video })])];
    const what = node.tagName === "video" ? "A video" : node.tagName === "audio" ? "A recording" : "An embedded frame";
    losses.add(`${what} is a link now: ${url.host}`, (count) => `${what} is a link now: ${url.host}, ${count} times`);
    const name =
      attributeText(node, "title") || (node.tagName === "iframe" ? url.host : (url.pathname.split("/").at(-1) ?? "")) || url.host;
    return [element("p", [element("a", [text(name)], { href: url.href })])];
  }

  const boxOf = (node: Element): boolean | null =>
    /^(?:checkbox|radio)$/i.test(attributeText(node, "type")) ? attributeText(node, "checked") !== "" : null;

  /** Blocks, with what stands between them as paragraphs. */
  function flow(nodes: readonly HtmlNode[], around: readonly Element[] = []): HtmlNode[] {
    const out: HtmlNode[] = [];
    let run: HtmlNode[] = [];
    const end = (): void => {
      for (const words of paragraphsOf(run)) {
        const wrapped = around.reduceRight<HtmlNode[]>((inner, mark) => [element(mark.tagName, inner, mark.properties)], words);
        const content = edged(line(wrapped))[1];
        if (content.length > 0) out.push(element("p", content.length === 1 ? content.map(asVideo) : content));
      }
      run = [];
    };
    for (const [at, node] of nodes.entries()) {
      if (!isElement(node)) run.push(node);
      else if (node.tagName === "img") {
        const picture = pictureOf(node);
        if (picture !== null && isElement(picture)) {
          end();
          const link = around.findLast(({ tagName }) => tagName === "a");
          const href = link === undefined ? null : linkOf(link);
          out.push(element("p", [href === null ? picture : element("a", [picture], { href })]));
        } else if (picture !== null) run.push(picture);
      } else if (node.tagName === "noscript" && isElement(nodes[at - 1] ?? text("")) && (nodes[at - 1] as Element).tagName === "img") {
        continue; // the same picture once more, for who has no scripts
      } else if (flowNames.has(node.tagName)) {
        end();
        for (const one of block(node, around)) out.push(one);
      } else if (hasFlow(node)) {
        end();
        const isMark = node.tagName === "a" || (marks[node.tagName] ?? "code") !== "code";
        for (const one of flow(childrenOf(node), isMark ? [...around, node] : around)) out.push(one);
      } else run.push(node);
    }
    end();
    return out;
  }

  /** The address of a video that stands alone, as the video. */
  function asVideo(node: HtmlNode): HtmlNode {
    const video = node.type === "text" ? videoAt(node.value.trim()) : null;
    return video === null ? node : element("a", [text(video.url)], { href: video.url });
  }

  /** Where a line is left empty, a paragraph ends. */
  function paragraphsOf(run: readonly HtmlNode[]): HtmlNode[][] {
    const all: HtmlNode[][] = [[]];
    for (let at = 0; at < run.length; at++) {
      let next = at + 1;
      while (next < run.length && isBlank(run[next]!)) next++;
      const isGap = isBreak(run[at]!) && next < run.length && isBreak(run[next]!);
      if (!isGap) {
        all.at(-1)!.push(run[at]!);
        continue;
      }
      while (at + 1 < run.length && (isBlank(run[at + 1]!) || isBreak(run[at + 1]!))) at++;
      all.push([]);
    }
    return all;
  }

  function block(node: Element, around: readonly Element[]): HtmlNode[] {
    const inner = () => flow(childrenOf(node), around);
    switch (node.tagName) {
      case "h1":
      case "h2":
      case "h3":
      case "h4":
      case "h5":
      case "h6":
        return heading(node);
      case "hr":
        return [element("hr")];
      case "ul":
      case "ol":
      case "menu":
        return list(node, around);
      case "li":
      case "dd":
        return inner();
      case "dt":
      case "summary":
        return flow([element("b", childrenOf(node))], around);
      case "details":
        losses.add("A part that could be folded is open now", (count) => `${count} parts that could be folded are open now`);
        return inner();
      case "form":
        losses.add("A form was left out", (count) => `${count} forms were left out`);
        return flow(withoutControls(childrenOf(node)), around);
      case "blockquote":
        return quote(node, around);
      case "aside":
      case "div":
        return callout(node, around) ?? (onlyCode(node) ? code(node) : inner());
      case "pre":
        return code(node);
      case "table":
        return table(node, around);
      case "figure":
        return figure(node, around);
      case "iframe":
      case "video":
      case "audio":
        return playerOf(node);
      default:
        return inner();
    }
  }

  function heading(node: Element): HtmlNode[] {
    const pictures: HtmlNode[] = [];
    const take = (nodes: readonly HtmlNode[]): HtmlNode[] =>
      nodes.flatMap((one): HtmlNode[] => {
        if (!isElement(one)) return [one];
        if (one.tagName !== "img") return [{ ...one, children: take(childrenOf(one)) }];
        const picture = pictureOf(one);
        if (picture === null || !isElement(picture)) return picture === null ? [] : [picture];
        pictures.push(element("p", [picture]));
        return [];
      });
    const [, words] = edged(line(take(childrenOf(node)), true));
    return [...(words.length === 0 ? [] : [element(node.tagName, words)]), ...pictures];
  }

  function list(node: Element, around: readonly Element[]): HtmlNode[] {
    if (isGallery(node))
      return flow(
        childrenOf(node).flatMap((item) => (isElement(item) ? childrenOf(item) : [])),
        around,
      );
    const items: Element[] = [];
    for (const child of childrenOf(node)) {
      if (isBlank(child)) continue;
      const isItem = isElement(child) && child.tagName === "li";
      const last = items.at(-1);
      if (isItem) items.push(item(child, around));
      else if (last !== undefined) last.children.push(...flow([child], around)); // a list below that stands beside its item
      else items.push(element("li", flow([child], around)));
    }
    const start = Number.parseInt(attributeText(node, "start"), 10);
    const properties = node.tagName === "ol" && start > 0 && start < 1_000_000 ? { start } : {};
    return items.length === 0 ? [] : [element(node.tagName === "ol" ? "ol" : "ul", items, properties)];
  }

  function item(node: Element, around: readonly Element[]): Element {
    const isTask =
      /task-?(?:list-?)?item|checklist/i.test(attributeText(node, "className", "dataType")) || attributeText(node, "dataChecked") !== "";
    const box = firstBox(node);
    const isChecked = box !== null ? boxOf(box) === true : isTask ? attributeText(node, "dataChecked") === "true" : null;
    if (box !== null) box.properties = { type: "hidden" };
    const blocks = flow(childrenOf(node), around);
    const [first] = blocks;
    const isPlain = first !== undefined && isElement(first) && first.tagName === "p" && blocks.every((one, at) => at === 0 || isList(one));
    const children = isPlain ? [...(first.children as HtmlNode[]), ...blocks.slice(1)] : blocks;
    return element("li", isChecked === null ? children : [element("input", [], { type: "checkbox", checked: isChecked }), ...children]);
  }
  /** A list in which each item is a picture, alone or with its caption, as WordPress wrote galleries before 5.9. */
  const isGallery = (node: Element): boolean => {
    const items = childrenOf(node).filter((child) => !isBlank(child));
    return items.length > 0 && items.every((item) => isElement(item) && item.tagName === "li" && hasOnlyPicture(item));
  };
  const hasOnlyPicture = (node: Element): boolean => {
    const isAside = (child: HtmlNode): boolean => isBlank(child) || (isElement(child) && /^(?:figcaption|source)$/.test(child.tagName));
    const [only, more] = childrenOf(node).filter((child) => !isAside(child));
    if (only === undefined || more !== undefined || !isElement(only)) return false;
    return only.tagName === "img" || (/^(?:figure|picture|a|div|span)$/.test(only.tagName) && hasOnlyPicture(only));
  };
  const isList = (node: HtmlNode): boolean => isElement(node) && (node.tagName === "ul" || node.tagName === "ol");

  /** The box that an item begins with, however it is wrapped. */
  function firstBox(node: Element): Element | null {
    for (const child of childrenOf(node)) {
      if (isBlank(child)) continue;
      if (!isElement(child) || isList(child)) return null;
      if (child.tagName === "input") return boxOf(child) === null ? null : child;
      return firstBox(child);
    }
    return null;
  }

  /** Who said it stands as our quotes have it: a last line behind a dash. */
  function quote(node: Element, around: readonly Element[]): HtmlNode[] {
    const parts = childrenOf(node);
    const last = parts.findLast((one) => !isBlank(one));
    const isSigned =
      last !== undefined && isElement(last) && (last.tagName === "footer" || last.tagName === "cite" || last.tagName === "figcaption");
    if (!isSigned) {
      const blocks = flow(parts, around);
      return blocks.length === 0 ? [] : [element("blockquote", blocks)];
    }
    const [, who] = edged(line(childrenOf(last)));
    const [first] = who;
    if (first?.type === "text") who[0] = text(first.value.replace(/^\s*[-–—―]+\s*/, ""));
    const signed: HtmlNode[] = [text("— "), ...who];
    return [element("blockquote", [...flow(parts.slice(0, parts.indexOf(last)), around), element("p", signed)])];
  }

  /** What tools mark as a note to the reader: GitHub's alerts, Ghost's cards, our own pages. */
  function callout(node: Element, around: readonly Element[]): HtmlNode[] | null {
    const kind = calloutKind(attributeText(node, "className"));
    if (kind === null) return null;
    const parts = childrenOf(node).filter(
      (one) =>
        !isElement(one) ||
        !/(?:^|\s)(?:markdown-alert-title|kg-callout-emoji|admonition-title)(?:\s|$)/.test(attributeText(one, "className")),
    );
    const emoji = childrenOf(node).find((one) => isElement(one) && /kg-callout-emoji/.test(attributeText(one, "className")));
    const blocks = flow(emoji === undefined ? parts : [text(`${plainWords(emoji)} `), ...parts.flatMap(unwrapped)], around);
    return blocks.length === 0 ? [] : [element("blockquote", [element("p", [element("alert", [], { kind: alertOf[kind] })]), ...blocks])];
  }
  const unwrapped = (node: HtmlNode): HtmlNode[] => (isElement(node) && node.tagName === "div" ? childrenOf(node) : [node]);

  /** A box around nothing but code may name its language. */
  const onlyCode = (node: Element): boolean => {
    const [only, more] = childrenOf(node).filter((child) => !isBlank(child));
    return (
      only !== undefined &&
      more === undefined &&
      isElement(only) &&
      only.tagName === "pre" &&
      /highlight-|language-/.test(attributeText(node, "className"))
    );
  };

  function code(node: Element): HtmlNode[] {
    const inner = childrenOf(node).find((child): child is Element => isElement(child) && /^(?:code|pre)$/.test(child.tagName));
    const classes = [node, ...(inner ? [inner] : [])].map((one) => attributeText(one, "className")).join(" ");
    const language =
      attributeText(node, "dataLanguage", "dataLang") ||
      (inner ? attributeText(inner, "dataLanguage", "dataLang") : "") ||
      languageIn(classes);
    const value = wordsOf(node).replace(/\n+$/, "").replace(/^\n/, "");
    return value.trim() === "" ? [] : [element("pre", [element("code", [text(value)])], { language: codeLanguage(language) })];
  }

  /** A picture with what stands below it; all else one after the other. */
  function figure(node: Element, around: readonly Element[]): HtmlNode[] {
    const parts = childrenOf(node);
    const caption = parts.find((child): child is Element => isElement(child) && child.tagName === "figcaption");
    const blocks = flow(
      parts.filter((child) => child !== caption),
      around,
    );
    if (caption === undefined || plainWords(caption) === "") return blocks;
    const only = blocks.length === 1 ? blocks[0]! : null;
    const picture = only !== null && isElement(only) && only.tagName === "p" ? pictureIn(only) : null;
    if (picture === null) return [...blocks, ...flow([caption], around)];
    const words = edged(line(childrenOf(caption)))[1];
    if (words.every((one) => one.type === "text")) picture.properties["title"] = plainWords(caption);
    else return [only!, element("caption-note", [], { html: words.map(inlineHtml).join("") })];
    return blocks;
  }
  function pictureIn(node: Element): Element | null {
    const [only, more] = childrenOf(node);
    if (only === undefined || more !== undefined || !isElement(only)) return null;
    return only.tagName === "img" ? only : only.tagName === "a" ? null : pictureIn(only);
  }

  /** Tables that only place things on a page are no tables. */
  function table(node: Element, around: readonly Element[]): HtmlNode[] {
    const rows: Element[] = [];
    const rest: HtmlNode[] = [];
    const look = (one: Element): void => {
      for (const child of childrenOf(one)) {
        if (!isElement(child)) rest.push(child);
        else if (child.tagName === "tr") rows.push(child);
        else if (/^t(?:head|body|foot)$/.test(child.tagName)) look(child);
        else rest.push(child);
      }
    };
    look(node);
    const cellsOf = (row: Element) =>
      childrenOf(row).filter((child): child is Element => isElement(child) && /^t[dh]$/.test(child.tagName));
    const isLayout =
      attributeText(node, "role") === "presentation" ||
      rows.every((row) => cellsOf(row).length < 2) ||
      rows.some((row) => cellsOf(row).some(holdsTable));
    const before = flow(rest, around);
    const asParts = (cell: HtmlNode): HtmlNode => (isElement(cell) ? element("div", childrenOf(cell)) : cell);
    if (isLayout) return [...before, ...rows.flatMap((row) => flow(childrenOf(row).map(asParts), around))];
    let spans = 0;
    const span = (cell: Element, name: string): number => {
      const wanted = Math.min(Math.max(Number.parseInt(attributeText(cell, name), 10) || 1, 1), 30);
      spans += wanted - 1;
      return spans > mostSpans ? 1 : wanted;
    };
    const written = rows.map((row) =>
      element(
        "tr",
        cellsOf(row).map((cell) => {
          const properties = { colSpan: span(cell, "colSpan"), rowSpan: span(cell, "rowSpan") };
          return element(cell.tagName, edged(cellLines(cell))[1], properties);
        }),
      ),
    );
    return [...before, element("table", written)];
  }
  const holdsTable = (node: Element): boolean =>
    childrenOf(node).some((child) => isElement(child) && (child.tagName === "table" || holdsTable(child)));

  /** A cell holds words only: its blocks become lines. */
  function cellLines(cell: Element): HtmlNode[] {
    const lines: HtmlNode[][] = [[]];
    const look = (nodes: readonly HtmlNode[], sign = ""): void => {
      for (const node of nodes) {
        if (isElement(node) && flowNames.has(node.tagName) && !["img", "iframe", "video", "audio", "pre"].includes(node.tagName)) {
          lines.push(sign !== "" && node.tagName === "li" ? [text(sign)] : []);
          look(childrenOf(node), /^(?:ul|ol|menu)$/.test(node.tagName) ? "• " : "");
          lines.push([]);
        } else lines.at(-1)!.push(node);
      }
    };
    look(childrenOf(cell));
    const full = lines.map((nodes) => edged(line(nodes, true))[1]).filter((nodes) => nodes.length > 0);
    return full.flatMap((nodes, at) => (at === 0 ? nodes : [element("line-break"), ...nodes]));
  }

  return flow(childrenOf(root));
}

/** What asks a reader for something is no text. */
const withoutControls = (nodes: readonly HtmlNode[]): HtmlNode[] =>
  nodes.flatMap((node): HtmlNode[] => {
    if (!isElement(node)) return [node];
    return /^(?:input|button|label|legend)$/.test(node.tagName) ? [text(" ")] : [{ ...node, children: withoutControls(childrenOf(node)) }];
  });

const sameMarks = new Set(["strong", "em", "u", "del", "mark", "sup", "sub"]);
const mostSpans = 3_000;
const isBreak = (node: HtmlNode): boolean => isElement(node) && (node.tagName === "br" || node.tagName === "line-break");

/** What stands between the blanks and line breaks at the edges; those, as blanks. */
function edged(nodes: readonly HtmlNode[]): [before: HtmlNode[], inner: HtmlNode[], after: HtmlNode[]] {
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

function languageIn(classes: string): string {
  const [, named] = /(?:^|\s)(?:language|lang|highlight-source|highlight-text|brush:)[-\s]?([\w+#-]+)/i.exec(classes) ?? [];
  if (named !== undefined) return named.replace(/^html-basic$/, "html");
  const [, hljs] = /(?:^|\s)hljs\s+([\w+#-]+)/.exec(classes) ?? [];
  return hljs ?? "";
}

function calloutKind(classes: string): CalloutKind | null {
  const [, alert] = /(?:^|\s)markdown-alert-([a-z]+)(?:\s|$)/.exec(classes) ?? [];
  if (alert !== undefined && alert !== "title") return calloutKinds.find((kind) => alertOf[kind] === alert.toUpperCase()) ?? "info";
  const [, own] = /(?:^|\s)callout-([a-z]+)(?:\s|$)/.exec(classes) ?? [];
  const ofOurs = calloutKinds.find((kind) => kind === own);
  if (ofOurs !== undefined && /(?:^|\s)callout(?:\s|$)/.test(classes)) return ofOurs;
  return /(?:^|\s)kg-callout-card(?:\s|$)/.test(classes) ? "info" : null;
}

/** Words of a line as the inline HTML that blocks hold. */
function inlineHtml(node: HtmlNode): string {
  if (!isElement(node)) return escapeHtml(node.value.replace(/\s+/g, " "));
  if (isBreak(node)) return "<br>";
  const inner = childrenOf(node).map(inlineHtml).join("");
  if (node.tagName === "a") return `<a href="${escapeHtml(attributeText(node, "href"))}">${inner}</a>`;
  const tag = { strong: "b", em: "i", del: "s" }[node.tagName] ?? node.tagName;
  return node.tagName === "img" ? escapeHtml(attributeText(node, "alt")) : `<${tag}>${inner}</${tag}>`;
}
