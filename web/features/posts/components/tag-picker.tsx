import { InputText } from "primereact/inputtext";
import { useId, useState, type FormEvent } from "react";
import { tagMaxLength, tagsPerPost } from "#contract/limits.ts";
import { Button } from "../../../components/button.tsx";
import { defaultTagColour, newTag, tagColours, type Tag, type TagColour } from "../model/tags.ts";
import { TagChip } from "./tag-chip.tsx";
import css from "./tag-picker.module.css";

interface TagPickerProps {
  known: readonly Tag[];
  chosen: readonly string[];
  onChange(tags: string[]): void;
  onCreate(tag: Tag): void;
}

/** Ticks tags, and makes a new one with a name and a colour. Source: specification, section 3 ("Tag"). */
export function TagPicker({ known, chosen, onChange, onCreate }: TagPickerProps) {
  const full = chosen.length >= tagsPerPost;
  const toggle = (key: string) => onChange(chosen.includes(key) ? chosen.filter((other) => other !== key) : [...chosen, key]);
  return (
    <div className={css.picker}>
      <fieldset className={css.known}>
        <legend className="visually-hidden">Tags</legend>
        {known.map((tag) => (
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

function NewTagForm({ onCreate, disabled }: { onCreate: (tag: Tag) => void; disabled: boolean }) {
  const id = useId();
  const [name, setName] = useState("");
  const [colour, setColour] = useState<TagColour>(defaultTagColour);
  const tag = newTag(name, colour);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!tag) return;
    onCreate(tag);
    setName("");
    setColour(defaultTagColour);
  };

  return (
    <form className={css.form} onSubmit={submit}>
      <label htmlFor={id}>New tag</label>
      <InputText
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
      <Button type="submit" size="small" icon="plus" disabled={!tag || disabled}>
        Create tag
      </Button>
    </form>
  );
}
