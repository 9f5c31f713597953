import { videoAt } from "#contract/blocks/types/embed.ts";
import { attributeText, childrenOf, classOf, type Element, element, type HtmlNode, isNamed, text } from "./elements.ts";
import type { Losses } from "./losses.ts";

/** What reading a node needs to know of the page, and where it notes what is lost. */
export interface Scope {
  /** The address at which relative ones start. */
  base: string | undefined;
  losses: Losses;
}

const linkProtocols = /^(?:https?|mailto):$/;
/** Pixels: an image of one by one only counts readers. */
const trackingSide = 1;
const emojiSide = 32;

/** A whole address; null where `base` is needed and missing. */
function absolute(address: string, base: string | undefined): URL | null {
  const full = address.startsWith("//") ? `https:${address}` : address;
  if (URL.canParse(full)) return new URL(full);
  return base !== undefined && URL.canParse(full, base) ? new URL(full, base) : null;
}

/** Where a link leads; null where it can't be kept. */
export function hrefOf(node: Element, { base, losses }: Scope): string | null {
  const href = attributeText(node, "href");
  if (href === "" || href.startsWith("#")) return null;
  const url = absolute(href, base);
  if (url === null)
    losses.add("A link without a full address is text now", (count) => `${count} links without a full address are text now`);
  else if (linkProtocols.test(url.protocol)) return url.href;
  else losses.add("A link that is no web address is text now", (count) => `${count} links that are no web addresses are text now`);
  return null;
}

/** The width or height that an attribute or style gives, in pixels; NaN without one. */
function sideOf(node: Element, side: "width" | "height"): number {
  const style = new RegExp(`(?:^|[;\\s])${side}\\s*:\\s*([\\d.]+)px`, "i").exec(attributeText(node, "style"));
  return Number.parseFloat(attributeText(node, side) || (style?.[1] ?? ""));
}

/** The address of an image, also of one that a script loads later. */
function sourceOf(node: Element): string {
  const own = attributeText(node, "src");
  const lazy = attributeText(node, "dataSrc", "dataLazySrc", "dataOriginal");
  if (own !== "" && !(own.startsWith("data:") && lazy !== "")) return own;
  return lazy || (attributeText(node, "srcSet").split(/[\s,]/).find(Boolean) ?? "");
}

/** An image as an element, or as the text that it stands for, such as an emoji; null for one that readers don't see. */
export function imageOf(node: Element, { base, losses }: Scope): HtmlNode | null {
  const [width, height] = [sideOf(node, "width"), sideOf(node, "height")];
  if (width <= trackingSide && height <= trackingSide) return null;
  const alt = attributeText(node, "alt").replace(/\s+/g, " ");
  const isEmoji = /(?:^|\s)(?:emoji|wp-smiley|twemoji|intercom-emoji)(?:\s|$)/.test(classOf(node)) || height <= emojiSide;
  if (isEmoji && alt !== "" && /^\p{Extended_Pictographic}/u.test(alt)) return text(alt);
  const src = sourceOf(node);
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

const linkTo = (words: string, href: string): Element => element("a", [text(words)], { href });

/** A video that posts can show, by its address on a line of its own; any other player or frame, a link. */
export function playerOf(node: Element, { base, losses }: Scope): Element[] {
  const source = childrenOf(node).find((child): child is Element => isNamed(child, "source"));
  const given = attributeText(node, "src", "dataSrc") || (source ? attributeText(source, "src") : "") || attributeText(node, "data");
  const url = given === "" ? null : absolute(given, base);
  if (url === null || !/^https?:$/.test(url.protocol)) return [];
  const video = videoAt(url.href.replace(/^http:/, "https:"))?.url;
  if (video !== undefined) return [element("p", [linkTo(video, video)])];
  const what = node.tagName === "video" ? "A video" : node.tagName === "audio" ? "A recording" : "An embedded frame";
  losses.add(`${what} is a link now: ${url.host}`, (count) => `${what} is a link now: ${url.host}, ${count} times`);
  const name = attributeText(node, "title") || (node.tagName === "iframe" ? url.host : (url.pathname.split("/").at(-1) ?? "")) || url.host;
  return [element("p", [linkTo(name, url.href)])];
}

/** The address of a video that stands alone, as the video; any other node as it is. */
export function videoOf(node: HtmlNode): HtmlNode {
  const video = node.type === "text" ? videoAt(node.value.trim()) : null;
  return video === null ? node : linkTo(video.url, video.url);
}
