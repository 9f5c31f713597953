import { type KeyboardEvent, useRef, useState } from "react";
import { tagsPerPost } from "#contract/limits.ts";
import type { Tag, TagColour } from "#contract/tags.ts";
import { Button } from "../../../ui/button.tsx";
import checkbox from "../../../ui/field.module.css";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import { NewTagForm } from "./new-tag-form.tsx";
import { TagChip } from "./tag-chip.tsx";
import { tagsNamed } from "./tags.ts";
import css from "./tags.module.css";

interface TagPickerProps {
  choosable: readonly Tag[];
  chosen: readonly string[];
  onChange(tags: string[]): void;
  onCreate(name: string, colour: TagColour): Promise<boolean>;
  onManage(): void;
}

/** Chooses tags and creates new ones; the new name filters the list. Source: specification, section 3 ("Tag"). */
export function TagPicker({ choosable, chosen, onChange, onCreate, onManage }: TagPickerProps) {
  const full = chosen.length >= tagsPerPost;
  const toggle = (key: string) => onChange(chosen.includes(key) ? chosen.filter((other) => other !== key) : [...chosen, key]);
  const [name, setName] = useState("");
  const [height, setHeight] = useState<number>();
  const shown = tagsNamed(choosable, name);
  const picker = useRef<HTMLDivElement>(null);
  /** Typing on a checkbox moves the focus to the new tag's name; the browser inserts the letter there. */
  const typeName = (event: KeyboardEvent) => {
    if (isLetter(event)) picker.current?.querySelector<HTMLInputElement>("form input")?.focus();
  };
  const show = (next: string) => {
    if (name === "") setHeight(picker.current?.querySelector("fieldset")?.offsetHeight);
    setName(next);
  };
  return (
    <Stack ref={picker} gap={2} className={css.picker}>
      <fieldset className={css.options} style={{ minHeight: name === "" ? undefined : height }}>
        <legend className="visually-hidden">Tags</legend>
        {shown.map((tag) => (
          <Row as="label" choice key={tag.key} gap={3} nowrap style={{ paddingInline: "var(--space-1)" }}>
            <input
              type="checkbox"
              className={checkbox.box}
              checked={chosen.includes(tag.key)}
              disabled={full && !chosen.includes(tag.key)}
              onChange={() => toggle(tag.key)}
              onKeyDown={typeName}
            />
            <TagChip tag={tag} />
          </Row>
        ))}
        {shown.length === 0 && <Text tone="muted">No matching tags</Text>}
      </fieldset>
      <NewTagForm onCreate={onCreate} onName={show} disabled={full} />
      <Button variant="quiet" size="small" icon="tags" wide onClick={onManage}>
        Manage tags
      </Button>
    </Stack>
  );
}

/** Not a space, named key or shortcut; AltGr, which counts as Ctrl+Alt on Windows, types letters. */
const isLetter = (event: KeyboardEvent): boolean =>
  [...event.key].length === 1 &&
  event.key !== " " &&
  !event.metaKey &&
  (event.getModifierState("AltGraph") || (!event.ctrlKey && !event.altKey));
