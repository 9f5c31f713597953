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

export async function postAt({ db }: ToolCall, id: string, version: number): Promise<PostRow> {
  const row = await findPost(db, id);
  if (row.version !== version) throw staleBy(row);
  return row;
}

export const staleBy = ({ version, updated_at, updated_by_name }: PostRow): AppError =>
  new AppError("version_conflict", { conflict: { version, updated_at, updated_by_name: updated_by_name ?? "" } });

export const shownPost = async (call: ToolCall, row: PostRow) => toolPostOf(call, row, await readPlace(call.db, call.key.workspaceId));

export const contentOfRow = async ({ content_raw }: PostRow): Promise<CleanedContent> => giveIds(cleanBlocks(content_raw, unlimited));

/** Applies rewritten Markdown. Unchanged blocks keep ids and data, so people with the post open only get real changes. */
export async function rewrittenContent(row: PostRow, markdown: string, publicUrl: string): Promise<CleanedContent> {
  const [present, written] = [await contentOfRow(row), await blocksOfMarkdown(markdown, publicUrl)];
  const { readAgain } = await import("#contract/blocks/round-trip.ts");
  const blocks = keepBlocks(present.blocks, written, (block) => readAgain(block, publicUrl));
  return await requireContent({ time: present.time, version: editorFormatVersion, blocks }, "markdown");
}
