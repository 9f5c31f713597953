import { safeLink } from "#contract/blocks/safe-url.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { imageTypes } from "#contract/rules/image-type.ts";
import { isWordList } from "./word-line.ts";

const storedImages = "/storage/v1/object/public/";
const embedded = new RegExp(`^data:(?:${Object.values(imageTypes).join("|").replaceAll("+", "\\+")});base64,`, "i");

const foreign = "img, picture, svg, math, video, audio, iframe, object, embed";

/** What is no part of the text: programs, and what a browser or an editor has added for itself. */
const unseen =
  "script, style, template, noscript, title, meta, link, colgroup, button, [hidden], .Apple-interchange-newline, [aria-roledescription=checkbox]";

/**
 * HTML from elsewhere as the editor may have it: only links that a post can keep, and of pictures those of this installation and those
 * that the HTML carries in itself. Any other picture gives way to a link to it, because showing it would ask its site, at each paste and
 * for each reader; `leftOut` counts those. Of Word, which also carries its markers as pictures, embedded ones go too.
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
  for (const picture of body.querySelectorAll(foreign)) {
    if (!body.contains(picture)) continue; // went with the one around it
    const source = picture.getAttribute("src") ?? picture.querySelector("[src]")?.getAttribute("src") ?? "";
    const kept = picture.matches("img, picture") ? keptSource(source, embeddedToo) : null;
    const alt = (picture.matches("picture") ? picture.querySelector("img") : picture)?.getAttribute("alt");
    if (kept !== null) picture.replaceWith(Object.assign(body.ownerDocument.createElement("img"), { src: kept, ...(alt && { alt }) }));
    else {
      if (picture.matches("img, picture")) leftOut += 1;
      picture.replaceWith(linkTo(body.ownerDocument, source, picture.getAttribute("alt")));
    }
  }
  return { body, leftOut };
}

function keptSource(source: string, embeddedToo: boolean): string | null {
  if (embedded.test(source)) return embeddedToo ? source : null;
  if (!URL.canParse(source, location.href)) return null;
  const { origin, pathname } = new URL(source, location.href);
  return origin === location.origin && pathname.startsWith(storedImages) ? pathname : null;
}

function linkTo(page: Document, source: string, name: string | null): Node {
  if (!/^https?:\/\//i.test(source)) return page.createTextNode(name ?? "");
  const link = page.createElement("a");
  link.href = source;
  link.textContent = name?.trim() || "Picture";
  return link;
}

/** Whether a block is a picture that HTML carried in itself; it has no address yet. */
export const isEmbedded = (block: Block): boolean => block.type === "image" && embedded.test(block.data.file.url);

/** A picture that HTML carries in itself, as a file. */
export function embeddedPicture(url: string): Blob {
  const [head = "", data = ""] = url.split(",", 2);
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: /^data:([^;]+)/.exec(head)?.[1] ?? "" });
}
