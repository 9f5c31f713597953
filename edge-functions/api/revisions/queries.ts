import type { RowOf } from "#contract/database.ts";
import { type RevisionSummary, revisionsPageSize } from "#contract/revisions.ts";
import type { Database } from "../../_shared/clients.ts";
import type { PostRow } from "../posts/queries.ts";
import { rows } from "../result.ts";

type RevisionRow = RowOf<"post_revisions">;
type RevisionSummaryRow = Pick<RevisionRow, keyof RevisionSummary>;

const summaryColumns = "version, title, summary, status, tags, author_id, author_name, created_at";

/** A page of a post's versions below `before`, newest first. Every post has the first one: without it there is no such post for the caller. */
export async function listRevisions(db: Database, postId: string, before: number = newest): Promise<RevisionSummaryRow[]> {
  const list = db.from("post_revisions").select(summaryColumns).eq("post_id", postId).lt("version", before);
  const revisions = await rows(list.order("version", { ascending: false }).limit(revisionsPageSize));
  if (revisions.length === 0) await findRevision(db, postId, 1);
  return revisions;
}

/** Above every version: the largest integer of Postgres. */
const newest = 2_147_483_647;

export function findRevision(
  db: Database,
  postId: string,
  version: number,
): Promise<RevisionSummaryRow & Pick<RevisionRow, "content_raw">> {
  const one = db.from("post_revisions").select(`${summaryColumns}, content_raw`).eq("post_id", postId).eq("version", version);
  return rows(one.single());
}

/** Makes an earlier version's title, tags and content the newest; stale when the post is past `expected`. */
export function restoreRevision(db: Database, postId: string, version: number, expected: number | undefined): Promise<PostRow> {
  return rows(db.rpc("restore_revision", { post_id: postId, version, expected_version: expected ?? null }));
}
