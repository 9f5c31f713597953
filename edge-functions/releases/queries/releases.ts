import { type Look, lookOf } from "#contract/appearance-choices.ts";
import { type Tag, type TagColour, tagOf } from "#contract/tags.ts";
import { defaultTagsIn } from "#contract/i18n/index.ts";
import type { Sql } from "./database.ts";

/** A workspace whose changelog is public. `version_tag` changes with everything a reader can see of it. */
export interface PublicWorkspace {
  id: string;
  name: string;
  subdomain: string;
  origin: string | null;
  logo_url: string | null;
  allowed_origins: string[];
  settings: unknown;
  version_tag: string;
  /** Whether readers can subscribe by mail. */
  mails: boolean;
  /** How it looks: complete, whatever is stored. */
  appearance: Look;
  /** Its own name, where readers are led to; null: none. */
  domain: string | null;
}

/** A release without its content, see ../contents.ts. */
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
  /** As stored: contract/covers.ts reads it. */
  cover_image: unknown;
  /** It was published elsewhere and came here by an import. Only lists without a filter tell. */
  imported?: boolean;
}

/** A page of the list that a filter asks for. */
export interface ReleaseList {
  releases: readonly Release[];
  page: number;
  /** How many releases a page has. */
  size: number;
  pages: number;
  total: number;
  filter: Filter;
}

/** The public version of a workspace that its operator suspended. */
export const suspended = "suspended";

/** What stands for all that a reader can see of a workspace; null when there is none or its changelog is not public. One look at one row. */
export async function publicVersion(sql: Sql, subdomain: string): Promise<string | null> {
  const [row] = await sql<{ tag: string | null }[]>`select private.public_version(${subdomain}) as tag`;
  return row?.tag ?? null;
}

/** The workspace behind a subdomain; undefined when there is none or its changelog is not public. */
export async function findWorkspace(sql: Sql, subdomain: string): Promise<PublicWorkspace | undefined> {
  const [row] = await sql<
    (Omit<PublicWorkspace, "appearance"> & { appearance: Parameters<typeof lookOf>[0] })[]
  >`select * from private.find_workspace(${subdomain})`;
  return row && { ...row, appearance: lookOf(row.appearance) };
}

/** The blocks of some releases as they are stored, in any order. */
export async function releaseContents(
  sql: Sql,
  subdomain: string,
  ids: readonly string[],
): Promise<{ id: string; version: number; content_raw: unknown }[]> {
  return await sql<{ id: string; version: number; content_raw: unknown }[]>`
    select * from private.release_contents(${subdomain}, ${ids as string[]})`;
}

/** What a list of releases is narrowed to. A month is written YYYY-MM and is one of UTC. */
export type Filter = { tag: string } | { term: string } | { month: string } | null;

/** One page of a workspace's releases, newest first, and the number of all that the filter lets through; none on a page behind the last. */
export async function listReleases(
  sql: Sql,
  subdomain: string,
  { page = 1, size, filter = null }: { page?: number; size: number; filter?: Filter },
): Promise<{ releases: Release[]; total: number }> {
  type Row = Release & { total: string };
  // Which columns are asked for is said each time: the content stays in the database.
  const narrowed = (): Promise<Row[]> => {
    if (filter === null || "tag" in filter)
      return sql<Row[]>`
        select id, slug, title, excerpt, tags, author_name, published_at, updated_at, version, total, cover_image, imported
        from private.list_releases(${subdomain}, ${page}, ${size}, ${filter?.tag ?? null})`;
    if ("term" in filter)
      return sql<Row[]>`
        select id, slug, title, excerpt, tags, author_name, published_at, updated_at, version, total, cover_image
        from private.search_releases(${subdomain}, ${filter.term}, ${page}, ${size})`;
    return sql<Row[]>`
      select id, slug, title, excerpt, tags, author_name, published_at, updated_at, version, total, cover_image
      from private.releases_of_month(${subdomain}, ${`${filter.month}-01`}, ${page}, ${size})`;
  };
  const rows = await narrowed();
  return { releases: rows, total: Number(rows[0]?.total ?? 0) };
}

/** The months that have releases, as YYYY-MM, latest first. */
export async function releaseMonths(sql: Sql, subdomain: string): Promise<{ month: string; releases: number }[]> {
  return await sql<{ month: string; releases: number }[]>`select * from private.release_months(${subdomain})`;
}

/** The tags that releases carry, by label; default ones in the workspace's language. */
export async function releaseTags(sql: Sql, { subdomain, appearance }: Pick<PublicWorkspace, "subdomain" | "appearance">): Promise<Tag[]> {
  const rows = await sql<{ key: string; label: string | null; colour: TagColour | null }[]>`
    select * from private.release_tags(${subdomain})`;
  const defaults = defaultTagsIn(appearance.locale);
  return rows.map(({ key, label, colour }) => (label === null || colour === null ? tagOf(key, defaults) : { key, label, colour }));
}

/** What was published right before and right after a release. */
export interface Neighbours {
  older: { slug: string; title: string } | null;
  newer: { slug: string; title: string } | null;
}

export async function neighboursOf(sql: Sql, subdomain: string, id: string): Promise<Neighbours> {
  const [row] = await sql<Record<"older_slug" | "older_title" | "newer_slug" | "newer_title", string | null>[]>`
    select * from private.release_neighbours(${subdomain}, ${id})`;
  const link = (slug?: string | null, title?: string | null) => (slug && title ? { slug, title } : null);
  return { older: link(row?.older_slug, row?.older_title), newer: link(row?.newer_slug, row?.newer_title) };
}

/** A release by its present or an older address; `moved_to` is the present one when it was an older. */
export async function getRelease(sql: Sql, subdomain: string, slug: string): Promise<(Release & { moved_to: string | null }) | undefined> {
  const [row] = await sql<
    (Release & { moved_to: string | null })[]
  >`select id, slug, title, excerpt, tags, author_name, published_at, updated_at, version, moved_to, cover_image from private.get_release(${subdomain}, ${slug})`;
  return row;
}

/** Where in Storage the picture of a link to a visible release lies, or the workspace's own; null: neither is there yet. */
export async function linkPicturePath(sql: Sql, subdomain: string, post: string | null): Promise<string | null> {
  const [row] = await sql<{ path: string | null }[]>`select private.link_picture(${subdomain}, ${post}) as path`;
  return row?.path ?? null;
}

/** Where all releases are and when they last changed, newest first, 50,000 at most. */
export async function releaseAddresses(sql: Sql, subdomain: string): Promise<{ slug: string; updated_at: Date }[]> {
  return await sql<{ slug: string; updated_at: Date }[]>`select * from private.release_addresses(${subdomain})`;
}
