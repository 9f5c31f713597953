import { type Adapter, type ImportEntry, ImportProblem, type ImportSource, type PreparedPost, type SourceFile } from "#importers/entry.ts";
import { cleanLineOf } from "#importers/external-id.ts";
import { type FileLinks, linksBetween } from "#importers/markdown/file-links.ts";
import { countLeftOut } from "#importers/left-out.ts";
import { importMaxEntries } from "#contract/limits.ts";
import { prepare } from "#importers/to-post.ts";
import type { ReadNews, ReadRequest } from "./read-protocol.ts";

type Tell = (news: ReadNews, moved?: Transferable[]) => void;

/** Which adapter reads what was chosen; throws an ImportProblem where none does. */
export type FindAdapter = (files: readonly SourceFile[], source: ImportSource | undefined) => Adapter;

/** Beyond this nothing is a changelog, and a browser's memory ends. */
const mostFiles = 5_000;
const mostBytes = 200_000_000;
/** What one message may carry, so that the page is at hand while it takes it: posts, and characters of them. */
const postsAtOnce = 25;
const lengthAtOnce = 200_000;
const picturesAtOnce = 20;

/** Reads what was chosen and makes posts of it, telling of each piece. Throws nothing but what is a fault of ours. */
export async function readSource(request: ReadRequest, find: FindAdapter, tell: Tell): Promise<void> {
  try {
    await read(request, find, tell);
  } catch (error) {
    if (!(error instanceof ImportProblem)) throw error;
    tell({ kind: "problem", problem: error.message });
  }
}

async function read(
  { files: chosen, source, address, now, workspace, page, share: { part, of } = { part: 0, of: 1 } }: ReadRequest,
  find: FindAdapter,
  tell: Tell,
): Promise<void> {
  const here = { now: new Date(now), workspace };
  const files = await bytesOf(chosen, tell);
  const found = find(files, source).read(files, { now: here.now, ...(address === undefined ? {} : { address }) });
  const [entries, repeated] = eachOnce(found.entries);
  if (entries.length > importMaxEntries) {
    throw new ImportProblem(
      `There are ${entries.length.toLocaleString("en-US")} posts in it, and one import takes ${importMaxEntries.toLocaleString("en-US")}. Please split it into several.`,
    );
  }
  const { source: readAs, name, isNamed, wantsAddress } = found;
  const notes = repeated === 0 ? found.notes : [...found.notes, repeatedWords(repeated)];
  const leftOut = [...found.leftOut, ...countLeftOut(repeated, "repeated entry", "repeated entries")];
  tell({ kind: "facts", source: readAs, name, isNamed, wantsAddress, notes, leftOut });

  const links: FileLinks = page === undefined ? new Map() : linksBetween(entries, page);
  let piece: PreparedPost[] = [];
  let length = 0;
  for (const [place, entry] of entries.filter((_, at) => at % of === part).entries()) {
    const post = await prepare(entry, { ...here, links });
    piece.push(post);
    length += JSON.stringify(post.post.blocks).length;
    if (piece.length < postsAtOnce && length < lengthAtOnce) continue;
    tell({ kind: "posts", posts: piece });
    tell({ kind: "progress", done: place + 1, of: entries.length });
    [piece, length] = [[], 0];
  }
  tell({ kind: "posts", posts: piece });

  const pictures = part === 0 ? [...found.images] : [];
  for (let from = 0; from < pictures.length; from += picturesAtOnce) {
    const some = pictures
      .slice(from, from + picturesAtOnce)
      .map(([path, bytes]): [string, Uint8Array<ArrayBuffer>] => [path, bytes.slice()]);
    tell(
      { kind: "pictures", pictures: some },
      some.map(([, { buffer }]) => buffer),
    );
  }
  tell({ kind: "end" });
}

async function bytesOf(chosen: ReadRequest["files"], tell: Tell): Promise<SourceFile[]> {
  if (chosen.length > mostFiles) {
    throw new ImportProblem(`These are more than ${mostFiles.toLocaleString("en-US")} files. Please choose those that hold posts.`);
  }
  if (chosen.reduce((sum, { content }) => sum + content.size, 0) > mostBytes) {
    throw new ImportProblem("This is more than 200 MB. Please leave out what holds no posts, or split it into several.");
  }
  const files: SourceFile[] = [];
  for (const { name, content } of chosen) {
    files.push({ name, bytes: await bytesOfOne(name, content) });
    if (files.length % 100 === 0) tell({ kind: "progress", done: 0, of: null }); // a large folder is no silence
  }
  return files;
}

async function bytesOfOne(name: string, content: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await content.arrayBuffer());
  } catch {
    throw new ImportProblem(`${name} could not be opened. It may have been moved or changed since you chose it.`);
  }
}

/** Entries by their names as they are kept, each once: the first counts. */
function eachOnce(entries: readonly ImportEntry[]): [ImportEntry[], number] {
  const names = new Set<string>();
  const once = entries.filter(({ external_id }) => {
    const name = cleanLineOf(external_id);
    return !names.has(name) && names.add(name);
  });
  return [once, entries.length - once.length];
}

const repeatedWords = (count: number): string =>
  count === 1
    ? "One entry has the same name as another: the first of them is taken."
    : `${count.toLocaleString("en-US")} entries have the same name as another: the first of each is taken.`;
