import { type ReactNode, use, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { FormError } from "../../../components/form-error.tsx";
import type { ApiError } from "../../../lib/api-client.ts";
import { keepNote, noteAt, NotesContext, readNote } from "./kept-notes.ts";
import { NoteField, useNoted } from "./note-field.tsx";
import css from "./review.module.css";

interface DecisionDialogProps {
  decision: "approve" | "refuse";
  title: string;
  /** The words on the button. */
  confirm: string;
  /** What follows from it. */
  children: ReactNode;
  /** Throws an ApiError. */
  decide(note: string): Promise<void>;
  onDecided(): void;
  onClose(): void;
}

/** Yes or no, with a note for who asked. */
export function DecisionDialog({ decision, title, confirm, children, decide, onDecided, onClose }: DecisionDialogProps) {
  const place = noteAt(use(NotesContext), decision);
  const [kept] = useState(() => readNote(place));
  const { busy, submit, refused, field } = useNoted(
    kept?.note ?? "",
    async (note) => {
      await decide(note);
      keepNote(place, null);
      onClose();
      onDecided();
    },
    (note) => keepNote(place, { note }),
  );

  return (
    <Dialog
      open
      title={title}
      width="30rem"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={busy} onClick={() => void submit()}>
            {confirm}
          </Button>
        </>
      }
    >
      <p className={css.words}>{children}</p>
      <NoteField
        label="Note"
        placeholder={decision === "refuse" ? "What is missing?" : undefined}
        autoFocus={decision === "refuse"}
        {...field}
      />
      {refused && <FormError title="This was not decided" message={sentenceOf(refused)} />}
    </Dialog>
  );
}

const sentenceOf = ({ code, message }: ApiError): string =>
  code === "version_conflict" ? "This has been changed a moment ago. Look at what it is now before you decide." : message;
