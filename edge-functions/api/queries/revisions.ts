import type { PostStatus } from "#contract/limits.ts";
import type { Database } from "../../_shared/clients.ts";
import { AppError } from "../../_shared/errors.ts";
import type { PostRow } from "./posts.ts";
import { rows } from "./result.ts";

export interface RevisionSummaryRow {
  version: number;
  title: string;
  status: PostStatus;
  tags: string[];
  author_id: string | null;
  author_name: string | null;
  created_at: string;
}

export interface RevisionRow extends RevisionSummaryRow {
  content_raw: unknown;
}

const summaryColumns = "version, title, status, tags, author_id, author_name, created_at";

/** The latest versions of a post, newest first; every post has one, so none at all means that there is no such post for the caller. */
export async function listRevisions(db: Database, postId: string): Promise<RevisionSummaryRow[]> {
  const list = db.from("post_revisions").select(summaryColumns).eq("post_id", postId);
  const revisions = await rows<RevisionSummaryRow[]>(list.order("version", { ascending: false }).limit(500));
  if (revisions.length === 0) throw new AppError("not_found");
  return revisions;
}

export function findRevision(db: Database, postId: string, version: number): Promise<RevisionRow> {
  const one = db.from("post_revisions").select(`${summaryColumns}, content_raw`).eq("post_id", postId).eq("version", version);
  return rows<RevisionRow>(one.single());
}

/** Makes an earlier version's title, tags and content the newest; stale when the post is past `expected`. */
export function restoreRevision(db: Database, postId: string, version: number, expected: number | undefined): Promise<PostRow> {
  return rows<PostRow>(db.rpc("restore_revision", { post_id: postId, version, expected_version: expected ?? null }));
}
