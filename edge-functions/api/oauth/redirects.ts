import type { returnKinds } from "#contract/oauth.ts";

export interface Redirect {
  uri: string;
  kind: (typeof returnKinds)[number];
  /** Of a site its host, of a program on the device where it listens, of an app its scheme. */
  host: string;
}

/** Letters of addresses, without those that browsers read otherwise than programs, and without the star: an address is meant as it stands. */
const plain = /^[A-Za-z0-9._~:/?@!$&'()+,;=%[\]-]{1,2000}$/;
const loopback = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** Schemes of programs that everybody knows, though they are not written as RFC 8252 asks: with the dots of a name that somebody owns. */
const knownSchemes = new Set(["claude", "cursor", "vscode", "vscode-insiders", "windsurf", "zed"]);

/**
 * What an address is that an answer may be sent to; null for one that none may: what is no page and no program (javascript:, data:, file: and all
 * schemes that are nobody's own), pages without https, a fragment, a name and password.
 */
export function redirectOf(uri: string): Redirect | null {
  if (!plain.test(uri) || !URL.canParse(uri)) return null;
  const { protocol, hostname, host, username, password } = new URL(uri);
  // Browsers read https:x as a part of the page they are at, and capitals as other letters than programs that compare them.
  if (!uri.startsWith(/^https?:$/.test(protocol) ? `${protocol}//` : protocol) || username !== "" || password !== "") return null;
  if (protocol === "https:") return { uri, kind: "web", host };
  if (protocol === "http:") return loopback.has(hostname) ? { uri, kind: "device", host } : null;
  const scheme = protocol.slice(0, -1);
  return scheme.includes(".") || knownSchemes.has(scheme) ? { uri, kind: "app", host: scheme } : null;
}

/** An address without its port, where that is free: a program takes the one that it gets (RFC 8252, 7.3). */
function withoutPort(uri: string): string | null {
  const redirect = redirectOf(uri);
  return redirect?.kind === "device" ? uri.replace(/^(http:\/\/(?:\[::1\]|[^:/?]+))(?::\d{1,5})?(?=[/?]|$)/, "$1") : null;
}

/** Whether an address is one of those that a document names: letter by letter, but for the port of one's own device. */
export function isNamed(uri: string, named: readonly string[]): boolean {
  if (named.includes(uri)) return true;
  const free = withoutPort(uri);
  return free !== null && named.some((one) => withoutPort(one) === free);
}
