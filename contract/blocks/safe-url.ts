import { blockLimits } from "./limits.ts";

const linkProtocols = new Set(["http:", "https:", "mailto:"]);
const storedImages = "/storage/v1/object/public/";

/** The normalised address of a link, or null when it is not http, https or mailto. */
export function safeLink(value: string): string | null {
  if (value.length > blockLimits.urlLength || !URL.canParse(value)) return null;
  const url = new URL(value);
  return linkProtocols.has(url.protocol) ? url.href : null;
}

/** The address of an image: http, https, or root-relative into this installation's public storage; else null. */
export function safeImageUrl(value: string): string | null {
  if (value.length > blockLimits.urlLength) return null;
  if (URL.canParse(value)) {
    const url = new URL(value);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
  }
  const here = "http://here.invalid";
  if (!URL.canParse(value, here)) return null;
  const url = new URL(value, here);
  // Resolved first, so that neither `//elsewhere` nor `/storage/v1/object/public/../../..` gets through.
  return url.origin === here && url.pathname.startsWith(storedImages) ? url.pathname + url.search : null;
}
