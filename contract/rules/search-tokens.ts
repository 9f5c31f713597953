import { type PostStatus, postStatuses } from "../kinds.ts";

export const postSorts = ["most_viewed_last_month", "recent_activity"] as const;
export type PostSort = (typeof postSorts)[number];

export interface PostQuery {
  text: string;
  status?: PostStatus | "any";
  owner?: string;
  sort?: PostSort;
}

const token = /(?<=^|\s)(status|owner|sort):(?:"([^"]*)"|'([^']*)'|(\S*))/gi;
const knownStatus = (value: string): PostStatus | "any" | undefined =>
  (["any", ...postStatuses] as const).find((status) => status === value.toLowerCase());
const knownSort = (value: string): PostSort | undefined => postSorts.find((sort) => sort === value.toLowerCase());

/** Parses `status:draft owner:"Ada Lovelace" sort:recent_activity words`; the last token wins. Source: specification, section 5. */
export function parseSearch(search: string): PostQuery {
  const query: PostQuery = { text: "" };
  const rest = search.replace(token, (_match, name: string, double?: string, single?: string, bare?: string) => {
    const value = (double ?? single ?? bare ?? "").trim();
    const key = name.toLowerCase();
    if (key === "status") query.status = knownStatus(value) ?? query.status;
    else if (key === "sort") query.sort = knownSort(value) ?? query.sort;
    else if (value !== "") query.owner = value;
    return " ";
  });
  query.text = rest.replace(/\s+/g, " ").trim();
  return query;
}

export function writeSearch({ text, status, owner, sort }: PostQuery): string {
  const quoted = (value: string): string => (!/[\s"']/.test(value) ? value : value.includes('"') ? `'${value}'` : `"${value}"`);
  const parts = [status && `status:${status}`, owner && `owner:${quoted(owner)}`, sort && `sort:${sort}`, text];
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}
