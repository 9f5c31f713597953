import { videoAt } from "#contract/blocks/types/embed.ts";
import { attributeText, childrenOf, classOf, type Element, element, type HtmlNode, isNamed, text } from "./elements.ts";
import type { Losses } from "./losses.ts";

export interface Scope {
  base: string | undefined;
  losses: Losses;
}

const linkProtocols = /^(?:https?|mailto):$/;
const trackingSide = 1;
const emojiSide = 32;

function absolute(address: string, base: string | undefined): URL | null {
  const full = address.startsWith("//") ? `https:${address}` : address;
  if (URL.canParse(full)) return new URL(full);
  return base !== undefined && URL.canParse(full, base) ? new URL(full, base) : null;
}

export function hrefOf(node: Element, { base, losses }: Scope): string | null {
  const href = attributeText(node, "href");
  if (href === "" || href.startsWith("#")) return null;
  const url = absolute(href, base);
  if (url === null) losses.add("A link without a full URL is now text", (count) => `${count} links without a full URL are now text`);
  else if (linkProtocols.test(url.protocol)) return url.href;
  else losses.add("A link with an unsupported address is now text", (count) => `${count} links with an unsupported address are now text`);
  return null;
}

function sideOf(node: Element, side: "width" | "height"): number {
  const style = new RegExp(`(?:^|[;\\s])${side}\\s*:\\s*([\\d.]+)px`, "i").exec(attributeText(node, "style"));
  return Number.parseFloat(attributeText(node, side) || (style?.[1] ?? ""));
}

function sourceOf(node: Element): string {
  const own = attributeText(node, "src");
  const lazy = attributeText(node, "dataSrc", "dataLazySrc", "dataOriginal");
  if (own !== "" && !(own.startsWith("data:") && lazy !== "")) return own;
  return lazy || (attributeText(node, "srcSet").split(/[\s,]/).find(Boolean) ?? "");
}

/** An image, or its text for an emoji; null for tracking pixels. */
export function imageOf(node: Element, { base, losses }: Scope): HtmlNode | null {
  const [width, height] = [sideOf(node, "width"), sideOf(node, "height")];
  if (width <= trackingSide && height <= trackingSide) return null;
  const alt = attributeText(node, "alt").replace(/\s+/g, " ");
  const isEmoji = /(?:^|\s)(?:emoji|wp-smiley|twemoji|intercom-emoji)(?:\s|$)/.test(classOf(node)) || height <= emojiSide;
  if (isEmoji && alt !== "" && /^\p{Extended_Pictographic}/u.test(alt)) return text(alt);
  const src = sourceOf(node);
  if (src === "") return null;
  if (/^data:/i.test(src)) {
    losses.add("An embedded image (data:) was removed", (count) => `${count} embedded images (data:) were removed`);
    return alt === "" ? null : text(alt);
  }
  return element("img", [], { src: absolute(src, base)?.href ?? src, alt, title: attributeText(node, "title") });
}

const linkTo = (words: string, href: string): Element => element("a", [text(words)], { href });

/** Supported videos as a bare URL; other players and frames as a link. */
export function playerOf(node: Element, { base, losses }: Scope): Element[] {
  const source = childrenOf(node).find((child): child is Element => isNamed(child, "source"));
  const given = attributeText(node, "src", "dataSrc") || (source ? attributeText(source, "src") : "") || attributeText(node, "data");
  const url = given === "" ? null : absolute(given, base);
  if (url === null || !/^https?:$/.test(url.protocol)) return [];
  const video = videoAt(url.href.replace(/^http:/, "https:"))?.url;
  if (video !== undefined) return [element("p", [linkTo(video, video)])];
  const what = node.tagName === "video" ? "A video" : node.tagName === "audio" ? "A recording" : "An embedded frame";
  losses.add(`${what} is now a link: ${url.host}`, (count) => `${what} is now a link: ${url.host}, ${count} times`);
  const name =
    attributeText(node, "title") ||
    (node.tagName === "iframe" || node.tagName === "embed" ? url.host : (url.pathname.split("/").at(-1) ?? "")) ||
    url.host;
  return [element("p", [linkTo(name, url.href)])];
}

export function videoOf(node: HtmlNode): HtmlNode {
  const video = node.type === "text" ? videoAt(node.value.trim()) : null;
  return video === null ? node : linkTo(video.url, video.url);
}
