import { type DragEvent, useState } from "react";
import { Icon } from "../../components/icon.tsx";
import { classNames } from "../../lib/class-names.ts";
import { chosenFiles, type ChosenFile, droppedFiles } from "./dropped-files.ts";
import css from "./drop-area.module.css";

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
      <span className={css.muted}>
        CHANGELOG.md, GitHub releases as JSON, a feed, Markdown (one file, many, a zip; Notion’s, too), a Ghost or Quackback export, or one
        of Tidings’ own
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
