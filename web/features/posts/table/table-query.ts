import { postListLimit, tablePageSizes } from "#contract/limits.ts";
import { parseSearch, type PostQuery, type PostSort, writeSearch } from "#contract/rules/search-tokens.ts";
import { withParams } from "../../../lib/use-view-address.ts";

/**
 * Source: specification, section 9, where views are counted. Where they are not nothing was viewed more than anything else, and the newest
 * is on top; the other order, by its placeholder, can still be chosen.
 */
export const defaultSort = (isCounted: boolean): PostSort => (isCounted ? "most_viewed_last_month" : "recent_activity");

export type PageSize = (typeof tablePageSizes)[number];

/** What the posts table shows, as it stands in the address: `?q=status:draft words&page=2&size=20`. */
export interface TableQuery {
  /** The search text with its tokens; the filters are read from it. */
  search: string;
  /** From 1; may lie behind the last page. */
  page: number;
  size: PageSize;
}

const firstView: TableQuery = { search: "", page: 1, size: postListLimit };

/** Reads an address; what makes no sense there is the default. */
export function readQuery(address: URLSearchParams): TableQuery {
  const page = Number(address.get("page"));
  const size = Number(address.get("size"));
  return {
    search: address.get("q") ?? "",
    page: Number.isInteger(page) && page > 0 ? page : firstView.page,
    size: tablePageSizes.find((one) => one === size) ?? firstView.size,
  };
}

/** The address of a view; defaults are left out, other parameters stay. */
export function writeQuery({ search, page, size }: TableQuery, address: URLSearchParams): URLSearchParams {
  return withParams(address, {
    q: search.trim() === "" ? undefined : search,
    page: page === firstView.page ? undefined : String(page),
    size: size === firstView.size ? undefined : String(size),
  });
}

/** The search text after a filter was chosen with the mouse; undefined takes the filter away. */
export function withFilter(search: string, filter: Partial<Omit<PostQuery, "text">>): string {
  return writeSearch({ ...parseSearch(search), ...filter });
}
