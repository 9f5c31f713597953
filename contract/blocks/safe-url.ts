import { blockLimits } from "./limits.ts";

const linkProtocols = new Set(["http:", "https:", "mailto:"]);
const storedImages = "/storage/v1/object/public/";

export function safeLink(value: string): string | null {
  if (value.length > blockLimits.urlLength || !URL.canParse(value)) return null;
  const url = new URL(value);
  return linkProtocols.has(url.protocol) ? url.href : null;
}

/** http, https, or root-relative in this installation's public storage; else null. */
export function safeImageUrl(value: string): string | null {
  if (value.length > blockLimits.urlLength) return null;
  if (URL.canParse(value)) {
    const url = new URL(value);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
  }
  const baseOrigin = "http://here.invalid";
  if (!URL.canParse(value, baseOrigin)) return null;
  const url = new URL(value, baseOrigin);
  // Resolved first, so `//elsewhere` and `/storage/v1/object/public/../../..` are rejected.
  return url.origin === baseOrigin && url.pathname.startsWith(storedImages) ? url.pathname + url.search : null;
}
