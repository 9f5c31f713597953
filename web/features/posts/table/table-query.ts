import { postListLimit, tablePageSizes } from "#contract/limits.ts";
import { parseSearch, type PostQuery, type PostSort, writeSearch } from "#contract/rules/search-tokens.ts";
import { withParams } from "../../../lib/use-view-address.ts";

/** The default order: most viewed where views are counted, else recent activity. Source: specification, section 9. */
export const defaultSort = (isCounted: boolean): PostSort => (isCounted ? "most_viewed_last_month" : "recent_activity");

export type PageSize = (typeof tablePageSizes)[number];

/** The table's view in the URL: `?q=status:draft words&page=2&size=20`. */
export interface TableQuery {
  search: string;
  page: number;
  size: PageSize;
}

const firstView: TableQuery = { search: "", page: 1, size: postListLimit };

export function readQuery(address: URLSearchParams): TableQuery {
  const page = Number(address.get("page"));
  const size = Number(address.get("size"));
  return {
    search: address.get("q") ?? "",
    page: Number.isInteger(page) && page > 0 ? page : firstView.page,
    size: tablePageSizes.find((one) => one === size) ?? firstView.size,
  };
}

export function writeQuery({ search, page, size }: TableQuery, address: URLSearchParams): URLSearchParams {
  return withParams(address, {
    q: search.trim() === "" ? undefined : search,
    page: page === firstView.page ? undefined : String(page),
    size: size === firstView.size ? undefined : String(size),
  });
}

export function withFilter(search: string, filter: Partial<Omit<PostQuery, "text">>): string {
  return writeSearch({ ...parseSearch(search), ...filter });
}
