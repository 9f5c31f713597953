import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import type { Part } from "../engine/parts.ts";
import { StartError } from "../start-error.ts";

const lookUpEveryMs = 1_000;
const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i;

export type IsFrontDoor = (peer: string) => boolean;

/** Parses TIDINGS_FRONT_DOOR (comma-separated). Throws a StartError for an invalid entry. */
export function readFrontDoor(value: string): string[] {
  const entries = value.split(",").map((entry) => entry.trim());
  const wrong = entries.find((entry) => isIP(entry) === 0 && networkOf(entry) === null && !hostName.test(entry));
  if (wrong === undefined) return entries;
  throw new StartError(`TIDINGS_FRONT_DOOR must be addresses, networks such as 10.0.0.0/8, or names, separated by commas, not "${wrong}".`);
}

type Family = "ipv4" | "ipv6";
const familyOf = (address: string): Family => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** Parses CIDR notation; null for anything else. */
function networkOf(entry: string): { address: string; prefix: number; family: Family } | null {
  const [, address = "", prefix] = /^([\d.a-f:]+)\/(\d{1,3})$/i.exec(entry) ?? [];
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return Number(prefix) <= longest ? { address, prefix: Number(prefix), family: familyOf(address) } : null;
}

/** Trusted proxies. Names are resolved every second, because a recreated container gets a new address. */
export class FrontDoor implements Part {
  readonly name = "front door";
  readonly #fixed = new BlockList();
  readonly #names: string[] = [];
  #lookedUp = new BlockList();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(entries: string[]) {
    for (const entry of entries.map((each) => (each === "localhost" ? "127.0.0.1" : each))) {
      const network = networkOf(entry);
      if (network) this.#fixed.addSubnet(network.address, network.prefix, network.family);
      else if (isIP(entry)) this.#fixed.addAddress(entry, familyOf(entry));
      else this.#names.push(entry);
    }
  }

  readonly trusts: IsFrontDoor = (peer) => {
    const address = peer.replace(/^::ffff:(?=\d+\.)/, "");
    return isIP(address) !== 0 && [this.#fixed, this.#lookedUp].some((list) => list.check(address, familyOf(address)));
  };

  async start(): Promise<void> {
    if (this.#names.length === 0) return;
    await this.#lookUp();
    this.#timer = setInterval(() => void this.#lookUp(), lookUpEveryMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #lookUp(): Promise<void> {
    const lookups = await Promise.allSettled(this.#names.map((name) => lookup(name, 4))); // it may not have started yet
    const list = new BlockList();
    for (const answer of lookups) if (answer.status === "fulfilled") list.addAddress(answer.value.address, "ipv4");
    this.#lookedUp = list;
  }
}
