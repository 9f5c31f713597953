import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface LeaveDialogProps {
  busy: boolean;
  onStay?: () => void;
  onLeave?: () => void;
  /** Without it the changes can't be saved. */
  onSave?: () => void;
  children: ReactNode;
}

export function LeaveDialog({ busy, onStay, onLeave, onSave, children }: LeaveDialogProps) {
  return (
    <Dialog
      open
      title="Leave without saving?"
      width="32rem"
      onClose={onStay}
      footer={
        <>
          <Button onClick={onStay}>Stay</Button>
          <Button onClick={onLeave}>Leave</Button>
          {onSave && (
            <Button variant="primary" busy={busy} onClick={onSave}>
              Save and leave
            </Button>
          )}
        </>
      }
    >
      <p>{children}</p>
    </Dialog>
  );
}
