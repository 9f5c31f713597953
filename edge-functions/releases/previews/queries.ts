import { appearanceOfRow } from "#contract/appearance-choices.ts";
import type { Tag } from "#contract/tags.ts";
import type { Sql } from "../queries/database.ts";
import { type PublicWorkspace, type Release, seenByMembers } from "../queries/releases.ts";

export interface Shared {
  workspace: PublicWorkspace;
  release: Release;
  ownTags: Tag[];
  status: "draft" | "scheduled" | "published";
  isOpen: boolean;
  allowsComments: boolean;
}

export type PreviewLookup = { shared: Shared } | { movedTo: string } | { wait: number } | null;

export interface Limit {
  network: string;
  size: number;
  seconds: number;
}

type AppearanceRow = Parameters<typeof appearanceOfRow>[0];

interface Row extends Omit<Release, "imported"> {
  wait: number;
  moved_to: string | null;
  workspace: Pick<PublicWorkspace, "id" | "name" | "subdomain" | "origin" | "logo_url" | "mails" | "domain" | "settings"> & {
    appearance: AppearanceRow;
  };
  own_tags: Tag[];
  status: Shared["status"];
  is_open: boolean;
  allows_comments: boolean;
}

export async function findPreview(sql: Sql, subdomain: string, hash: string, { network, size, seconds }: Limit): Promise<PreviewLookup> {
  const [row] = await sql<Row[]>`
    select * from private.read_preview(${subdomain}, decode(${hash}, 'hex'), ${network}, ${size}, ${seconds})`;
  if (row === undefined) return null;
  if (row.wait > 0) return { wait: row.wait };
  if (row.moved_to !== null) return { movedTo: row.moved_to };
  const { workspace, own_tags: ownTags, status, is_open: isOpen, allows_comments: allowsComments, ...rest } = row;
  const { id, slug, title, excerpt, tags, author_name, published_at, updated_at, version, cover_image, details } = rest;
  return {
    shared: {
      workspace: {
        ...{ ...workspace, ...seenByMembers(workspace), appearance: appearanceOfRow(workspace.appearance) },
        ...{ allowed_origins: [], version_tag: "" },
      },
      release: { id, slug, title, excerpt, tags, author_name, published_at, updated_at, version, cover_image, details },
      ...{ ownTags, status, isOpen, allowsComments },
    },
  };
}

export async function hasPreviewLink(sql: Sql, subdomain: string): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`select private.has_preview_link(${subdomain}) as has`;
  return row!.has;
}

export async function previewContent(sql: Sql, hash: string): Promise<{ version: number; content_raw: unknown } | undefined> {
  const [row] = await sql<{ version: number; content_raw: unknown }[]>`select * from private.preview_content(decode(${hash}, 'hex'))`;
  return row;
}

export interface VisitorThread {
  id: string;
  block_id: string | null;
  comments: { name: string; visitor: boolean; text: string; created_at: string }[];
}

export async function visitorThreads(sql: Sql, hash: string): Promise<VisitorThread[]> {
  const [row] = await sql<{ threads: VisitorThread[] }[]>`select private.preview_link_threads(decode(${hash}, 'hex')) as threads`;
  return row?.threads ?? [];
}

/** `full`: comment limit reached; null: invalid link, or comments off. */
export type CommentOutcome = "said" | "full" | { wait: number } | null;

export async function addComment(
  sql: Sql,
  subdomain: string,
  hash: string,
  { name, text, block }: { name: string; text: string; block: string },
  { network, size, seconds }: Limit,
): Promise<CommentOutcome> {
  try {
    const [row] = await sql<{ wait: number }[]>`
      select wait from private.create_preview_comment(${subdomain}, decode(${hash}, 'hex'), ${name}, ${text}, ${block || null},
        ${network}, ${size}, ${seconds})`;
    return row && row.wait > 0 ? { wait: row.wait } : "said";
  } catch (thrown) {
    const { hint } = (thrown ?? {}) as { hint?: unknown };
    if (hint === "not_found") return null;
    if (hint === "validation_failed") return "full"; // name and text were validated before
    throw thrown;
  }
}
