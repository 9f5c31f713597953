import ipaddr from "ipaddr.js";

/** A connection, as Deno's are. */
export interface Line {
  /** Null: the other side has nothing more to say. */
  read(into: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
  close(): void;
}

/** What of the network is needed to reach an address that a customer gave. Only index.ts names Deno; tests have their own. */
export interface Network {
  /** The addresses of a name; none where there are none. */
  resolve(name: string, kind: "A" | "AAAA", signal: AbortSignal): Promise<string[]>;
  connect(hostname: string, port: number): Promise<Line>;
  /** TLS over a connection, for the holder of that name. */
  secure(line: Line, name: string): Promise<Line>;
}

/** Why an address cannot be reached. The sentence is for the person who entered it. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}
/** It leads to a network that is not the internet, or may. */
export class NotPublic extends Unreachable {}
/** It says nothing, or not all of it, in the time there is. */
export class TooSlow extends Unreachable {}
/** It says more than anybody wants to hear. */
export class TooLong extends Unreachable {}
/** There is no such name. */
export class NoSuchName extends Unreachable {}

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** Whether an address is one that anybody can reach; IPv4 written as IPv6 counts as what it is. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== "unicast") return false;
  // Unassigned ranges, and IPv4 in deprecated IPv6 forms (::7f00:1), are never public.
  return address.kind() === "ipv4" || (address as ipaddr.IPv6).match(globalUnicast);
}

/** A host as it stands in an address, without the brackets of IPv6 and the dot at the end of a whole name. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

/** Names that stand for this machine or this network, whatever the DNS says of them. */
const inside = /^(?:[^.]*|.*\.(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa))$/i;

/** The ports that https is spoken at. */
const openPorts = new Set(["", "443", "8443"]);

/** Refuses an address for what it says, before anybody is asked. */
export function requirePublicUrl(url: URL): void {
  if (url.protocol !== "https:") throw new NotPublic("Only addresses that start with https:// are allowed");
  if (!openPorts.has(url.port)) throw new NotPublic("Only the ports 443 and 8443 are allowed");
  const host = bareHost(url);
  if (ipaddr.isValid(host) ? !isPublicAddress(host) : inside.test(host)) throw notPublic();
}

const notPublic = () => new NotPublic("This address leads to a private network, or to this machine");

/** The addresses behind a host, each of which is public; the DNS is asked anew every time. */
export async function publicAddresses(network: Network, url: URL, signal: AbortSignal): Promise<string[]> {
  requirePublicUrl(url);
  const host = bareHost(url);
  if (ipaddr.isValid(host)) return [host];
  const answers = await Promise.allSettled((["A", "AAAA"] as const).map((kind) => network.resolve(host, kind, signal)));
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  // One that is not public is reason enough: which of them is connected to is not left to chance.
  if (!addresses.every(isPublicAddress)) throw notPublic();
  if (addresses.length > 0) return addresses.map((address) => ipaddr.process(address).toString());
  if (answers.some(({ status }) => status === "rejected")) throw new Unreachable("The DNS did not answer");
  throw new NoSuchName("There is no such name in the DNS");
}
