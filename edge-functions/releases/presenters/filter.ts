import { releasesPageSize } from "#contract/limits.ts";
import { type Tag, tagOf } from "#contract/tags.ts";
import type { Language } from "#contract/i18n/index.ts";
import type { Filter, PublicWorkspace } from "../queries/releases.ts";
import type { Site } from "../site.ts";

/** A filter as a reader would call it; null for none. */
export function nameOf(filter: Filter, tags: readonly Tag[], { words, dates }: Language): string | null {
  if (filter === null) return null;
  if ("tag" in filter) return tagOf(filter.tag, tags).label;
  return "term" in filter ? words.page.quoted(filter.term) : dates.month(filter.month);
}

function queryOf(filter: Filter): Record<string, string> {
  if (filter === null) return {};
  return "term" in filter ? { q: filter.term } : { ...filter };
}

/** The query of a page of a list, without what goes without saying. */
export const pageQuery = (filter: Filter, page: number, size: number): Record<string, string | number | null> => ({
  ...queryOf(filter),
  limit: size === releasesPageSize ? null : size,
  page: page === 1 ? null : page,
});

/**
 * The one address of a list. What somebody searched for is no page of its own: null; one of another length says what stands on that of the usual
 * one where it begins.
 */
export function canonicalOf(site: Site, filter: Filter, page: number, size: number): string | null {
  if (filter && "term" in filter) return null;
  return site.absolute("/releases", pageQuery(filter, Math.floor(((page - 1) * size) / releasesPageSize) + 1, releasesPageSize));
}

/** Whether posts stand whole in a list, as the workspace has chosen; what somebody searched for is looked through, not read. */
export const showsWhole = ({ appearance }: PublicWorkspace, filter: Filter): boolean =>
  appearance.layout === "posts" && (filter === null || !("term" in filter));
