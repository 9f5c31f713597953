import { cleaning } from "#contract/blocks/clean.ts";
import { htmlOfBlocks } from "#contract/blocks/to-html.ts";
import type { Revision } from "#contract/revisions.ts";
import { inTurns } from "../../_shared/in-turns.ts";
import type { findRevision } from "./queries.ts";

/** Cleaned on the way out, as posts are. */
export async function presentRevision(row: Awaited<ReturnType<typeof findRevision>>): Promise<Revision> {
  const content = await inTurns(cleaning(row.content_raw));
  return { ...row, content_raw: JSON.stringify(content), content_md: await inTurns(htmlOfBlocks(content)) };
}
