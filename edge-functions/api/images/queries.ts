import type { ImageExtension } from "#contract/rules/image-type.ts";
import type { Database } from "../../_shared/clients.ts";
import { AppError } from "../../_shared/errors.ts";
import { findProfile } from "../profiles/queries.ts";
import { stored } from "../result.ts";
import { requireRole } from "../workspaces/queries.ts";

export interface ImageFile {
  bytes: Uint8Array;
  extension: ImageExtension;
  contentType: string;
  /** Pixels. */
  size: { width: number; height: number };
}

/**
 * Stores an image under a name nobody can guess, in the folder of its person or workspace; the bucket's policies decide.
 * Returns its address below the product's origin.
 */
async function storeImage(db: Database, bucket: string, folder: string, image: ImageFile): Promise<string> {
  const path = `${folder}/${crypto.randomUUID()}.${image.extension}`;
  await stored(db.storage.from(bucket).upload(path, image.bytes, { contentType: image.contentType, cacheControl: "31536000" }));
  return `/storage/v1/object/public/${bucket}/${path}`;
}

export async function storeAvatar(db: Database, userId: string, image: ImageFile): Promise<string> {
  try {
    return await storeImage(db, "avatars", userId, image);
  } catch (error) {
    if (error instanceof AppError && error.code === "forbidden") await findProfile(db, userId); // refused to a session that has ended
    throw error;
  }
}

export async function storeWorkspaceImage(
  db: Database,
  bucket: "logos" | "post-images",
  workspaceId: string,
  image: ImageFile,
): Promise<string> {
  try {
    return await storeImage(db, bucket, workspaceId, image);
  } catch (error) {
    if (error instanceof AppError && error.code === "forbidden") await requireRole(db, workspaceId); // strangers learn of no workspace
    throw error;
  }
}
