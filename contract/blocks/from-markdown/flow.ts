import { codeLanguage } from "../code-languages.ts";
import { cleanInline, inlineText, withoutComments } from "../inline-html.ts";
import { blockLimits } from "../limits.ts";
import { asObject, type Unknown } from "../read.ts";
import { safeImageUrl } from "../safe-url.ts";
import { escapeHtml } from "../text.ts";
import { trimBreaks } from "../trim-breaks.ts";
import { alertOf, calloutKinds } from "../types/callout.ts";
import { videoAt } from "../types/embed.ts";
import type { ListItem } from "../types/list.ts";
import {
  anchor,
  attributeOf,
  type FlowNode,
  frameAddress,
  frameLink,
  type Inline,
  inlineHtml,
  type Of,
  type Picture,
  pictureAddress,
  pictureOf,
  type Read,
  startOf,
} from "./inline.ts";

export interface ReadBlock {
  type: string;
  data: Unknown;
}

function paragraphs(html: string): ReadBlock[] {
  const text = trimBreaks(html);
  return text === "" ? [] : [{ type: "paragraph", data: { text } }];
}

/** Converts in order. Parts a block can't hold follow it as separate blocks, so nothing is lost. */
export function blocksOf(nodes: readonly FlowNode[], read: Read): ReadBlock[] {
  const blocks: ReadBlock[] = [];
  for (const node of nodes) {
    const note = node.type === "html" ? noteOf(node.value) : null;
    if (note === null) blocks.push(...blockOf(node, read));
    else if (blocks.length > 0) addNote(blocks.at(-1)!, note);
  }
  return blocks;
}

function blockOf(node: FlowNode, read: Read): ReadBlock[] {
  switch (node.type) {
    case "paragraph":
      return paragraph(node, read);
    case "heading":
      if (node.depth > 4) read.lose?.("heading", "");
      return [{ type: "header", data: { text: trimBreaks(inlineHtml(node.children, read)), level: Math.min(Math.max(node.depth, 2), 4) } }];
    case "code":
      return [{ type: "code", data: { code: node.value, language: codeLanguage(node.lang ?? "") } }];
    case "thematicBreak":
      return [{ type: "delimiter", data: {} }];
    case "list":
      return lists(node, read);
    case "blockquote":
      return quote(node, read);
    case "table":
      return table(node, read);
    case "html":
      return html(node.value, read);
    case "definition":
      return node.identifier.startsWith("^") ? paragraphs(escapeHtml(`[${node.identifier}]: ${node.url}`)) : [];
    default:
      return [];
  }
}

function image({ url: src, alt, title }: Picture, { base, lose }: Read): ReadBlock[] {
  const url = base !== "" && src.startsWith(`${base}/storage/`) ? src.slice(base.length) : src;
  if (safeImageUrl(url) === null) {
    lose?.("picture", alt || title || url);
    return paragraphs(escapeHtml(alt || title || url));
  }
  return [{ type: "image", data: { file: { url }, alt: escapeHtml(alt), caption: escapeHtml(title) } }];
}

interface FoundPicture {
  picture: Picture;
  link?: Inline;
  note?: Unknown | null;
}

function pictureIn(node: Inline, read: Read): FoundPicture | null {
  if (node.type === "image" || node.type === "imageReference") return { picture: pictureOf(node, read) };
  if (node.type === "html") return /^<img\s/i.test(node.value) ? { picture: tagPicture(node.value, read) } : null;
  if (node.type !== "link" && node.type !== "linkReference") return null;
  const [only, noted, more] = node.children;
  const note = noted?.type === "html" ? noteOf(noted.value) : null;
  const inner = only !== undefined && more === undefined && (noted === undefined || note !== null) ? pictureIn(only, read) : null;
  return inner && { ...inner, link: node, note };
}

const plain = (html: string): string => inlineText(html).replace(/\s+/g, " ").trim();
const tagPicture = (html: string, read: Read): Picture => ({
  url: pictureAddress(plain(attributeOf(html, "src")), read),
  alt: plain(attributeOf(html, "alt")),
  title: plain(attributeOf(html, "title")),
});

/** Images become blocks between the text around them. A lone link to a video becomes an embed. */
function paragraph(node: Of<"paragraph">, read: Read): ReadBlock[] {
  const video = videoOf(node, read);
  if (video !== null) return [{ type: "embed", data: { url: video } }];
  const blocks: ReadBlock[] = [];
  let words: Inline[] = [];
  const end = () => {
    blocks.push(...paragraphs(inlineHtml(words, read)));
    words = [];
  };
  for (const child of node.children) {
    const note = child.type === "html" ? noteOf(child.value) : null;
    if (note !== null && words.length === 0 && blocks.at(-1)?.type === "image") {
      addNote(blocks.at(-1)!, note);
      continue;
    }
    const found = pictureIn(child, read);
    if (found === null) {
      words.push(child);
      continue;
    }
    end();
    const [block] = image(found.picture, read);
    if (block === undefined) continue;
    if (block.type === "image" && found.link !== undefined) block.data["caption"] = inlineHtml([found.link], { ...read, lose: undefined });
    if (block.type === "image" && found.note) addNote(block, found.note);
    blocks.push(block);
  }
  end();
  return blocks;
}

/** Bare URL, or the caption that ../types/embed.ts writes for a video without one. */
function videoOf(node: Of<"paragraph">, read: Read): string | null {
  const [only, more] = node.children;
  if (only === undefined || more !== undefined) return null;
  if (only.type === "text") return startOf(only, read, only.value.length) === only.value ? (videoAt(only.value.trim())?.url ?? null) : null;
  if (only.type !== "link") return null;
  const video = videoAt(only.url);
  const words = plain(inlineHtml(only.children, { ...read, lose: undefined }, true));
  const isBare = startOf(only, read, 1) !== "[" || words === `Watch on ${video?.service}`;
  return video !== null && isBare ? video.url : null;
}

type ListStyle = "ordered" | "unordered" | "checklist";

interface ItemsRead {
  items: ListItem[];
  /** Code, tables, images and quotes that our lists can't hold. */
  behind: ReadBlock[];
}

const box = /^\[([ xX])\]$/;

function itemsOf(node: Of<"list">["children"][number], style: ListStyle, depth: number, read: Read): ItemsRead {
  const isTicked = style === "checklist";
  const texts: string[] = [];
  const below: ListItem[] = [];
  const behind: ReadBlock[] = [];
  let checked = node.checked;
  for (const child of node.children) {
    if (child.type === "paragraph" && behind.length === 0 && below.length === 0) {
      const onlyBox = texts.length === 0 ? box.exec(sourceAll(child, read)) : null;
      if (onlyBox) checked = onlyBox[1] !== " ";
      else texts.push(trimBreaks(inlineHtml(child.children, read)));
    } else if (child.type === "list" && behind.length === 0) {
      if ((child.ordered === true) !== (style === "ordered")) read.lose?.("list style", "");
      for (const item of child.children) {
        const inner = itemsOf(item, style, depth + 1, read);
        below.push(...inner.items);
        behind.push(...inner.behind);
      }
    } else behind.push(...blocksOf([child], read));
  }
  const fits = depth < blockLimits.listDepth;
  if (!fits && below.length > 0) read.lose?.("list depth", "");
  if (isTicked && typeof checked !== "boolean") read.lose?.("tasks", "");
  const meta = isTicked ? { checked: checked === true } : {};
  if (!isTicked && typeof checked === "boolean") texts[0] = `${checked ? "☑" : "☐"} ${texts[0] ?? ""}`;
  const own: ListItem = { content: texts.join("<br>"), meta, items: fits ? below : [] };
  return { items: fits ? [own] : [own, ...below], behind };
}

const sourceAll = ({ position }: FlowNode, { source }: Read): string =>
  source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0).trim();

function hasBox(node: Of<"list">, read: Read): boolean {
  if (node.ordered === true) return node.children.some(({ checked }) => typeof checked === "boolean");
  return node.children.some(
    (item) =>
      typeof item.checked === "boolean" ||
      item.children.some(
        (child) => (child.type === "list" && hasBox(child, read)) || (child.type === "paragraph" && box.test(sourceAll(child, read))),
      ),
  );
}

/** As stored: cleaning adds classes. */
const lengthsOf = (items: readonly ListItem[]): number[] =>
  items.flatMap(({ content, items: below }) => [cleanInline(content).length, ...lengthsOf(below)]);

function lists(node: Of<"list">, read: Read): ReadBlock[] {
  const style: ListStyle = hasBox(node, read) ? "checklist" : node.ordered === true ? "ordered" : "unordered";
  const blocks: ReadBlock[] = [];
  let start = node.start ?? 1;
  let items: ListItem[] = [];
  let own = 0;
  let [pieces, length] = [0, style.length];
  const end = () => {
    if (items.length === 0) return;
    blocks.push({ type: "list", data: { style, meta: style === "ordered" && start !== 1 ? { start } : {}, items } });
    start += own;
    items = [];
    own = 0;
    [pieces, length] = [0, style.length];
  };
  for (const item of node.children) {
    const nested = itemsOf(item, style, 1, read);
    const lengths = read.rescues ? lengthsOf(nested.items) : [];
    const ownLength = lengths.reduce((sum, one) => sum + one, 0);
    if (items.length > 0 && (pieces + lengths.length > blockLimits.listItems || length + ownLength > blockLimits.blockLength)) {
      read.lose?.("list", "");
      end();
    }
    pieces += lengths.length;
    length += ownLength;
    items.push(...nested.items);
    own++;
    if (nested.behind.length === 0) continue;
    if (nested.behind.some(({ type }) => type !== "paragraph")) read.lose?.("behind", "");
    end();
    blocks.push(...nested.behind);
  }
  end();
  return blocks;
}

const alert = /^\[!(note|important|tip|warning|caution)\][ \t]*(?:\n|$)/i;
const signature = "— ";

/** A quote, or a callout when it starts like a GitHub alert. Paragraphs and lists become lines, everything else follows. */
function quote(node: Of<"blockquote">, read: Read): ReadBlock[] {
  const [first] = node.children;
  const [sign, name = ""] = (first?.type === "paragraph" && alert.exec(startOf(first, read, 40))) || [];
  const { lines, behind } = linesOf(node.children, read);
  if (behind.some(({ type }) => type !== "paragraph")) read.lose?.("behind", "");
  if (sign === undefined) {
    const last = node.children.findLast(({ type }) => type === "paragraph");
    const isSigned = last !== undefined && startOf(last, read, signature.length) === signature && lines.length > 0;
    const caption = isSigned ? lines.pop()!.slice(signature.length) : "";
    return [...(lines.length > 0 || isSigned ? [{ type: "quote", data: { text: joined(lines), caption } }] : []), ...behind];
  }
  const kind = calloutKinds.find((calloutKind) => alertOf[calloutKind] === name.toUpperCase()) ?? "info";
  const words = lines.join("<br><br>").replace(/^\[![a-z]+\]\s*/i, "");
  return [{ type: "callout", data: { kind, text: trimBreaks(words) } }, ...behind];
}

const joined = (lines: readonly string[]): string => trimBreaks(lines.join("<br><br>"));

/** Paragraphs as lines. List items keep their markers: neither quotes nor callouts hold lists. */
function linesOf(nodes: readonly FlowNode[], read: Read): { lines: string[]; behind: ReadBlock[] } {
  const lines: string[] = [];
  const behind: ReadBlock[] = [];
  for (const node of nodes) {
    if (node.type === "paragraph") lines.push(trimBreaks(inlineHtml(node.children, read)));
    else if (node.type === "heading") lines.push(`<b>${trimBreaks(inlineHtml(node.children, read))}</b>`);
    else if (node.type === "blockquote") {
      const inner = linesOf(node.children, read);
      lines.push(...inner.lines);
      behind.push(...inner.behind);
    } else if (node.type === "list") {
      for (const block of lists(node, read)) {
        if (block.type !== "list") behind.push(block);
        else lines.push(itemLines(block.data as unknown as ListLike, "").join("<br>"));
      }
    } else behind.push(...blocksOf([node], read));
  }
  return { lines: lines.filter((line) => line !== ""), behind };
}

interface ListLike {
  style: string;
  meta: { start?: number };
  items: ListItem[];
}

const itemLines = ({ style, meta, items }: ListLike, indent: string): string[] =>
  items.flatMap((item, at) => {
    const sign = style === "ordered" ? `${(meta.start ?? 1) + at}.` : style === "unordered" ? "•" : item.meta.checked === true ? "☑" : "☐";
    return [`${indent}${sign} ${item.content}`, ...itemLines({ style, meta: {}, items: item.items }, `${indent}\u00a0\u00a0`)];
  });

/** Markdown requires a header row, so an empty one counts as none. */
function table(node: Of<"table">, read: Read): ReadBlock[] {
  const rows = node.children.map((row) => row.children.map((cell) => trimBreaks(inlineHtml(cell.children, read))));
  const withHeadings = rows[0]?.some((cell) => cell !== "") ?? false;
  const isWide = rows.some((row) => row.length > blockLimits.tableColumns);
  if (!read.rescues || (!isWide && rows.length <= blockLimits.tableRows)) {
    return [{ type: "table", data: { withHeadings, content: withHeadings ? rows : rows.slice(1) } }];
  }
  read.lose?.("table", isWide ? "wide" : "long");
  if (isWide) return [{ type: "code", data: { code: sourceAll(node, read) } }];
  const tables: ReadBlock[] = [];
  const step = blockLimits.tableRows - 1;
  for (let at = 1; at < rows.length; at += step) {
    const part = rows.slice(at, at + step);
    tables.push({ type: "table", data: { withHeadings, content: withHeadings ? [rows[0], ...part] : part } });
  }
  return tables;
}

const unseen = /<(script|style|template)\b[^]*?(?:<\/\1\s*>|$)/gi;
const between =
  /<\/?(?:address|article|aside|blockquote|center|d[dlt]|details|div|fieldset|figcaption|figure|footer|form|h[1-6]|header|li|main|nav|ol|p|pre|section|summary|table|tr|ul)\b[^<>]*>/gi;
const apart = /(<(?:hr|img|iframe|video|audio|source|embed)\b[^<>]*>)/i;
/** Block-level HTML whose structure is lost; other tags lose only themselves. */
const shaped = /<(blockquote|d[dlt]|form|h[1-6]|li|ol|pre|table|ul)\b/gi;

function tellOf(value: string, read: Read): void {
  if (/<details\b/i.test(value)) read.lose?.("details", "");
  for (const [, name = ""] of value.matchAll(/<(script|style|template|object|svg|math|canvas)\b/gi))
    read.lose?.("script", name.toLowerCase());
  for (const [, name = ""] of value.matchAll(shaped)) read.lose?.("html", name.toLowerCase());
}

/** Block-level HTML: text, images, videos and rules become blocks, other frames links. Comments, scripts and styles are dropped. */
function html(value: string, read: Read): ReadBlock[] {
  const seen = withoutComments(value);
  if (read.lose !== undefined) tellOf(seen, read);
  const pieces = seen
    .replace(unseen, "")
    .replace(between, "\n\n")
    .replace(/<\/t[dh]>/gi, " ")
    .replace(/<\/(?:iframe|video|audio|embed)\s*>/gi, "")
    .replace(/<a\s[^<>]*>/gi, (tag) => anchor(tag, read))
    .split(apart);
  return pieces.flatMap((piece) => {
    if (/^<hr\b/i.test(piece)) return [{ type: "delimiter", data: {} }];
    if (/^<img\b/i.test(piece)) return image(tagPicture(piece, read), read);
    if (/^<(?:iframe|video|audio|source|embed)\b/i.test(piece)) return frame(piece, read);
    return piece.split(/\n[ \t]*\n/).flatMap((words) => paragraphs(words.replace(/\s+/g, " ")));
  });
}

function frame(tag: string, read: Read): ReadBlock[] {
  const address = frameAddress(tag, read);
  const video = videoAt(address.startsWith("//") ? `https:${address}` : address);
  if (video !== null) return [{ type: "embed", data: { url: video.url } }];
  const link = frameLink(tag, read);
  if (link !== "") read.lose?.("frame", "");
  return paragraphs(link);
}

const note = /^<!-- tidings (\{.*\}) -->$/;

/** The note ../to-markdown.ts wrote for fields Markdown can't express; null for other HTML. */
function noteOf(html: string): Unknown | null {
  const [, json] = note.exec(html.trim()) ?? [];
  if (json === undefined) return null;
  try {
    return asObject(JSON.parse(json));
  } catch {
    return null;
  }
}

/** Merges a note into the block's data, one level deep; cleaned later like everything else. */
function addNote({ data }: ReadBlock, noted: Unknown): void {
  for (const [name, value] of Object.entries(noted)) {
    const present = data[name];
    data[name] = typeof present === "object" && present !== null ? { ...asObject(value), ...asObject(present) } : value;
  }
}
