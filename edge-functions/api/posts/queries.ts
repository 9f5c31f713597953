import type { EditorOutput } from "#contract/blocks/schema.ts";
import type { PostStatus } from "#contract/limits.ts";
import type { PostSort } from "#contract/rules/search-tokens.ts";
import type { Database } from "../../_shared/clients.ts";
import { rows } from "../result.ts";

export interface PostSummaryRow {
  id: string;
  workspace_id: string;
  title: string;
  slug: string;
  excerpt: string;
  status: PostStatus;
  tags: string[];
  publish_at: string | null;
  published_at: string | null;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
  created_by: string | null;
  created_by_name: string | null;
  author_name: string | null;
  version: number;
}

export interface PostRow extends PostSummaryRow {
  content_raw: unknown;
  author: { user_id: string; full_name: string; avatar_url: string | null } | null;
  public_changelog_enabled: boolean;
}

/** What a save changes; what is absent stays. */
export interface PostPatch {
  title?: string;
  content_raw?: EditorOutput;
  tags?: string[];
  publish_at?: string | null;
  status?: "draft" | "scheduled" | "published";
  slug?: string;
}

export function findPost(db: Database, id: string): Promise<PostRow> {
  return rows<PostRow>(db.rpc("read_post", { post_id: id }));
}

export function createPost(
  db: Database,
  workspaceId: string,
  post: PostPatch & { title: string; content_raw: EditorOutput },
  idempotencyKey: string | null,
): Promise<PostRow> {
  return rows<PostRow>(db.rpc("create_post", { workspace_id: workspaceId, ...post, idempotency_key: idempotencyKey }));
}

/** Saves at the version the caller read; without one the save wins over whatever is there. */
export function savePost(
  db: Database,
  id: string,
  patch: PostPatch,
  version: number | undefined,
  idempotencyKey: string | null = null,
): Promise<PostRow> {
  const call = { post_id: id, patch, expected_version: version ?? null, idempotency_key: idempotencyKey };
  return rows<PostRow>(db.rpc("save_post", call));
}

/** Back from the archive to draft. A post that is not archived is saved with no change, which still says who may do this. */
export async function restorePost(db: Database, id: string): Promise<PostRow> {
  const { status, version } = await findPost(db, id);
  return savePost(db, id, status === "archived" ? { status: "draft" } : {}, version);
}

export function archivePost(db: Database, id: string): Promise<PostSummaryRow> {
  return rows<PostSummaryRow>(db.rpc("archive_post", { post_id: id }));
}

/** Removes a post for good; the database queues the images that no other post shows (discarded-files.ts). */
export async function purgePost(db: Database, id: string): Promise<void> {
  await rows<string[]>(db.rpc("purge_post", { post_id: id }));
}

export async function currentVersion(db: Database, id: string): Promise<number> {
  return (await rows<{ version: number }>(db.from("posts").select("version").eq("id", id).single())).version;
}

export interface PageOf {
  status: "all" | PostStatus;
  page: number;
  limit: number;
  q?: string;
  owner?: string;
  sort?: PostSort;
}

/** Views of the last 30 days; null without the analytics add-on, undefined when they were not asked for. */
export type ListedPostRow = PostSummaryRow & { views?: number | null };

/** One page of a workspace's posts, and how many there are in all: last edited first, or what is looked for in the order it is asked for. */
export async function listPosts(
  db: Database,
  workspaceId: string,
  { status, page, limit, q, owner, sort }: PageOf,
): Promise<{ posts: ListedPostRow[]; total: number }> {
  if (q || owner || sort) {
    const search = { term: q ?? null, owner: owner ?? null, status, sort: sort ?? "recent_activity" };
    return rows(db.rpc("find_posts", { workspace_id: workspaceId, ...search, page, page_size: limit }));
  }
  const posts = await rows<(PostSummaryRow & { total: number })[]>(
    db.rpc("list_posts", { workspace_id: workspaceId, status, page, page_size: limit }),
  );
  if (posts[0] || page === 1) return { posts, total: posts[0]?.total ?? 0 };
  return { posts, total: await rows<number>(db.rpc("count_posts", { workspace_id: workspaceId, status })) }; // behind the last page
}

/** Those of some posts that there are, whatever their status. */
export function postsOf(db: Database, workspaceId: string, ids: readonly string[]): Promise<PostSummaryRow[]> {
  return rows<PostSummaryRow[]>(db.rpc("posts_of", { workspace_id: workspaceId, ids }));
}

export function searchPosts(db: Database, workspaceId: string, term: string, limit: number): Promise<PostSummaryRow[]> {
  const call = db.rpc("search_posts", { workspace_id: workspaceId, term, max_rows: limit });
  return rows<PostSummaryRow[]>(call);
}

/** Scheduled posts of one workspace, or of all the caller's, soonest first. */
export function upcomingPosts(db: Database, workspaceId: string | undefined): Promise<PostSummaryRow[]> {
  const call = db.rpc("upcoming_posts", { workspace_id: workspaceId ?? null });
  return rows<PostSummaryRow[]>(call);
}
