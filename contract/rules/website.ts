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

/** An address whose host has other letters than ASCII, as browsers send it and the database keeps it (`https://xn--…`); others as they are. */
export function inAscii(value: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/^[\x00-\x7f]*$/.test(value) || !URL.canParse(value)) return value;
  const { href, pathname, search, hash } = new URL(value);
  return pathname === "/" && search === "" && hash === "" && !value.endsWith("/") ? href.slice(0, -1) : href;
}
