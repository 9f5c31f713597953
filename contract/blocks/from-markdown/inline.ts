import type { fromMarkdown } from "mdast-util-from-markdown";
import { escapeHtml } from "../text.ts";

type Root = ReturnType<typeof fromMarkdown>;
export type FlowNode = Root["children"][number];
export type Of<Type extends FlowNode["type"]> = Extract<FlowNode, { type: Type }>;
export type Inline = Of<"paragraph">["children"][number];

/** The text that was read, and where its links lead. */
export interface Read {
  source: string;
  definitions: ReadonlyMap<string, Of<"definition">>;
  /** The origin of this installation, "" where none is known: addresses of its stored images lose it. */
  base: string;
}

/** Tags that mean what a mark of ours does; all others go, and their words stay. */
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
  code: "code",
  kbd: "code",
  samp: "code",
  br: "br",
};

function tag(html: string): string {
  const [, slash = "", name = ""] = /^<(\/?)([a-z][a-z\d]*)/i.exec(html) ?? [];
  const lower = name.toLowerCase();
  if (lower === "a") return html; // its address is looked at where everything is cleaned
  if (lower === "img") return pictureWords(html);
  const meaning = Object.hasOwn(meanings, lower) ? meanings[lower] : undefined;
  return meaning === undefined || (meaning === "br" && slash !== "") ? "" : `<${slash}${meaning}>`;
}

/** The value of an attribute of an HTML tag, its entities not yet read. */
export const attributeOf = (html: string, name: string): string => {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(html);
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? "";
};
const pictureWords = (html: string): string => attributeOf(html, "alt").replace(/[<>]/g, "");

const link = (url: string, words: string): string => `<a href="${escapeHtml(url)}">${words}</a>`;

/** A link as it is meant when somebody writes an address: without the sentence's own marks behind it. */
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

/** Text with its addresses as links. An address with a `\` in it, as `https\://`, is not in the source as it stands, and stays text. */
function linked(value: string, source: string): string {
  const found: { at: number; words: string; url: string }[] = [];
  let from = 0;
  const isThere = (words: string): boolean => {
    const at = source.indexOf(words, from);
    if (at !== -1) from = at + words.length;
    return at !== -1;
  };
  for (const { 0: match, index } of value.matchAll(address)) {
    const words = withoutSentenceEnd(match);
    const url = words.toLowerCase().startsWith("www.") ? `http://${words}` : words;
    if (words.length > 8 && URL.canParse(url) && isThere(words)) found.push({ at: index, words, url });
  }
  from = 0;
  for (let at = value.indexOf("@"); at !== -1; at = value.indexOf("@", at + 1)) {
    const [name = ""] = mailName.exec(value.slice(Math.max(0, at - 64), at)) ?? [];
    const [host = ""] = mailHost.exec(value.slice(at + 1, at + 256)) ?? [];
    const words = `${name}@${host}`;
    const start = at - name.length;
    const isFree = name !== "" && host !== "" && found.every((one) => start + words.length <= one.at || start >= one.at + one.words.length);
    if (isFree && found.length < 100 && isThere(words)) found.push({ at: start, words, url: `mailto:${words}` });
  }
  let html = "";
  let end = 0;
  for (const { at, words, url } of found.sort((one, other) => one.at - other.at)) {
    html += escapeHtml(value.slice(end, at)) + link(url, escapeHtml(words));
    end = at + words.length;
  }
  return html + escapeHtml(value.slice(end));
}

const sourceOf = ({ position }: Inline, { source }: Read): string =>
  source.slice(position?.start.offset ?? 0, position?.end.offset ?? source.length);

/** Words of a paragraph as the inline HTML that blocks hold, not yet cleaned. Pictures in it are links to them: a block alone shows one. */
export function inlineHtml(nodes: readonly Inline[], read: Read, inLink = false): string {
  return nodes
    .map((node): string => {
      switch (node.type) {
        case "text": {
          const value = node.value.replace(/\n/g, " ");
          const mayLink = !inLink && /:\/\/|www\.|@/i.test(value);
          return mayLink ? linked(value, sourceOf(node, read)) : escapeHtml(value);
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
          return link(node.url, inlineHtml(node.children, read, true));
        case "linkReference": {
          const words = inlineHtml(node.children, read, true);
          const url = read.definitions.get(node.identifier)?.url;
          return url === undefined ? words : link(url, words);
        }
        case "image":
        case "imageReference": {
          const { url, alt } = pictureOf(node, read);
          const words = escapeHtml(alt || url);
          return inLink ? words : link(url, words);
        }
        case "html":
          return tag(node.value);
        default:
          return ""; // footnotes: switched off
      }
    })
    .join("");
}

export interface Picture {
  url: string;
  alt: string;
  title: string;
}

export function pictureOf(node: Extract<Inline, { type: "image" | "imageReference" }>, { definitions }: Read): Picture {
  const target = node.type === "image" ? node : definitions.get(node.identifier);
  return { url: target?.url ?? "", alt: node.alt ?? "", title: target?.title ?? "" };
}

/** Whether a paragraph's first or last words, as they stand in the source, are these: what is escaped there is text. */
export const startOf = (node: { position?: { start: { offset?: number } } | undefined }, { source }: Read, length: number): string => {
  const at = node.position?.start.offset ?? 0;
  return source.slice(at, at + length);
};
