/** What stands at the product's one origin about connecting assistants. The issuer is the origin itself. */
export const resourceOf = (publicUrl: string): string => `${publicUrl}/api/mcp`;
export const resourceMetadataOf = (publicUrl: string): string => `${publicUrl}/.well-known/oauth-protected-resource/api/mcp`;

/** Whether an address that a request names means our assistants' entrance: as it stands in the metadata, or with a slash at its end. */
export const isOurResource = (publicUrl: string, named: string): boolean => named.replace(/\/$/, "") === resourceOf(publicUrl);

/** An address with more in its query; not a letter of what was there is written otherwise. */
export function withQuery(address: string, more: Record<string, string | null>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(more)) if (value !== null) query.set(name, value);
  return `${address}${address.includes("?") ? "&" : "?"}${query.toString()}`;
}
