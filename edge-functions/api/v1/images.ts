import { imageMaxBytes } from "#contract/limits.ts";
import { v1ImageEndpoints } from "#contract/v1/images.ts";
import { storeForKey } from "../../_shared/files-of-keys.ts";
import type { Binder } from "../../_shared/handle.ts";
import { requireImage } from "../images/image-file.ts";
import { requireRole } from "../workspaces/queries.ts";

export function bindV1Images({ withKey }: Binder): void {
  withKey(v1ImageEndpoints.upload, async ({ db, key, file, env }) => {
    await requireRole(db, key.workspaceId, ["owner", "admin", "editor"]);
    const image = requireImage(file, imageMaxBytes, "File size must be less than 5MB");
    const path = `${key.workspaceId}/${crypto.randomUUID()}.${image.extension}`;
    await storeForKey(env, path, image);
    const url = `${env.publicUrl}/storage/v1/object/public/post-images/${path}`;
    return { image: { url, ...image.size, markdown: `![](${url})` } };
  });
}
