/**
 * http or https URL with a top-level domain and no credentials; else null. Source: specification, section 5 ('Please enter a valid URL').
 */
export function parseWebsite(value: string): URL | null {
  if (value.includes("\\") || !URL.canParse(value)) return null;
  const url = new URL(value);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  if (url.username !== "" || url.password !== "") return null;
  return /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/i.test(url.hostname) ? url : null;
}

/** Adds a missing scheme: https, or http for localhost. Anything that isn't a host stays. Source: specification, section 5. */
export function withScheme(value: string): string {
  const typed = value.trim();
  const bare = typed.replace(/^\/\//, "");
  const isLocal = /^(?:localhost|127\.0\.0\.1)(?:[:/?#]|$)/i.test(bare);
  const isNamed = /^[^\s/?#@:]+\.[^\s/?#@:.]+(?::\d{1,5})?(?:[/?#]|$)/.test(bare);
  if (!isLocal && !isNamed) return typed;
  return `${isLocal ? "http" : "https"}://${bare}`;
}

/** Converts an IDN host to ASCII (`https://xn--…`), as browsers and the database do. */
export function inAscii(value: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/^[\x00-\x7f]*$/.test(value) || !URL.canParse(value)) return value;
  const { href, pathname, search, hash } = new URL(value);
  return pathname === "/" && search === "" && hash === "" && !value.endsWith("/") ? href.slice(0, -1) : href;
}
