import { mcpResource } from "#contract/mcp/endpoint.ts";

/** Whether an address that a request names means our assistants' entrance: as it stands in the metadata, or with a slash at its end. */
export const isOurResource = (publicUrl: string, named: string): boolean => named.replace(/\/$/, "") === mcpResource(publicUrl);

/** An address with more in its query; not a letter of what was there is written otherwise. */
export function withQuery(address: string, more: Record<string, string | null>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(more)) if (value !== null) query.set(name, value);
  return `${address}${address.includes("?") ? "&" : "?"}${query.toString()}`;
}
