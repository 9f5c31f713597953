import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Stack } from "../../ui/layout.tsx";
import { UnsavedGuard } from "../../ui/unsaved-guard.tsx";

interface SecretDialogProps {
  title: string;
  /** "the API key", "the signing secret" */
  what: string;
  secret: string;
  /** Instructions. */
  children: ReactNode;
  onDone: () => void;
}

/** Shows a secret once. Closes only after the user confirms it is saved. */
export function SecretDialog({ title, what, secret, children, onDone }: SecretDialogProps) {
  const [isSaved, setIsSaved] = useState(false);
  const label = what.replace(/^the /, "").replace(/^./, (letter) => letter.toUpperCase());
  return (
    <Dialog
      open
      title={title}
      width="36rem"
      footer={
        <Button variant="primary" disabled={!isSaved} onClick={onDone}>
          Done
        </Button>
      }
    >
      <Stack>
        <p>
          <strong>Copy it now. You won't see it again.</strong>
        </p>
        <CopyField label={label} text={secret} buttonLabel={what} onCopied={() => setIsSaved(true)} />
        {children}
        <Checkbox label="I've saved it in a safe place" checked={isSaved} onChange={({ target }) => setIsSaved(target.checked)} />
      </Stack>
      {!isSaved && <UnsavedGuard>{`You won't be able to see ${what} again.`}</UnsavedGuard>}
    </Dialog>
  );
}
