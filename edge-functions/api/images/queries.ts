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
  size: { width: number; height: number };
}

/** Random name in the person's or workspace's folder; bucket policies decide. Returns the path below the origin. */
async function storeImage(db: Database, bucket: string, folder: string, image: ImageFile): Promise<string> {
  const path = `${folder}/${crypto.randomUUID()}.${image.extension}`;
  await stored(db.storage.from(bucket).upload(path, image.bytes, { contentType: image.contentType, cacheControl: "31536000" }));
  return `/storage/v1/object/public/${bucket}/${path}`;
}

export async function storeAvatar(db: Database, userId: string, image: ImageFile): Promise<string> {
  try {
    return await storeImage(db, "avatars", userId, image);
  } catch (error) {
    if (error instanceof AppError && error.code === "forbidden") await findProfile(db, userId); // the session has ended
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
    if (error instanceof AppError && error.code === "forbidden") await requireRole(db, workspaceId); // hides workspaces from strangers
    throw error;
  }
}
