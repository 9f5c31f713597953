import { safeLink } from "#contract/blocks/safe-url.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { imageTypes } from "#contract/rules/image-type.ts";
import { otherHost, storedPath } from "../image-host.ts";
import { declared } from "./html-marks.ts";
import { isWordList } from "./word-line.ts";

const embedded = new RegExp(`^data:(?:${Object.values(imageTypes).join("|").replaceAll("+", "\\+")});base64,`, "i");

const foreign = "img, picture, svg, math, video, audio, iframe, object, embed";

const notContent =
  "script, style, template, noscript, title, meta, link, colgroup, button, [hidden], .Apple-interchange-newline, [aria-roledescription=checkbox]";

const emoji = /^(?:[\p{Extended_Pictographic}\p{RI}][^\p{L}\p{N}]*|:[\w+-]+:)$/u;

/**
 * Sanitised body of pasted HTML. Keeps only valid links, and images from Storage, data URLs, or other sites (copied later, see
 * ../blocks/image.ts). `leftOut` counts the other images. Word embeds its list markers as images, so those are dropped.
 */
export function editableBody(html: string): { body: HTMLElement; leftOut: number } {
  const { body } = new DOMParser().parseFromString(html, "text/html"); // inert: nothing in it runs or loads
  const allowsEmbedded = !isWordList(html);
  let leftOut = 0;
  for (const part of body.querySelectorAll(notContent)) part.remove();
  for (const end of [body.firstChild, body.lastChild]) {
    if (end?.nodeType === Node.TEXT_NODE && /^\s*\n\s*$/.test(end.textContent ?? "")) end.remove();
  }
  for (const link of body.querySelectorAll("a, area")) {
    if (safeLink(link.getAttribute("href")?.trim() ?? "") === null) link.replaceWith(...link.childNodes);
  }
  const drawings = body.querySelectorAll("svg, object, embed").length;
  for (const media of body.querySelectorAll(foreign)) {
    if (!body.contains(media)) continue;
    const image = media.matches("picture") ? media.querySelector("img") : media.matches("img") ? media : null;
    if (image === null) media.replaceWith(linkTo(body.ownerDocument, sourceOf(media), media.getAttribute("alt")));
    else {
      const node = imageNode(image, allowsEmbedded);
      if (node === null) leftOut += 1;
      media.replaceWith(node ?? body.ownerDocument.createTextNode(image.getAttribute("alt") ?? ""));
    }
  }
  if (drawings > 0 && leftOut === 0 && body.textContent.trim() === "" && body.querySelector("img") === null) leftOut = drawings;
  return { body, leftOut };
}

const sourceOf = (media: Element): string => media.getAttribute("src") ?? media.querySelector("[src]")?.getAttribute("src") ?? "";

/** An image, its emoji as text, or empty text for a tracking pixel. Null if it can't be kept. */
function imageNode(image: Element, allowsEmbedded: boolean): Node | null {
  const page = image.ownerDocument;
  const alt = image.getAttribute("alt")?.trim() ?? "";
  if (emoji.test(alt)) return page.createTextNode(alt);
  if (["width", "height"].every((side) => Number.parseFloat(image.getAttribute(side) ?? declared(image, side)) <= 1))
    return page.createTextNode("");
  const src = allowedSource(imageSource(image), allowsEmbedded);
  return src === null ? null : Object.assign(page.createElement("img"), { src, ...(alt && { alt }) });
}

/** An image's URL; lazy-loaded images have a placeholder in `src`. */
function imageSource(image: Element): string {
  const own = image.getAttribute("src") ?? "";
  if (own !== "" && !own.startsWith("data:")) return own;
  return image.getAttribute("data-src") ?? (own || (image.getAttribute("srcset")?.trim().split(/[\s,]/)[0] ?? ""));
}

function allowedSource(source: string, allowsEmbedded: boolean): string | null {
  if (embedded.test(source)) return allowsEmbedded ? source : null;
  return storedPath(source) ?? (otherHost(source) === null ? null : source);
}

function linkTo(page: Document, source: string, name: string | null): Node {
  if (!/^https?:\/\//i.test(source)) return page.createTextNode(name ?? "");
  const link = page.createElement("a");
  link.href = source;
  link.textContent = name?.trim() || "Image";
  return link;
}

export const isEmbedded = (block: Block): boolean => block.type === "image" && embedded.test(block.data.file.url);

export function embeddedImage(url: string): Blob {
  const [head = "", data = ""] = url.split(",", 2);
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: /^data:([^;]+)/.exec(head)?.[1] ?? "" });
}
