import { type DragEvent, useState } from "react";
import { Icon } from "../../components/icon.tsx";
import { classNames } from "../../lib/class-names.ts";
import type { ReadRequest } from "#importers/read-source.ts";
import css from "./choose-step.module.css";

const accepted = ".md,.markdown,.mdx,.txt,.json,.jsonl,.ndjson,.xml,.rss,.atom,.csv,.zip,.html,.htm,image/*";

interface DropAreaProps {
  onFiles: (files: ChosenFile[]) => void;
  /** What was dropped could not be opened. */
  onUnreadable: () => void;
}

/** One place for every file that posts come in: to press, or to drop on. */
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
      <Icon name="cloud-upload" className={css.icon} />
      <span className={css.chosen}>Choose files, or drop them or a folder here</span>
      <span className={css.kinds}>
        CHANGELOG.md, GitHub releases as JSON, a feed or WordPress export, Markdown (one file, many, a zip; Notion’s, too), an export of
        Tidings, Ghost or Quackback, JSON from Beamer, AnnounceKit, Canny or LaunchNotes, a saved Headway page, a CSV with titles and texts
      </span>
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
          target.value = ""; // the same file once more is a choice as well
          if (files.length > 0) onFiles(files);
        }}
      />
    </label>
  );
}

type ChosenFile = ReadRequest["files"][number];

/** Files that were chosen, by their path where they lie in a folder. */
const chosenFiles = (files: Iterable<File>): ChosenFile[] =>
  [...files].map((file) => ({ name: file.webkitRelativePath || file.name, content: file }));

/** More lie in no folder of posts; the reader says so. */
const mostFiles = 10_000;

/** What was dropped: files, and all that lies in folders, by their paths. Hidden files stay behind. */
async function droppedFiles({ items, files }: DataTransfer): Promise<ChosenFile[]> {
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
