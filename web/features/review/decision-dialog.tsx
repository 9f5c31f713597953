import { type ReactNode, use, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormError } from "../../ui/form-error.tsx";
import type { ApiError } from "../../lib/api-client.ts";
import { storeNote, noteKey, NotesContext, readNote } from "./unsaved-notes.ts";
import { NoteField, useNoteForm } from "./note-field.tsx";
import { Stack, Text } from "../../ui/layout.tsx";

interface DecisionDialogProps {
  decision: "approve" | "refuse";
  title: string;
  confirm: string;
  children: ReactNode;
  decide(note: string): Promise<void>;
  onDecided(): void;
  onClose(): void;
}

export function DecisionDialog({ decision, title, confirm, children, decide, onDecided, onClose }: DecisionDialogProps) {
  const place = noteKey(use(NotesContext), decision);
  const [stored] = useState(() => readNote(place));
  const { busy, submit, failure, field } = useNoteForm(
    stored?.note ?? "",
    async (note) => {
      await decide(note);
      storeNote(place, null);
      onClose();
      onDecided();
    },
    (note) => storeNote(place, { note }),
  );

  return (
    <Dialog
      open
      title={title}
      width="30rem"
      hasForm
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
      <Stack>
        <Text tone="muted">{children}</Text>
        <NoteField
          label="Note"
          placeholder={decision === "refuse" ? "What's missing?" : undefined}
          autoFocus={decision === "refuse"}
          {...field}
        />
        {failure && <FormError title="Couldn't save your decision" message={sentenceOf(failure)} />}
      </Stack>
    </Dialog>
  );
}

const sentenceOf = ({ code, message }: ApiError): string =>
  code === "version_conflict" ? "This was just changed. Review the latest version before you decide." : message;
