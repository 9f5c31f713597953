import { revisionEndpoints, type RevisionSummary, revisionsPageSize } from "#contract/revisions.ts";
import type { RowOf } from "#contract/database.ts";
import type { Binder } from "../_shared/handle.ts";
import { presentPost, presentText } from "./posts/presenter.ts";
import type { Database } from "../_shared/clients.ts";
import type { PostRow } from "./posts/queries.ts";
import { rows } from "./result.ts";

export function bindRevisions({ signedIn }: Binder): void {
  signedIn(revisionEndpoints.list, async ({ db, params, query }) => {
    return { revisions: await listRevisions(db, params.id, query.before) };
  });

  signedIn(revisionEndpoints.read, async ({ db, params }) => {
    return { revision: await presentText(await findRevision(db, params.id, params.version)) };
  });

  signedIn(revisionEndpoints.restore, async ({ db, params, body }) => {
    return { post: await presentPost(await restoreRevision(db, params.id, params.version, body?.version)) };
  });
}

type RevisionRow = RowOf<"post_revisions">;
type RevisionSummaryRow = Pick<RevisionRow, keyof RevisionSummary>;

const summaryColumns = "version, title, summary, status, tags, author_id, author_name, post_author_name, published_at, created_at";

/** Newest first, below `before`. Every post has a first version, so an empty first page means not_found. */
async function listRevisions(db: Database, postId: string, before: number = newest): Promise<RevisionSummaryRow[]> {
  const list = db.from("post_revisions").select(summaryColumns).eq("post_id", postId).lt("version", before);
  const revisions = await rows(list.order("version", { ascending: false }).limit(revisionsPageSize));
  if (revisions.length === 0) await findRevision(db, postId, 1);
  return revisions;
}

const newest = 2_147_483_647;

const findRevision = (db: Database, postId: string, version: number): Promise<RevisionRow> =>
  rows(db.from("post_revisions").select().eq("post_id", postId).eq("version", version).single());

function restoreRevision(db: Database, postId: string, version: number, expected: number | undefined): Promise<PostRow> {
  return rows(db.rpc("restore_revision", { post_id: postId, version, expected_version: expected ?? null }));
}
