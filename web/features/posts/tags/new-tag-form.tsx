import { useId, useRef, useState, type FormEvent } from "react";
import { tagMaxLength } from "#contract/limits.ts";
import type { TagColour } from "#contract/tags.ts";
import { Button } from "../../../ui/button.tsx";
import { Input } from "../../../ui/input.tsx";
import { Stack, Text } from "../../../ui/layout.tsx";
import { ColourChoice } from "./colour-choice.tsx";
import { isNewTagName } from "./tags.ts";
import css from "./tags.module.css";

const defaultColour: TagColour = "blue";

interface NewTagFormProps {
  onCreate(name: string, colour: TagColour): Promise<boolean>;
  onName?(name: string): void;
  disabled?: boolean;
}

/** Name and colour of a new tag. Text typed while a tag is being created stays. */
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
    const created = await onCreate(name, colour);
    setBusy(false);
    if (!created) onName?.(field.current?.value ?? "");
    if (!created || field.current?.value !== name) return;
    write("");
    setColour(defaultColour);
    field.current.focus(); // the button is disabled now
  };

  return (
    <Stack as="form" gap={2} className={css.form} onSubmit={(event) => void submit(event)}>
      <Text as="label" strong htmlFor={id}>
        New tag
      </Text>
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
    </Stack>
  );
}
