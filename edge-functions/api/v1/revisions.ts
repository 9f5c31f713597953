import { z } from "zod";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import { type V1ListedRevision, v1RevisionEndpoints } from "#contract/v1/revisions.ts";
import type { Binder } from "../../_shared/handle.ts";
import { json } from "../result.ts";
import { readCursor, writeCursor } from "./cursor.ts";

const endOfPiece = z.int().positive();

export function bindV1Revisions({ withKey }: Binder): void {
  withKey(v1RevisionEndpoints.list, async ({ db, params, query: { cursor, limit } }) => {
    const before = readCursor(cursor, endOfPiece) ?? null;
    const found = await json<V1ListedRevision[]>(db.rpc("post_versions", { post_id: params.id, before, size: limit + 1 }));
    const revisions = found.slice(0, limit);
    return { revisions, next_cursor: found.length > limit ? writeCursor(revisions.at(-1)!.version) : null };
  });

  withKey(v1RevisionEndpoints.read, async ({ db, env, params }) => {
    const args = { post_id: params.id, version: params.version };
    const { content_raw, ...row } = await json<V1ListedRevision & { content_raw: unknown }>(db.rpc("post_version", args));
    const content = cleanBlocks(content_raw);
    const markdown = blocksToMarkdown(content, { base: env.publicUrl, whole: true });
    return { revision: { ...row, markdown, blocks: content.blocks } };
  });
}
