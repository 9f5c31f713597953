import { releasesPageSize } from "#contract/limits.ts";
import { type Tag, tagOf } from "#contract/tags.ts";
import type { Language } from "#contract/i18n/index.ts";
import type { Filter, PublicWorkspace } from "../queries/releases.ts";
import type { Site } from "../site.ts";

export function nameOf(filter: Filter, tags: readonly Tag[], { words, dates }: Language): string | null {
  if (filter === null) return null;
  if ("tag" in filter) return tagOf(filter.tag, tags).label;
  return "term" in filter ? words.page.quoted(filter.term) : dates.month(filter.month);
}

function queryOf(filter: Filter): Record<string, string> {
  if (filter === null) return {};
  return "term" in filter ? { q: filter.term } : { ...filter };
}

export const pageQuery = (filter: Filter, page: number, size: number): Record<string, string | number | null> => ({
  ...queryOf(filter),
  limit: size === releasesPageSize ? null : size,
  page: page === 1 ? null : page,
});

/** null for searches (noindex); other page sizes point to the default one. */
export function canonicalOf(site: Site, filter: Filter, page: number, size: number): string | null {
  if (filter && "term" in filter) return null;
  return site.absolute("/releases", pageQuery(filter, Math.floor(((page - 1) * size) / releasesPageSize) + 1, releasesPageSize));
}

/** The setting, except for search results, which are excerpts. */
export const showsWhole = ({ appearance }: PublicWorkspace, filter: Filter): boolean =>
  appearance.layout === "posts" && (filter === null || !("term" in filter));
