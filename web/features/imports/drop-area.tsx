import { type DragEvent, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { Text } from "../../ui/layout.tsx";
import { classNames } from "../../lib/class-names.ts";
import type { ReadRequest } from "#importers/read-source.ts";
import css from "./imports.module.css";

const accepted = ".md,.markdown,.mdx,.txt,.json,.jsonl,.ndjson,.xml,.rss,.atom,.csv,.zip,.html,.htm,image/*";

interface DropAreaProps {
  onFiles: (files: ChosenFile[]) => void;
  onUnreadable: () => void;
}

/** File input that also accepts dropped files and folders. */
export function DropArea({ onFiles, onUnreadable }: DropAreaProps) {
  const [over, setOver] = useState(false);

  async function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    try {
      const files = await droppedFiles(event.dataTransfer);
      if (files.length > 0) onFiles(files);
    } catch {
      onUnreadable();
    }
  }

  return (
    <label className={classNames(css.drop, over && css.over)}>
      <Text as="span" tone="accent">
        <Icon name="cloud-upload" large />
      </Text>
      <Text as="span" tone="accent" strong>
        Choose files or drop files and folders here
      </Text>
      <Text as="span" size="small" tone="muted" className={css.kinds}>
        CHANGELOG.md, GitHub releases as JSON, feeds, WordPress exports, Markdown (files or a zip, also from Notion), exports from Tidings,
        Ghost or Quackback, JSON from Beamer, AnnounceKit, Canny or LaunchNotes, saved Headway pages, CSV with titles and texts
      </Text>
      <input
        type="file"
        multiple
        accept={accepted}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => void drop(event)}
        onChange={({ target }) => {
          const files = chosenFiles(target.files ?? []);
          target.value = ""; // lets the same file be chosen again
          if (files.length > 0) onFiles(files);
        }}
      />
    </label>
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
