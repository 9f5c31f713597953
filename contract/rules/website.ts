/**
 * The URL of a website, or null when it is none: http or https, a host with a top-level domain, no credentials.
 * Source: specification, section 5 ('Please enter a valid URL').
 */
export function parseWebsite(value: string): URL | null {
  if (value.includes("\\") || !URL.canParse(value)) return null;
  const url = new URL(value);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  if (url.username !== "" || url.password !== "") return null;
  return /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/i.test(url.hostname) ? url : null;
}

/**
 * A site's address as it was meant: whoever types "acme.example" means https://acme.example, and "localhost:3000" is reached by http. What
 * names a scheme already, whichever, or is no name of a site, stays as it is. Source: the hint of specification, section 5.
 */
export function withScheme(value: string): string {
  const typed = value.trim();
  const bare = typed.replace(/^\/\//, "");
  const isLocal = /^(?:localhost|127\.0\.0\.1)(?:[:/?#]|$)/i.test(bare);
  const isNamed = /^[^\s/?#@:]+\.[^\s/?#@:.]+(?::\d{1,5})?(?:[/?#]|$)/.test(bare);
  if (!isLocal && !isNamed) return typed;
  return `${isLocal ? "http" : "https"}://${bare}`;
}

/** An address whose host has other letters than ASCII, as browsers send it and the database keeps it (`https://xn--…`); others as they are. */
export function inAscii(value: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/^[\x00-\x7f]*$/.test(value) || !URL.canParse(value)) return value;
  const { href, pathname, search, hash } = new URL(value);
  return pathname === "/" && search === "" && hash === "" && !value.endsWith("/") ? href.slice(0, -1) : href;
}
