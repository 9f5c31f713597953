import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { giveIds } from "#contract/blocks/give-ids.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import { keepBlocks } from "#contract/merge/keep-blocks.ts";
import { editorFormatVersion } from "#contract/limits.ts";
import { AppError } from "../../_shared/errors.ts";
import { requireContent } from "../posts/content.ts";
import { findPost, type PostRow } from "../posts/queries.ts";
import { readPlace } from "../public-place.ts";
import { blocksOfMarkdown } from "../v1/content.ts";
import { toolPostOf } from "./present.ts";
import type { ToolCall } from "./tool.ts";

/** A post as it was read: another version is refused with the present one, as a save would be. */
export async function postAt({ db }: ToolCall, id: string, version: number): Promise<PostRow> {
  const row = await findPost(db, id);
  if (row.version !== version) throw staleBy(row);
  return row;
}

export const staleBy = ({ version, updated_at, updated_by_name }: PostRow): AppError =>
  new AppError("version_conflict", { conflict: { version, updated_at, updated_by_name: updated_by_name ?? "" } });

export const shownPost = async (call: ToolCall, row: PostRow) => toolPostOf(call, row, await readPlace(call.db, call.key.workspaceId));

/** What a post has for content, cleaned, with an id for each block. */
export const contentOfRow = async ({ content_raw }: PostRow): Promise<CleanedContent> => giveIds(cleanBlocks(content_raw, unlimited));

/**
 * A post's content as it was written anew in Markdown. Blocks that nobody touched stay as they are, with their ids and with what Markdown does not
 * say: who has the post open meets only what was changed.
 */
export async function rewrittenContent(row: PostRow, markdown: string, publicUrl: string): Promise<CleanedContent> {
  const [present, written] = [await contentOfRow(row), await blocksOfMarkdown(markdown, publicUrl)];
  const { readAgain } = await import("#contract/blocks/read-again.ts");
  const blocks = keepBlocks(present.blocks, written, (block) => readAgain(block, publicUrl));
  return await requireContent({ time: present.time, version: editorFormatVersion, blocks }, "markdown");
}
