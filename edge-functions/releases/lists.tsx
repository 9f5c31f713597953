/** @jsxImportSource preact */
import { tagOf } from "#contract/tags.ts";
import { readCover } from "#contract/rules/cover.ts";
import { componentMaxLength, releasesMaxPageSize, releasesPageSize, releasesTermMaxLength, tagMaxLength } from "#contract/limits.ts";
import { compareProductVersions, readVersion } from "#contract/rules/product-version.ts";
import { type asHtml, asPage, asPicture, type Form } from "./contents.ts";
import { languageOf } from "./language.ts";
import { ListPage } from "./pages/list-page.tsx";
import { renderPage } from "./pages/render.tsx";
import type { Feed } from "./presenters/feeds.ts";
import { isFound, pageQuery, showsWhole } from "./presenters/filter.ts";
import type { Picture } from "./presenters/first-image.ts";
import { markdownLinks } from "./presenters/markdown.ts";
import { type Pictured, presentList } from "./presenters/release.ts";
import type { VersionFilter } from "./queries/versions.ts";
import { type Filter, listReleases, type Release, type ReleaseList, releaseMonths, releaseTags } from "./queries/releases.ts";
import { listParameters, type Reading, type Resource, types } from "./resource.ts";

/** null if it doesn't exist; empty lists and searches do. */
export async function readList({ sql, workspace, query }: Reading, top: "page" | null = null): Promise<ReleaseList | null> {
  const listed = listQuery(query);
  if (listed === null) return null;
  const { page, size, filter } = listed;
  const { releases, total, changes } = await listReleases(sql, workspace.reader, { page, size, filter, top });
  const maybeEmpty = page === 1 && (filter === null || isFound(filter));
  return releases.length === 0 && !maybeEmpty
    ? null
    : { releases, page, size, pages: Math.max(1, Math.ceil(total / size)), total, filter, changes };
}

export async function withPictures({ contents, workspace }: Reading, releases: readonly Release[]): Promise<Pictured[]> {
  const asking = releases.filter(({ cover_image }) => readCover(cover_image) === null);
  const first = new Map<string, Picture | null>();
  for await (const image of contents.each(workspace.reader, asking, asPicture)) {
    const release = asking[first.size];
    if (release !== undefined) first.set(release.id, JSON.parse(image) as Picture | null);
  }
  return releases.map((release) => {
    const cover = readCover(release.cover_image);
    return { release, image: cover === "none" ? null : (cover ?? first.get(release.id) ?? null) };
  });
}

const listContentLength = 150_000;
const readInVain = 2;

export async function wholeOf(
  { contents, workspace }: Reading,
  { releases, filter }: ReleaseList,
  form: Form,
): Promise<Map<string, string>> {
  const htmls = new Map<string, string>();
  if (!showsWhole(workspace, filter)) return htmls;
  let left = listContentLength;
  let inVain = 0;
  let at = 0;
  for await (const html of contents.each(workspace.reader, releases, form)) {
    const release = releases[at++];
    if (release === undefined) break;
    if (html.length <= left) {
      left -= html.length;
      htmls.set(release.id, html);
    } else if (++inVain === readInVain) break;
  }
  return htmls;
}

export const listPage: Resource = {
  type: types.html,
  hasMarkdown: true,
  parameters: listParameters,
  read: async (reading) => {
    const { sql, workspace, site } = reading;
    const list = await readList(reading, "page");
    if (list === null) return null;
    const contents = await wholeOf(reading, list, asPage(languageOf(workspace)));
    const [tags, months, releases] = await Promise.all([
      releaseTags(sql, workspace),
      releaseMonths(sql, workspace.reader),
      withPictures(reading, list.releases),
    ]);
    const missed = list.total === 0 && list.filter && "term" in list.filter ? list.filter.term : undefined;
    const headers = markdownLinks(site, "/releases", pageQuery(list.filter, list.page, list.size));
    return { text: renderPage(<ListPage {...reading} {...list} {...{ releases, tags, months, contents }} />), headers, missed };
  },
};

export const listJson: Resource = {
  type: types.json,
  open: true,
  parameters: listParameters,
  read: async (reading) => {
    const list = await readList(reading);
    if (list === null) return null;
    const { page, pages, total, changes } = list;
    const releases = await withPictures(reading, list.releases);
    return { text: JSON.stringify(presentList(reading.workspace, reading.site, releases, { page, pages, total }, changes)) };
  },
};

/** Escaped characters of content in a feed; further posts are excerpts with a link. */
const feedContentLength = 524_288;

async function contentsOf({ contents, workspace }: Reading, releases: readonly Release[], form: Form): Promise<Map<string, string>> {
  const rendered = new Map<string, string>();
  let left = feedContentLength;
  for await (const content of contents.each(workspace.reader, releases, form)) {
    left -= content.length;
    const release = releases[rendered.size];
    if (left < 0 || release === undefined) break;
    rendered.set(release.id, content);
  }
  return rendered;
}

export const feed = (type: string, form: typeof asHtml, write: (feed: Feed) => string): Resource => ({
  type,
  open: true,
  parameters: ["tag"],
  imageDays: 30, // feed readers show posts later
  read: async (reading) => {
    const { sql, workspace, site, query } = reading;
    const listed = listQuery(query);
    if (listed === null) return null;
    const { filter } = listed;
    const key = filter && "tag" in filter ? filter.tag : null;
    const [{ releases }, tags] = await Promise.all([
      listReleases(sql, workspace.reader, { size: 20, filter }),
      releaseTags(sql, workspace),
    ]);
    if (key !== null && releases.length === 0) return null;
    const contents = await contentsOf(reading, releases, form(site.origin, languageOf(workspace)));
    const pictures = new Map((await withPictures(reading, releases)).map(({ release, image }) => [release.id, image]));
    return { text: write({ workspace, site, releases, tags, tag: key === null ? null : tagOf(key, tags), contents, pictures }) };
  },
});

interface ListQuery {
  page: number;
  size: number;
  filter: Filter;
}

function listQuery(query: URLSearchParams): ListQuery | null {
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
  const since = query.get("since");
  if (since === null && (query.has("until") || query.has("component"))) return null;
  const versions = since === null ? [] : versionsOf(since, query.get("until"), query.get("component"));
  if (versions === null) return null;
  return [...versions, ...(tag === null ? [] : [{ tag }]), ...(term === null ? [] : [{ term }]), ...(month === null ? [] : [{ month }])];
}

function versionsOf(since: string, until: string | null, component: string | null): VersionFilter[] | null {
  const [from, to] = [readVersion(since), readVersion(until)];
  if (from === null || (until !== null && to === null) || component === "" || (component !== null && !canBe(component, componentMaxLength)))
    return null;
  return [{ since: from, until: to, component }];
}

/** /releases/compare/1.12.0...1.14.2 */
export const comparePage: Resource = {
  type: types.html,
  parameters: ["page", "limit", "component"],
  read: async (reading) => {
    const [since, until, ...more] = decodeURIComponent(reading.path.slice("/releases/compare/".length)).split("...");
    if (since === undefined || until === undefined || more.length > 0) return null;
    const range = versionsOf(since, until, null)?.[0];
    if (range === undefined || compareProductVersions(range.since, range.until!) > 0) return null;
    const query = new URLSearchParams(reading.query);
    query.set("since", range.since);
    query.set("until", range.until!);
    return await listPage.read({ ...reading, query });
  },
};

const canBe = (text: string, maxLength: number): boolean => text.length <= maxLength && !text.includes("\0");

function whole(text: string, max: number): number | null {
  return /^[1-9]\d{0,5}$/.test(text) && Number(text) <= max ? Number(text) : null;
}
