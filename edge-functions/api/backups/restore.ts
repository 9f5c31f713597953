import { type ImageExtension, imageExtension, imageTypes } from "#contract/rules/image-type.ts";
import type { Backups } from "../../_shared/backups.ts";
import { type Bucket, partBytes } from "./bucket.ts";
import { readCopy } from "./copy.ts";
import { DamagedCopy } from "./zip.ts";

/** What comes back, with how many rows a call of the database takes. Posts, their versions and templates come with their whole text. */
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

/** So often a restore says that it lives while it puts files back, which come last and may take long: after ten silent minutes it is removed. */
const aliveMs = 60_000;

/** A copy as it comes out of the bucket, a piece after the other: each is a request of its own, so none may hang for long. */
export async function* piecesOf(bucket: Bucket, key: string): AsyncGenerator<Uint8Array, void> {
  for (let from = 0, total = Infinity; from < total;) {
    const piece = await bucket.read(key, from);
    if (piece.bytes.length === 0 || piece.bytes.length > partBytes) throw new DamagedCopy("The copy breaks off");
    yield piece.bytes;
    from += piece.bytes.length;
    total = piece.total;
  }
}

/**
 * Puts a copy into a workspace that `begin` makes, once it is known to be a copy. The addresses of images become those of the new workspace; what comes
 * back and what does not is the database's matter. `owner`: who asks for it.
 */
export async function restoreCopy(
  backups: Backups,
  pieces: AsyncIterable<Uint8Array>,
  begin: (sourceId: string) => Promise<string>,
  opensSeal: (seal: string) => Promise<string | null>,
  owner: string,
): Promise<void> {
  let workspaceId = "";
  let said = Date.now();
  let atHome: (text: string) => string = (text) => text;
  const { manifest, ours } = await readCopy(
    pieces,
    {
      async begin(objects, sourceId) {
        workspaceId = await begin(sourceId);
        atHome = (text) =>
          text
            .replaceAll(`/storage/v1/object/public/post-images/${sourceId}/`, `/storage/v1/object/public/post-images/${workspaceId}/`)
            .replaceAll(`/storage/v1/object/public/logos/${sourceId}/`, `/storage/v1/object/public/logos/${workspaceId}/`);
        await backups.restoreObjects(workspaceId, JSON.parse(atHome(JSON.stringify(objects))) as object);
      },
      async rows(part, rows) {
        const most = parts[part];
        if (most === undefined) return;
        const moved = JSON.parse(atHome(JSON.stringify(rows))) as unknown[];
        for (let at = 0; at < moved.length; at += most) await backups.restoreRows(workspaceId, part, moved.slice(at, at + most));
      },
      async file(bucket, name, bytes) {
        const is: ImageExtension | null = imageExtension(bytes);
        if (is === null) throw new DamagedCopy("There is a picture in it that is none");
        if (Date.now() - said > aliveMs) {
          await backups.keepRestore(workspaceId);
          said = Date.now();
        }
        await backups.restoreFile(bucket, `${workspaceId}/${name}`, bytes, imageTypes[is]);
      },
    },
    opensSeal,
  );
  await backups.finishRestore(workspaceId, ours && manifest.owner === owner);
}
