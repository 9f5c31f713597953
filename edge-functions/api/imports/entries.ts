import type { CleanedContent } from "#contract/blocks/schema.ts";
import type { ImportedPost } from "#contract/imports.ts";
import { AppError } from "../../_shared/errors.ts";
import { requireContent } from "../posts/content.ts";

export type PreparedEntry = Omit<ImportedPost, "blocks" | "problem"> & ({ content_raw: CleanedContent } | { problem: string });

const foreign = "This post shows an image from another site";

export async function prepareEntries(entries: readonly ImportedPost[], workspaceId: string): Promise<PreparedEntry[]> {
  const folder = `/storage/v1/object/public/post-images/${workspaceId}/`;
  const prepared: PreparedEntry[] = [];
  for (const entry of entries) prepared.push(await prepare(entry, folder));
  return prepared;
}

async function prepare({ blocks, ...fields }: ImportedPost, folder: string): Promise<PreparedEntry> {
  if (fields.problem !== undefined) return { ...fields, problem: fields.problem };
  try {
    const content = await requireContent(blocks, "blocks", fields.status === "draft" || fields.status === "archived");
    if (showsForeign(content, fields.cover_image, folder)) return { ...fields, problem: foreign };
    return { ...fields, content_raw: content };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "validation_failed") throw error;
    return { ...fields, problem: Object.values(error.details.fields ?? {})[0] ?? error.message };
  }
}

/** True if an image isn't stored in this workspace: readers' browsers would contact another site. */
function showsForeign({ blocks }: CleanedContent, cover: ImportedPost["cover_image"], folder: string): boolean {
  if (typeof cover === "object" && cover !== null && !cover.url.startsWith(folder)) return true;
  return blocks.some((block) => block.type === "image" && !block.data.file.url.startsWith(folder));
}
