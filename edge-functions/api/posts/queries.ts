import type { z } from "zod";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import type { RowOf } from "#contract/database.ts";
import type { PostStatus } from "#contract/kinds.ts";
import type { Author, createPostInput, updatePostInput } from "#contract/posts.ts";
import type { PostSort } from "#contract/rules/search-tokens.ts";
import type { Database } from "../../_shared/clients.ts";
import { AppError } from "../../_shared/errors.ts";
import { json, rows } from "../result.ts";
import { requireRole } from "../workspaces/queries.ts";

export type PostRow = RowOf<"post_details">;
type PostSummaryRow = RowOf<"post_summaries">;

type NewPost = Omit<z.output<typeof createPostInput>, "blocks" | "html" | "autosave"> & { content_raw: EditorOutput };
type PostPatch = Omit<
  z.output<typeof updatePostInput>,
  "version" | "status" | "content_raw" | "content_md" | "workspace_id" | "autosave"
> & {
  status?: PostStatus;
  content_raw?: EditorOutput;
};

export function findPost(db: Database, id: string): Promise<PostRow> {
  return rows(db.rpc("read_post", { post_id: id }));
}

export function createPost(db: Database, post: NewPost, idempotencyKey: string | null): Promise<PostRow> {
  return rows(db.rpc("create_post", { ...post, idempotency_key: idempotencyKey }));
}

export function autosaveNewPost(db: Database, post: NewPost, idempotencyKey: string | null): Promise<PostRow> {
  const { workspace_id, title, content_raw, tags, summary, cover_image, details, status, publish_at: at } = post;
  if ((status ?? "draft") !== "draft" || at)
    throw new AppError("validation_failed", { fields: { autosave: "Only drafts can be autosaved" } });
  const draft = { workspace_id, title, content_raw, tags, summary, cover_image, details };
  return rows(db.rpc("create_post", { ...draft, idempotency_key: idempotencyKey, autosaved: true }));
}

export function savePost(
  db: Database,
  id: string,
  patch: PostPatch,
  version: number | undefined,
  idempotencyKey: string | null = null,
): Promise<PostRow> {
  return rows(db.rpc("save_post", { post_id: id, patch, expected_version: version ?? null, idempotency_key: idempotencyKey }));
}

export function autosavePost(
  db: Database,
  id: string,
  patch: PostPatch,
  version: number | undefined,
  idempotencyKey: string | null,
): Promise<PostRow> {
  return rows(
    db.rpc("save_post", { post_id: id, patch, expected_version: version ?? null, idempotency_key: idempotencyKey, autosaved: true }),
  );
}

export function linkRequests(db: Database, id: string, { add, remove }: { add: string[]; remove: string[] }): Promise<PostRow> {
  return rows(db.rpc("link_requests", { post_id: id, added: add, removed: remove }));
}

export async function restorePost(db: Database, id: string): Promise<PostRow> {
  const { status, version } = await findPost(db, id);
  return savePost(db, id, status === "archived" ? { status: "draft" } : {}, version);
}

/** To the former status, or draft; `version` is the archived one. */
export function undoArchive(db: Database, id: string, version: number): Promise<PostRow> {
  return rows(db.rpc("undo_archive", { post_id: id, expected_version: version }));
}

export function archivePost(db: Database, id: string): Promise<PostRow> {
  return savePost(db, id, { status: "archived" }, undefined);
}

/** Unused images are queued for deletion (discarded-files.ts). */
export async function purgePost(db: Database, id: string): Promise<void> {
  await rows(db.rpc("purge_post", { post_id: id }));
}

export async function currentVersion(db: Database, id: string): Promise<number> {
  return (await rows(db.from("posts").select("version").eq("id", id).single())).version;
}

export interface PageOf {
  status: "all" | PostStatus;
  page: number;
  limit: number;
  q?: string;
  owner?: string;
  sort?: PostSort;
  tag?: string;
}

export type ListedPostRow = PostSummaryRow & { views?: number | null };

export async function listPosts(
  db: Database,
  workspaceId: string,
  { status, page, limit, q, owner, sort, tag }: PageOf,
): Promise<{ posts: ListedPostRow[]; total: number }> {
  const args = { workspace_id: workspaceId, status, page, page_size: limit };
  if (!q && !owner && !sort && !tag) return json(db.rpc("list_posts", args));
  return json(db.rpc("find_posts", { ...args, term: q ?? null, owner: owner ?? null, sort: sort ?? "recent_activity", tag: tag ?? null }));
}

export function postsOf(db: Database, workspaceId: string, ids: string[]): Promise<PostSummaryRow[]> {
  return rows(db.rpc("posts_of", { workspace_id: workspaceId, ids }));
}

export function searchPosts(db: Database, workspaceId: string, term: string, limit: number): Promise<PostSummaryRow[]> {
  return rows(db.rpc("search_posts", { workspace_id: workspaceId, term, max_rows: limit }));
}

export function upcomingPosts(db: Database, workspaceId: string | undefined): Promise<PostSummaryRow[]> {
  return rows(db.rpc("upcoming_posts", { workspace_id: workspaceId ?? null }));
}

export async function listAuthors(db: Database, workspaceId: string): Promise<Author[]> {
  const [members] = await Promise.all([
    rows(db.from("members").select("user_id, role").eq("workspace_id", workspaceId)),
    requireRole(db, workspaceId),
  ]);
  const ids = members.map(({ user_id }) => user_id);
  const people = await rows(db.from("profiles").select("user_id, full_name, avatar_url").in("user_id", ids));
  return people
    .map((person) => ({ ...person, role: members.find(({ user_id }) => user_id === person.user_id)!.role }))
    .toSorted((a, b) => Number(b.role === "owner") - Number(a.role === "owner") || a.full_name.localeCompare(b.full_name));
}
