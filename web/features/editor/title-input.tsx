import type { KeyboardEvent } from "react";
import { titleMaxLength } from "#contract/limits.ts";
import { Text } from "../../ui/layout.tsx";
import css from "./editor.module.css";

interface TitleInputProps {
  value: string;
  readOnly: boolean;
  autoFocus: boolean;
  onChange(title: string): void;
  onLeave(): void;
}

const counterFrom = 20; // characters left

export function TitleInput({ value, readOnly, autoFocus, onChange, onLeave }: TitleInputProps) {
  const left = titleMaxLength - value.length;
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const atEnd = event.currentTarget.selectionStart === value.length;
    if (event.nativeEvent.isComposing || !(event.key === "Enter" || (event.key === "ArrowDown" && atEnd))) return;
    event.preventDefault();
    onLeave();
  };
  return (
    <div>
      <textarea
        className={css.title}
        data-writing-field
        dir="auto"
        aria-label="Title"
        aria-describedby="title-left"
        placeholder="Title"
        rows={1}
        maxLength={titleMaxLength}
        value={value}
        readOnly={readOnly}
        autoFocus={autoFocus}
        onChange={(event) => onChange(event.target.value.replace(/\s*\n\s*/g, " "))}
        onKeyDown={onKeyDown}
      />
      <Text id="title-left" size="small" tone="muted" style={{ textAlign: "end" }} aria-live="polite">
        {left <= counterFrom && !readOnly && `${left} ${left === 1 ? "character" : "characters"} left`}
      </Text>
    </div>
  );
}
