import { nextPlace } from "../address.ts";
import { mostSmallPages, requireKey, requirePlace } from "./pages.ts";
import type { Source } from "./source.ts";

const pageSize = 10;

export const beamer: Source = async (client, { key, after }) => {
  const place = requirePlace(after, mostSmallPages);
  const url = new URL(`${client.server("beamer", "https://api.getbeamer.com")}/v0/posts?maxResults=${pageSize}&page=${place.page}`);
  const credentials = { "beamer-api-key": requireKey(key) };
  const { text } = await client.ask({ url, headers: { accept: "application/json" }, credentials });
  const posts = client.parse(text);
  if (!Array.isArray(posts)) throw client.refuse("Beamer sent a response without a list of posts");
  return {
    name: `beamer-page-${place.page}.json`,
    text,
    address: "https://app.getbeamer.com",
    next: posts.length < pageSize ? null : nextPlace(place, mostSmallPages),
  };
};
