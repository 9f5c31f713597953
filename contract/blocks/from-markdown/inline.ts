import type { fromMarkdown } from "mdast-util-from-markdown";
import { safeLink } from "../safe-url.ts";
import { decodeEntities, escapeHtml } from "../text.ts";

type Root = ReturnType<typeof fromMarkdown>;
export type FlowNode = Root["children"][number];
export type Of<Type extends FlowNode["type"]> = Extract<FlowNode, { type: Type }>;
export type Inline = Of<"paragraph">["children"][number];

export type Loss =
  | "behind"
  | "details"
  | "footnote"
  | "frame"
  | "heading"
  | "html"
  | "link"
  | "list"
  | "list depth"
  | "list style"
  | "picture"
  | "picture in words"
  | "script"
  | "table"
  | "tag"
  | "tasks";

export interface Read {
  source: string;
  definitions: ReadonlyMap<string, Of<"definition">>;
  /** Origin of this installation, "" when unknown; removed from URLs of stored images. */
  base: string;
  resolve: ((address: string, isPicture: boolean) => string | null) | undefined;
  lose: ((what: Loss, detail: string) => void) | undefined;
  rescues: boolean;
  github: string | undefined;
}

const resolved = (address: string, isPicture: boolean, { resolve }: Read): string =>
  resolve === undefined ? address : (resolve(address, isPicture) ?? "");

const meanings: Readonly<Record<string, string>> = {
  b: "b",
  strong: "b",
  i: "i",
  em: "i",
  u: "u",
  ins: "u",
  s: "s",
  del: "s",
  strike: "s",
  mark: "mark",
  sup: "sup",
  sub: "sub",
  code: "code",
  kbd: "code",
  samp: "code",
  br: "br",
};

const meaningless = new Set(["center", "div", "font", "p", "small", "span", "summary", "details", "source", "big", "nobr", "wbr"]);
const frames = new Set(["audio", "embed", "iframe", "source", "video"]);

function tag(html: string, read: Read, inLink: boolean): string {
  const [, slash = "", name = ""] = /^<(\/?)([a-z][a-z\d]*)/i.exec(html) ?? [];
  const lower = name.toLowerCase();
  if (lower === "a") return slash === "" ? anchor(html, read) : html;
  if (lower === "img") {
    read.lose?.("picture in words", attributeOf(html, "src"));
    return pictureWords(html);
  }
  if (slash === "" && frames.has(lower)) {
    read.lose?.("frame", lower);
    return inLink ? "" : frameLink(html, read);
  }
  const meaning = Object.hasOwn(meanings, lower) ? meanings[lower] : undefined;
  if (slash === "" && lower !== "" && meaning === undefined) {
    if (lower === "details") read.lose?.("details", "");
    else if (!meaningless.has(lower)) read.lose?.("tag", lower);
  }
  return meaning === undefined || (meaning === "br" && slash !== "") ? "" : `<${slash}${meaning}>`;
}

export const attributeOf = (html: string, name: string): string => {
  const attribute = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(html);
  return attribute?.[1] ?? attribute?.[2] ?? attribute?.[3] ?? "";
};
const pictureWords = (html: string): string => attributeOf(html, "alt").replace(/[<>]/g, "");

const link = (url: string, words: string): string => `<a href="${escapeHtml(url)}">${words}</a>`;

function linkTo(given: string, words: string, read: Read): string {
  const url = resolved(given, false, read);
  if (read.lose !== undefined && safeLink(url) === null && words !== "") read.lose("link", given);
  return read.resolve !== undefined && url === "" ? words : link(url, words);
}

export function anchor(html: string, read: Read): string {
  if (read.resolve === undefined && read.lose === undefined) return html;
  const given = decodeEntities(attributeOf(html, "href")).trim();
  const url = given === "" ? "" : resolved(given, false, read);
  if (given !== "" && safeLink(url) === null) read.lose?.("link", given);
  return url === "" ? "" : `<a href="${escapeHtml(url)}">`;
}

export const frameAddress = (html: string, read: Read): string =>
  resolved(decodeEntities(attributeOf(html, "src") || attributeOf(html, "data-src")).trim(), false, read);

export function frameLink(html: string, read: Read): string {
  const url = safeLink(frameAddress(html, read));
  return url === null ? "" : link(url, escapeHtml(decodeEntities(attributeOf(html, "title")).trim() || url));
}

/** Excludes trailing punctuation. */
const address = /(?<![\w/])(?:https?:\/\/|www\.)[^\s<]+/gi;
const closing: Readonly<Record<string, string>> = { ")": "(", "]": "[" };

function withoutSentenceEnd(url: string): string {
  let end = url.length;
  const count = (sign: string): number => url.split(sign).length - 1;
  const surplus = new Map(Object.entries(closing).map(([close, open]) => [close, count(close) - count(open)]));
  for (; end > 0; end--) {
    const last = url[end - 1]!;
    const more = surplus.get(last);
    if (more !== undefined ? more <= 0 : !/[.,:;!?"'*_~]/.test(last)) break;
    if (more !== undefined) surplus.set(last, more - 1);
  }
  return url.slice(0, end);
}

const mailName = /[\w.+-]{1,64}$/;
const mailHost = /^[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,63}(?![\w-])/i;

const mention = /(?<![\w/`@.&#-])(?:@([a-z\d](?:-?[a-z\d]){0,38})(?![\w/@-])|([\w.-]{1,39}\/[\w.-]{1,100})?#(\d{1,9})(?![\w-]))/gi;
const mostMentions = 500;

function mentions(value: string, repository: string): { at: number; words: string; url: string }[] {
  const links: { at: number; words: string; url: string }[] = [];
  for (const { 0: words, 1: who, 2: other = repository, 3: number, index: at } of value.matchAll(mention)) {
    if (links.length === mostMentions) break;
    if (who !== undefined) links.push({ at, words, url: `https://github.com/${who}` });
    else if (other !== "") links.push({ at, words, url: `https://github.com/${other}/issues/${number}` });
  }
  return links;
}

/** Linkifies URLs. Escaped ones such as `https\://` differ from the source and stay text. */
function linked(value: string, source: string, github: string | undefined): string {
  const references: { at: number; words: string; url: string }[] = [];
  let from = 0;
  const isThere = (words: string): boolean => {
    const at = source.indexOf(words, from);
    if (at !== -1) from = at + words.length;
    return at !== -1;
  };
  for (const { 0: match, index } of value.matchAll(address)) {
    const words = withoutSentenceEnd(match);
    const url = words.toLowerCase().startsWith("www.") ? `http://${words}` : words;
    if (words.length > 8 && URL.canParse(url) && isThere(words)) references.push({ at: index, words, url });
  }
  from = 0;
  for (let at = value.indexOf("@"); at !== -1; at = value.indexOf("@", at + 1)) {
    const [name = ""] = mailName.exec(value.slice(Math.max(0, at - 64), at)) ?? [];
    const [host = ""] = mailHost.exec(value.slice(at + 1, at + 256)) ?? [];
    const words = `${name}@${host}`;
    const start = at - name.length;
    const isFree =
      name !== "" &&
      host !== "" &&
      references.every((reference) => start + words.length <= reference.at || start >= reference.at + reference.words.length);
    if (isFree && references.length < 100 && isThere(words)) references.push({ at: start, words, url: `mailto:${words}` });
  }
  if (github !== undefined) {
    const ranges = references.map(({ at, words }) => [at, at + words.length] as const);
    for (const one of mentions(value, github)) {
      if (ranges.every(([start, stop]) => one.at >= stop || one.at + one.words.length <= start)) references.push(one);
    }
  }
  let html = "";
  let end = 0;
  for (const { at, words, url } of references.sort((one, other) => one.at - other.at)) {
    html += escapeHtml(value.slice(end, at)) + link(url, escapeHtml(words));
    end = at + words.length;
  }
  return html + escapeHtml(value.slice(end));
}

const sourceOf = ({ position }: Inline, { source }: Read): string =>
  source.slice(position?.start.offset ?? 0, position?.end.offset ?? source.length);

/** Inline HTML before cleaning. Images become links: only a block of its own shows one. */
export function inlineHtml(nodes: readonly Inline[], read: Read, inLink = false): string {
  return nodes
    .map((node): string => {
      switch (node.type) {
        case "text": {
          if (read.github !== undefined && node.value.includes("\n")) {
            return node.value
              .split("\n")
              .map((line) => inlineHtml([{ ...node, value: line }], read, inLink))
              .join("<br>");
          }
          const value = node.value.replace(/\n/g, " ");
          if (read.lose !== undefined && /\[\^[^\]\s]+\]/.test(value)) read.lose("footnote", "");
          const mayLink = !inLink && (/:\/\/|www\.|@/i.test(value) || (read.github !== undefined && value.includes("#")));
          return mayLink ? linked(value, sourceOf(node, read), read.github) : escapeHtml(value);
        }
        case "strong":
          return `<b>${inlineHtml(node.children, read, inLink)}</b>`;
        case "emphasis":
          return `<i>${inlineHtml(node.children, read, inLink)}</i>`;
        case "delete":
          return `<s>${inlineHtml(node.children, read, inLink)}</s>`;
        case "inlineCode":
          return `<code>${escapeHtml(node.value)}</code>`;
        case "break":
          return "<br>";
        case "link":
          return linkTo(node.url, inlineHtml(node.children, read, true), read);
        case "linkReference": {
          const words = inlineHtml(node.children, read, true);
          if (node.identifier.startsWith("^")) {
            read.lose?.("footnote", "");
            return `[${words}]`;
          }
          const url = read.definitions.get(node.identifier)?.url;
          return url === undefined ? words : linkTo(url, words, read);
        }
        case "image":
        case "imageReference": {
          const { url, alt } = pictureOf(node, read, false);
          const words = escapeHtml(alt || url);
          read.lose?.("picture in words", url);
          return inLink || url === "" ? words : link(url, words);
        }
        case "html":
          return tag(node.value, read, inLink);
        default:
          return "";
      }
    })
    .join("");
}

export const pictureAddress = (src: string, read: Read): string => (src === "" ? "" : resolved(src, true, read));

export interface Picture {
  url: string;
  alt: string;
  title: string;
}

export function pictureOf(node: Extract<Inline, { type: "image" | "imageReference" }>, read: Read, isShown = true): Picture {
  const target = node.type === "image" ? node : read.definitions.get(node.identifier);
  return { url: target === undefined ? "" : resolved(target.url, isShown, read), alt: node.alt ?? "", title: target?.title ?? "" };
}

/** Compares the source at a paragraph's start or end; escaped characters count as text. */
export const startOf = (node: { position?: { start: { offset?: number } } | undefined }, { source }: Read, length: number): string => {
  const at = node.position?.start.offset ?? 0;
  return source.slice(at, at + length);
};
