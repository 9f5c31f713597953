import type { DragEvent } from "react";
import { FileDrop } from "../../ui/file-drop.tsx";
import type { ReadRequest } from "#importers/read-source.ts";

const accepted = ".md,.markdown,.mdx,.txt,.json,.jsonl,.ndjson,.xml,.rss,.atom,.csv,.zip,.html,.htm,image/*";

interface DropAreaProps {
  onFiles: (files: ChosenFile[]) => void;
  onUnreadable: () => void;
}

/** For files and folders. */
export function DropArea({ onFiles, onUnreadable }: DropAreaProps) {
  async function drop({ dataTransfer }: DragEvent) {
    try {
      const files = await droppedFiles(dataTransfer);
      if (files.length > 0) onFiles(files);
    } catch {
      onUnreadable();
    }
  }
  return (
    <FileDrop
      title="Choose files or drop files and folders here"
      text="CHANGELOG.md, GitHub releases as JSON, feeds, WordPress exports, Markdown (files or a zip, also from Notion), exports from Tidings, Ghost or Quackback, JSON from Beamer, AnnounceKit, Canny or LaunchNotes, saved Headway pages, CSV with titles and texts"
      accept={accepted}
      multiple
      onChoose={(files) => onFiles(chosenFiles(files))}
      onDrop={(event) => void drop(event)}
    />
  );
}

type ChosenFile = ReadRequest["files"][number];

/** Chosen files by path. */
const chosenFiles = (files: Iterable<File>): ChosenFile[] =>
  [...files].map((file) => ({ name: file.webkitRelativePath || file.name, content: file }));

/** Limit per drop; the reader reports it. */
const maxFiles = 10_000;

/** Dropped files, and files in folders by path; skips hidden files. */
async function droppedFiles({ items, files }: DataTransfer): Promise<ChosenFile[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry !== null && entry !== undefined);
  if (!entries.some(({ isDirectory }) => isDirectory)) return chosenFiles(files);
  const collected: ChosenFile[] = [];
  for (const entry of entries) await collect(entry, collected);
  return collected;
}

async function collect(entry: FileSystemEntry, files: ChosenFile[]): Promise<void> {
  if (entry.name.startsWith(".") || files.length > maxFiles) return;
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    files.push({ name: entry.fullPath.replace(/^\//, ""), content: file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject)); // returns up to 100
    if (some.length === 0) return;
    for (const one of some) await collect(one, files);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
