export interface DomainName {
  host: string;
  shown: string;
}

export const domainSentence = "Please enter a domain such as changelog.example.com";

/** Same rule as private.is_domain. The last label isn't a number, which excludes IP addresses. */
const shape = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
const longest = 244;
const inside = /\.(?:localhost|local|internal|intranet|lan|home|corp|private|arpa|onion)$/;
/** Common public suffixes. Verification would fail there anyway; this only reports it earlier. */
const ofRegistries = /^(?:co|com|net|org|edu|gov|ac|or|ne|go|gob|mil|nom|ltd|plc|sch|web|firm)\.[a-z]{2}$/;

/** The domain in typed or pasted text such as `https://Changelog.Example.com/path`, or an error message. `ours`: our own domain. */
export function readDomainName(text: string, ours: string): DomainName | string {
  const typed = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (typed === "" || /\s/.test(typed) || !URL.canParse(address)) return domainSentence;
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol)) return domainSentence;
  if (url.username !== "" || url.password !== "") return "Please remove the part before the @";
  if (url.port !== "") return "Please remove the port: the page is served on the standard https port";
  const host = url.hostname.replace(/\.$/, "");
  if (/^\[|^\d+(?:\.\d+){3}$/.test(host)) return "This is an IP address. Please enter a domain such as changelog.example.com";
  const own = ours.toLowerCase();
  if (host === own || host.endsWith(`.${own}`)) return `Domains at ${own} belong to this installation. Please enter a domain you own`;
  if (inside.test(`.${host}`)) return "This domain only exists in your own network. Please enter a public one";
  if (!host.includes(".")) return "A domain has at least two parts, such as changelog.example.com";
  if (ofRegistries.test(host)) return "This is a public suffix. Please enter a domain you own";
  if (host.length > longest || !shape.test(host)) return domainSentence;
  return { host, shown: shownOf(address, host) };
}

function shownOf(address: string, host: string): string {
  const typed = /^[^/]*\/\/([^/?#\\]*)/.exec(address)?.[1]?.normalize("NFC").toLowerCase().replace(/\.$/, "") ?? host;
  return URL.canParse(`https://${typed}`) && new URL(`https://${typed}`).hostname === host ? typed : host;
}
