import type { ImageExtension } from "#contract/rules/image-type.ts";
import { imageTypes } from "#contract/rules/image-type.ts";
import { type ImageAddresses, imagesIn, withImageAddresses } from "../_shared/image-addresses.ts";
import { readStoredFile } from "../_shared/stored-file.ts";
import type { Sql } from "./queries/database.ts";
import { refuse } from "./refuse.tsx";

/** Limit of the bucket (supabase/schemas/33-files.sql). */
const maxBytes = 5_242_880;

/** Text with expiring addresses of a private changelog's images; unchanged for others. `days`: the shortest validity. */
export async function sealImages(sql: Sql, workspaceId: string, text: string, days: number): Promise<string> {
  const files = imagesIn(text, workspaceId);
  if (files.length === 0) return text;
  const [row] = await sql<{ addresses: ImageAddresses | null }[]>`
    select private.image_addresses(${workspaceId}, ${files}, ${days}) as addresses`;
  return row?.addresses ? withImageAddresses(text, row.addresses) : text;
}

export async function answerImage(sql: Sql, storageUrl: string, token: string): Promise<Response> {
  const [row] = await sql<{ path: string | null }[]>`select private.image_path(${token}) as path`;
  const path = row?.path ?? null;
  const bytes = path && (await readStoredFile(`${storageUrl}/storage/v1/object/public/post-images/${path}`, maxBytes));
  if (!path || !bytes) return refuse("", "not_found", null);
  return new Response(bytes, {
    headers: {
      "content-type": imageTypes[path.slice(path.lastIndexOf(".") + 1) as ImageExtension],
      "content-length": String(bytes.byteLength),
      "cache-control": "private, max-age=86400, immutable",
      "cross-origin-resource-policy": "cross-origin",
      "x-robots-tag": "noindex",
    },
  });
}
