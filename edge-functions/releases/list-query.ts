import { releasesMaxPageSize, releasesPageSize, releasesTermMaxLength, tagMaxLength } from "#contract/limits.ts";
import type { Filter } from "./queries/releases.ts";

/** What of a query decides what a list shows. */
export const listParameters = ["page", "limit", "tag", "q", "month"] as const;

export interface ListQuery {
  page: number;
  size: number;
  filter: Filter;
}

/** What a query asks of a list; null when no list can be that. An empty search is none; one of two filters would be silently ignored, so both together are refused. */
export function listQuery(query: URLSearchParams): ListQuery | null {
  const page = whole(query.get("page") ?? "1", 99_999);
  const size = whole(query.get("limit") ?? String(releasesPageSize), releasesMaxPageSize);
  const filters = filtersOf(query);
  return page === null || size === null || filters === null || filters.length > 1 ? null : { page, size, filter: filters[0] ?? null };
}

function filtersOf(query: URLSearchParams): NonNullable<Filter>[] | null {
  const [tag, term, month] = [query.get("tag"), query.get("q")?.trim() || null, query.get("month")];
  if (tag !== null && (tag === "" || !canBe(tag, tagMaxLength))) return null;
  if (term !== null && !canBe(term, releasesTermMaxLength)) return null;
  if (month !== null && !/^[12]\d{3}-(?:0[1-9]|1[0-2])$/.test(month)) return null;
  return [...(tag === null ? [] : [{ tag }]), ...(term === null ? [] : [{ term }]), ...(month === null ? [] : [{ month }])];
}

/** Whether a text can stand in the database at all: Postgres holds no NUL. */
const canBe = (text: string, maxLength: number): boolean => text.length <= maxLength && !text.includes("\0");

function whole(text: string, max: number): number | null {
  return /^[1-9]\d{0,5}$/.test(text) && Number(text) <= max ? Number(text) : null;
}
