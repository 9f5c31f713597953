/** A name of a workspace's own, as it was entered. */
export interface DomainName {
  /** In ASCII, as the DNS knows it. */
  host: string;
  /** As it was typed, without what does not belong to it. */
  shown: string;
}

export const domainSentence = "Please enter a name such as changelog.example.com";

/** What the database asks of a name too (private.is_domain). The last part is no number, so this is no address. */
const shape = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
/** `_tidings.` stands before it in the DNS, whose names have at most 253 characters. */
const longest = 244;
/** Names that only a network of somebody's own knows. */
const inside = /\.(?:localhost|local|internal|intranet|lan|home|corp|private|arpa|onion)$/;
/** Names that registries hand others out below; those that are common. No proof can ever stand at one: this only says so sooner. */
const ofRegistries = /^(?:co|com|net|org|edu|gov|ac|or|ne|go|gob|mil|nom|ltd|plc|sch|web|firm)\.[a-z]{2}$/;

/**
 * The name in what somebody typed or pasted, such as `https://Changelog.Example.com/path`; else a sentence that says what is wrong with it. `ours` is
 * the name at which the product itself runs.
 */
export function readDomainName(text: string, ours: string): DomainName | string {
  const typed = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (typed === "" || /\s/.test(typed) || !URL.canParse(address)) return domainSentence;
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol)) return domainSentence;
  if (url.username !== "" || url.password !== "") return "Please leave out what stands before the @";
  if (url.port !== "") return "Please leave the port out: readers come by https at its usual one";
  const host = url.hostname.replace(/\.$/, "");
  if (/^\[|^\d+(?:\.\d+){3}$/.test(host)) return "This is an address of a machine. Please enter a name such as changelog.example.com";
  const own = ours.toLowerCase();
  if (host === own || host.endsWith(`.${own}`)) return `Names at ${own} are ours. Please enter one of your own`;
  if (inside.test(`.${host}`)) return "Only your own network knows this name. Please enter one that the whole internet knows";
  if (!host.includes(".")) return "A name has two parts at least, such as changelog.example.com";
  if (ofRegistries.test(host)) return "Nobody has this name: others are handed out below it. Please enter one of yours";
  if (host.length > longest || !shape.test(host)) return domainSentence;
  return { host, shown: shownOf(address, host) };
}

/** The same name in the letters that were typed. */
function shownOf(address: string, host: string): string {
  const typed = /^[^/]*\/\/([^/?#\\]*)/.exec(address)?.[1]?.normalize("NFC").toLowerCase().replace(/\.$/, "") ?? host;
  return URL.canParse(`https://${typed}`) && new URL(`https://${typed}`).hostname === host ? typed : host;
}
