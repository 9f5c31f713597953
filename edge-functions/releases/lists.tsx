import { tagOf } from "#contract/tags.ts";
import { listParameters, listQuery } from "./list-query.ts";
import { ListPage } from "./pages/list-page.tsx";
import { renderPage } from "./pages/render.tsx";
import type { Feed } from "./presenters/feeds.ts";
import { presentList } from "./presenters/release.ts";
import { type Filter, listReleases, type Release, releaseMonths, releaseTags } from "./queries/releases.ts";
import { type Reading, type Resource, types } from "./resource.ts";

interface List {
  releases: Release[];
  page: number;
  size: number;
  pages: number;
  total: number;
  filter: Filter;
}

/** The part of the list that a query asks for; null for one that is not there, except an empty list and a search without results. */
async function readList({ sql, workspace, query }: Reading): Promise<List | null> {
  const asked = listQuery(query);
  if (asked === null) return null;
  const { page, size, filter } = asked;
  const { releases, total } = await listReleases(sql, workspace.subdomain, { page, size, filter });
  const maybeEmpty = page === 1 && (filter === null || "term" in filter);
  return releases.length === 0 && !maybeEmpty ? null : { releases, page, size, pages: Math.max(1, Math.ceil(total / size)), total, filter };
}

export const listPage: Resource = {
  type: types.html,
  parameters: listParameters,
  read: async (reading) => {
    const { sql, workspace } = reading;
    const list = await readList(reading);
    if (list === null) return null;
    const [tags, months] = await Promise.all([releaseTags(sql, workspace.subdomain), releaseMonths(sql, workspace.subdomain)]);
    return { text: renderPage(<ListPage {...reading} {...list} tags={tags} months={months} />) };
  },
};

export const listJson: Resource = {
  type: types.json,
  parameters: listParameters,
  read: async (reading) => {
    const list = await readList(reading);
    if (list === null) return null;
    const { page, pages, total } = list;
    return { text: JSON.stringify(presentList(reading.workspace, reading.site, list.releases, { page, pages, total })) };
  },
};

/** Feeds carry the newest 20. */
export const feed = (type: string, write: (feed: Feed) => string): Resource => ({
  type,
  parameters: ["tag"],
  read: async ({ sql, workspace, site, query }) => {
    const asked = listQuery(query);
    if (asked === null) return null;
    const { filter } = asked;
    const key = filter && "tag" in filter ? filter.tag : null;
    const [{ releases }, tags] = await Promise.all([
      listReleases(sql, workspace.subdomain, { size: 20, filter }),
      releaseTags(sql, workspace.subdomain),
    ]);
    if (key !== null && releases.length === 0) return null;
    return { text: write({ workspace, site, releases, tags, tag: key === null ? null : tagOf(key, tags) }) };
  },
});
