import { isReaderKey } from "#contract/rules/reader-access.ts";
import { cookieOf } from "../cookie.ts";
import type { Site } from "../site.ts";

const days = 30;

/** One per workspace, because all workspaces share the bare host. */
const nameFor = (subdomain: string): string => `tc-reader-${subdomain}`;

/** From the cookie, or for files, which feed readers fetch, from ?key. */
export function readerKeyOf(headers: Headers, { pathname, searchParams }: URL, subdomain: string): string | null {
  const key = cookieOf(headers, nameFor(subdomain)) ?? (pathname.includes(".") ? searchParams.get("key") : null) ?? "";
  return isReaderKey(key) ? key : null;
}

/** `forgets`: only until the browser is closed. `key` empty: signs out. */
export function readerCookie({ subdomain, origin }: Site, key: string, forgets = false): string {
  const until = key === "" ? "; Max-Age=0" : forgets ? "" : `; Max-Age=${days * 86_400}`;
  return `${nameFor(subdomain)}=${key}; Path=/; HttpOnly; SameSite=Lax${until}${origin.startsWith("https:") ? "; Secure" : ""}`;
}
