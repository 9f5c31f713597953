import { readStored, writeStored } from "../../lib/storage.ts";

/** `dismiss` is 'Got it!': nothing was allowed. */
export type Consent = "allow" | "deny" | "dismiss";

const cookie = "tc-consent";
const flagKey = "tc:consent";
const yearSeconds = 31_536_000;

export function readConsent(): Consent | null {
  const value = new RegExp(`(?:^|; )${cookie}=(allow|deny|dismiss)(?:;|$)`).exec(document.cookie)?.[1];
  return (value as Consent | undefined) ?? null;
}

/** Stores the choice for a year: a cookie for the site and its subdomains, and a separate analytics flag. */
export function writeConsent(consent: Consent): void {
  const attributes = `path=/; max-age=${yearSeconds}; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
  const domain = cookieDomain(location.hostname);
  if (domain) document.cookie = `${cookie}=${consent}; domain=${domain}; ${attributes}`;
  // Public suffixes (co.uk) are rejected by browsers: fall back to the host.
  if (readConsent() !== consent) document.cookie = `${cookie}=${consent}; ${attributes}`;
  writeStored("local", flagKey, JSON.stringify({ analytics: consent === "allow" }));
}

/** Source: specification, section 4. */
export function isAnalyticsAllowed(): boolean {
  return readConsent() === "allow" && readStored("local", flagKey) !== JSON.stringify({ analytics: false });
}

/** Parent domain of app.tidings.example: tidings.example. Null for localhost and IP addresses. Source: specification, section 2 ("Cookie consent"). */
export function cookieDomain(hostname: string): string | null {
  const labels = hostname.split(".");
  if (labels.at(-1) === "localhost" || labels.length < 2 || /^[\d.]+$|:/.test(hostname)) return null;
  return (labels.length > 2 ? labels.slice(1) : labels).join(".");
}
