import { useId, useState, type FormEvent, type ReactNode } from "react";
import { tagMaxLength } from "#contract/limits.ts";
import { tagKey } from "#contract/rules/tag-key.ts";
import type { Tag, TagColour } from "#contract/tags.ts";
import { Button, type ButtonProps } from "../../../ui/button.tsx";
import { ButtonRow } from "../../../ui/button-row.tsx";
import { Input } from "../../../ui/input.tsx";
import { Stack, Text } from "../../../ui/layout.tsx";
import { ColourChoice } from "./colour-choice.tsx";
import { postCount } from "./tags.ts";

interface WorkProps {
  tag: Tag;
  posts: number;
  busy: boolean;
  onCancel(): void;
}

interface FormProps {
  children: ReactNode;
  verb: string;
  variant?: ButtonProps["variant"];
  busy: boolean;
  disabled?: boolean;
  onSubmit(): void;
  onCancel(): void;
}

function Form({ children, verb, variant = "primary", busy, disabled = false, onSubmit, onCancel }: FormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && !disabled) onSubmit();
  };
  return (
    <Stack as="form" gap={2} onSubmit={submit}>
      {children}
      <ButtonRow>
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" size="small" variant={variant} busy={busy} disabled={disabled}>
          {verb}
        </Button>
      </ButtonRow>
    </Stack>
  );
}

export function EditTag({
  tag,
  posts,
  others,
  busy,
  onSave,
  onMerge,
  onCancel,
}: WorkProps & { others: readonly Tag[]; onSave(body: { label: string; colour: TagColour }): void; onMerge(into: Tag): void }) {
  const id = useId();
  const [label, setLabel] = useState(tag.label);
  const [colour, setColour] = useState(tag.colour);
  const duplicate = others.find(({ key }) => tagKey(key) === tagKey(label));
  const unchanged = label.trim() === tag.label && colour === tag.colour;
  return (
    <Form
      verb={duplicate ? `Merge into ${duplicate.label}` : "Save"}
      busy={busy}
      disabled={label.trim() === "" || unchanged}
      onSubmit={() => (duplicate ? onMerge(duplicate) : onSave({ label: label.trim(), colour }))}
      onCancel={onCancel}
    >
      <Text as="label" strong htmlFor={id}>
        Name
      </Text>
      <Input id={id} value={label} maxLength={tagMaxLength} autoComplete="off" onChange={(event) => setLabel(event.target.value)} />
      {duplicate ? (
        <p role="status">
          A tag named {duplicate.label} already exists. {mergeSentence(tag, duplicate, posts)}
        </p>
      ) : (
        <ColourChoice value={colour} onChange={setColour} />
      )}
    </Form>
  );
}

export function MergeTag({
  tag,
  posts,
  others,
  isDefault,
  busy,
  onMerge,
  onCancel,
}: WorkProps & { others: readonly Tag[]; isDefault: boolean; onMerge(into: Tag): void }) {
  const id = useId();
  const [chosen, setChosen] = useState("");
  const into = others.find(({ key }) => key === chosen);
  return (
    <Form verb="Merge" busy={busy} disabled={!into} onSubmit={() => into && onMerge(into)} onCancel={onCancel}>
      <Text as="label" strong htmlFor={id}>
        Merge into
      </Text>
      <select id={id} value={chosen} onChange={(event) => setChosen(event.target.value)}>
        <option value="">Choose a tag</option>
        {others.map((other) => (
          <option key={other.key} value={other.key}>
            {other.label}
          </option>
        ))}
      </select>
      {into && <p role="status">{isDefault ? `${postCount(posts)} will get ${into.label} instead.` : mergeSentence(tag, into, posts)}</p>}
    </Form>
  );
}

function mergeSentence(tag: Tag, into: Tag, posts: number): string {
  const gone = `${tag.label} will be deleted. This can't be undone.`;
  return posts === 0 ? gone : `${postCount(posts)} will get ${into.label} instead of ${tag.label}. ${gone}`;
}

export function DeleteTag({ tag, posts, busy, onDelete, onCancel }: WorkProps & { onDelete(): void }) {
  return (
    <Form verb="Delete tag" variant="danger" busy={busy} onSubmit={onDelete} onCancel={onCancel}>
      <p>
        Delete <strong>{tag.label}</strong>? {posts === 0 ? "No posts have it." : `It will be removed from ${postCount(posts)}.`} This can't
        be undone.
      </p>
    </Form>
  );
}
