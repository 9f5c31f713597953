import { type Look, appearanceOfRow } from "#contract/appearance-choices.ts";
import { type Tag, type TagColour, tagOf } from "#contract/tags.ts";
import { defaultTagsIn } from "#contract/i18n/index.ts";
import type { Attributes } from "#contract/rules/audience.ts";
import type { Access } from "#contract/rules/reader-access.ts";
import type { Sql } from "./database.ts";
import { type Changes, changesIn, ofVersions, type VersionFilter } from "./versions.ts";

/** `version_tag` changes with everything readers can see. */
export interface PublicWorkspace {
  id: string;
  name: string;
  subdomain: string;
  origin: string | null;
  logo_url: string | null;
  allowed_origins: string[];
  settings: unknown;
  version_tag: string;
  mails: boolean;
  appearance: Look;
  domain: string | null;
  access: Access;
  /** With the reader's key: the argument of queries. */
  reader: string;
}

export interface Release {
  id: string;
  slug: string;
  title: string;
  excerpt: string;
  tags: string[];
  author_name: string | null;
  published_at: Date;
  updated_at: Date;
  version: number;
  cover_image: unknown;
  details: unknown;
  /** Imported; only in lists without a filter. */
  imported?: boolean;
}

export interface ReleaseList {
  releases: readonly Release[];
  page: number;
  size: number;
  pages: number;
  total: number;
  filter: Filter;
  /** Of all pages; only with a version. */
  changes?: Changes | undefined;
}

/** For previews inside the app, which ask no reader for access. */
export const seenByMembers = ({ subdomain }: { subdomain: string }): Pick<PublicWorkspace, "access" | "reader"> => ({
  access: "public",
  reader: subdomain,
});

/** Public version of a suspended workspace. */
export const suspended = "suspended";

/** Public version for readers without access. */
export const locked = "locked";

/** The present subdomain, if this is the public version of a former one. */
export const movedTo = (version: string | null): string | null => /^moved\/(.+)$/.exec(version ?? "")?.[1] ?? null;

export async function publicVersion(sql: Sql, reader: string): Promise<string | null> {
  const [row] = await sql<{ tag: string | null }[]>`select private.public_version(${reader}) as tag`;
  return row?.tag ?? null;
}

/** `anyway`: also for readers without access. */
export async function findWorkspace(sql: Sql, reader: string, anyway = false): Promise<PublicWorkspace | undefined> {
  const [row] = await sql<
    (Omit<PublicWorkspace, "appearance" | "reader"> & { appearance: Parameters<typeof appearanceOfRow>[0] })[]
  >`select * from private.find_workspace(${reader}, ${anyway})`;
  return row && { ...row, appearance: appearanceOfRow(row.appearance), reader };
}

export async function releaseContents(
  sql: Sql,
  reader: string,
  ids: readonly string[],
): Promise<{ id: string; version: number; content_raw: unknown }[]> {
  return await sql<{ id: string; version: number; content_raw: unknown }[]>`
    select * from private.release_contents(${reader}, ${ids as string[]})`;
}

export type Filter = { tag: string } | { term: string } | { month: string } | VersionFilter | null;

export async function listReleases(
  sql: Sql,
  reader: string,
  {
    page = 1,
    size,
    filter = null,
    top = null,
    tags = null,
  }: { page?: number; size: number; filter?: Filter; top?: "page" | "widget" | null; tags?: string[] | null },
): Promise<{ releases: Release[]; total: number; changes?: Changes }> {
  if (filter !== null && "since" in filter) {
    const found = ofVersions(await sql<Release[]>`select * from private.versioned_releases(${reader})`, filter);
    return { releases: found.slice((page - 1) * size, page * size), total: found.length, changes: changesIn(found) };
  }
  type Row = Release & { total: string };
  // Explicit columns, so content isn't read.
  const narrowed = (): Promise<Row[]> => {
    if (filter !== null && "term" in filter)
      return sql<Row[]>`
        select id, slug, title, excerpt, tags, author_name, published_at, updated_at, version, total, cover_image, details
        from private.search_releases(${reader}, ${filter.term}, ${page}, ${size})`;
    const tag = filter !== null && "tag" in filter ? filter.tag : null;
    const month = filter !== null && "month" in filter ? `${filter.month}-01` : null;
    return sql<Row[]>`
      select id, slug, title, excerpt, tags, author_name, published_at, updated_at, version, total, cover_image, imported, details
      from private.list_releases(${reader}, ${page}, ${size}, ${tag}, ${month}, ${top}, ${tags})`;
  };
  const rows = await narrowed();
  return { releases: rows, total: Number(rows[0]?.total ?? 0) };
}

interface Identity {
  attributes: Attributes;
  seen_up_to?: string | null;
}

/** Of a reader with a valid token. `reader` ends with the token. */
export async function identify(sql: Sql, reader: string): Promise<Identity | null> {
  const [row] = await sql<{ identity: Identity | null }[]>`select private.identify(${reader}) as identity`;
  return row?.identity ?? null;
}

export async function markSeen(sql: Sql, reader: string, upTo: string): Promise<void> {
  await sql`select private.mark_seen(${reader}, ${upTo}::text::timestamptz)`;
}

/** Posts that aren't for everyone, newest first, of which `reader` can see those whose audience they are in. */
export async function releasesForSome(sql: Sql, reader: string): Promise<Release[]> {
  return await sql<Release[]>`select * from private.releases_for_some(${reader})`;
}

/** Released posts that the widget shows outside its panel. */
export async function placedReleases(sql: Sql, reader: string, tags: string[] | null): Promise<Release[]> {
  return await sql<Release[]>`select * from private.placed_releases(${reader}, ${tags})`;
}

export async function releaseMonths(sql: Sql, reader: string): Promise<{ month: string; releases: number }[]> {
  return await sql<{ month: string; releases: number }[]>`select * from private.release_months(${reader})`;
}

export async function releaseTags(sql: Sql, { reader, appearance }: Pick<PublicWorkspace, "reader" | "appearance">): Promise<Tag[]> {
  const rows = await sql<{ key: string; label: string | null; colour: TagColour | null }[]>`
    select * from private.release_tags(${reader})`;
  const defaults = defaultTagsIn(appearance.locale);
  return rows.map(({ key, label, colour }) => (label === null || colour === null ? tagOf(key, defaults) : { key, label, colour }));
}

export interface Neighbours {
  older: { slug: string; title: string } | null;
  newer: { slug: string; title: string } | null;
}

export async function neighboursOf(sql: Sql, reader: string, id: string): Promise<Neighbours> {
  const [row] = await sql<Record<"older_slug" | "older_title" | "newer_slug" | "newer_title", string | null>[]>`
    select * from private.release_neighbours(${reader}, ${id})`;
  const link = (slug?: string | null, title?: string | null) => (slug && title ? { slug, title } : null);
  return { older: link(row?.older_slug, row?.older_title), newer: link(row?.newer_slug, row?.newer_title) };
}

export async function getRelease(sql: Sql, reader: string, slug: string): Promise<(Release & { moved_to: string | null }) | undefined> {
  const [row] = await sql<
    (Release & { moved_to: string | null })[]
  >`select id, slug, title, excerpt, tags, author_name, published_at, updated_at, version, moved_to, cover_image, details from private.get_release(${reader}, ${slug})`;
  return row;
}

/** Path in Storage; falls back to the workspace's image; null if neither is drawn. */
export async function linkPicturePath(sql: Sql, reader: string, post: string | null): Promise<string | null> {
  const [row] = await sql<{ path: string | null }[]>`select private.og_image_path(${reader}, ${post}) as path`;
  return row?.path ?? null;
}

export async function releaseAddresses(sql: Sql, reader: string): Promise<{ slug: string; updated_at: Date }[]> {
  return await sql<{ slug: string; updated_at: Date }[]>`select * from private.release_addresses(${reader})`;
}
