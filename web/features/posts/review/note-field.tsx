import { useId } from "react";
import { noteMaxLength } from "#contract/reviews.ts";
import { FieldFrame } from "../../../components/field-frame.tsx";
import css from "./review.module.css";

interface NoteFieldProps {
  label: string;
  placeholder?: string;
  value: string;
  /** What the server says is wrong with it. */
  error?: string;
  autoFocus?: boolean;
  onChange(value: string): void;
}

/** A few words beside a wish or a decision. What is too long stays, and says so. */
export function NoteField({ label, placeholder, value, error, autoFocus, onChange }: NoteFieldProps) {
  const id = useId();
  const problem = noteProblem(value) ?? error;
  return (
    <FieldFrame id={id} label={label} optional error={problem}>
      <textarea
        id={id}
        className={`p-inputtext p-component ${css.note}`}
        rows={3}
        dir="auto"
        placeholder={placeholder}
        data-pc-autofocus={autoFocus} // for PrimeReact's dialog
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={problem ? `${id}-error` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    </FieldFrame>
  );
}

export const noteProblem = (note: string): string | undefined =>
  note.trim().length > noteMaxLength
    ? `A note can have at most ${noteMaxLength.toLocaleString("en")} characters; this has ${note.trim().length.toLocaleString("en")}`
    : undefined;
