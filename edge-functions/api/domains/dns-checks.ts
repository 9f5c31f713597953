import { hostAnswer, hostQuestion } from "#contract/rules/host-question.ts";
import type { DomainLook } from "#contract/rules/domain-state.ts";
import { type Dns, within } from "../../_shared/dns.ts";
import { fetchPublicUrl } from "../../_shared/outbound/fetch-public-url.ts";
import { type Network, Unreachable } from "../../_shared/outbound/network.ts";

export interface ExpectedDns {
  host: string;
  token: string;
  target: string;
  authorities: readonly string[];
}

export interface DnsValues {
  leads: boolean;
  texts: string[] | null;
  names: string[] | null;
  addresses: string[] | null;
}

export interface Seen {
  look: Omit<DomainLook, "isThere">;
  found: DnsValues;
  forbidden: string | null;
}

const timeoutMs = 5_000;
const mostShown = 10;
const longestShown = 300;

export const proofName = (host: string): string => `_tidings.${host}`;

export async function lookUp(dns: Dns, { host, token, target, authorities }: ExpectedDns): Promise<Seen> {
  const ask = <T>(question: (signal: AbortSignal) => Promise<T[] | null>) => within(timeoutMs, question);
  const addressesOf = async (name: string): Promise<string[] | null> => {
    const [four, six] = await Promise.all((["A", "AAAA"] as const).map((kind) => ask((signal) => dns.names(name, kind, signal))));
    // A or AAAA suffices; only if both are empty must both have answered.
    const both = [...(four ?? []), ...(six ?? [])];
    return both.length > 0 || (four !== null && six !== null) ? both : null;
  };
  const [texts, aliases, addresses, ours, zones, caa] = await Promise.all([
    ask((signal) => dns.texts(proofName(host), signal)),
    ask((signal) => dns.names(host, "CNAME", signal)),
    addressesOf(host),
    addressesOf(target),
    ask((signal) => dns.names(host, "NS", signal)),
    // One shared timeout for all CAA queries up the tree.
    ask(async (signal) => [await issuersOf(host, (name) => dns.caa(name, signal), signal)]),
  ]);
  const names = aliases?.map(plain) ?? null;
  const isProven = texts === null ? null : texts.some((text) => text.trim() === token);
  const leadsHere = leads(names, addresses, ours, target);
  const dnsValues: DnsValues = {
    leads: leadsHere === true,
    texts: shownValues(texts),
    names: shownValues(names),
    addresses: shownValues(addresses),
  };
  const isWhole = (zones?.length ?? 0) > 0 && (names?.length ?? 0) === 0;
  const problem = wordsFor(host, target, isProven, leadsHere, dnsValues, isWhole);
  return { look: { isProven, leadsHere, problem }, found: dnsValues, forbidden: forbiddenBy(caa?.[0] ?? null, authorities) };
}

const plain = (name: string): string => name.replace(/\.$/, "").toLowerCase();
const shownValues = (values: string[] | null): string[] | null =>
  values?.slice(0, mostShown).map((value) => value.replace(/\p{Cc}/gu, " ").slice(0, longestShown)) ?? null;

/** Any of our subdomains counts, as the subdomain may have changed since. */
function leads(names: string[] | null, addresses: string[] | null, ours: string[] | null, target: string): boolean | null {
  const home = target.slice(target.indexOf(".") + 1);
  if (names?.some((name) => name === target || name === home || name.endsWith(`.${home}`))) return true;
  if (ours === null || addresses === null) return null;
  if (addresses.some((address) => ours.includes(address))) return true;
  return names === null && addresses.length === 0 ? null : false;
}

function wordsFor(
  host: string,
  target: string,
  isProven: boolean | null,
  leadsHere: boolean | null,
  { texts, names, addresses }: DnsValues,
  isWhole: boolean,
): string | null {
  if (isProven === null || (isProven && leadsHere === null)) return "DNS didn't answer. We'll try again automatically.";
  if (!isProven) {
    return texts?.length === 0
      ? `There's no TXT record at ${proofName(host)} yet. New records can take up to an hour to appear.`
      : `The TXT record at ${proofName(host)} has a different value. It must match exactly.`;
  }
  if (leadsHere) return null;
  const [name] = names ?? [];
  if (name !== undefined) return `${host} points to ${name}. Its CNAME record must be ${target}.`;
  const instead = isWhole
    ? `${host} is a root domain, which can't have a CNAME record. Create an ALIAS or ANAME record to ${target} if your DNS supports it, or use a subdomain.`
    : `Its CNAME record must be ${target}.`;
  return addresses?.length === 0
    ? `${host} has no address records yet. ${instead}`
    : `${host} points to another server (${addresses?.[0]}) or to a proxy, which must be turned off for this domain. ${instead}`;
}

/** CAA records nearest to the domain; null if there are none, so any authority is allowed. */
async function issuersOf(host: string, ask: (name: string) => Promise<{ tag: string; value: string }[] | null>, signal: AbortSignal) {
  const parts = host.split(".");
  for (let from = 0; from < parts.length - 1; from += 1) {
    if (signal.aborted) return null; // only for a better message: the authority checks CAA itself
    const records = (await ask(parts.slice(from).join("."))) ?? [];
    if (records.length > 0) return records.filter(({ tag }) => tag.toLowerCase() === "issue").map(({ value }) => value);
  }
  return null;
}

function forbiddenBy(issuers: string[] | null, authorities: readonly string[]): string | null {
  if (issuers === null || issuers.length === 0) return null;
  const authoritiesAllowed = issuers.map((value) => (value.split(";")[0] ?? "").trim().toLowerCase());
  if (authoritiesAllowed.some((name) => authorities.includes(name))) return null;
  const others = authoritiesAllowed.filter((name) => name !== "").map((name) => name.slice(0, 80));
  const who = others.length > 0 ? `only ${others.slice(0, 3).join(", ")} can issue` : "no authority can issue";
  return `The CAA records say that ${who} certificates for this domain. Add one for ours: 0 issue "${authorities[0]}".`;
}

export interface Door {
  network: Network;
  at: URL | null;
  timeoutMs?: number;
}

export async function knock({ network, at, timeoutMs: limitMs = 15_000 }: Door, host: string): Promise<string | null> {
  const url = new URL(hostQuestion, `${at?.protocol ?? "https:"}//${host}`);
  const through: Network = at === null ? network : { ...network, connect: () => network.connect(at.hostname, portOf(at)) };
  try {
    const headers = { "user-agent": "Tidings-Domains/1" };
    const { status, headers: answered } = await fetchPublicUrl(
      through,
      { url, headers, maxBytes: 10_000 },
      { toPrivate: at !== null, timeoutMs: limitMs },
    );
    if (answered.get(hostAnswer.header) === hostAnswer.known && status === 200) return null;
    return status < 500
      ? `https://${host} serves something other than this changelog.`
      : `https://${host} responds with an error (${status}).`;
  } catch (error) {
    const reason = error instanceof Unreachable ? error.message : "The connection failed";
    return `The page isn't reachable by https yet: ${reason.replace(/\.$/, "")}.`;
  }
}

const portOf = ({ protocol, port }: URL): number => Number(port) || (protocol === "https:" ? 443 : 80);
