import { nextPlace } from "../address.ts";
import { refused } from "../source-client.ts";
import { mostPages, requireKey, requirePlace } from "./pages.ts";
import type { Source } from "./source.ts";

const repository =
  /^(?:(?:https?:\/\/)?(?:www\.)?github\.com\/|git@github\.com:)?([a-z\d][a-z\d-]{0,38})\/([\w.-]{1,100}?)(?:\.git)?(?:[/?#].*)?$/i;

export const github: Source = async (client, { address, key, after }) => {
  const [, owner, name] = repository.exec(address) ?? [];
  if (owner === undefined || name === undefined || /^\.+$/.test(name)) throw refused("address", "Please enter a repository as owner/name");
  const place = requirePlace(after, mostPages);
  const url = new URL(`${client.server("github", "https://api.github.com")}/repos/${owner}/${name}/releases`);
  url.search = `per_page=100&page=${place.page}`;
  const { text, headers } = await client.ask({
    url,
    headers: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
    ...(key !== "" && { credentials: { authorization: `Bearer ${requireKey(key)}` } }),
  });
  const hasMore = /;\s*rel="?next"?/.test(headers.get("link") ?? "");
  return {
    name: `releases-page-${place.page}.json`,
    text,
    address: `https://github.com/${owner}/${name}`,
    next: hasMore ? nextPlace(place, mostPages) : null,
  };
};
