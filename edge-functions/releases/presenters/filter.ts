import { releasesPageSize } from "#contract/limits.ts";
import { type Tag, tagOf } from "#contract/tags.ts";
import type { Language } from "#contract/i18n/index.ts";
import type { Changes } from "../queries/versions.ts";
import type { Filter, PublicWorkspace } from "../queries/releases.ts";
import type { Site } from "../site.ts";

export function nameOf(filter: Filter, tags: readonly Tag[], { words, dates }: Language): string | null {
  if (filter === null) return null;
  if ("tag" in filter) return tagOf(filter.tag, tags).label;
  if ("since" in filter) return [filter.component, `${filter.since} – ${filter.until ?? "…"}`].filter((text) => text !== null).join(" ");
  return "term" in filter ? words.page.quoted(filter.term) : dates.month(filter.month);
}

function queryOf(filter: Filter): Record<string, string | null> {
  if (filter === null) return {};
  return "term" in filter ? { q: filter.term } : { ...filter };
}

/** Such as `3 versions · 14 updates · Breaking change: 2`. */
export function changesText({ versions, posts, breaking, security }: Changes, { words: { page } }: Language): string {
  const labels = [
    { label: page.breaking, count: breaking },
    { label: page.security, count: security },
  ].flatMap(({ label, count }) => (count > 0 ? [`${label}: ${count}`] : []));
  return [page.versions(versions), page.updates(posts), ...labels].join(" · ");
}

export const pageQuery = (filter: Filter, page: number, size: number): Record<string, string | number | null> => ({
  ...queryOf(filter),
  limit: size === releasesPageSize ? null : size,
  page: page === 1 ? null : page,
});

/** True for what search engines skip: searches and comparisons of versions. */
export const isFound = (filter: Filter): boolean => filter !== null && ("term" in filter || "since" in filter);

/** null for those (noindex); other page sizes point to the default one. */
export function canonicalOf(site: Site, filter: Filter, page: number, size: number): string | null {
  if (isFound(filter)) return null;
  return site.absolute("/releases", pageQuery(filter, Math.floor(((page - 1) * size) / releasesPageSize) + 1, releasesPageSize));
}

/** The setting, except for search results and comparisons, which are excerpts. */
export const showsWhole = ({ appearance }: PublicWorkspace, filter: Filter): boolean => appearance.layout === "posts" && !isFound(filter);
