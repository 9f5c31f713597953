/** @jsxImportSource preact */
import { safeImageUrl } from "#contract/blocks/safe-url.ts";
import type { Bytes } from "../_shared/base64.ts";
import { asHtml, asMarkdown, asPage, asPanel, asText, asXml } from "./contents.ts";
import { languageOf } from "./language.ts";
import { listMarkdown, llmsTxt } from "./for-machines.ts";
import { feed, listJson, listPage, withPictures } from "./lists.tsx";
import { ReleasePage } from "./pages/release-page.tsx";
import { renderPage } from "./pages/render.tsx";
import { atom, jsonFeed, rss } from "./presenters/feeds.ts";
import { icon, robots, sitemap } from "./presenters/for-machines.ts";
import { canonicalLink, markdown, markdownLinks } from "./presenters/markdown.ts";
import { presentRelease } from "./presenters/release.ts";
import { presentWidgetData, settingsOf } from "./presenters/widget-data.ts";
import {
  getRelease,
  linkPicturePath,
  listReleases,
  neighboursOf,
  type PublicWorkspace,
  type Release,
  releaseAddresses,
  releaseTags,
} from "./queries/releases.ts";
import { type Reading, type Resource, types } from "./resource.ts";

const widgetJson: Resource = {
  type: types.json,
  crossOrigin: true,
  showsWidget: true,
  read: async (reading) => {
    const { sql, workspace, site } = reading;
    const { maxPosts: size, showImages } = settingsOf(workspace).contentSettings;
    const { releases } = await listReleases(sql, workspace.subdomain, { size });
    const shown = showImages ? await withPictures(reading, releases) : releases.map((release) => ({ release, image: null }));
    return { text: JSON.stringify(presentWidgetData(workspace, site, shown)) };
  },
};

/** Null: there is nothing. */
type Write = (release: Release, reading: Reading) => Made | Promise<Made>;
type Made = string | Bytes | null;

/** One release, written as its ending says; an older address or one with capital letters leads to the present one. */
const release = (slug: string, ending: string, write: Write): Resource["read"] => {
  const isCopy = ending === ".md" || ending === ".json";
  return async (reading) => {
    const found = await getRelease(reading.sql, reading.workspace.subdomain, slug);
    if (found === undefined) return null;
    const present = found.moved_to ?? found.slug;
    if (present !== slug) return { moved: reading.site.path(`/releases/${present}${ending}`) };
    const text = await write(found, reading);
    if (text === null) return null;
    const ofPage = (): Record<string, string> => (ending === "" ? markdownLinks(reading.site, `/releases/${slug}`) : {});
    const headers = isCopy ? canonicalLink(reading.site.absolute(`/releases/${slug}`)) : ofPage();
    return { text, post: found.id, headers };
  };
};

const page: Write = async (found, reading) => {
  const { sql, contents, workspace } = reading;
  const [neighbours, tags, html] = await Promise.all([
    neighboursOf(sql, workspace.subdomain, found.id),
    releaseTags(sql, workspace),
    contents.one(workspace.subdomain, found, asPage(languageOf(workspace))),
  ]);
  const [pictured] = await withPictures(reading, [found]);
  return renderPage(
    <ReleasePage {...reading} release={found} image={pictured?.image ?? null} html={html} neighbours={neighbours} tags={tags} />,
  );
};

/** The picture of a link to a release, or to the workspace's page. */
async function picture({ sql, pictures, workspace }: Reading, post: string | null): Promise<Bytes | null> {
  const path = await linkPicturePath(sql, workspace.subdomain, post);
  return path === null ? null : await pictures.read(path);
}

const endings: Record<string, { write: Write } & Omit<Resource, "read">> = {
  "": { type: types.html, hasMarkdown: true, write: page },
  ".json": {
    type: types.json,
    write: async (found, reading) => {
      const { contents, workspace, site } = reading;
      const html = await contents.one(workspace.subdomain, found, asHtml(site.origin, languageOf(workspace)));
      const [pictured = { release: found, image: null }] = await withPictures(reading, [found]);
      const text = await contents.one(workspace.subdomain, found, asText);
      return JSON.stringify(presentRelease(workspace, site, pictured, { html, text }));
    },
  },
  ".md": {
    type: types.markdown,
    unindexed: true,
    write: async (found, { contents, workspace, site }) =>
      markdown(found, await contents.one(workspace.subdomain, found, asMarkdown(site.origin))),
  },
  ".png": { type: types.png, unkept: true, write: (found, reading) => picture(reading, found.id) },
  ".widget.json": {
    type: types.json,
    crossOrigin: true,
    write: (found, { contents, workspace, site }) => contents.one(workspace.subdomain, found, asPanel(site.origin, languageOf(workspace))),
  },
};

/** The path of a workspace's small picture in our storage: nobody is sent to another origin. */
function storedIcon({ logo_url, appearance }: PublicWorkspace): string | null {
  const url = safeImageUrl(appearance.favicon_url ?? logo_url ?? "");
  return url?.startsWith("/") ? url : null;
}

const fixed: Record<string, Resource> = {
  "/releases": listPage,
  "/releases.json": listJson,
  "/releases.md": listMarkdown,
  "/releases.feed.json": feed(types.feed, asHtml, jsonFeed),
  "/releases/rss.xml": feed(types.rss, asXml, rss),
  "/releases/atom.xml": feed(types.atom, asXml, atom),
  "/releases.png": {
    type: types.png,
    unkept: true,
    read: async (reading) => {
      const text = await picture(reading, null);
      return text === null ? null : { text };
    },
  },
  "/releases/icon.svg": { type: types.svg, read: ({ workspace }) => ({ text: icon(workspace) }) },
  "/releases/widget.json": widgetJson,
  "/favicon.ico": {
    type: types.svg,
    read: ({ workspace, site }) => ({ moved: storedIcon(workspace) ?? site.path("/releases/icon.svg") }),
  },
  "/robots.txt": { type: types.text, read: ({ site }) => ({ text: robots(site) }) },
  "/llms.txt": llmsTxt,
  "/releases/llms.txt": llmsTxt,
  "/sitemap.xml": {
    type: types.xml,
    forHosts: true,
    read: async ({ sql, workspace, site }) => ({ text: sitemap(site, await releaseAddresses(sql, workspace.subdomain)) }),
  },
};

/** Whether a path is one of ours at all, or one that another product had at this host. */
export const isOurPath = (path: string): boolean => /^\/releases/i.test(path) || Object.hasOwn(fixed, path);

/**
 * What stands at a path; null: nothing. Names of ours contain a dot, so that no post's slug can be one of them;
 * only a post called "widget" has no .json of its own.
 */
export function resourceAt(path: string): Resource | null {
  if (Object.hasOwn(fixed, path)) return fixed[path] ?? null;
  const [, slug, ending = ""] = /^\/releases\/([a-z0-9-]{1,100})(\.json|\.md|\.png|\.widget\.json)?$/i.exec(path) ?? [];
  const found = slug === undefined ? undefined : endings[ending];
  if (slug === undefined || found === undefined) return null;
  const { write, ...rest } = found;
  return { ...rest, read: release(slug, ending, write) };
}
