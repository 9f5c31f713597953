export const networkOf = (address: string): string => firstGroups(address, 4);

/** IPv6 /48, for shares that no legitimate client misses. Limits that block people use networkOf: a carrier's customers may share a /48. */
export const siteOf = (address: string): string => firstGroups(address, 3);

function firstGroups(address: string, count: number): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = "", tail = ""] = address.toLowerCase().split("::");
  const groups = (part: string) => part.split(":").filter((group) => group !== "");
  const gap = address.includes("::") ? 8 - groups(head).length - groups(tail).length : 0;
  const all = [...groups(head), ...Array<string>(Math.max(0, gap)).fill("0"), ...groups(tail)];
  return `${all
    .slice(0, count)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/${count * 16}`;
}
