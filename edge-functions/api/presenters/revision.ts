import { cleanBlocks } from "#contract/blocks/clean.ts";
import { blocksToHtml } from "#contract/blocks/to-html.ts";
import type { Revision, RevisionSummary } from "#contract/revisions.ts";
import type { RevisionRow, RevisionSummaryRow } from "../queries/revisions.ts";
import { iso } from "./time.ts";

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
export function presentRevision(row: RevisionRow): Revision {
  const content = cleanBlocks(row.content_raw);
  return { ...presentRevisionSummary(row), content_raw: JSON.stringify(content), content_md: blocksToHtml(content) };
}
