import { type ReactNode, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { CopyField } from "../../components/copy-field.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { UnsavedGuard } from "../../components/unsaved-guard.tsx";
import css from "./secret-dialog.module.css";

interface SecretDialogProps {
  title: string;
  /** What it is: "the API key", "the signing secret". */
  what: string;
  secret: string;
  /** What to do with it. */
  children: ReactNode;
  onDone: () => void;
}

/** A secret that is shown this once: neither a key, nor a click beside it, nor a link takes it away before somebody says that it is kept. */
export function SecretDialog({ title, what, secret, children, onDone }: SecretDialogProps) {
  const [kept, setKept] = useState(false);
  const label = what.replace(/^the /, "").replace(/^./, (letter) => letter.toUpperCase());
  return (
    <Dialog
      open
      title={title}
      width="36rem"
      footer={
        <Button variant="primary" disabled={!kept} onClick={onDone}>
          Done
        </Button>
      }
    >
      <div className={css.dialog}>
        <p>
          <strong>Copy it now: it is shown this once.</strong>
        </p>
        <CopyField label={label} text={secret} what={what} onCopied={() => setKept(true)} />
        {children}
        <Checkbox label="I have copied it to a safe place" checked={kept} onChange={({ target }) => setKept(target.checked)} />
      </div>
      {!kept && <UnsavedGuard>{`Nobody can show you ${what} again once you leave.`}</UnsavedGuard>}
    </Dialog>
  );
}
