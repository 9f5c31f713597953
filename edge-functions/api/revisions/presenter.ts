import { cleaning } from "#contract/blocks/clean.ts";
import { htmlOfBlocks } from "#contract/blocks/to-html.ts";
import type { Revision, RevisionSummary } from "#contract/revisions.ts";
import { inTurns } from "../../_shared/in-turns.ts";
import type { RevisionRow, RevisionSummaryRow } from "./queries.ts";
import { iso } from "../time.ts";

export function presentRevisionSummary(row: RevisionSummaryRow): RevisionSummary {
  return {
    version: row.version,
    title: row.title,
    status: row.status,
    tags: row.tags,
    author_id: row.author_id,
    author_name: row.author_name,
    created_at: iso(row.created_at),
  };
}

/** Cleaned on the way out, as posts are. */
export async function presentRevision(row: RevisionRow): Promise<Revision> {
  const content = await inTurns(cleaning(row.content_raw));
  return { ...presentRevisionSummary(row), content_raw: JSON.stringify(content), content_md: await inTurns(htmlOfBlocks(content)) };
}
