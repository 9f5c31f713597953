import { imageMaxBytes } from "#contract/limits.ts";
import type { DatabaseError } from "../../_shared/backend-errors.ts";
import type { Backups } from "../../_shared/backups.ts";
import { AppError } from "../../_shared/errors.ts";
import { requireImage } from "../images/image-file.ts";
import type { ImageFile } from "../images/queries.ts";
import { type Bucket, BucketRefusal, partBytes } from "./bucket.ts";
import { readCopy } from "./copy.ts";
import { isTooSlow } from "./minimum-speed.ts";
import { objectIn, rowsIn } from "./rows-in.ts";
import { DamagedCopy, longestCopy } from "./zip.ts";

const parts: Readonly<Record<string, number>> = {
  posts: 100,
  post_revisions: 200,
  post_slugs: 2_000,
  post_redirects: 1_000,
  imports: 1_000,
  import_entries: 1_000,
  tags: 1_000,
  former_tags: 1_000,
  templates: 100,
  comment_threads: 500,
  comments: 200,
  activities: 2_000,
  daily_counts: 2_000,
  subscribers: 1_000,
  suppressions: 1_000,
};

/** Heartbeat interval while restoring files; restores silent for ten minutes are removed. */
const aliveMs = 60_000;

/** Timeout; twice the slowest restore of the longest backup. */
const longestMs = 24 * 3_600_000;

/** Downloads in ranges, each with its own timeout, within the limits of size and speed. */
export async function* piecesOf(bucket: Pick<Bucket, "read">, key: string): AsyncGenerator<Uint8Array, void> {
  const began = Date.now();
  let waited = 0;
  for (let from = 0, total = Infinity; from < total;) {
    const startedAt = Date.now();
    const piece = await bucket.read(key, from);
    if (piece.bytes.length === 0 || piece.bytes.length > partBytes) throw new DamagedCopy("The backup is incomplete");
    from += piece.bytes.length;
    total = piece.total;
    waited += Date.now() - startedAt;
    if (Math.max(from, total) > longestCopy) throw new DamagedCopy("It's larger than any workspace backup");
    if (isTooSlow(from, waited)) throw new BucketRefusal("endpoint", "The service is too slow");
    if (Date.now() - began > longestMs) throw new DamagedCopy("Restoring this backup takes longer than a day");
    yield piece.bytes;
  }
}

export async function restoreCopy(
  backups: Backups,
  pieces: AsyncIterable<Uint8Array>,
  begin: (sourceId: string) => Promise<string>,
  opensSeal: (seal: string) => Promise<string | null>,
  owner: string,
): Promise<number> {
  let workspaceId = "";
  let leftOut = 0;
  let renewedAt = Date.now();
  let atHome: (text: string) => string = (text) => text;
  const { manifest, ours } = await readCopy(
    pieces,
    {
      async begin(document, sourceId) {
        workspaceId = await begin(sourceId);
        atHome = (text) =>
          text
            .replaceAll(`/storage/v1/object/public/post-images/${sourceId}/`, `/storage/v1/object/public/post-images/${workspaceId}/`)
            .replaceAll(`/storage/v1/object/public/logos/${sourceId}/`, `/storage/v1/object/public/logos/${workspaceId}/`);
        await backups.restoreObjects(workspaceId, objectIn(atHome(document)));
      },
      async rows(part, list) {
        const most = Object.hasOwn(parts, part) ? parts[part] : undefined;
        if (most === undefined) return;
        const rows = rowsIn(atHome(list));
        for (let at = 0; at < rows.length; at += most) await backups.restoreRows(workspaceId, part, rows.slice(at, at + most));
      },
      async file(bucket, name, bytes) {
        if (Date.now() - renewedAt > aliveMs) {
          await backups.keepRestore(workspaceId);
          renewedAt = Date.now();
        }
        const image = imageIn(bytes);
        if (image === null) leftOut += 1;
        else await backups.restoreFile(bucket, `${workspaceId}/${name}`, image.bytes, image.contentType);
      },
    },
    opensSeal,
  );
  await backups.finishRestore(workspaceId, ours && manifest.owner === owner);
  return leftOut;
}

function imageIn(bytes: Uint8Array): ImageFile | null {
  try {
    return requireImage(bytes, imageMaxBytes, "File size must be less than 5MB");
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** True if rows are rejected for good (constraint violations, invalid values) or exceed what this process can serialise. */
export function cannotBePutBack(error: unknown): boolean {
  if (error instanceof RangeError) return true;
  if (!(error instanceof AppError)) return false;
  if (error.code === "validation_failed" && error.details.fields === undefined) return true;
  const { code } = (error.details.cause ?? {}) as Partial<DatabaseError>;
  return /^2[123]/.test(code ?? "");
}
