import { safeLink } from "#contract/blocks/safe-url.ts";
import { imageTypes } from "#contract/rules/image-type.ts";

const storedImages = "/storage/v1/object/public/";
const embedded = new RegExp(`^data:(?:${Object.values(imageTypes).join("|").replaceAll("+", "\\+")});base64,`, "i");

const foreign = "img, picture, svg, math, video, audio, iframe, object, embed";

/**
 * HTML from elsewhere as the editor may have it: only links that a post can keep, and of pictures those of this installation and those
 * that the HTML carries in itself. Any other picture gives way to a link to it, because showing it would ask its site, at each paste and
 * for each reader; `leftOut` counts those. With `embeddedToo` false also embedded ones go.
 */
export function editableHtml(html: string, embeddedToo = true): { html: string; leftOut: number } {
  const page = new DOMParser().parseFromString(html, "text/html"); // inert: nothing in it runs or loads
  let leftOut = 0;
  for (const link of page.querySelectorAll("a, area")) {
    if (safeLink(link.getAttribute("href")?.trim() ?? "") === null) link.replaceWith(...link.childNodes);
  }
  for (const picture of page.querySelectorAll(foreign)) {
    if (!page.contains(picture)) continue; // went with the one around it
    const source = picture.getAttribute("src") ?? picture.querySelector("[src]")?.getAttribute("src") ?? "";
    const kept = picture.matches("img, picture") ? keptSource(source, embeddedToo) : null;
    if (kept !== null) picture.replaceWith(Object.assign(page.createElement("img"), { src: kept }));
    else {
      if (picture.matches("img, picture")) leftOut += 1;
      picture.replaceWith(linkTo(page, source, picture.getAttribute("alt")));
    }
  }
  return { html: page.body.innerHTML, leftOut };
}

/** Whether there is anything to do about a piece of HTML. */
export const needsCare = (html: string): boolean => /<(?:a|area|img|picture|svg|math|video|audio|iframe|object|embed)\b/i.test(html);

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

/** A picture that HTML carries in itself, as a file. */
export function embeddedPicture(url: string): Blob {
  const [head = "", data = ""] = url.split(",", 2);
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: /^data:([^;]+)/.exec(head)?.[1] ?? "" });
}
