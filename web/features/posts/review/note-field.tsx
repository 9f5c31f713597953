import { useId, useState } from "react";
import { noteMaxLength } from "#contract/reviews.ts";
import { FieldFrame } from "../../../components/field-frame.tsx";
import { ApiError } from "../../../lib/api-client.ts";
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

const noteProblem = (note: string): string | undefined =>
  note.trim().length > noteMaxLength
    ? `A note can have at most ${noteMaxLength.toLocaleString("en")} characters; this has ${note.trim().length.toLocaleString("en")}`
    : undefined;

/**
 * Does something with a note beside it. `field` is for the NoteField, which says what is wrong with the note itself; `refused` is any other reason,
 * until the note is changed. Throws what is no ApiError. `onNote` hears of each change of the note.
 */
export function useNoted(initial: string, act: (note: string) => Promise<void>, onNote?: (note: string) => void) {
  const [note, setNote] = useState(initial);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit() {
    if (noteProblem(note) || busy) return;
    setBusy(true);
    setError(null);
    try {
      await act(note);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      setError(thrown);
    } finally {
      setBusy(false);
    }
  }
  const onChange = (next: string) => {
    setNote(next);
    setError(null);
    onNote?.(next);
  };
  return { busy, submit, refused: error?.fields.note ? null : error, field: { value: note, error: error?.fields.note, onChange } };
}
