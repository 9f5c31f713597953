import { subdomainMaxLength } from "#contract/limits.ts";

/** "Crème & Söhne GmbH" → "creme-sohne-gmbh". May be too short to be valid. */
export function suggestSubdomain(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, subdomainMaxLength)
    .replace(/^-+|-+$/g, "");
}
