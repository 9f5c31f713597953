import type { SourceClient } from "../source-client.ts";

interface Answer<Data> {
  data?: Data | null;
  errors?: { message?: unknown; extensions?: { code?: unknown } }[];
}

/** GraphQL errors have status 200. Also returns the raw text. */
export async function graphql<Data>(
  client: SourceClient,
  { url, key, query, variables }: { url: string; key: string; query: string; variables: Record<string, unknown> },
): Promise<{ text: string; data: Partial<Data> }> {
  const { text } = await client.ask({
    url: new URL(url),
    headers: { accept: "application/json" },
    credentials: { authorization: `Bearer ${key}` },
    json: { query, variables },
  });
  const { data, errors = [] } = (client.parse(text) ?? {}) as Answer<Data>;
  const first = Array.isArray(errors) ? errors[0] : undefined;
  if (first === undefined) return { text, data: data ?? {} };
  const message = typeof first.message === "string" ? first.message : "";
  const { name } = client.product;
  if (first.extensions?.code === "RATE_LIMITED") throw client.refuse(`${name} is rate limiting us. Please try again later`);
  if (/access denied|unauthori[sz]ed|unauthenticated|not authori[sz]ed|forbidden|invalid (?:api )?(?:token|key)/i.test(message))
    throw client.refuseKey();
  // Truncated, and without the key if it's echoed.
  throw client.refuse(`${name} responded: ${message.replaceAll(key, "…").slice(0, 200) || "something went wrong"}`);
}
