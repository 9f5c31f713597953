import { escapedLength } from "#contract/blocks/text.ts";
import { tagOf } from "#contract/tags.ts";
import { asHtml, asPicture } from "./contents.ts";
import { listParameters, listQuery } from "./list-query.ts";
import { ListPage } from "./pages/list-page.tsx";
import { renderPage } from "./pages/render.tsx";
import type { Feed } from "./presenters/feeds.ts";
import type { Picture } from "./presenters/first-image.ts";
import { type Pictured, presentList } from "./presenters/release.ts";
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

/** Releases with their first images. */
export async function withPictures({ contents, workspace }: Reading, releases: readonly Release[]): Promise<Pictured[]> {
  const pictured: Pictured[] = [];
  for await (const image of contents.each(workspace.subdomain, releases, asPicture)) {
    const release = releases[pictured.length];
    if (release !== undefined) pictured.push({ release, image: JSON.parse(image) as Picture | null });
  }
  return pictured;
}

export const listPage: Resource = {
  type: types.html,
  parameters: listParameters,
  read: async (reading) => {
    const { sql, workspace } = reading;
    const list = await readList(reading);
    if (list === null) return null;
    const [tags, months, releases] = await Promise.all([
      releaseTags(sql, workspace.subdomain),
      releaseMonths(sql, workspace.subdomain),
      withPictures(reading, list.releases),
    ]);
    return { text: renderPage(<ListPage {...reading} {...list} releases={releases} tags={tags} months={months} />) };
  },
};

export const listJson: Resource = {
  type: types.json,
  parameters: listParameters,
  read: async (reading) => {
    const list = await readList(reading);
    if (list === null) return null;
    const { page, pages, total } = list;
    const releases = await withPictures(reading, list.releases);
    return { text: JSON.stringify(presentList(reading.workspace, reading.site, releases, { page, pages, total })) };
  },
};

/** Characters of content that a feed carries together, escaped as in XML; a post that goes beyond, and those behind it, come as excerpts with a link. */
const feedContentLength = 524_288;

/** The content of as many of the releases, newest first, as a feed has room for. */
async function contentsOf({ contents, workspace, site }: Reading, releases: readonly Release[]): Promise<Map<string, string>> {
  const htmls = new Map<string, string>();
  let left = feedContentLength;
  for await (const html of contents.each(workspace.subdomain, releases, asHtml(site.origin))) {
    left -= escapedLength(html);
    const release = releases[htmls.size];
    if (left < 0 || release === undefined) break;
    htmls.set(release.id, html);
  }
  return htmls;
}

/** Feeds carry the newest 20. */
export const feed = (type: string, write: (feed: Feed) => string): Resource => ({
  type,
  parameters: ["tag"],
  read: async (reading) => {
    const { sql, workspace, site, query } = reading;
    const asked = listQuery(query);
    if (asked === null) return null;
    const { filter } = asked;
    const key = filter && "tag" in filter ? filter.tag : null;
    const [{ releases }, tags] = await Promise.all([
      listReleases(sql, workspace.subdomain, { size: 20, filter }),
      releaseTags(sql, workspace.subdomain),
    ]);
    if (key !== null && releases.length === 0) return null;
    const contents = await contentsOf(reading, releases);
    return { text: write({ workspace, site, releases, tags, tag: key === null ? null : tagOf(key, tags), contents }) };
  },
});
