import { networkOf } from "#contract/rules/network-of.ts";

/** What the limits count by: the address a request came from. An IPv6 address stands for its /64, which is what one subscriber has. */
export function clientAddress(headers: Headers, proxies: number): string {
  return networkOf(forwardedAddress(headers, proxies)) || "unknown";
}

/**
 * The address a request came from, as trusted proxies wrote it: the `proxies`-th entry of X-Forwarded-For from the right, because what
 * stands further left is the client's own word. Empty when nobody wrote one.
 */
export function forwardedAddress(headers: Headers, proxies: number): string {
  const entries = (headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
  return entries.at(-proxies) ?? entries[0] ?? "";
}
