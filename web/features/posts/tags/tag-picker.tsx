import { useId, useRef, useState, type FormEvent } from "react";
import { tagMaxLength, tagsPerPost } from "#contract/limits.ts";
import { tagColours, type Tag, type TagColour } from "#contract/tags.ts";
import { Button } from "../../../components/button.tsx";
import { Input } from "../../../components/input.tsx";
import { isNewTagName } from "./tags.ts";
import { TagChip } from "./tag-chip.tsx";
import css from "./tag-picker.module.css";

interface TagPickerProps {
  choosable: readonly Tag[];
  chosen: readonly string[];
  onChange(tags: string[]): void;
  /** Says whether it was made. */
  onCreate(name: string, colour: TagColour): Promise<boolean>;
}

/** Ticks tags, and makes a new one with a name and a colour. Source: specification, section 3 ("Tag"). */
export function TagPicker({ choosable, chosen, onChange, onCreate }: TagPickerProps) {
  const full = chosen.length >= tagsPerPost;
  const toggle = (key: string) => onChange(chosen.includes(key) ? chosen.filter((other) => other !== key) : [...chosen, key]);
  return (
    <div className={css.picker}>
      <fieldset className={css.known}>
        <legend className="visually-hidden">Tags</legend>
        {choosable.map((tag) => (
          <label key={tag.key} className={css.option}>
            <input
              type="checkbox"
              checked={chosen.includes(tag.key)}
              disabled={full && !chosen.includes(tag.key)}
              onChange={() => toggle(tag.key)}
            />
            <TagChip tag={tag} />
          </label>
        ))}
      </fieldset>
      <NewTagForm onCreate={onCreate} disabled={full} />
    </div>
  );
}

const defaultColour: TagColour = "blue";

function NewTagForm({ onCreate, disabled }: { onCreate: TagPickerProps["onCreate"]; disabled: boolean }) {
  const id = useId();
  const [name, setName] = useState("");
  const [colour, setColour] = useState(defaultColour);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isNewTagName(name)) return;
    setBusy(true);
    const made = await onCreate(name, colour);
    setBusy(false);
    if (!made) return;
    setName("");
    setColour(defaultColour);
    field.current?.focus(); // the button takes nothing more
  };

  return (
    <form className={css.form} onSubmit={(event) => void submit(event)}>
      <label htmlFor={id}>New tag</label>
      <Input
        ref={field}
        id={id}
        value={name}
        maxLength={tagMaxLength}
        placeholder="Name"
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <fieldset className={css.colours}>
        <legend className="visually-hidden">Colour</legend>
        {tagColours.map((value) => (
          <label key={value} className={css.colour} title={value} style={{ color: `var(--tag-${value})` }}>
            <input type="radio" name={id} aria-label={value} checked={colour === value} onChange={() => setColour(value)} />
          </label>
        ))}
      </fieldset>
      <Button type="submit" size="small" icon="plus" busy={busy} disabled={!isNewTagName(name) || disabled}>
        Create tag
      </Button>
    </form>
  );
}
