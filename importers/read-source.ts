import { findAdapter } from "./detect.ts";
import { ImportProblem, type ImportSource, type PreparedPost, type ReadSource, type SourceFile } from "./entry.ts";
import { type FileLinks, linksBetween } from "./markdown/file-links.ts";
import { prepare } from "./to-post.ts";

export interface ReadRequest {
  /** Chosen files with paths, or responses of another product's server. */
  files: { name: string; content: Blob }[];
  /** Default: detected. */
  source?: ImportSource;
  address?: string;
  /** Images already stored in this workspace aren't copied again. */
  workspace: string;
  page?: string;
  /** ISO 8601; decides which dates are in the future. */
  now: string;
  /** Index `part` of `of` parallel readers: prepares every `of`th entry. The first also sends the images. */
  share?: { part: number; of: number };
}

export type ReadNews =
  | { kind: "progress"; done: number; of: number | null }
  | ({ kind: "facts" } & Pick<ReadSource, "source" | "name" | "isNamed" | "wantsAddress" | "notes" | "leftOut">)
  | { kind: "posts"; posts: PreparedPost[] }
  | { kind: "pictures"; pictures: [string, Uint8Array<ArrayBuffer>][] }
  | { kind: "problem"; problem: string }
  | { kind: "end" };

type Send = (news: ReadNews, transfer?: Transferable[]) => void;

const maxFiles = 5_000;
const maxBytes = 200_000_000;
const postsPerMessage = 25;
const lengthPerMessage = 200_000;
const imagesPerMessage = 20;

export async function readSource(request: ReadRequest, send: Send, find = findAdapter): Promise<void> {
  try {
    await read(request, send, find);
  } catch (error) {
    if (!(error instanceof ImportProblem)) throw error;
    send({ kind: "problem", problem: error.message });
  }
}

async function read(request: ReadRequest, send: Send, find: typeof findAdapter): Promise<void> {
  const { source: sourceName, address, page, workspace, share = { part: 0, of: 1 } } = request;
  const now = new Date(request.now);
  const files = await bytesOf(request.files, send);
  const { source, name, isNamed, wantsAddress, notes, leftOut, entries, images } = find(files, sourceName).read(files, {
    now,
    ...(address !== undefined && { address }),
  });
  send({ kind: "facts", source, name, isNamed, wantsAddress, notes, leftOut });

  const links: FileLinks = page === undefined ? new Map() : linksBetween(entries, page);
  let batch: PreparedPost[] = [];
  let length = 0;
  for (const [place, entry] of entries.filter((_, at) => at % share.of === share.part).entries()) {
    const post = await prepare(entry, { now, workspace, links });
    batch.push(post);
    length += JSON.stringify(post.post.blocks).length;
    if (batch.length < postsPerMessage && length < lengthPerMessage) continue;
    send({ kind: "posts", posts: batch });
    send({ kind: "progress", done: place + 1, of: entries.length });
    [batch, length] = [[], 0];
  }
  send({ kind: "posts", posts: batch });
  if (share.part === 0) sendImages([...images], send);
  send({ kind: "end" });
}

function sendImages(images: readonly [string, Uint8Array][], send: Send): void {
  for (let from = 0; from < images.length; from += imagesPerMessage) {
    const some = images
      .slice(from, from + imagesPerMessage)
      .map(([path, bytes]): [string, Uint8Array<ArrayBuffer>] => [path, bytes.slice()]);
    send(
      { kind: "pictures", pictures: some },
      some.map(([, { buffer }]) => buffer),
    );
  }
}

async function bytesOf(chosen: ReadRequest["files"], send: Send): Promise<SourceFile[]> {
  if (chosen.length > maxFiles) {
    throw new ImportProblem(`You chose more than ${maxFiles.toLocaleString("en-US")} files. Please choose only those with posts.`);
  }
  if (chosen.reduce((sum, { content }) => sum + content.size, 0) > maxBytes) {
    throw new ImportProblem("You chose more than 200 MB. Please remove files without posts, or import in several steps.");
  }
  const files: SourceFile[] = [];
  for (const { name, content } of chosen) {
    files.push({ name, bytes: await bytesOfOne(name, content) });
    if (files.length % 100 === 0) send({ kind: "progress", done: 0, of: null }); // heartbeat: the page stops a silent reader
  }
  return files;
}

async function bytesOfOne(name: string, content: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await content.arrayBuffer());
  } catch {
    throw new ImportProblem(`${name} can't be opened. It may have been moved or changed since you chose it.`);
  }
}
