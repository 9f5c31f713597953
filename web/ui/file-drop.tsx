import { type DragEvent, useState } from "react";
import { classNames } from "../lib/class-names.ts";
import { Icon } from "./icon.tsx";
import { Note, Text } from "./layout.tsx";
import css from "./field.module.css";

interface FileDropProps {
  title: string;
  text: string;
  accept: string;
  multiple?: boolean;
  onChoose: (files: FileList) => void;
  /** Instead of `onChoose` for dropped files, which may be folders. */
  onDrop?: (event: DragEvent) => void;
}

/** A file input as large as its text, which also takes dropped files. */
export function FileDrop({ title, text, onChoose, onDrop, ...input }: FileDropProps) {
  const [over, setOver] = useState(false);
  return (
    <label className={classNames(css.drop, over && css.over)}>
      <Text as="span" tone="accent">
        <Icon name="cloud-upload" large />
      </Text>
      <Text as="span" tone="accent" strong>
        {title}
      </Text>
      <Note as="span">{text}</Note>
      <input
        {...input}
        type="file"
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          if (onDrop) onDrop(event);
          else onChoose(event.dataTransfer.files);
        }}
        onChange={({ target }) => {
          if (target.files?.length) onChoose(target.files);
          target.value = ""; // lets the same file be chosen again
        }}
      />
    </label>
  );
}
