import { deflateSync, Zip, ZipPassThrough } from "fflate";
import { type Picture, fileNameOf, writtenPost } from "./post-file.ts";
import { PictureNames, type ReadPicture } from "./pictures.ts";
import { atPresent, type Exported } from "./posts.ts";

/** Limits of a zip without Zip64. Posts come first; skipped images are listed. */
const most = { entries: 65_000, bytes: 4_000_000_000 };

/** Compresses in one call: streams for ten thousand short files are slow. */
class Deflated extends ZipPassThrough {
  override compression = 8;
  protected override process(chunk: Uint8Array, final: boolean): void {
    this.ondata(null, deflateSync(chunk, { level: 1 }), final);
  }
}

function dated(at: string): Date {
  const date = new Date(at);
  const year = date.getUTCFullYear();
  return year > 1980 && year < 2099 ? date : new Date(Date.UTC(2000, 0, 1));
}

export interface Archived extends Exported {
  picture: ReadPicture;
  limits?: typeof most;
}

export async function* archived({ workspace, posts, picture, origin, now, limits = most }: Archived): AsyncGenerator<Uint8Array, void> {
  let ready: Uint8Array[] = [];
  let bytes = 0;
  let entries = 0;
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    bytes += chunk.length;
    ready.push(chunk);
  });
  const add = (file: ZipPassThrough, content: Uint8Array, at: string): void => {
    file.mtime = dated(at);
    zip.add(file);
    file.push(content, true);
    entries += 1;
  };
  function* chunks(): Generator<Uint8Array, void> {
    yield* ready;
    ready = [];
  }
  const hasRoomFor = (length: number): boolean => entries < limits.entries && bytes + length < limits.bytes;

  const names = new PictureNames();
  const missing: string[] = [];
  for await (const stored of posts) {
    const post = atPresent(stored, now);
    const files: { url: string; name: string }[] = [];
    const standsAt: Picture = (url) => {
      const fileName = names.nameOf(url);
      if (fileName?.isNew) files.push({ url, name: fileName.name });
      return fileName === null ? url : `../images/${fileName.name}`;
    };
    const text = new TextEncoder().encode(writtenPost(post, workspace.tags, standsAt));
    const file = fileNameOf(post);
    if (hasRoomFor(text.length)) add(new Deflated(`posts/${file}`), text, post.updated_at);
    else missing.push(`posts/${file}: over the limit of a zip. Export the workspace as JSON.`);
    yield* chunks();
    for (const { url, name } of files) {
      const content = await picture(url);
      if (content === null) missing.push(`images/${name}: not found at ${origin}${url}`);
      else if (!hasRoomFor(content.length)) missing.push(`images/${name}: over the limit of a zip. It's at ${origin}${url}`);
      else add(new ZipPassThrough(`images/${name}`), content, post.updated_at);
      yield* chunks();
    }
  }
  if (missing.length > 0) add(new Deflated("missing.txt"), new TextEncoder().encode(`${missing.join("\n")}\n`), now.toISOString());
  zip.end();
  yield* chunks();
}
