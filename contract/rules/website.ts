/**
 * The URL of a website, or null when it is none: http or https, a host with a top-level domain, no credentials.
 * Source: specification, section 5 ('Please enter a valid URL').
 */
export function parseWebsite(value: string): URL | null {
  if (!URL.canParse(value)) return null;
  const url = new URL(value);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  if (url.username !== "" || url.password !== "") return null;
  return /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/i.test(url.hostname) ? url : null;
}
