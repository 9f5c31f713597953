import { nextPlace } from "../address.ts";
import { mostPages, requireKey, requirePlace } from "./pages.ts";
import type { Source } from "./source.ts";

const pageSize = 100;

/** The key is in the body, so redirects aren't followed. */
export const canny: Source = async (client, { key, after }) => {
  const place = requirePlace(after, mostPages);
  const json = { apiKey: requireKey(key), limit: pageSize, skip: (place.page - 1) * pageSize };
  const { text } = await client.ask({
    url: new URL(`${client.server("canny", "https://canny.io")}/api/v1/entries/list`),
    json,
    credentials: {},
  });
  const { entries, hasMore, error } = (client.parse(text) ?? {}) as { entries?: unknown; hasMore?: unknown; error?: unknown };
  if (typeof error === "string" && /api ?key/i.test(error)) throw client.refuseKey();
  if (!Array.isArray(entries)) throw client.refuse("Canny sent a response without a list of entries");
  return {
    name: `canny-page-${place.page}.json`,
    text,
    address: "https://canny.io",
    next: hasMore === true && entries.length > 0 ? nextPlace(place, mostPages) : null,
  };
};
