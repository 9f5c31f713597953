import { networkOf } from "#contract/rules/network-of.ts";

/** Rate limit key: the address, or IPv6 /64. */
export function clientAddress(headers: Headers, proxies: number): string {
  return networkOf(forwardedAddress(headers, proxies)) || "unknown";
}

/** The `proxies`-th entry of X-Forwarded-For from the right; entries further left can be forged. Empty if missing. */
export function forwardedAddress(headers: Headers, proxies: number): string {
  const entries = (headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
  return entries.at(-proxies) ?? entries[0] ?? "";
}
