import { hostAnswer, hostQuestion } from "#contract/rules/host-question.ts";
import type { DomainLook } from "#contract/rules/domain-state.ts";
import type { Dns } from "../../_shared/dns.ts";
import { obtain } from "../../_shared/outbound/obtain.ts";
import { type Network, Unreachable } from "../../_shared/outbound/network.ts";

/** What is to be looked at. */
export interface Wanted {
  host: string;
  token: string;
  /** Where its CNAME leads to: the workspace's address below ours. */
  target: string;
  /** Whom certificates are asked of, as CAA records name them. */
  authorities: readonly string[];
}

/** What stood in the DNS, for people to see; null where it did not answer. */
export interface Found {
  /** The name leads to us. */
  leads: boolean;
  texts: string[] | null;
  names: string[] | null;
  addresses: string[] | null;
}

export interface Seen {
  look: Omit<DomainLook, "isThere">;
  found: Found;
  /** Why no certificate can be had, and so no page will come. */
  forbidden: string | null;
}

const patienceMs = 5_000;
/** More of what others publish is shown to nobody. */
const mostShown = 10;
const longestShown = 300;

export const proofName = (host: string): string => `_tidings.${host}`;

/** What the DNS says of a name: whether it is proven, whether it leads to us, and who may make certificates for it. */
export async function lookUp(dns: Dns, { host, token, target, authorities }: Wanted): Promise<Seen> {
  const ask = <T>(question: (signal: AbortSignal) => Promise<T[] | null>) => within(patienceMs, question);
  const addressesOf = async (name: string): Promise<string[] | null> => {
    const [four, six] = await Promise.all((["A", "AAAA"] as const).map((kind) => ask((signal) => dns.names(name, kind, signal))));
    // One of the two is enough to go by; where nothing is there, both have to say so.
    const both = [...(four ?? []), ...(six ?? [])];
    return both.length > 0 || (four !== null && six !== null) ? both : null;
  };
  const [texts, aliases, addresses, ours, zones, caa] = await Promise.all([
    ask((signal) => dns.texts(proofName(host), signal)),
    ask((signal) => dns.names(host, "CNAME", signal)),
    addressesOf(host),
    addressesOf(target),
    ask((signal) => dns.names(host, "NS", signal)),
    // All of them in the time of one question: a name may have a hundred parts, and its DNS be slow with each.
    ask(async (signal) => [await issuersOf(host, (name) => dns.caa(name, signal), signal)]),
  ]);
  const names = aliases?.map(plain) ?? null;
  const isProven = texts === null ? null : texts.some((text) => text.trim() === token);
  const leadsHere = leads(names, addresses, ours, target);
  const found: Found = { leads: leadsHere === true, texts: shown(texts), names: shown(names), addresses: shown(addresses) };
  // NS records of a name with a CNAME are those of where it leads.
  const isWhole = (zones?.length ?? 0) > 0 && (names?.length ?? 0) === 0;
  const problem = wordsFor(host, target, isProven, leadsHere, found, isWhole);
  return { look: { isProven, leadsHere, problem }, found, forbidden: forbiddenBy(caa?.[0] ?? null, authorities) };
}

const plain = (name: string): string => name.replace(/\.$/, "").toLowerCase();
const shown = (values: string[] | null): string[] | null =>
  values?.slice(0, mostShown).map((value) => value.replace(/\p{Cc}/gu, " ").slice(0, longestShown)) ?? null;

/** The workspace's address below ours, or another of ours: after the subdomain has changed, an older record goes on leading here. */
function leads(names: string[] | null, addresses: string[] | null, ours: string[] | null, target: string): boolean | null {
  const home = target.slice(target.indexOf(".") + 1);
  if (names?.some((name) => name === target || name === home || name.endsWith(`.${home}`))) return true;
  if (ours === null || addresses === null) return null; // the name it leads to may itself lead here
  if (addresses.some((address) => ours.includes(address))) return true;
  return names === null && addresses.length === 0 ? null : false;
}

function wordsFor(
  host: string,
  target: string,
  isProven: boolean | null,
  leadsHere: boolean | null,
  { texts, names, addresses }: Found,
  isWhole: boolean,
): string | null {
  if (isProven === null || (isProven && leadsHere === null)) return "The DNS did not answer. It is asked again by itself.";
  if (!isProven) {
    return texts?.length === 0
      ? `There is no TXT record at ${proofName(host)} yet. What was entered just now can take up to an hour to be seen.`
      : `The TXT record at ${proofName(host)} says something else. One has to say exactly what stands here.`;
  }
  if (leadsHere) return null;
  const [name] = names ?? [];
  if (name !== undefined) return `${host} leads to ${name}. Its CNAME record has to say ${target}.`;
  const instead = isWhole
    ? `${host} is a whole domain, which can have no CNAME record: make an ALIAS or ANAME record to ${target} if your DNS has those, or take a name below it.`
    : `Its CNAME record has to say ${target}.`;
  return addresses?.length === 0
    ? `${host} leads nowhere yet. ${instead}`
    : `${host} leads to another machine (${addresses?.[0]}), or to a proxy, which has to be switched off for this name. ${instead}`;
}

/** Who may make certificates, by the records nearest to the name; null where nobody says, which means anybody. */
async function issuersOf(host: string, ask: (name: string) => Promise<{ tag: string; value: string }[] | null>, signal: AbortSignal) {
  const parts = host.split(".");
  for (let from = 0; from < parts.length - 1; from += 1) {
    if (signal.aborted) return null; // the authority asks itself; here it is only about a good sentence
    const records = (await ask(parts.slice(from).join("."))) ?? [];
    if (records.length > 0) return records.filter(({ tag }) => tag.toLowerCase() === "issue").map(({ value }) => value);
  }
  return null;
}

function forbiddenBy(issuers: string[] | null, authorities: readonly string[]): string | null {
  if (issuers === null || issuers.length === 0) return null;
  const named = issuers.map((value) => (value.split(";")[0] ?? "").trim().toLowerCase());
  if (named.some((name) => authorities.includes(name))) return null;
  const others = named.filter((name) => name !== "").map((name) => name.slice(0, 80));
  const who = others.length > 0 ? `only ${others.slice(0, 3).join(", ")} may make` : "nobody may make";
  return `By the CAA records of this name ${who} certificates for it. Add one that allows ours: 0 issue "${authorities[0]}".`;
}

/** Null: the question was not answered. */
async function within<T>(ms: number, question: (signal: AbortSignal) => Promise<T[] | null>): Promise<T[] | null> {
  const signal = AbortSignal.timeout(ms);
  const late = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }));
  try {
    return (await Promise.race([question(signal), late])) ?? [];
  } catch {
    return null;
  }
}

export interface Door {
  network: Network;
  /** In place of the name's own address and https: for tests, and for networks without a DNS of their own. */
  at: URL | null;
  patienceMs?: number;
}

/** Null: its page comes by https; else why not, as a sentence. */
export async function knock({ network, at, patienceMs: patience = 15_000 }: Door, host: string): Promise<string | null> {
  const url = new URL(hostQuestion, `${at?.protocol ?? "https:"}//${host}`);
  const through: Network = at === null ? network : { ...network, connect: () => network.connect(at.hostname, portOf(at)) };
  try {
    const headers = { "user-agent": "Tidings-Domains/1" };
    const { status, headers: answered } = await obtain(
      through,
      { url, headers, maxBytes: 10_000 },
      { toPrivate: at !== null, patienceMs: patience },
    );
    if (answered.get(hostAnswer.header) === hostAnswer.known && status === 200) return null;
    return status < 500
      ? `Something else answers at https://${host}, not this changelog.`
      : `https://${host} answers with an error (${status}).`;
  } catch (error) {
    const reason = error instanceof Unreachable ? error.message : "The connection failed";
    return `The page does not come by https yet: ${reason.replace(/\.$/, "")}.`;
  }
}

const portOf = ({ protocol, port }: URL): number => Number(port) || (protocol === "https:" ? 443 : 80);
