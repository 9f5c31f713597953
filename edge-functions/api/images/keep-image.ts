import { markdownLine } from "#contract/blocks/inline-to-markdown.ts";
import { noteOf } from "#contract/blocks/to-markdown.ts";
import { imageMaxBytes } from "#contract/limits.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import { storeForKey } from "../../_shared/key-uploads.ts";
import { rows } from "../result.ts";
import { requireImage } from "./image-file.ts";

interface KeptImage {
  url: string;
  width: number;
  height: number;
  markdown: string;
}

export async function keepImage(
  { db, env, key }: { db: Database; env: Env; key: { workspaceId: string } },
  file: Uint8Array | undefined,
  alt = "",
): Promise<KeptImage> {
  await rows(db.rpc("require_writer", { workspace_id: key.workspaceId }));
  const image = requireImage(file, imageMaxBytes, "File size must be less than 5MB");
  const path = `${key.workspaceId}/${crypto.randomUUID()}.${image.extension}`;
  await storeForKey(env, path, image);
  const url = `${env.publicUrl}/storage/v1/object/public/post-images/${path}`;
  const markdown = `![${markdownLine(alt)}](${url})${noteOf({ file: image.size })}`;
  return { url, ...image.size, markdown };
}
