/**
 * The network address a request came from, as trusted proxies wrote it: the `proxies`-th entry of X-Forwarded-For from the right, because
 * what stands further left is the client's own word. An IPv6 address stands for its /64, which is what one subscriber has.
 */
export function clientAddress(headers: Headers, proxies: number): string {
  const entries = (headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
  const address = entries.at(-proxies) ?? entries[0] ?? "";
  return address.includes(":") ? networkOf(address) : address || "unknown";
}

function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = "", tail = ""] = address.toLowerCase().split("::");
  const groups = (part: string) => part.split(":").filter((group) => group !== "");
  const gap = address.includes("::") ? 8 - groups(head).length - groups(tail).length : 0;
  const all = [...groups(head), ...Array<string>(Math.max(0, gap)).fill("0"), ...groups(tail)];
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
