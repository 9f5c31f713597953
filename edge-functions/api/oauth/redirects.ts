import type { returnKinds } from "#contract/oauth.ts";

export interface Redirect {
  uri: string;
  kind: (typeof returnKinds)[number];
  host: string;
}

const plain = /^[A-Za-z0-9._~:/?@!$&'()+,;=%[\]-]{1,2000}$/;
const loopback = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** Well-known app schemes that don't follow RFC 8252's reverse domain names. */
const knownSchemes = new Set(["claude", "cursor", "vscode", "vscode-insiders", "windsurf", "zed"]);

/** null for unsafe targets: javascript:, data:, file:, generic schemes, http pages, fragments, credentials. */
export function redirectOf(uri: string): Redirect | null {
  if (!plain.test(uri) || !URL.canParse(uri)) return null;
  const { protocol, hostname, host, username, password } = new URL(uri);
  // Rejects what browsers parse differently: `https:x` and capital letters.
  if (!uri.startsWith(/^https?:$/.test(protocol) ? `${protocol}//` : protocol) || username !== "" || password !== "") return null;
  if (protocol === "https:") return { uri, kind: "web", host };
  if (protocol === "http:") return loopback.has(hostname) ? { uri, kind: "device", host } : null;
  const scheme = protocol.slice(0, -1);
  return scheme.includes(".") || knownSchemes.has(scheme) ? { uri, kind: "app", host: scheme } : null;
}

/** RFC 8252, 7.3: loopback clients use any port. */
function withoutPort(uri: string): string | null {
  const redirect = redirectOf(uri);
  return redirect?.kind === "device" ? uri.replace(/^(http:\/\/(?:\[::1\]|[^:/?]+))(?::\d{1,5})?(?=[/?]|$)/, "$1") : null;
}

/** Exact match, except for a loopback's port. */
export function isNamed(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true;
  const free = withoutPort(uri);
  return free !== null && registered.some((uri) => withoutPort(uri) === free);
}
