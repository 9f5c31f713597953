import { useId, useState } from "react";
import { noteMaxLength } from "#contract/reviews.ts";
import { FieldFrame } from "../../ui/field-frame.tsx";
import { ApiError } from "../../lib/api-client.ts";

interface NoteFieldProps {
  label: string;
  placeholder?: string;
  value: string;
  error?: string;
  autoFocus?: boolean;
  onChange(value: string): void;
}

export function NoteField({ label, placeholder, value, error, autoFocus, onChange }: NoteFieldProps) {
  const id = useId();
  const problem = noteProblem(value) ?? error;
  return (
    <FieldFrame id={id} label={label} optional error={problem}>
      <textarea
        id={id}
        className="p-inputtext p-component"
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
    ? `Notes can have up to ${noteMaxLength.toLocaleString("en")} characters. This one has ${note.trim().length.toLocaleString("en")}.`
    : undefined;

/**
 * A form with a note. `field`: props of the NoteField, with errors of the note; `failure`: any other error, until the note changes. Throws errors
 * other than ApiError. `onNote` is called on every change.
 */
export function useNoteForm(initial: string, act: (note: string) => Promise<void>, onNote?: (note: string) => void) {
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
  return { busy, submit, failure: error?.fields.note ? null : error, field: { value: note, error: error?.fields.note, onChange } };
}
