import { useId, useRef, useState, type FormEvent } from "react";
import { tagMaxLength } from "#contract/limits.ts";
import type { TagColour } from "#contract/tags.ts";
import { Button } from "../../../components/button.tsx";
import { Input } from "../../../components/input.tsx";
import { ColourChoice } from "./colour-choice.tsx";
import { isNewTagName } from "./tags.ts";
import css from "./tag-picker.module.css";

const defaultColour: TagColour = "blue";

interface NewTagFormProps {
  /** Says whether it was made. */
  onCreate(name: string, colour: TagColour): Promise<boolean>;
  /** What is written now; "" while it is being made. */
  onName?(name: string): void;
  disabled?: boolean;
}

/** A name and a colour. What is typed while a tag is being made is the next one's name, and stays. */
export function NewTagForm({ onCreate, onName, disabled = false }: NewTagFormProps) {
  const id = useId();
  const [name, setName] = useState("");
  const [colour, setColour] = useState(defaultColour);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  const write = (next: string) => {
    setName(next);
    onName?.(next);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || !isNewTagName(name)) return;
    setBusy(true);
    onName?.("");
    const made = await onCreate(name, colour);
    setBusy(false);
    if (!made) onName?.(field.current?.value ?? "");
    if (!made || field.current?.value !== name) return;
    write("");
    setColour(defaultColour);
    field.current.focus(); // the button takes nothing more
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
        onChange={(event) => write(event.target.value)}
      />
      <ColourChoice value={colour} onChange={setColour} />
      <Button type="submit" size="small" icon="plus" busy={busy} disabled={!isNewTagName(name) || disabled}>
        Create tag
      </Button>
    </form>
  );
}
