import { readStored, writeStored } from "../../lib/storage.ts";

/** `dismiss` is 'Got it!': the message was read, nothing was allowed. */
export type Consent = "allow" | "deny" | "dismiss";

const cookie = "tc-consent";
const flagKey = "tc:consent";
const yearSeconds = 31_536_000;

export function readConsent(): Consent | null {
  const value = new RegExp(`(?:^|; )${cookie}=(allow|deny|dismiss)(?:;|$)`).exec(document.cookie)?.[1];
  return (value as Consent | undefined) ?? null;
}

/** Keeps the choice for a year: a cookie for this site and its subdomains, and apart from it whether analytics may run. */
export function writeConsent(consent: Consent): void {
  const attributes = `path=/; max-age=${yearSeconds}; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
  const domain = cookieDomain(location.hostname);
  if (domain) document.cookie = `${cookie}=${consent}; domain=${domain}; ${attributes}`;
  // A domain that is open to everybody (co.uk) is not taken by the browser; then the host has to do.
  if (readConsent() !== consent) document.cookie = `${cookie}=${consent}; ${attributes}`;
  writeStored("local", flagKey, JSON.stringify({ analytics: consent === "allow" }));
}

/** Both have to say so: consent, and no flag that says off. Source: specification, section 4. */
export function mayAnalyse(): boolean {
  return readConsent() === "allow" && readStored("local", flagKey) !== JSON.stringify({ analytics: false });
}

/**
 * The domain a consent cookie is scoped to: the parent of app.tidings.example is tidings.example. Null where only the host itself will do:
 * localhost, its subdomains, and addresses in numbers. Source: specification, section 2 ("Cookie consent").
 */
export function cookieDomain(hostname: string): string | null {
  const labels = hostname.split(".");
  if (labels.at(-1) === "localhost" || labels.length < 2 || /^[\d.]+$|:/.test(hostname)) return null;
  return (labels.length > 2 ? labels.slice(1) : labels).join(".");
}
