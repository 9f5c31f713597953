import { networkOf } from "#contract/rules/network-of.ts";

/**
 * The network address a request came from, as trusted proxies wrote it: the `proxies`-th entry of X-Forwarded-For from the right, because
 * what stands further left is the client's own word. An IPv6 address stands for its /64, which is what one subscriber has.
 */
export function clientAddress(headers: Headers, proxies: number): string {
  const entries = (headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
  const address = entries.at(-proxies) ?? entries[0] ?? "";
  return networkOf(address) || "unknown";
}
