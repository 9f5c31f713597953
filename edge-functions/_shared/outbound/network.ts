import ipaddr from "ipaddr.js";

export interface Line {
  read(into: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
  close(): void;
}

export interface Network {
  resolve(name: string, kind: "A" | "AAAA", signal: AbortSignal): Promise<string[]>;
  connect(hostname: string, port: number): Promise<Line>;
  secure(line: Line, name: string): Promise<Line>;
}

/** The message is for the person who entered the URL. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}
export class NotPublic extends Unreachable {}
export class TooSlow extends Unreachable {}
export class TooLong extends Unreachable {}
export class NoSuchName extends Unreachable {}

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** True for globally reachable addresses; IPv4-mapped IPv6 counts as IPv4. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== "unicast") return false;
  // Unassigned ranges, and IPv4 in deprecated IPv6 forms (::7f00:1), aren't public.
  return address.kind() === "ipv4" || (address as ipaddr.IPv6).match(globalUnicast);
}

/** Without IPv6 brackets and the trailing dot. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

/** Local names, whatever DNS says. */
const inside = /^(?:[^.]*|.*\.(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa))$/i;

const openPorts = new Set(["", "443", "8443"]);

export function requirePublicUrl(url: URL): void {
  if (url.protocol !== "https:") throw new NotPublic("Only URLs that start with https:// are allowed");
  if (!openPorts.has(url.port)) throw new NotPublic("Only ports 443 and 8443 are allowed");
  const host = bareHost(url);
  if (ipaddr.isValid(host) ? !isPublicAddress(host) : inside.test(host)) throw notPublic();
}

const notPublic = () => new NotPublic("This URL points to a private network or to this machine");

/** Resolved on every call; all addresses must be public. */
export async function publicAddresses(network: Network, url: URL, signal: AbortSignal): Promise<string[]> {
  requirePublicUrl(url);
  const host = bareHost(url);
  if (ipaddr.isValid(host)) return [host];
  const answers = await Promise.allSettled((["A", "AAAA"] as const).map((kind) => network.resolve(host, kind, signal)));
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  // One private address rejects the name, so the choice can't depend on chance.
  if (!addresses.every(isPublicAddress)) throw notPublic();
  if (addresses.length > 0) return addresses.map((address) => ipaddr.process(address).toString());
  if (answers.some(({ status }) => status === "rejected")) throw new Unreachable("DNS didn't answer");
  throw new NoSuchName("Domain not found");
}
