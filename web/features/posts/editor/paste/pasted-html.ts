import { safeLink } from "#contract/blocks/safe-url.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { imageTypes } from "#contract/rules/image-type.ts";
import { otherHost, storedPath } from "../image-host.ts";
import { declared } from "./html-marks.ts";
import { isWordList } from "./word-line.ts";

const embedded = new RegExp(`^data:(?:${Object.values(imageTypes).join("|").replaceAll("+", "\\+")});base64,`, "i");

const foreign = "img, picture, svg, math, video, audio, iframe, object, embed";

/** What is no part of the text: programs, and what a browser or an editor has added for itself. */
const unseen =
  "script, style, template, noscript, title, meta, link, colgroup, button, [hidden], .Apple-interchange-newline, [aria-roledescription=checkbox]";

const emoji = /^(?:[\p{Extended_Pictographic}\p{RI}][^\p{L}\p{N}]*|:[\w+-]+:)$/u;

/**
 * HTML from elsewhere as the editor may have it: only links that a post can keep, and of images those that Storage has, that the HTML carries in
 * itself, or that can be copied from another site (../blocks/image.ts). `leftOut` counts the others. Word also carries its list markers as images,
 * so its embedded ones go.
 */
export function editableBody(html: string): { body: HTMLElement; leftOut: number } {
  const { body } = new DOMParser().parseFromString(html, "text/html"); // inert: nothing in it runs or loads
  const embeddedToo = !isWordList(html);
  let leftOut = 0;
  for (const part of body.querySelectorAll(unseen)) part.remove();
  for (const end of [body.firstChild, body.lastChild]) {
    if (end?.nodeType === Node.TEXT_NODE && /^\s*\n\s*$/.test(end.textContent ?? "")) end.remove(); // around a copied fragment
  }
  for (const link of body.querySelectorAll("a, area")) {
    if (safeLink(link.getAttribute("href")?.trim() ?? "") === null) link.replaceWith(...link.childNodes);
  }
  const drawings = body.querySelectorAll("svg, object, embed").length;
  for (const media of body.querySelectorAll(foreign)) {
    if (!body.contains(media)) continue; // went with the one around it
    const image = media.matches("picture") ? media.querySelector("img") : media.matches("img") ? media : null;
    if (image === null) media.replaceWith(linkTo(body.ownerDocument, sourceOf(media), media.getAttribute("alt")));
    else {
      const kept = imageOr(image, embeddedToo);
      if (kept === null) leftOut += 1;
      media.replaceWith(kept ?? body.ownerDocument.createTextNode(image.getAttribute("alt") ?? ""));
    }
  }
  if (drawings > 0 && leftOut === 0 && body.textContent.trim() === "" && body.querySelector("img") === null) leftOut = drawings;
  return { body, leftOut };
}

const sourceOf = (media: Element): string => media.getAttribute("src") ?? media.querySelector("[src]")?.getAttribute("src") ?? "";

/** An image as the editor may have it; an emoji is text, what nobody sees nothing. Null: it can't be kept. */
function imageOr(image: Element, embeddedToo: boolean): Node | null {
  const page = image.ownerDocument;
  const alt = image.getAttribute("alt")?.trim() ?? "";
  if (emoji.test(alt)) return page.createTextNode(alt);
  if (["width", "height"].every((side) => Number.parseFloat(image.getAttribute(side) ?? declared(image, side)) <= 1))
    return page.createTextNode("");
  const src = keptSource(imageSource(image), embeddedToo);
  return src === null ? null : Object.assign(page.createElement("img"), { src, ...(alt && { alt }) });
}

/** The address of an image; many pages load it late and show a placeholder until then. */
function imageSource(image: Element): string {
  const own = image.getAttribute("src") ?? "";
  if (own !== "" && !own.startsWith("data:")) return own;
  return image.getAttribute("data-src") ?? (own || (image.getAttribute("srcset")?.trim().split(/[\s,]/)[0] ?? ""));
}

function keptSource(source: string, embeddedToo: boolean): string | null {
  if (embedded.test(source)) return embeddedToo ? source : null;
  return storedPath(source) ?? (otherHost(source) === null ? null : source);
}

function linkTo(page: Document, source: string, name: string | null): Node {
  if (!/^https?:\/\//i.test(source)) return page.createTextNode(name ?? "");
  const link = page.createElement("a");
  link.href = source;
  link.textContent = name?.trim() || "Picture";
  return link;
}

/** True if a block is an image that HTML carried in itself; it has no address yet. */
export const isEmbedded = (block: Block): boolean => block.type === "image" && embedded.test(block.data.file.url);

/** A picture that HTML carries in itself, as a file. */
export function embeddedPicture(url: string): Blob {
  const [head = "", data = ""] = url.split(",", 2);
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: /^data:([^;]+)/.exec(head)?.[1] ?? "" });
}
