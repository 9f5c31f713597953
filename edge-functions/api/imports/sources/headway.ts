import { nextPlace } from "../address.ts";
import { linksIn } from "./links.ts";
import { mostPages, requireAddress, requirePlace } from "./pages.ts";
import type { Source } from "./source.ts";

export const headway: Source = async (client, { address, after }) => {
  const place = requirePlace(after, mostPages);
  const page = /^[\w-]{1,100}$/.test(address) ? `${client.server("headway", "https://headwayapp.co")}/${slugOf(address)}` : address;
  const url = requireAddress(client, place.rest || page);
  const response = await client.ask({ url, headers: { accept: "text/html, application/xml;q=0.9, */*;q=0.5" } });
  const next = linksIn(response.text)
    .map((link) => URL.parse(link.get("href") ?? "", response.url))
    .find((candidate) => candidate?.origin === response.url.origin && candidate.searchParams.get("page") === String(place.page + 1));
  return {
    name: `headway-page-${place.page}.html`,
    text: response.text,
    address: response.url.href,
    next: next ? nextPlace(place, mostPages, next.href) : null,
  };
};

const slugOf = (name: string): string => (name.includes("-") ? name : `${name}-changelog`);
