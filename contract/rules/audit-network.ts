import { networkOf } from "./network-of.ts";

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$/;

/** Truncated address for the audit log: IPv4 /24, IPv6 /48; null if invalid. */
export function auditNetwork(address: string): string | null {
  const network = networkOf(address);
  if (ipv4.test(network)) return network.replace(/\d+$/, "0/24");
  const groups = /^((?:[0-9a-f]{1,4}:){4}):\/64$/.exec(network)?.[1]?.split(":").slice(0, 3);
  if (!groups) return null;
  return `${groups.join(":").replace(/(?::0)+$/, "")}::/48`.replace(/^0::/, "::");
}
