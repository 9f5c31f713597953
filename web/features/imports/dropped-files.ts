import type { ReadRequest } from "./read-protocol.ts";

export type ChosenFile = ReadRequest["files"][number];

/** Files that were chosen, by their path where they lie in a folder. */
export const chosenFiles = (files: Iterable<File>): ChosenFile[] =>
  [...files].map((file) => ({ name: file.webkitRelativePath || file.name, content: file }));

/** More lie in no folder of posts; the reader says so. */
const mostFiles = 10_000;

/** What was dropped: files, and all that lies in folders, by their paths. Hidden files stay behind. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<ChosenFile[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry !== null && entry !== undefined);
  if (!entries.some(({ isDirectory }) => isDirectory)) return chosenFiles(files);
  const found: ChosenFile[] = [];
  for (const entry of entries) await collect(entry, found);
  return found;
}

async function collect(entry: FileSystemEntry, found: ChosenFile[]): Promise<void> {
  if (entry.name.startsWith(".") || found.length > mostFiles) return;
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    found.push({ name: entry.fullPath.replace(/^\//, ""), content: file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject)); // a hundred at a time
    if (some.length === 0) return;
    for (const one of some) await collect(one, found);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
