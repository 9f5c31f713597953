import { mcpResource } from "#contract/mcp/endpoint.ts";

export const isOurResource = (publicUrl: string, resource: string): boolean => resource.replace(/\/$/, "") === mcpResource(publicUrl);

/** Appends parameters; the rest of the URL stays byte for byte. */
export function withQuery(address: string, more: Record<string, string | null>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(more)) if (value !== null) query.set(name, value);
  return `${address}${address.includes("?") ? "&" : "?"}${query.toString()}`;
}
