import type { Asking } from "../asking.ts";

interface Answer<Data> {
  data?: Data | null;
  errors?: { message?: unknown; extensions?: { code?: unknown } }[];
}

/** Asks by GraphQL, whose refusals come with status 200. Answers what was said as text, too. */
export async function graphql<Data>(
  asking: Asking,
  { url, key, query, variables }: { url: string; key: string; query: string; variables: Record<string, unknown> },
): Promise<{ text: string; data: Partial<Data> }> {
  const { text } = await asking.ask({
    url: new URL(url),
    headers: { accept: "application/json" },
    credentials: { authorization: `Bearer ${key}` },
    json: { query, variables },
  });
  const { data, errors = [] } = (asking.parse(text) ?? {}) as Answer<Data>;
  const first = Array.isArray(errors) ? errors[0] : undefined;
  if (first === undefined) return { text, data: data ?? {} };
  const message = typeof first.message === "string" ? first.message : "";
  const { name } = asking.product;
  if (first.extensions?.code === "RATE_LIMITED") throw asking.refuse(`${name} takes no more requests for now: please try again later`);
  if (/access denied|unauthori[sz]ed|unauthenticated|not authori[sz]ed|forbidden|invalid (?:api )?(?:token|key)/i.test(message))
    throw asking.refuseKey();
  // Never more than a sentence of theirs, and never the key, should they repeat it.
  throw asking.refuse(`${name} answered: ${message.replaceAll(key, "…").slice(0, 200) || "something went wrong"}`);
}
