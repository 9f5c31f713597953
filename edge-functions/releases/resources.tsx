/** @jsxImportSource preact */
import { readVersion } from "#contract/rules/product-version.ts";
import { tagMaxLength, tagsPerPost } from "#contract/limits.ts";
import { locales } from "#contract/locales.ts";
import type { IdentifiedWidgetData, WidgetPost } from "#contract/releases.ts";
import { isInAudience } from "#contract/rules/audience.ts";
import { isPinned, readDetails } from "#contract/rules/post-details.ts";
import { safeImageUrl } from "#contract/blocks/safe-url.ts";
import type { Bytes } from "../_shared/base64.ts";
import { asHtml, asMarkdown, asPage, asPanel, asText, asXml } from "./contents.ts";
import { languageOf } from "./language.ts";
import { listMarkdown, llmsTxt } from "./for-machines.ts";
import { comparePage, feed, listJson, listPage, withPictures } from "./lists.tsx";
import { ReleasePage } from "./pages/release-page.tsx";
import { renderPage } from "./pages/render.tsx";
import { atom, jsonFeed, rss } from "./presenters/feeds.ts";
import { icon, robots, sitemap } from "./presenters/for-machines.ts";
import { canonicalLink, markdown, markdownLinks } from "./presenters/markdown.ts";
import { presentRelease } from "./presenters/release.ts";
import { presentWidgetData, settingsOf, withDetails } from "./presenters/widget-data.ts";
import {
  getRelease,
  identify,
  linkPicturePath,
  listReleases,
  markSeen,
  neighboursOf,
  placedReleases,
  type PublicWorkspace,
  type Release,
  releaseAddresses,
  releasesForSome,
  releaseTags,
} from "./queries/releases.ts";
import { type Reading, type Resource, types } from "./resource.ts";
import { slugIn } from "./routes.ts";

/** `data-locale`; unknown languages are ignored. */
function inLocale(workspace: PublicWorkspace, asked: string | null): PublicWorkspace {
  const locale = locales.find((one) => one === asked);
  return locale === undefined ? workspace : { ...workspace, appearance: { ...workspace.appearance, locale } };
}

interface Asked {
  workspace: PublicWorkspace;
  size: number;
  tags: string[] | null;
}

function askedOf({ workspace: asked, query }: Reading): Asked {
  const workspace = inLocale(asked, query.get("locale"));
  const tags = query.get("tags")?.split(",", tagsPerPost) ?? null;
  const size = settingsOf(workspace).contentSettings.maxPosts;
  return { workspace, size, tags: tags?.map((key) => key.trim().slice(0, tagMaxLength)) ?? null };
}

/** `own`: posts for this reader alone, newest first. */
async function widgetData(
  reading: Reading,
  { workspace, size, tags }: Asked,
  releases: readonly Release[],
  own: readonly Release[] = [],
): Promise<IdentifiedWidgetData> {
  const { sql, site, query, now } = reading;
  const since = readVersion(query.get("version"));
  const filter = since === null ? null : { since, until: null, component: null };
  const { changes } = filter === null ? {} : await listReleases(sql, workspace.reader, { size, filter });
  const { showImages } = settingsOf(workspace).contentSettings;
  const pictured = async (rows: readonly Release[]) =>
    showImages ? await withPictures(reading, rows) : rows.map((release) => ({ release, image: null }));
  const ownPlaced = own.filter(({ details }) => readDetails(details).placement !== null);
  const forAll = await placedReleases(sql, workspace.reader, tags);
  const placed = await pictured([...ownPlaced, ...forAll].toSorted((a, b) => +b.published_at - +a.published_at));
  return presentWidgetData(workspace, site, await pictured(releases), { now, placed, changes, since });
}

const widgetJson: Resource = {
  type: types.json,
  crossOrigin: true,
  showsWidget: true,
  parameters: ["tags", "locale", "version"],
  read: async (reading) => {
    const asked = askedOf(reading);
    const { releases } = await listReleases(reading.sql, asked.workspace.reader, { ...asked, top: "widget" });
    return { text: JSON.stringify(await widgetData(reading, asked, releases)) };
  },
};

/** POST with a reader's token: the same, and the posts whose audience they are in, with content. `seen`: only marks posts up to this time as seen. */
export const identifiedWidget: Resource = {
  ...widgetJson,
  unkept: true,
  parameters: [...widgetJson.parameters!, "seen"],
  read: async (reading) => {
    const { sql, site, now, token, query } = reading;
    const headers = { "cache-control": "private, no-store" };
    const reader = `${reading.workspace.reader}${reading.workspace.reader.includes("~") ? "" : "~"}~${token}`;
    const seen = query.get("seen");
    if (seen !== null) {
      if (isTime(seen)) await markSeen(sql, reader, seen);
      return { text: "{}", headers };
    }
    const identity = await identify(sql, reader);
    if (identity === null) return { ...((await widgetJson.read(reading)) as { text: string }), headers };
    const identified = { ...reading, workspace: { ...reading.workspace, reader } };
    const asked = askedOf(identified);
    const [{ releases }, targeted] = await Promise.all([
      listReleases(sql, reader, { ...asked, top: "widget" }),
      releasesForSome(sql, reader),
    ]);
    const own = targeted.filter(
      ({ tags, details }) =>
        isInAudience(readDetails(details).audience, identity.attributes) &&
        (asked.tags === null || tags.some((key) => asked.tags!.includes(key))),
    );
    const all = [...releases, ...own].toSorted((a, b) => +isFirst(b, now) - +isFirst(a, now) || +b.published_at - +a.published_at);
    const data = await widgetData(identified, asked, all.slice(0, asked.size), own);
    for (const post of [...data.posts, ...data.placed]) {
      const release = own.find(({ id }) => id === post.id);
      if (release === undefined) continue;
      post.url = site.absolute("/releases"); // it has no page
      post.content = (await panelOf(release, identified)).content;
    }
    return { text: JSON.stringify({ ...data, seen_up_to: identity.seen_up_to }), headers };
  },
};

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text));

const isFirst = ({ details }: Release, now: Date): boolean => isPinned(readDetails(details), now);

async function panelOf(row: Release, { workspace, site, query, contents }: Reading): Promise<WidgetPost> {
  const language = languageOf(inLocale(workspace, query.get("locale")));
  return withDetails(JSON.parse(await contents.one(workspace.reader, row, asPanel(site.origin, language))) as WidgetPost, row, language);
}

type Write = (release: Release, reading: Reading) => RenderedBody | Promise<RenderedBody>;
type RenderedBody = string | Bytes | null;

/** Former slugs and capitals redirect to the current slug. */
const release = (ending: string, write: Write): Resource["read"] => {
  const isCopy = ending === ".md" || ending === ".json";
  return async (reading) => {
    const slug = slugIn(reading.path, `/releases/{slug}${ending}`);
    const row = await getRelease(reading.sql, reading.workspace.reader, slug);
    if (row === undefined) return null;
    const present = row.moved_to ?? row.slug;
    if (present !== slug) return { moved: reading.site.path(`/releases/${present}${ending}`) };
    const text = await write(row, reading);
    if (text === null) return null;
    const ofPage = (): Record<string, string> => (ending === "" ? markdownLinks(reading.site, `/releases/${slug}`) : {});
    const headers = isCopy ? canonicalLink(reading.site.absolute(`/releases/${slug}`)) : ofPage();
    return { text, post: row.id, headers };
  };
};

const page: Write = async (row, reading) => {
  const { sql, contents, workspace } = reading;
  const [neighbours, tags, html] = await Promise.all([
    neighboursOf(sql, workspace.reader, row.id),
    releaseTags(sql, workspace),
    contents.one(workspace.reader, row, asPage(languageOf(workspace))),
  ]);
  const [pictured] = await withPictures(reading, [row]);
  return renderPage(
    <ReleasePage {...reading} release={row} image={pictured?.image ?? null} html={html} neighbours={neighbours} tags={tags} />,
  );
};

async function picture({ sql, pictures, workspace }: Reading, post: string | null): Promise<Bytes | null> {
  const path = await linkPicturePath(sql, workspace.reader, post);
  return path === null ? null : await pictures.read(path);
}

const releaseJson: Write = async (row, reading) => {
  const { contents, workspace, site } = reading;
  const html = await contents.one(workspace.reader, row, asHtml(site.origin, languageOf(workspace)));
  const [pictured = { release: row, image: null }] = await withPictures(reading, [row]);
  const text = await contents.one(workspace.reader, row, asText);
  return JSON.stringify(presentRelease(workspace, site, pictured, { html, text }));
};

const releaseMarkdown: Write = async (row, { contents, workspace, site }) =>
  markdown(row, await contents.one(workspace.reader, row, asMarkdown(site.origin)), languageOf(workspace));

const releasePanel: Write = async (row, reading) => JSON.stringify(await panelOf(row, reading));

const workspacePicture: Resource["read"] = async (reading) => {
  const text = await picture(reading, null);
  return text === null ? null : { text };
};

/** Own storage only, so readers never contact another origin. */
function storedIcon({ logo_url, appearance }: PublicWorkspace): string | null {
  const url = safeImageUrl(appearance.favicon_url ?? logo_url ?? "");
  return url?.startsWith("/") ? url : null;
}

/** An address that readers and feed readers try first. */
const alias = (path: string): Resource => ({
  ...{ type: types.text, open: true, forHosts: true },
  read: ({ site }) => ({ moved: site.path(path) }),
});

/** The first match wins. Our names contain a dot, so slugs don't collide, except that a post called "widget" has no .json. */
export const resources: Record<string, Resource> = {
  "/releases": listPage,
  "/releases.json": listJson,
  "/releases.md": listMarkdown,
  "/releases.feed.json": feed(types.feed, asHtml, jsonFeed),
  "/releases/rss.xml": feed(types.rss, asXml, rss),
  "/releases/atom.xml": feed(types.atom, asXml, atom),
  "/releases.png": { type: types.png, unkept: true, read: workspacePicture },
  "/releases/icon.svg": { type: types.svg, read: ({ workspace }) => ({ text: icon(workspace) }) },
  "/releases/widget.json": widgetJson,
  "/releases/llms.txt": llmsTxt,
  "/releases/compare/{versions}": comparePage,
  "/releases/{slug}": { type: types.html, hasMarkdown: true, read: release("", page) },
  "/releases/{slug}.widget.json": {
    ...{ type: types.json, crossOrigin: true, parameters: ["locale"] },
    read: release(".widget.json", releasePanel),
  },
  "/releases/{slug}.json": { type: types.json, open: true, read: release(".json", releaseJson) },
  "/releases/{slug}.md": { type: types.markdown, open: true, unindexed: true, read: release(".md", releaseMarkdown) },
  "/releases/{slug}.png": { type: types.png, unkept: true, read: release(".png", (found, reading) => picture(reading, found.id)) },
  "/favicon.ico": { type: types.svg, read: ({ workspace, site }) => ({ moved: storedIcon(workspace) ?? site.path("/releases/icon.svg") }) },
  "/robots.txt": { type: types.text, read: ({ site, workspace }) => ({ text: robots(site, workspace.access) }) },
  "/feed": alias("/releases/rss.xml"),
  "/rss.xml": alias("/releases/rss.xml"),
  "/feed.xml": alias("/releases/rss.xml"),
  "/atom.xml": alias("/releases/atom.xml"),
  "/feed.json": alias("/releases.feed.json"),
  "/llms.txt": llmsTxt,
  "/sitemap.xml": {
    type: types.xml,
    forHosts: true,
    read: async ({ sql, workspace, site }) =>
      workspace.access === "public" ? { text: sitemap(site, await releaseAddresses(sql, workspace.reader)) } : null,
  },
};

/** False for paths that another product may have had at this host. */
export const isOurPath = (path: string): boolean => /^\/releases/i.test(path) || Object.hasOwn(resources, path);
